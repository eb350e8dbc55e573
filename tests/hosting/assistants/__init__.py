"""Tests of the assistants of a session."""
