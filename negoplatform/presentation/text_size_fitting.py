"""Text sizes that fit a window, and a note if the chosen one does not. No Tk."""

from __future__ import annotations

from negoplatform.presentation.appearance import TEXT_SIZES
from negoplatform.presentation.i18n import Language

ROOM = (620, 340)
"""Smallest width and height of a window, in pixels at 96 dpi and 100 %: the size of the smallest layout."""


def largest_that_fits(width: float, height: float) -> float:
    """Return the largest of :data:`TEXT_SIZES` that fits a window; the smallest if none fits.

    Args:
        width: Width of the window, in pixels at 96 dpi.
        height: Height of the window, in pixels at 96 dpi.
    """
    room = min(width / ROOM[0], height / ROOM[1])
    return max((size for size in TEXT_SIZES if size <= room), default=TEXT_SIZES[0])


def larger(wanted: float, drawn: float, largest: float) -> float | None:
    """Return the next larger text size; None if there is none to choose.

    Args:
        wanted: Chosen text size.
        drawn: Text size in use; smaller if the chosen one does not fit.
        largest: Largest text size that fits now.
    """
    if wanted > drawn:
        return wanted if largest > drawn else None
    # Includes sizes that do not fit: the note then gives the reason, which a disabled button does not.
    return min((size for size in TEXT_SIZES if size > drawn), default=None)


def smaller(drawn: float) -> float | None:
    """Return the next smaller text size than the one in use; None if there is none."""
    return max((size for size in TEXT_SIZES if size < drawn), default=None)


def size_note(wanted: float, drawn: float, *, fills_screen: bool, translate: Language) -> str:
    """Return the note on a text size that does not fit; empty if it fits.

    Args:
        wanted: Chosen text size.
        drawn: Text size in use.
        fills_screen: Whether the window cannot be enlarged.
        translate: Translation into the window's language.
    """
    if drawn >= wanted:
        return ""
    percent = f"{drawn:.0%}"
    if fills_screen:
        return translate("{percent} is the largest text size that fits this screen.", percent=percent)
    return translate(
        "{percent} is the largest text size that fits this window. Make the window larger for more.",
        percent=percent,
    )
