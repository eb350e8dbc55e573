"""Portraits of agents: drawn characters, and agents' own pictures."""
