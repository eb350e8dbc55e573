"""File without an agent."""

ANSWER = 42

# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
