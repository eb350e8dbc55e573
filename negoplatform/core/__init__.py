"""One session: its events, its state, its rules and its time. No window, no thread, no file."""
