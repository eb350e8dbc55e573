"""Processes on each operating system: groups, limits and files that are shared with a child."""
