"""Views and choices of the start window."""
