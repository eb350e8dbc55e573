"""Agents that misbehave, one way each, at whatever they are told; some before."""
