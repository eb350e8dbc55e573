"""Training on the fast path of simulations: one game after the other, and many at once in NumPy."""
