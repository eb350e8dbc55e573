"""The negotiation table: the screen of a running session and its panels."""
