"""Interpretation of typed messages: what is understood, shown and corrected."""
