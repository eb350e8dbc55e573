"""Assistants of a session: when each is asked, its host, and its replay over a log."""
