"""Teams: several agents behind one seat, and the votes of allied seats."""
