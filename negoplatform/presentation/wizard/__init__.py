"""Views of the panel with which a wizard operates a seat; no Tk."""
