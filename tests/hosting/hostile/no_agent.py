"""File without an agent."""
