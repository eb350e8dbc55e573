"""Agent that never returns when it is loaded, in C, where no other thread of Python can run."""

sum(iter(range(10**18)))
