"""The transcript of a negotiation as a scrollable canvas."""
