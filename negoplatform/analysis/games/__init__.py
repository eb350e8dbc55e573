"""Measures and the check of games."""
