"""Holds no agent at all."""
