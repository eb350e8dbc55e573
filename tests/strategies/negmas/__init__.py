"""Tests of negotiators of NegMAS as agents."""
