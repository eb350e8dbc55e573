"""The log of a session: written, read, replayed, exported."""
