from __future__ import annotations

import time
from dataclasses import replace

import pytest

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.games import load_game
from negoplatform.language.parsing.dialogue_context import DialogueContext, DialogueTurn
from negoplatform.language.parsing.interpretation import CONFIDENCE_THRESHOLD, Ambiguity, Interpretation
from negoplatform.language.parsing.parser import parse
from negoplatform.plugins.program_and_user_folders import bundled
from tests.games import make_game

JOB = load_game(bundled("games") / "job_candidate.json")
LAND = load_game(bundled("games") / "land_sale" / "game.json")
CAR, NO_CAR, NONE = "With leased car", "Without leased car", "No agreement"
LOW, MIDDLE, HIGH = "60,000 USD", "90,000 USD", "120,000 USD"
FAST, SLOW = "Fast promotion track", "Slow promotion track"
MANAGER = "Project manager"

Terms = dict[str, Term]


def price_game() -> GameSpec:
    """Return the sale of a van: a price in steps, days until handover, a colour, tyres to divide."""
    price = NumberIssue("price", 4000, 6000, 250, "Price", "€")
    days = NumberIssue("days", 1, 14, 1, "Days until handover", "days", ("handover",))
    colour = CategoricalIssue("colour", ("red", "white"), "Colour")
    radio = CategoricalIssue("radio", ("yes", "no"), "Radio")
    issues = (price, days, colour, radio, QuantityIssue("tyres", 4, "Tyres"))
    tables = {seat: {"tyres": [0, 1, 2, 3, 4]} for seat in ("buyer", "seller")}
    return make_game(tables, issues=issues)


VAN = price_game()


def read(
    text: str,
    game: GameSpec = JOB,
    *,
    talk: tuple[DialogueTurn, ...] = (),
    on_table: Offer | None = None,
    speaker: Seat | None = None,
) -> Interpretation:
    situation = DialogueContext(game, speaker or game.seats[-1], history=talk)
    if on_table is not None:
        situation = replace(situation, on_table=on_table)
    return parse(text, situation)


def likeliest(reading: Interpretation) -> Terms:
    """Return the likeliest terms, confident or not."""
    return dict(reading.offers[0].terms) if reading.offers else {}


def is_safe(reading: Interpretation, terms: Terms) -> bool:
    """Return whether nothing unexpected is understood with confidence."""
    return reading.offer is None or dict(reading.offer.terms).items() <= terms.items()


JOB_SENTENCES: list[tuple[str, Terms]] = [
    # Single issues
    ("a salary of 90,000", {"salary": MIDDLE}),
    ("90k", {"salary": MIDDLE}),
    ("90.000 USD", {"salary": MIDDLE}),
    ("$120,000", {"salary": HIGH}),
    ("ninety thousand dollars", {"salary": MIDDLE}),
    ("sixty thousand", {"salary": LOW}),
    ("The salary stays at 90,000.", {"salary": MIDDLE}),
    ("I'll take the highest salary", {"salary": HIGH}),
    ("the pay should be 90", {"salary": MIDDLE}),
    ("Is 120,000 possible?", {"salary": HIGH}),
    ("I think 90k is fair", {"salary": MIDDLE}),
    ("I could offer you 60,000", {"salary": LOW}),
    ("I want PM", {"job": MANAGER}),
    ("I'd like to be project manager", {"job": MANAGER}),
    ("The job should be QA", {"job": "QA"}),
    ("team lead", {"job": "Team manager"}),
    ("Programmer sounds good to me", {"job": "Programmer"}),
    ("as a developer", {"job": "Programmer"}),
    ("fast track", {"promotion": FAST}),
    ("a quick promotion please", {"promotion": FAST}),
    ("what about a fast track?", {"promotion": FAST}),
    ("let's do slow promotion", {"promotion": SLOW}),
    ("eight hours", {"hours": "8 hours"}),
    ("eight-hour days", {"hours": "8 hours"}),
    ("8h", {"hours": "8 hours"}),
    ("hours: 9", {"hours": "9 hours"}),
    ("ok, 9 hours then", {"hours": "9 hours"}),
    ("I want to work 8 hours a day", {"hours": "8 hours"}),
    ("20 percent", {"pension": "20%"}),
    ("20% pension", {"pension": "20%"}),
    ("the pension should be 20", {"pension": "20%"}),
    ("maybe 10%?", {"pension": "10%"}),
    ("no pension", {"pension": "0%"}),
    # With it, or without it
    ("with a car", {"car": CAR}),
    ("without a car", {"car": NO_CAR}),
    ("I give you 120k but not the car", {"salary": "120,000 USD", "car": NO_CAR}),
    ("no car", {"car": NO_CAR}),
    ("no company car", {"car": NO_CAR}),
    ("how about a car?", {"car": CAR}),
    ("can I have the car?", {"car": CAR}),
    ("I want the car", {"car": CAR}),
    ("I don't want a car", {"car": NO_CAR}),
    ("not without a car", {"car": CAR}),
    ("let's skip the car", {"car": NO_CAR}),
    ("car: yes", {"car": CAR}),
    ("the car is included", {"car": CAR}),
    # A value that several issues have
    ("no agreement on the pension", {"pension": NONE}),
    ("pension: no agreement", {"pension": NONE}),
    ("No agreement on car and promotion", {"car": NONE, "promotion": NONE}),
    ("let us leave the car without agreement", {"car": NONE}),
    # Several issues
    ("I'd take the car if the salary stays at 90,000", {"car": CAR, "salary": MIDDLE}),
    ("I will give up the car if you give me 120k", {"car": NO_CAR, "salary": HIGH}),
    ("You get 120,000 but no car", {"salary": HIGH, "car": NO_CAR}),
    ("PM, 120k, 8h", {"job": MANAGER, "salary": HIGH, "hours": "8 hours"}),
    ("90k with a car, but no pension", {"salary": MIDDLE, "car": CAR, "pension": "0%"}),
    ("I would be a project manager with a leased car", {"job": MANAGER, "car": CAR}),
    ("I'll accept QA with 120000 dollars", {"job": "QA", "salary": HIGH}),
    ("Programmer with 10 hours and no car", {"job": "Programmer", "hours": "10 hours", "car": NO_CAR}),
    ("nine hours a day and a company car", {"hours": "9 hours", "car": CAR}),
    ("no car, no pension", {"car": NO_CAR, "pension": "0%"}),
    ("if I get 120k then 10 hours is fine", {"salary": HIGH, "hours": "10 hours"}),
    ("90,000 is good for me, but I want the fast track", {"salary": MIDDLE, "promotion": FAST}),
    ("How about 9 hours and the car?", {"hours": "9 hours", "car": CAR}),
    ("promotion: fast, hours: 8", {"promotion": FAST, "hours": "8 hours"}),
    ("I agree to the slow track if you agree to the car", {"promotion": SLOW, "car": CAR}),
    ("salary 90, pension 10, hours 9", {"salary": MIDDLE, "pension": "10%", "hours": "9 hours"}),
    ("i want 20 for pension and 8 for hours", {"pension": "20%", "hours": "8 hours"}),
    ("10 pension 9 hours", {"pension": "10%", "hours": "9 hours"}),
    ("hours 10 pension 10%", {"hours": "10 hours", "pension": "10%"}),
    ("The salary can be 60,000 and the hours 10.", {"salary": LOW, "hours": "10 hours"}),
    ("How about we say 90,000 and 9 hours?", {"salary": MIDDLE, "hours": "9 hours"}),
    ("Salary: 90,000; Job: QA; Car: with", {"salary": MIDDLE, "job": "QA", "car": CAR}),
    (
        "let's settle on 9 hours, 10% pension fund and slow promotion",
        {"hours": "9 hours", "pension": "10%", "promotion": SLOW},
    ),
    (
        "120,000, project manager, car, 20% pension, fast track, 8 hours",
        {"salary": HIGH, "job": MANAGER, "car": CAR, "pension": "20%", "promotion": FAST, "hours": "8 hours"},
    ),
    # Refusals with an alternative
    ("not QA, but programmer", {"job": "Programmer"}),
    ("60,000 is too low, 90,000 would work", {"salary": MIDDLE}),
    ("90k instead of 60k", {"salary": MIDDLE}),
    ("I don't want 10 hours. 8 hours would be better", {"hours": "8 hours"}),
    # Typing errors
    ("the salry is 90k, programer, fast trak", {"salary": MIDDLE, "job": "Programmer", "promotion": FAST}),
]


@pytest.mark.parametrize(("text", "terms"), JOB_SENTENCES, ids=[text for text, _ in JOB_SENTENCES])
def test_a_sentence_settles_what_it_names(text: str, terms: Terms) -> None:
    assert is_safe(read(text), terms)


def test_most_of_these_sentences_are_read_and_most_readings_are_sure() -> None:
    readings = [(read(text), terms) for text, terms in JOB_SENTENCES]

    assert sum(likeliest(reading) == terms for reading, terms in readings) >= 0.9 * len(readings)
    assert sum(reading.offer is not None for reading, _ in readings) >= 0.7 * len(readings)


VAN_SENTENCES: list[tuple[str, Terms]] = [
    ("5,000 €", {"price": 5000}),
    ("I'd pay 5k", {"price": 5000}),
    ("how about 5250?", {"price": 5250}),
    ("my price is 4.500 euros", {"price": 4500}),
    ("12 days", {"days": 12}),
    ("handover in three days", {"days": 3}),
    ("5000 in 7 days", {"price": 5000, "days": 7}),
    ("the red one for 5500", {"colour": "red", "price": 5500}),
    ("white, 4000 and 14 days", {"colour": "white", "price": 4000, "days": 14}),
    ("4750 with radio", {"price": 4750, "radio": "yes"}),
    ("4750 without the radio", {"price": 4750, "radio": "no"}),
    ("radio: no", {"radio": "no"}),
    ("5000, handover 7", {"price": 5000, "days": 7}),
    ("No, 5000", {"price": 5000}),
    ("I get 2 tyres", {"tyres": Allocation({"seller": 2, "buyer": 2})}),
]


@pytest.mark.parametrize(("text", "terms"), VAN_SENTENCES, ids=[text for text, _ in VAN_SENTENCES])
def test_numbers_find_their_issue_by_range_and_unit(text: str, terms: Terms) -> None:
    assert is_safe(read(text, VAN), terms)


def test_most_numbers_are_read() -> None:
    read_right = sum(likeliest(read(text, VAN)) == terms for text, terms in VAN_SENTENCES)

    assert read_right >= 0.85 * len(VAN_SENTENCES)


@pytest.mark.parametrize("text", ["150", "150k", "a price of 150,000", "150 thousand euros", "€150,000"])
def test_thousands_are_counted_as_the_unit_says(text: str) -> None:
    assert likeliest(read(text, LAND)) == {"price": 150_000}


@pytest.mark.parametrize(
    "text",
    [
        "no agreement",
        "10",
        "manager",
        "I want a manager position",
        "higher salary please",
        "I'd like the highest pension",
        "at least 90k",
        "between 60k and 90k",
        "60,000 to 90,000",
        "60-90k",
        "90k or more",
        "we can go up to 90k",
        "salary of 100,000",
        "pension of 15%",
    ],
)
def test_what_is_missing_open_or_impossible_is_not_confirmed_by_enter(text: str) -> None:
    assert not read(text).plain


@pytest.mark.parametrize("text", ["salary of 100,000", "pension of 15%"])
def test_a_value_that_there_is_not_is_impossible(text: str) -> None:
    assert read(text).doubt in (Ambiguity.IMPOSSIBLE, Ambiguity.WHICH_VALUE, Ambiguity.WHICH_ISSUE)


def test_a_price_between_the_steps_is_not_rounded() -> None:
    assert "price" not in likeliest(read("how about 5100 euros", VAN))


@pytest.mark.parametrize(
    "text",
    [
        "not QA",
        "60,000 is too low",
        "60k is not enough",
        "your offer of 60,000 is too low",
        "I can't do 60k",
        "why 60,000?",
        "do you want a car?",
        "Would you like a car?",
        "what about the car?",
        "What is the salary?",
        "How many hours do you want?",
        "Do you prefer 8 or 9 hours?",
        "I don't care about the car",
        "the car is important to me",
        "The salary matters most to me",
        "I worked as a programmer before",
        "I am a programmer",
        "Are you a programmer?",
        "you said 60,000",
        "5 minutes left",
        "I get 20 points without a deal",
        "Hello, how are you?",
        "",
    ],
)
def test_talk_settles_nothing(text: str) -> None:
    assert not read(text).plain


@pytest.mark.parametrize("text", ["90,000 or 120,000", "10 percent or 20 percent", "QA or programmer"])
def test_two_values_of_one_issue_are_two_offers(text: str) -> None:
    reading = read(text)

    assert len(reading.offers) == 2
    assert reading.doubt == Ambiguity.EITHER
    assert reading.sure < CONFIDENCE_THRESHOLD


def test_a_bare_number_is_about_what_was_spoken_of_last() -> None:
    offered = DialogueTurn("employer", offer=Offer({"pension": "10%"}))
    asked = DialogueTurn("employer", "What about the working hours?")

    assert likeliest(read("20 then", talk=(offered,))) == {"pension": "20%"}
    assert likeliest(read("10", talk=(asked,))) == {"hours": "10 hours"}


def test_a_later_word_takes_an_earlier_one_back() -> None:
    assert not read("60k. Sorry, I mean 90k").plain


def test_conditions_are_told_apart() -> None:
    assert read("I'd take the car if the salary stays at 90,000").conditional
    assert not read("the car and 90,000").conditional


def test_what_is_spoken_of_is_told_in_order() -> None:
    assert read("what about the car and the pension?").about == ("car", "pension")


@pytest.mark.parametrize(
    "text", ["90k " * 3000, "with a car or " * 800, "9" * 10_000, "not " * 2500, "- 9 " * 2500]
)
def test_long_texts_take_no_time(text: str) -> None:
    read("warm")
    began = time.process_time()

    read(text)

    assert time.process_time() - began < 1


def test_a_part_of_a_list_that_is_not_understood_is_not_confirmed_by_enter() -> None:
    assert not read("90k, PM, sloww, 9h").plain or "promotion" in likeliest(read("90k, PM, sloww, 9h"))


def test_what_is_given_for_a_thing_is_not_that_thing() -> None:
    assert (
        "pension" not in likeliest(read("I'd give up the pension for the car"))
        or not read("I'd give up the pension for the car").plain
    )
