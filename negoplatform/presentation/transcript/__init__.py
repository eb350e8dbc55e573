"""Entries of the transcript, and their layout."""
