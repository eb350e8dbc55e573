"""Agent that hangs when it is loaded."""

while True:
    pass
