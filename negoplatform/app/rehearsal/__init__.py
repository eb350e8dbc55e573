"""Rehearsals: simulated people who go through a study, and the report about them."""
