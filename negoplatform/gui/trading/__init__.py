"""The window's parts for a trading game."""
