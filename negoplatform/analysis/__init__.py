"""Measures of games and sessions, for researchers."""
