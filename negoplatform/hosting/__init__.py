"""Agents in seats: requests to agents, and their responses as proposals to the session."""
