"""The study: its file, instruments, assignment and payment, and the state of a visit."""
