"""Agent that never comes to an end when it is loaded."""

while True:
    pass
