"""Names and texts of a game in the window's language."""

from __future__ import annotations

import unicodedata

from negoplatform.domain.game_display_texts import display_name
from negoplatform.presentation.i18n import Language


def displayable(text: str) -> str:
    """Return a text that the window can draw: characters beyond the basic plane are replaced by their names.

    Tk on X11 may end the process when it draws emoji; the log keeps the text as typed.
    """
    return "".join(
        char if ord(char) <= 0xFFFF else f"[{unicodedata.name(char, 'symbol').lower()}]" for char in text
    )


def role_name(name: str) -> str:
    """Return a seat's or profile's name for display: ``long_term`` is "long term"."""
    return displayable(display_name(name))


def localized_text(text: str, translate: Language) -> str:
    """Return a game's own text for display; a shipped game's is in the window's language."""
    return displayable(translate.translate_plugin_text(text))


def localized_role(name: str, translate: Language) -> str:
    """Return a seat's or profile's name for display, in the window's language."""
    return localized_text(display_name(name), translate)


def truncate(text: str, longest: int) -> str:
    """Return a text cut to a maximum length, with an ellipsis if it was longer."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


MOST_NAMED = 3
"""Largest number of others who are named where there is little room."""


def names_or_number(names: list[str], translate: Language) -> str:
    """Return a few names joined, and only their number if there are more: ``4 others``."""
    if len(names) <= MOST_NAMED:
        return join_names(names, translate)
    return translate("{n} others", n=len(names))


def join_names(names: list[str], translate: Language) -> str:
    """Return ``a``, ``a and b``, or ``a, b and c``."""
    if len(names) < 2:
        return "".join(names)
    return translate("{some} and {last}", some=", ".join(names[:-1]), last=names[-1])
