"""Offers and preferences in words and points."""
