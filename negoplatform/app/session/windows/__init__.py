"""Windows of a live session that are in other processes: roles, feeds, presence, and their requests."""
