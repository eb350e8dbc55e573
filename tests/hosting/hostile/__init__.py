"""Agents that misbehave, one way each, at every request; some before."""
