"""Containers that are never changed: copies share what they have in common."""
