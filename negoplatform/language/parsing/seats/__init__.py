"""Seats in texts: who is meant, and who gets what."""
