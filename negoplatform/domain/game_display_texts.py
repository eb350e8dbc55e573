"""Texts of a game for people, as in its file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.seat_map import RESERVED_NAMES, Seat
from negoplatform.domain.trading.economy import TermsWithTexts

GENERIC_SEAT_NAMES = ("human", "agent")
"""Seat names that state who sits there, not a role; participants never read them."""


TRADING = "trading"
"""Name of the mechanism in which seats have no roles."""

PARTICIPANT = "Participant"
"""English name of a person whose seat has no role; a number follows where several people have none."""


def display_name(name: str) -> str:
    """Return a seat's or profile's name for people: ``long_term`` is "long term"."""
    return name.replace("_", " ")


def names_role(seat: Seat, game: GameSpec) -> bool:
    """Return whether a seat's name is a role that participants read.

    Every name is one, other than those that state who sits there. In a trading game none is, since every seat
    buys and sells.
    """
    return seat not in GENERIC_SEAT_NAMES and game.mechanism != TRADING


def spoken_name(game: GameSpec, seat: Seat) -> str:
    """Return the name by which a seat is called: the one that it is given, or that of the seat itself."""
    name = display_name(seat)
    return game.names.get(seat) or name[:1].upper() + name[1:]


def names_of_people(game: GameSpec, people: Collection[Seat]) -> dict[Seat, str]:
    """Return the English names by which the others know the people in some seats of a game.

    A person has the name that the game gives the seat, or that of the seat's role. Without a role it is
    ``Participant``, or ``Participant 1``, ``Participant 2`` … where several people have none.
    """
    nameless = [
        seat
        for seat in game.seats
        if seat in people and not game.names.get(seat) and not names_role(seat, game)
    ]
    names = {seat: spoken_name(game, seat) for seat in game.seats if seat in people}
    for number, seat in enumerate(nameless, start=1):
        names[seat] = PARTICIPANT if len(nameless) == 1 else f"{PARTICIPANT} {number}"
    return names


def named_seat(value: str, game: GameSpec) -> Seat | None:
    """Return the seat that a value names ("Buyer clears"); None if it names none, or several."""
    words = set(re.findall(r"\w+", value.lower()))
    found = [seat for seat in game.seats if set(re.findall(r"\w+", display_name(seat).lower())) <= words]
    return found[0] if len(found) == 1 else None


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text; an empty line begins a new one."""
    parts = "\n".join(line.strip() for line in text.splitlines()).split("\n\n")
    return [" ".join(part.split()) for part in parts if part.strip()]


def translatable_texts(game: GameSpec) -> Iterator[str]:
    """Yield every text of a game that a window shows, each as it is looked up; some occur twice."""
    yield from (game.title, game.description)
    for issue in game.issues:
        yield from issue_texts(issue)
    if game.economy is not None:
        yield from (good.title for good in game.economy.goods)
        if isinstance(game.economy.terms, TermsWithTexts):
            yield from game.economy.terms.shown_texts()
    yield from (
        display_name(seat) for seat in game.seats if seat not in (*GENERIC_SEAT_NAMES, *RESERVED_NAMES)
    )
    yield from game.stories.values()
    for briefing in game.briefings.values():
        yield from briefing.shown_texts()
    for profiles in game.profiles.values():
        for profile in profiles:
            yield from (display_name(profile.name), profile.story)
            yield from profile.briefing.shown_texts()
    yield from (each.text for each in game.announcements)
    yield from paragraphs(game.debriefing)


def issue_texts(issue: Issue) -> tuple[str, ...]:
    """Return the names in an issue: its title, its values or the unit of its numbers."""
    match issue:
        case CategoricalIssue():
            return (issue.title, *issue.values)
        case NumberIssue():
            return (issue.title, issue.unit)
    return (issue.title,)


def counted_titles(game: GameSpec) -> list[str]:
    """Return the titles of the issues that are counted: a language may have another word for one."""
    return [issue.title for issue in game.issues if isinstance(issue, QuantityIssue)]
