"""Replay viewer: a recorded session as each observer saw it."""
