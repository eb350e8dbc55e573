"""Visits of participants: their run, their games and agents, their assignment and drafts."""
