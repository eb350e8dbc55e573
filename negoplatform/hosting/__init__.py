"""Seats an agent: turns what it asks for into proposals at the session's door."""
