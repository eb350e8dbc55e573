"""Names and texts of a game in the window's language."""

from __future__ import annotations

import re
import unicodedata

from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import PARTICIPANT, display_name, names_role, spoken_name
from negoplatform.domain.seat_map import Seat
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


def localized_occupant(name: str, seat: Seat, game: GameSpec, translate: Language) -> str:
    """Return the name of a seat's occupant; that of a person who has no name is in the window's language.

    Args:
        name: The name; that of a person in English.
        seat: The seat.
        game: The game.
        translate: The window's language, with the game's texts.
    """
    if found := re.fullmatch(rf"{PARTICIPANT}(?: (\d+))?", name):
        number = found[1]
        return translate("Participant {n}", n=number) if number else translate("Participant")
    if names_role(seat, game) and not game.names.get(seat) and name == spoken_name(game, seat):
        role = localized_role(seat, translate)
        return role[:1].upper() + role[1:]
    return displayable(name)


def name_with_role(name: str, role: str, translate: Language) -> str:
    """Return a displayed name with its seat's role, unless the role is empty or is the name."""
    if role.casefold() in ("", name.casefold()):
        return name
    return translate("{name} ({role})", name=name, role=role)


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
