"""Training of the parser's models; ``python -m scripts.train_reader`` runs it."""
