"""Puts the pieces together: the one place that builds a table."""
