"""Figures about games and sessions, for people who study them."""
