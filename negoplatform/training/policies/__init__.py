"""Policies: their network in training, the search for its parameters, their evaluation and their file."""
