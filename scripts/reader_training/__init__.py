"""Training of the models that read typed words; ``python -m scripts.train_reader`` runs it."""
