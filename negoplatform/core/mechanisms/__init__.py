"""The rules of each kind of game."""
