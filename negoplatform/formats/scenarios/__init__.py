"""Scenarios of other platforms: a domain and the profiles of those who negotiate about it."""
