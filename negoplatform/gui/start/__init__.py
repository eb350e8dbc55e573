"""The start window: choice of game and agent, session form, and unfinished sessions."""
