"""What an agent's author imports."""
