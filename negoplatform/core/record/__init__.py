"""The record of a session: notes, tasks, and changes of them."""
