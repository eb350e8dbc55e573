"""Trials of the promises in docs/reliability.md, until they fail or have been repeated often enough."""
