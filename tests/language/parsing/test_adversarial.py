"""Sentences that were written to be misread, with and without an offer."""

from __future__ import annotations

import time
from functools import cache

import pytest

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.games import load_game
from negoplatform.language.parsing.dialogue_context import DialogueContext, DialogueTurn
from negoplatform.language.parsing.interpretation import Interpretation
from negoplatform.language.parsing.parser import parse
from negoplatform.plugins.program_and_user_folders import bundled
from tests.games import make_game
from tests.language.parsing.test_offers import campsite, is_safe, likeliest, shares, situation

__all__ = ["campsite"]  # pytest finds the fixtures of another file where they are imported.

JOB = load_game(bundled("games") / "job_candidate.json")
LAND = load_game(bundled("games") / "land_sale" / "game.json")


def divided(*issues: QuantityIssue, seats: tuple[Seat, ...] = ("human", "agent")) -> GameSpec:
    """Return a game whose units are all worth one point."""
    tables = {seat: {issue.name: list(range(issue.quantity + 1)) for issue in issues} for seat in seats}
    return make_game(tables, issues=issues)


def oven() -> GameSpec:
    """Return a game of degrees above and below zero, a rate in percent, and plates to divide."""
    issues = (
        NumberIssue("temp", -50, 50, 0.5, "Temperature", "°C"),
        NumberIssue("rate", 0, 100, 0.01, "Rate", "%"),
        QuantityIssue("plates", 4),
    )
    return make_game({seat: {"plates": [0, 1, 2, 3, 4]} for seat in ("human", "agent")}, issues=issues)


OVEN = oven()
STUFF = divided(
    QuantityIssue("food", 3, synonyms=("stuff",)),
    QuantityIssue("water", 3, synonyms=("stuff",)),
    QuantityIssue("wood", 3),
)
ORCHARD = divided(QuantityIssue("apples", 10), QuantityIssue("pears", 10), seats=("ann", "bob", "cat"))


@cache
def heard(text: str, game: GameSpec, before: tuple[str, ...] = ()) -> Interpretation:
    """Return the interpretation of the first seat's text after the second one's."""
    talk = tuple(DialogueTurn(game.seats[1], said) for said in before)
    return parse(text, DialogueContext(game, game.seats[0], history=talk))


DIVIDED = [
    # Exceptions.
    ("I take everything except food", "firewood 3:0 water 3:0"),
    ("You get everything except the food", "firewood 0:3 water 0:3"),
    ("I take everything but the water", "firewood 3:0 food 3:0"),
    ("I want everything apart from firewood", "food 3:0 water 3:0"),
    ("Everything except food and water is yours", "firewood 0:3"),
    ("You take everything but 1 food", "firewood 0:3 food 1:2 water 0:3"),
    ("I take all but 1 food", "food 2:1"),
    ("I get all food except one", "food 2:1"),
    ("All except 1 water for me", "water 2:1"),
    ("I take 2 of everything except food", "firewood 2:1 water 2:1"),
    ("I take all the food but you get the water", "food 3:0 water 0:3"),
    # Fractions.
    ("2 out of 3 food for me", "food 2:1"),
    ("I take a third of the food", "food 1:2"),
    ("1/3 of the food for me", "food 1:2"),
    ("I take two thirds of the food", "food 2:1"),
    # Possession.
    ("The wood is mine", "firewood 3:0"),
    ("Wood is yours", "firewood 0:3"),
    ("The food and water are mine, wood is yours", "firewood 0:3 food 3:0 water 3:0"),
    ("All the food except 1 is yours", "food 1:2"),
    # A dash that is not a minus sign.
    ("food -2, water -1 for me", "food 2:1 water 1:2"),
    # Neither "or not" nor a "not" as an answer retracts anything.
    ("I take 2 food, is that fair or not?", "food 2:1"),
    ("Not really. I take 2 food", "food 2:1"),
    ("I'm not joking, I take 2 food", "food 2:1"),
    ("We both need the water, so if you want 2 water, I need all the food", "food 3:0 water 1:2"),
]


@pytest.mark.parametrize(("text", "expected"), DIVIDED)
def test_units_are_divided_as_the_words_say(campsite: GameSpec, text: str, expected: str) -> None:
    assert is_safe(parse(text, situation(campsite)), expected)


def test_most_of_these_sentences_are_read(campsite: GameSpec) -> None:
    right, sure = shares([(parse(text, situation(campsite)), expected) for text, expected in DIVIDED])

    assert right >= 0.85
    assert sure >= 0.7


NOT_TOLD_BACK = [
    "Why do you want all the food? Are you a robot?",
    "Why should I give you all the water?",
    "I would be stupid to give you three food",
    "You want all food, but I also need food",
    "No, you want all 3 food",
    "You can have all the food except what I need",
    "I take one food less",
    "I take one less food",
    "I take a quarter of the food",
    "I take -2 food",
    "1e1 food for me",
    "Neither of us gets 2 food",
    "I'd rather die than take 1 food",
    "I take 3 food not",
    "I take 2 food. Not!",
    "I take 2 food. Just kidding.",
    "I take 2 food only if pigs fly",
    "I was going to take 2 food",
    "I could have taken 2 food",
    "Up to 2 food for me",
    "I take at most 2 food",
    "Max 2 food for me",
    "No more than 1 food for you",
    "For each food I take you take 2 water",
    "One each of food and water and you give me 2 wood",
]


@pytest.mark.parametrize("text", NOT_TOLD_BACK)
def test_what_only_looks_like_an_offer_is_not_confirmed_by_enter(campsite: GameSpec, text: str) -> None:
    assert not parse(text, situation(campsite)).plain


@pytest.mark.parametrize(
    "text",
    ["Minimum 2 food for me", "No less than 2 food for me", "I take at least 2 food", "2 food at least"],
)
def test_the_least_that_somebody_would_have_is_not_confirmed_by_enter(campsite: GameSpec, text: str) -> None:
    reading = parse(text, situation(campsite, ("How many food do you need?",)))

    assert likeliest(reading) == "food 2:1"
    assert not reading.plain


@pytest.mark.parametrize("text", ["I take 2 stuff", "I take the stuff", "You get 2 stuff and I get 1 food"])
@pytest.mark.parametrize("before", [(), ("What about the wood?",)])
def test_a_word_of_two_issues_is_not_confirmed_by_enter(text: str, before: tuple[str, ...]) -> None:
    assert not heard(text, STUFF, before).plain


@pytest.mark.parametrize("text", ["3 apples each", "we each take 3 apples"])
def test_each_of_three_gets_so_many(text: str) -> None:
    offer = heard(text, ORCHARD).offers[0]

    assert offer.get("apples") == Allocation(dict.fromkeys(ORCHARD.seats, 3), 1)


@pytest.mark.parametrize("text", ["You get 3 apples", "Bob or cat gets 3 apples", "Bob and cat get 3 apples"])
def test_who_else_gets_something_is_asked_about_where_more_than_two_may_be_meant(text: str) -> None:
    assert heard(text, ORCHARD).offer is None


def test_what_the_speaker_takes_is_clear_however_many_sit_there() -> None:
    assert heard("I take 4 apples", ORCHARD).offer is not None


SETTLED: list[tuple[GameSpec, str, dict[str, Term]]] = [
    (OVEN, "temp -5", {"temp": -5}),
    (OVEN, "temp -5.5", {"temp": -5.5}),
    (OVEN, "temp: −20", {"temp": -20}),
    (OVEN, "-10 °C", {"temp": -10}),
    (OVEN, "minus 10 °C", {"temp": -10}),
    (OVEN, ".5 %", {"rate": 0.5}),
    (OVEN, "rate .5", {"rate": 0.5}),
    (OVEN, "rate 1e1", {"rate": 10}),
    (LAND, "1.5e2", {"price": 150_000}),
    (LAND, "not 150 but 140", {"price": 140_000}),
    (LAND, "how about 150 next month?", {"price": 150_000, "handover": "Next month"}),
    (LAND, "150 next month, buyer clears please",
     {"price": 150_000, "handover": "Next month", "clearing": "Buyer clears"}),
    (JOB, "90 000", {"salary": "90,000 USD"}),
    (JOB, "90 000 USD", {"salary": "90,000 USD"}),
    (JOB, "salary 60 000 please", {"salary": "60,000 USD"}),
    (JOB, "can I have a car?", {"car": "With leased car"}),
    (JOB, "I need a car because I have kids", {"car": "With leased car"}),
    (JOB, "8 hours", {"hours": "8 hours"}),
    (JOB, "90k + 10%", {"salary": "90,000 USD", "pension": "10%"}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "text", "expected"), SETTLED)
def test_values_are_those_that_the_words_say(game: GameSpec, text: str, expected: dict[str, Term]) -> None:
    offer = heard(text, game).offer

    assert offer is None or dict(offer.terms) == expected


def test_most_values_are_read() -> None:
    read = [(heard(text, game).offers, expected) for game, text, expected in SETTLED]

    assert sum(bool(offers) and dict(offers[0].terms) == expected for offers, expected in read) >= 0.75 * len(
        read
    )


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (LAND, "-150"),
        # Differences and bounds.
        (LAND, "120 + 20"),
        (LAND, "150 more"),
        (LAND, "I offer 150 less"),
        (LAND, "max 150"),
        (LAND, "minimum 150"),
        (LAND, "at least 150"),
        # Retractions and refusals.
        (LAND, "150? no way"),
        (LAND, "150!!! are you mad"),
        (JOB, "90,000 is an insult"),
        (JOB, "I hate QA"),
        # Other topics.
        (LAND, "my house cost 150"),
        (LAND, "150 m2"),
        (LAND, "it's 2 km away, 150 m wide"),
        (LAND, "call 110"),
        (LAND, "See you next month"),
        (LAND, "See you next month then"),
        (LAND, "the seller clears his throat"),
        (JOB, "I am 20"),
        (JOB, "20 people work here"),
        (JOB, "I slept 8 hours"),
        (JOB, "I have a car"),
        (JOB, "9 0 000"),
    ],
)
def test_a_value_that_nobody_proposes_is_not_confirmed_by_enter(game: GameSpec, text: str) -> None:
    assert not heard(text, game).plain


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("I can't do 120,000 USD", {}),
        ("I can't do 10 hours with a salary of 60,000 USD", {}),
        ("We can't give a leased car with a salary of 120,000 USD", {}),
        ("I won't give you the fast track and a leased car", {}),
        ("I can't do 120,000 USD, but 90,000 USD is fine", {"salary": "90,000 USD"}),
    ],
)
def test_a_value_that_the_speaker_refuses_is_asked_about(text: str, terms: dict[str, Term]) -> None:
    offer = heard(text, JOB).offer

    assert dict(offer.terms if offer is not None else ()) == terms


def test_a_number_that_answers_is_read_whatever_stands_behind_it() -> None:
    price = ("What about the price?",)

    assert heard("150 I guess", LAND, price).offers[0].get("price") == 150_000
    assert not heard("150 people", LAND, price).plain


def test_a_long_text_takes_time_as_it_grows_and_not_more() -> None:
    def taken(times: int, i: int) -> float:
        text = f"{i} " + "job " * times
        begun = time.process_time()
        parse(text, DialogueContext(JOB, JOB.seats[0]))
        return time.process_time() - begun

    short = min(taken(100, i) for i in range(3))
    long = min(taken(780, i) for i in range(3))

    # Eight times as many words; quadratic time would be 60 times as long.
    assert long < 25 * short


def test_a_number_behind_an_issue_that_has_its_own_is_of_another() -> None:
    for text in ("nine hours, ninety thousand", "nine hours, 90k, programmer", "I offer ten hours, 60k"):
        offer = parse(text, DialogueContext(JOB, JOB.seats[0])).offer
        assert offer is not None, text
        assert {"hours", "salary"} <= {name for name, _ in offer.terms}, text
