"""Screens of a study for its participants."""
