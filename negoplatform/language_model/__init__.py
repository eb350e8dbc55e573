"""Phrasing and classification of chat texts by a language model, behind an agent that makes the decisions."""
