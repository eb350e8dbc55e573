"""What shipped agents are made of, and what authors may build with."""
