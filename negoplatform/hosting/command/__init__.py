"""Chain of command: commands that wait for a seat, timed entries, and messages that take their time."""
