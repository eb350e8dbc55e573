"""Tables of sessions and studies for statistics programs."""
