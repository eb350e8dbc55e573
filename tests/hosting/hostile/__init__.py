"""Agents that misbehave, each in one way, at every request; some before that."""
