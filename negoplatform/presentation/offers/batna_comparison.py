"""How points compare with no deal, and the colour of words about that."""

from __future__ import annotations

from enum import StrEnum

from negoplatform.presentation.color_palette import Palette


class NoDealComparison(StrEnum):
    """How an offer compares with no deal."""

    BETTER = "better"
    """Better, whatever the rest of a partial offer is."""
    WORSE = "worse"
    """Worse, whatever the rest of a partial offer is."""
    EQUAL = "equal"
    """Neither."""
    OPEN = "open"
    """There is nothing to compare, or it depends on the rest."""


def comparison_colour(versus: NoDealComparison, colours: Palette) -> str:
    """Return the colour for better or worse; empty where words keep the colour that they have."""
    match versus:
        case NoDealComparison.BETTER:
            return colours.accept
        case NoDealComparison.WORSE:
            return colours.danger
        case NoDealComparison.EQUAL | NoDealComparison.OPEN:
            return ""
