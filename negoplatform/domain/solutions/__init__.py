"""Efficient outcomes of a game: its frontier, solutions on it, and outcomes left to an incomplete offer."""
