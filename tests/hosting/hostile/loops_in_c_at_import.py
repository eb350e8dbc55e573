"""Agent that never comes to an end when it is loaded, in C, where no other thread of Python comes by."""

sum(iter(range(10**18)))
