"""Titles and offers inside a sentence."""

from __future__ import annotations

import gettext

import pytest

from negoplatform.core.visibility import Observer, view_of
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.noun_forms import (
    count_text,
    is_self_explanatory,
    singular,
    title_in_sentence,
    unit_for,
    value_in_sentence,
)
from negoplatform.presentation.offers.offer_sentence import offer_sentence
from negoplatform.testing import TrialTable
from tests.presentation.rent_game import rent

GERMAN = Language("de", gettext.NullTranslations())


@pytest.mark.parametrize(
    ("many", "one"),
    [
        *(("apples", "apple"), ("cherries", "cherry"), ("boxes", "box"), ("glasses", "glass")),
        *(("tomatoes", "tomato"), ("shelves", "shelf"), ("Winter tyres", "Winter tyre"), ("keys", "key")),
        *(("food", "food"), ("gas", "gas"), ("status", "status"), ("grass", "grass"), ("movies", "movie")),
        *(("packs of food", "packs of food"), ("houses", "house"), ("", "")),
    ],
)
def test_one_thing_has_a_name_of_its_own(many: str, one: str) -> None:
    assert singular(many) == one


def test_names_are_small_inside_a_sentence_where_the_language_is_that_of_games() -> None:
    assert [title_in_sentence(title, ENGLISH) for title in ("Food", "USB keys", "QA", "Who clears")] == [
        *("food", "USB keys", "QA", "who clears")
    ]
    assert title_in_sentence("Food", GERMAN) == "Food"
    assert [count_text("Apples", n, ENGLISH) for n in (1, 2)] == ["1 apple", "2 apples"]
    assert count_text("Apples", 1, GERMAN) == "1 Apples"


def test_a_value_has_a_small_letter_inside_a_sentence_unless_it_may_be_a_name() -> None:
    values = ("With leased car", "No agreement", "Seller clears", "Saturday", "Rowan pays", "QA")

    assert [value_in_sentence(value, ENGLISH) for value in values] == [
        *("with leased car", "no agreement", "seller clears", "Saturday", "Rowan pays", "QA")
    ]
    assert value_in_sentence("With leased car", GERMAN) == "With leased car"


@pytest.mark.parametrize(
    ("unit", "one"), [("days", "day"), ("months", "month"), ("kg", "kg"), ("USD", "USD"), ("gbps", "gbps")]
)
def test_the_unit_of_one_is_singular(unit: str, one: str) -> None:
    assert [unit_for(n, unit, ENGLISH) for n in (1, 2, 0.5)] == [one, unit, unit]
    assert unit_for(1, unit, GERMAN) == unit


def test_a_value_that_names_its_issue_says_itself() -> None:
    assert is_self_explanatory("Leased car", "With leased car")
    assert is_self_explanatory("Clearing", "Seller clears")
    assert not is_self_explanatory("Working hours", "8 hours")
    assert not is_self_explanatory("", "8 hours")


def test_an_offer_is_said_in_one_line_without_colons() -> None:
    table = TrialTable(rent())
    table.start()
    offer = table.human.offers(price=120, notice=1, car="with", keys={"human": 1, "agent": 2}).get_offer()
    state = view_of(table.state, Observer("human")).state

    said = offer_sentence(offer, state.game, "human", {"agent": "Rowan"}, ENGLISH)

    assert said == "1 key for you, 2 keys for Rowan, 1 key undecided, price €120, notice 1 month, car with"
