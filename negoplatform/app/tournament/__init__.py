"""Tournaments: many games between pairs of agents, in parallel, continued after an interruption."""
