"""Panels of bargaining: the offer builder, the controls on offer cards, and the status of the issues."""
