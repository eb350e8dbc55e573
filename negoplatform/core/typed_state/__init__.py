"""Typed states of games, filled from events."""
