"""Typed texts of a game with four seats that name shares of seats with numbers, dates and lists.

An offer is written as its values by issue, with the units of the orchard (the speaker), the dairy, the
council and the school ("tidying 2-2-0-0"); ``_`` is a seat of which nothing is said while units are
undecided.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.support.localized_game_names import with_localized_names
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.language import DialogueContext, parse
from negoplatform.language.parsing.interpretation import Interpretation

UNDERSTOOD = [
    ("1 hour of tidying up for dairy and a stand fee of €100", "fee 100; tidying _-1-_-_"),
    ("2 hours of tidying up for me, 2 for dairy, and a stand fee of €40", "fee 40; tidying 2-2-0-0"),
    (
        "stand fee €40, Saturday, the market square, 8 pm; dairy tidies up 2 hours and council 2 hours",
        "closing 8 pm; day Saturday; fee 40; place Market square; tidying 0-2-2-0",
    ),
    (
        "The school takes 4 hours of tidying up, the fee is 60 euros and we end at 8 pm",
        "closing 8 pm; fee 60; tidying 0-0-0-4",
    ),
    (
        "How about Saturday on the market square, a stand fee of 20, and the school does 3 hours of tidying"
        " up and the council 1?",
        "day Saturday; fee 20; place Market square; tidying 0-0-1-3",
    ),
    ("Let's say €80 stand fee, dairy gets 1 hour of tidying up and I take 3", "fee 80; tidying 3-1-0-0"),
    (
        "fee: 40, day: Sunday, place: schoolyard, closing time: 10 pm, tidying: school 2, council 2",
        "closing 10 pm; day Sunday; fee 40; place Schoolyard; tidying 0-0-2-2",
    ),
    (
        "I propose a fee of 60, an end at 10 pm and one hour of tidying up for each of us",
        "closing 10 pm; fee 60; tidying 1-1-1-1",
    ),
    (
        "Dairy, you take 2 hours of tidying up, I take the rest, and the stand fee is €40",
        "fee 40; tidying 2-2-0-0",
    ),
    (
        "A fair on Friday in the schoolyard until 6 pm, with a stand fee of €20 and 4 hours of tidying up for"
        " school",
        "closing 6 pm; day Friday; fee 20; place Schoolyard; tidying 0-0-0-4",
    ),
    ("€40 for the stand fee and 3 hours of tidying up for council", "fee 40; tidying _-_-3-_"),
    ("If the stand fee is €20, I take 2 hours of tidying up and dairy takes 2", "fee 20; tidying 2-2-0-0"),
    ("4 hours of cleaning for the school and a rent of €60", "fee 60; tidying 0-0-0-4"),
    (
        "2 hours of tidying up for the council and 2 for the school, stand fee at 80",
        "fee 80; tidying 0-0-2-2",
    ),
]
"""Texts that are understood completely."""

GERMAN = [
    ("2 Aufräumstunden für mich, 2 für Rowan und 40 € Standgebühr", "fee 40; tidying 2-2-0-0"),
    (
        "Standgebühr 40 €, Samstag, Marktplatz, 20 Uhr; Rowan nimmt 2 Aufräumstunden und Ariel 2",
        "closing 8 pm; day Saturday; fee 40; place Market square; tidying 0-2-2-0",
    ),
    (
        "Kim übernimmt 4 Aufräumstunden, die Standgebühr beträgt 60 Euro und Ende ist um 20 Uhr",
        "closing 8 pm; fee 60; tidying 0-0-0-4",
    ),
    (
        "Wie wäre es mit Samstag auf dem Marktplatz, 20 € Standgebühr, und Kim bekommt 3 Aufräumstunden,"
        " Ariel 1?",
        "day Saturday; fee 20; place Market square; tidying 0-0-1-3",
    ),
    ("Eine Standgebühr von 80 €, Rowan bekommt 1 Aufräumstunde und ich nehme 3", "fee 80; tidying 3-1-0-0"),
    (
        "Standgebühr: 40 €, Tag: Sonntag, Ort: Schulhof, Ende: 22 Uhr, Aufräumstunden: Kim 2, Ariel 2",
        "closing 10 pm; day Sunday; fee 40; place Schoolyard; tidying 0-0-2-2",
    ),
    ("Jeder bekommt 1 Aufräumstunde, und die Standgebühr ist 60 €", "fee 60; tidying 1-1-1-1"),
    ("Wenn die Standgebühr 20 € ist, nehme ich 2 Aufräumstunden und Rowan 2", "fee 20; tidying 2-2-0-0"),
    (
        "100 Euro Standgebühr, 2 Aufräumstunden für Ariel, 2 Aufräumstunden für Kim",
        "fee 100; tidying 0-0-2-2",
    ),
]

NO_OFFER = [
    "3 hours of tidying up for dairy if the fee is not 40",
    "dairy gets 2 hours of tidying up but a fee of 100 is too much",
    "2 hours of tidying up for dairy and a stand fee of at most €40",
    "dairy takes 2 hours of tidying up, stand fee 40 or 60",
    "€40 for dairy and 2 hours of tidying up for school",
    "the fee was 40, dairy gets 2 hours of tidying up",
    "2 hours of tidying up for dairy, stand fee 40 is too high",
    "2 hours of tidying up for dairy and a stand fee of 50",
    "2 hours of tidying up for dairy, a fee of 40 to 60",
    "2 hours of tidying up for dairy, fee 40, fee 60",
    "2 hours of tidying up for dairy, 40 for the fee of the council",
    "2 hours of tidying up for dairy for a stand fee of 40",
    "2 hours of tidying up for dairy, not on Saturday",
    "dairy does 2 hours of tidying up by 8 pm",
    "dairy tidies up 2 hours on Sunday",
    "on Sunday dairy tidies up 2 hours",
    "dairy takes 2 hours to think",
    "give me 2 hours",
    "dairy wants a stand fee of 40 and 2 hours of tidying up for school",
    "dairy said 2 hours of tidying up for school and a fee of 40",
    "dairy gets €40 and 2 hours of tidying up",
    "dairy gets €40, school gets 2 hours of tidying up",
    "dairy takes 2 hours of tidying up, I get €40",
    "€40 each and 2 hours of tidying up for school",
    "dairy takes the fee of 40, school takes 2 hours of tidying up",
]
"""Texts that propose something else than their amounts seem to say, or of which a part is unclear."""

NO_OFFER_IN_GERMAN = [
    "Ein Fest am Freitag auf dem Schulhof, 20 € Standgebühr und 4 Aufräumstunden für Kim",
    "ohne ein Fest am Sonntag, 2 Aufräumstunden für Kim",
    "4 Schubkarren für Kim und 20 € Standgebühr",
    "2 Aufräumstunden für Kim und höchstens 40 € Standgebühr",
]
"""German ones: with words that are not known, and with a limit."""


@cache
def fair() -> GameSpec:
    """Return the shipped game of a harvest fair."""
    return find_game("harvest_fair", Path("nowhere")).resolve_profiles(1)


@cache
def german_fair() -> GameSpec:
    """Return the game as a German window shows it, with names for three seats."""
    names = SeatMap({"dairy": "Rowan", "council": "Ariel", "school": "Kim"})
    return replace(with_localized_names(fair(), "de"), names=names)


def heard(text: str) -> Interpretation:
    """Return the interpretation of a text of the orchard."""
    return parse(text, DialogueContext(fair(), "orchard"))


def heard_in_german(text: str) -> Interpretation:
    """Return the interpretation of a German text of the orchard."""
    return parse(text, DialogueContext(german_fair(), "orchard", language="de"))


def written(offer: Offer | None) -> str:
    """Return an offer in the notation of the tables."""
    return "; ".join(f"{name} {_term(term)}" for name, term in offer.terms) if offer is not None else ""


def _term(term: object) -> str:
    if not isinstance(term, Allocation):
        return str(term)
    named, unsaid = dict(term.units), "_" if term.undecided else 0
    return "-".join(str(named.get(seat, unsaid)) for seat in fair().seats)


@pytest.mark.parametrize(("text", "meant"), UNDERSTOOD)
def test_shares_of_seats_are_understood_beside_numbers_dates_and_lists(text: str, meant: str) -> None:
    assert written(heard(text).offer) == meant


@pytest.mark.parametrize(("text", "meant"), GERMAN)
def test_german_shares_of_seats_are_understood_beside_them(text: str, meant: str) -> None:
    assert written(heard_in_german(text).offer) == meant


@pytest.mark.parametrize("text", NO_OFFER)
def test_a_text_of_which_a_part_is_unclear_is_never_taken_for_an_offer(text: str) -> None:
    assert heard(text).offer is None


@pytest.mark.parametrize("text", NO_OFFER_IN_GERMAN)
def test_neither_is_a_german_text(text: str) -> None:
    assert heard_in_german(text).offer is None
