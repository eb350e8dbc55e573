"""Console: a session in progress, watched by the experimenter or a spectator."""
