"""Typed texts of a game with three seats: who gets how much, or the question who is meant.

Rowan is the gardener, Ariel the carpenter, and the parent speaks. An offer is written as the units of the
parent, Rowan and Ariel ("budget 3-2-1"); ``_`` is a seat of which nothing is said while units are undecided.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.language import DialogueContext, DialogueTurn, parse
from negoplatform.language.parsing.interpretation import Interpretation
from tests.many_seats import harvest

UNDERSTOOD = [
    ("I take 2 shares of the budget", "budget 2-_-_"),
    ("Rowan gets 2 shares of the budget", "budget _-2-_"),
    ("Rowan gets 2 shares of the budget, Ariel 1 and I take the rest", "budget 3-2-1"),
    ("I take 3 shares of the budget, Rowan takes 2 and Ariel takes 1", "budget 3-2-1"),
    ("3 shares of the budget for me, 2 for Rowan and 1 for Ariel", "budget 3-2-1"),
    ("shares of the budget: 2 for me, 2 for the gardener, 2 for the carpenter", "budget 2-2-2"),
    ("budget: Rowan 2, Ariel 1, me 3", "budget 3-2-1"),
    ("parent 2, gardener 2, carpenter 2 shares of the budget", "budget 2-2-2"),
    ("the gardener gets 4 shares of the budget and the carpenter 2", "budget 0-4-2"),
    ("Rowan, you get 2 shares of the budget", "budget _-2-_"),
    ("Rowan, you can have 2 shares of the budget and Ariel gets 1", "budget _-2-1"),
    ("Rowan, I get 3 shares of the budget, you 2 and Ariel 1", "budget 3-2-1"),
    ("Rowan, you get 2 shares of the budget. Ariel, you get 1.", "budget _-2-1"),
    ("Ariel, take 3 shares of the budget", "budget _-_-3"),
    ("Would you mow 2 weekends, Rowan?", "mowing _-2-_"),
    ("@Rowan 2 shares of the budget for you", "budget _-2-_"),
    ("Ariel could take 3 shares of the budget", "budget _-_-3"),
    ("give Ariel 2 shares of the budget", "budget _-_-2"),
    ("I give Rowan 2 shares of the budget", "budget _-2-_"),
    ("I keep 2 shares of the budget and give 1 to Rowan", "budget 2-1-_"),
    ("let Rowan have 3 shares of the budget", "budget _-3-_"),
    ("I want Rowan to get 2 shares of the budget", "budget _-2-_"),
    ("both of you get 2 shares of the budget", "budget _-2-2"),
    ("both of you can have 1 share of the budget, I take 4", "budget 4-1-1"),
    ("if you both mow 2 weekends, I take only 1 share of the budget", "budget 1-_-_; mowing 0-2-2"),
    ("you guys mow 2 weekends each", "mowing 0-2-2"),
    ("the others mow 2 weekends each", "mowing 0-2-2"),
    ("3 shares of the budget for each of you", "budget 0-3-3"),
    ("each of you gets 1 share of the budget", "budget _-1-1"),
    ("Rowan and Ariel get 2 shares of the budget each", "budget _-2-2"),
    ("Rowan and Ariel both get 2 shares of the budget", "budget _-2-2"),
    ("Rowan and I get 3 shares of the budget each", "budget 3-3-0"),
    ("Rowan, Ariel and I get 2 shares of the budget each", "budget 2-2-2"),
    ("we each get 2 shares of the budget", "budget 2-2-2"),
    ("everyone gets 2 shares of the budget", "budget 2-2-2"),
    ("two shares of the budget for each of us", "budget 2-2-2"),
    ("let's split the budget equally", "budget 2-2-2"),
    ("3 shares of the budget for me, the rest for Rowan", "budget 3-3-0"),
    ("Rowan gets all the budget", "budget 0-6-0"),
    ("Ariel takes no mowing", "mowing _-_-0"),
    ("the gardener mows all weekends", "mowing 0-4-0"),
    (
        "play area in the middle, Rowan mows all 4 weekends, I take 2 shares of the budget",
        "budget 2-_-_; mowing 0-4-0; play_area In the middle",
    ),
    ("If Rowan mows all 4 weekends, Ariel gets 3 shares of the budget", "budget _-_-3; mowing 0-4-0"),
    ("ok, Rowan gets 2 shares of the budget", "budget _-2-_"),
    ("thanks Rowan, I take 2 shares of the budget", "budget 2-_-_"),
    ("Keep the tree", "tree Keep the tree"),
    ("Keep the walnut tree.", "tree Keep the tree"),
    ("I take three shares of the budget", "budget 3-_-_"),
    ("I would mow two weekends", "mowing 2-_-_"),
]
"""Texts that are understood completely."""

GERMAN = [
    ("Rowan bekommt 2 Anteile vom Budget, Ariel 1 und ich nehme den Rest", "budget 3-2-1"),
    ("2 Anteile vom Budget für mich, 3 für Rowan, 1 für Ariel", "budget 2-3-1"),
    ("Rowan, du bekommst 2 Anteile vom Budget", "budget _-2-_"),
    ("Ihr bekommt beide 2 Anteile vom Budget", "budget _-2-2"),
    ("Jeder bekommt 2 Anteile vom Budget", "budget 2-2-2"),
    ("Rowan und Ariel bekommen je 2 Anteile vom Budget", "budget _-2-2"),
    ("Das Budget teilen wir gleichmäßig", "budget 2-2-2"),
]

PARTLY = [
    ("you can have 2 shares of the budget, I take 4", "budget 4-_-_"),
    ("3 shares of the budget for me and the rest for you", "budget 3-_-_"),
    ("3 shares of the budget for me and the rest for both of you", "budget 3-_-_"),
    ("I get 3 shares of the budget, you 2 and Ariel 1", "budget 3-_-_"),
    ("I take 5 shares of the budget and Rowan takes 2", "budget 5-_-_"),
    ("if you both agree to keep the tree, I take 2 shares of the budget", "budget 2-_-_; tree Keep the tree"),
    ("Ariel works until 8 pm and Rowan mows 2 weekends", "workshop Until 8 pm"),
]
"""Texts of which only a part is understood: it is shown, and asked about."""

ASKED = [
    "Rowan gets 2, Ariel 1 and I take the rest",
    "You get 2 shares of the budget",
    "I give you 2 shares of the budget",
    "Rowan and Ariel get 4 shares of the budget",
    "the others get 4 shares of the budget",
    "4 shares of the budget for the others",
    "2 shares of the budget for me and Rowan",
    "Rowan, Ariel and I get 2 shares of the budget",
    "you two split the budget",
    "she gets 2 shares of the budget",
    "he mows 3 weekends",
    "they get 2 shares of the budget",
    "Ariel gets the rest of the budget",
    "Rowan gets the budget",
    "Rowan gets 1 more share of the budget",
    "Rowan gets 2 or 3 shares of the budget",
    "Rowan gets at most 2 shares of the budget",
    "I want one more share of the budget than Rowan",
    "Rowan gets 2 shares of the budget for 3 weekends of mowing",
]
"""Texts about which everything is asked."""

NO_PROPOSAL = [
    "I don't want Rowan to get 4 shares of the budget",
    "Rowan doesn't get 2 shares of the budget",
    "not 3 shares of the budget for Ariel",
    "Rowan must not get 4 shares of the budget",
    "Why should Rowan get 4 shares of the budget?",
    "Ariel says Rowan gets 2 shares of the budget",
    "you said Rowan gets 2 shares of the budget",
    "Rowan wants 3 shares of the budget",
    "Rowan has 2 shares of the budget",
    "Rowan offered Ariel 2 shares of the budget",
    "it's unfair, Rowan gets 4 shares of the budget",
    "I take 4 shares of the budget unless Rowan mows 2 weekends",
    "nobody gets more than 2 shares of the budget",
]
"""Texts with amounts that propose none, or not these."""

ASKED_IN_GERMAN = [
    "Du bekommst 2 Anteile vom Budget",
    "Sie bekommt 3 Anteile vom Budget",
    "3 Anteile vom Budget für euch",
    "Ich nehme 4 Anteile vom Budget, außer wenn Rowan mäht",
]


@cache
def neighbours() -> GameSpec:
    """Return the shipped game of three neighbours, with names for two of them."""
    game = find_game("three_way", Path("nowhere")).resolve_profiles(1)
    return replace(game, names=SeatMap({"gardener": "Rowan", "carpenter": "Ariel"}))


def heard(text: str, *, language: str = "en", to: tuple[Seat, ...] = ()) -> Interpretation:
    """Return the interpretation of a text of the parent."""
    return parse(text, DialogueContext(neighbours(), "parent", language=language, to=to))


def written(offer: Offer | None) -> str:
    """Return an offer in the notation of the tables."""
    return "; ".join(f"{name} {_term(term)}" for name, term in offer.terms) if offer is not None else ""


def _term(term: object) -> str:
    if not isinstance(term, Allocation):
        return str(term)
    named = dict(term.units)
    complete = term.undecided == 0
    return "-".join(str(named.get(seat, 0 if complete else "_")) for seat in neighbours().seats)


@pytest.mark.parametrize(("text", "meant"), UNDERSTOOD)
def test_a_text_of_three_seats_is_understood(text: str, meant: str) -> None:
    assert written(heard(text).offer) == meant


@pytest.mark.parametrize(("text", "meant"), GERMAN)
def test_a_german_text_of_three_seats_is_understood(text: str, meant: str) -> None:
    assert written(heard(text, language="de").offer) == meant


@pytest.mark.parametrize(("text", "part"), PARTLY)
def test_a_text_that_is_understood_in_part_is_asked_about(text: str, part: str) -> None:
    reading = heard(text)

    assert reading.offer is None
    assert [written(offer) for offer in reading.offers] == [part]


@pytest.mark.parametrize("text", [*ASKED, *NO_PROPOSAL])
def test_a_text_that_may_mean_something_else_is_never_taken_for_an_offer(text: str) -> None:
    assert heard(text).offer is None


@pytest.mark.parametrize("text", ASKED_IN_GERMAN)
def test_neither_is_a_german_one(text: str) -> None:
    assert heard(text, language="de").offer is None


def test_more_for_each_than_there_is_for_all_is_no_term() -> None:
    assert heard("2 mowing each").offers == ()
    assert heard("3 budget each").offers == ()


def test_in_a_message_to_one_seat_you_is_that_seat() -> None:
    text = "you can have 2 shares of the budget, I take 4"

    assert written(heard(text, to=("gardener",)).offer) == "budget 4-2-0"
    assert written(heard(text, to=("carpenter",)).offer) == "budget 4-0-2"
    assert heard(text, to=("gardener", "carpenter")).offer is None
    assert written(heard("I give you two shares of the budget", to=("gardener",)).offer) == "budget _-2-_"


def test_whoever_is_called_by_name_is_you_also_in_a_message_to_another() -> None:
    assert written(heard("Ariel, you get 2 shares of the budget", to=("gardener",)).offer) == "budget _-_-2"


def test_both_of_you_is_no_name_of_three() -> None:
    game = harvest()

    assert parse("both of you get 1 bag of flour", DialogueContext(game, "miller")).offer is None
    reading = parse("Baker and farmer, both of you get 1 flour", DialogueContext(game, "miller"))
    assert reading.offer == Offer({"flour": Allocation({"baker": 1, "farmer": 1}, 3)})


def asked(*turns: tuple[Seat, str], text: str, to: tuple[Seat, ...] = ()) -> Interpretation:
    """Return the interpretation of a text after messages of others."""
    history = tuple(DialogueTurn(sender, said) for sender, said in turns)
    return parse(text, DialogueContext(neighbours(), "parent", history=history, to=to))


def test_a_yes_confirms_what_the_last_one_asked_and_no_earlier_words_of_another() -> None:
    rowan = ("gardener", "I take 4 shares of the budget, ok?")
    ariel = ("carpenter", "Ariel gets 2 shares of the budget, ok?")

    assert written(asked(rowan, ariel, text="yes").offer) == "budget _-_-2"
    assert written(asked(ariel, rowan, text="yes").offer) == "budget _-4-_"


def test_a_yes_to_another_by_name_or_in_private_confirms_nothing() -> None:
    rowan = ("gardener", "I take 4 shares of the budget, ok?")

    assert asked(rowan, text="yes", to=("carpenter",)).offer is None
    assert asked(rowan, text="Ariel, yes").offer is None


def test_a_yes_to_somebody_else_accepts_no_offer_on_the_table() -> None:
    table = Offer({"tree": "Keep the tree"})
    where = DialogueContext(neighbours(), "parent", table, "gardener")

    assert parse("I accept", where).accepts
    assert parse("I agree with Rowan", where).accepts
    assert not parse("I agree with Ariel", where).accepts
    assert not parse("Ariel, I accept", where).accepts
    assert not parse("I accept", replace(where, to=("carpenter",))).accepts
