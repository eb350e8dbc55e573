"""Panel with which a wizard operates the seat of a table."""
