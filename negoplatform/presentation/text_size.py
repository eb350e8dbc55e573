"""Text sizes: which of them a window has room for, and what is said where it has not. No Tk."""

from __future__ import annotations

from negoplatform.presentation.appearance import TEXT_SIZES
from negoplatform.presentation.i18n import Language

ROOM = (620, 340)
"""The least width and height of a window, for 96 dpi at 100 %: what the smallest layout needs."""


def largest_that_fits(width: float, height: float) -> float:
    """Return the largest of :data:`TEXT_SIZES` for which a window has room, the smallest if there is none.

    Args:
        width: Of the window, for 96 dpi.
        height: Of the window, for 96 dpi.
    """
    room = min(width / ROOM[0], height / ROOM[1])
    return max((size for size in TEXT_SIZES if size <= room), default=TEXT_SIZES[0])


def larger(wanted: float, drawn: float, largest: float) -> float | None:
    """Return the next text size up, None if there is none to ask for.

    Args:
        wanted: The text size that was chosen.
        drawn: The text size that is used; less if the chosen one doesn't fit.
        largest: The largest that fits now.
    """
    if wanted > drawn:
        return wanted if largest > drawn else None
    # Also one that doesn't fit: what is said then explains it, a button that can't be pressed doesn't.
    return min((size for size in TEXT_SIZES if size > drawn), default=None)


def smaller(drawn: float) -> float | None:
    """Return the next text size down from the one that is used, None if there is none."""
    return max((size for size in TEXT_SIZES if size < drawn), default=None)


def size_note(wanted: float, drawn: float, *, fills_screen: bool, translate: Language) -> str:
    """Return the sentence for a text size that does not fit; empty if it does.

    Args:
        wanted: The text size that was chosen.
        drawn: The text size that is used.
        fills_screen: Whether the window cannot be made larger.
        say: The window's language.
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
