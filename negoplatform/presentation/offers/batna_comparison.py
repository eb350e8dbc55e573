"""Comparison of points with no deal, and its colour."""

from __future__ import annotations

from enum import StrEnum

from negoplatform.presentation.color_palette import Palette


class NoDealComparison(StrEnum):
    """Result of comparing an offer with no deal."""

    BETTER = "better"
    """Better than no deal, however the undecided issues turn out."""
    WORSE = "worse"
    """Worse than no deal, however the undecided issues turn out."""
    EQUAL = "equal"
    """Worth exactly as much as no deal."""
    OPEN = "open"
    """Undetermined: no offer, or dependent on the undecided issues."""


def comparison_colour(versus: NoDealComparison, colours: Palette) -> str:
    """Return the colour for better or worse; empty if the text keeps its own colour."""
    match versus:
        case NoDealComparison.BETTER:
            return colours.accept
        case NoDealComparison.WORSE:
            return colours.danger
        case NoDealComparison.EQUAL | NoDealComparison.OPEN:
            return ""
