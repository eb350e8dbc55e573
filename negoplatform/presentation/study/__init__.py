"""Screens of a study as plain values."""
