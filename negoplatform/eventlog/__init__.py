"""The log of a session: writing, reading, replaying and exporting it."""
