"""Studies in the window, with real mouse and keys."""
