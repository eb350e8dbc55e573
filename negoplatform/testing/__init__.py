"""For authors' tests: a table whose clock moves when told, and parties that do what they are told."""

from negoplatform.testing.table import Party, Scripted, TrialTable

__all__ = ["Party", "Scripted", "TrialTable"]
