"""Offers and terms as their maker would say them."""

from __future__ import annotations

import pytest

from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language.generation import (
    forms,
    languages,
    list_in_words,
    number_in_words,
    offer_in_words,
    points_in_words,
    term_in_words,
    time_in_words,
    title_in_words,
    units_in_words,
    value_in_words,
)
from tests.games import make_game, three_seats


def test_a_division_is_said_with_ones_own_share_first(practice: GameSpec) -> None:
    offer = Offer({"apples": Allocation({"human": 2, "agent": 4}), "day": "Sunday"})

    assert offer_in_words(offer, practice, "human") == "2 apples for me, 4 apples for you; Day: Sunday"
    assert offer_in_words(offer, practice, "agent") == "4 apples for me, 2 apples for you; Day: Sunday"


def test_what_is_left_open_is_not_spoken_of(practice: GameSpec) -> None:
    offer = Offer({"apples": Allocation({"human": 1}, 5)})

    assert offer_in_words(offer, practice, "agent") == "1 apple for you"


def test_of_several_others_each_is_named() -> None:
    offer = Offer({"coins": Allocation({"red": 2, "green": 1, "blue": 1})})
    game = three_seats()

    said = offer_in_words(offer, game, "red", names={"green": "Sam"})

    assert said == "2 coins for me, 1 coin for Sam, 1 coin for blue"


def test_one_term_is_said_like_an_offer_of_it_alone(practice: GameSpec) -> None:
    assert term_in_words(practice.issue("day"), "Friday", practice, "human") == "Day: Friday"


def test_a_value_that_names_its_issue_is_said_alone() -> None:
    plan = CategoricalIssue("plan", ("With leased car", "None"), label="Leased car")
    points = {"plan": dict.fromkeys(plan.values, 1)}
    game = make_game({"human": points, "agent": points}, issues=(plan,))

    said = [offer_in_words(Offer({"plan": value}), game, "human") for value in plan.values]

    assert said == ["With leased car", "Leased car: None"]


def test_numbers_come_with_their_unit() -> None:
    assert value_in_words(90, NumberIssue("price", 0, 100, unit="€")) == "90 €"
    assert value_in_words(90, NumberIssue("price", 0, 100)) == "90"


def test_one_of_many_is_said_in_the_singular_where_the_title_is_a_plural() -> None:
    one = [
        units_in_words(1, QuantityIssue(title, 3)) for title in ("Berries", "Glass", "Food", "Spices", "Bus")
    ]

    assert one == ["1 berry", "1 glass", "1 food", "1 spice", "1 bus"]
    assert units_in_words(2, QuantityIssue("berries", 3, "US flags")) == "2 US flags"


def test_lists_are_for_people() -> None:
    assert [list_in_words(["a"]), list_in_words(["a", "b"]), list_in_words(["a", "b", "c"])] == [
        "a",
        "a and b",
        "a, b and c",
    ]


def test_an_ending_changes_only_where_enough_stands_before_it() -> None:
    assert [units_in_words(1, QuantityIssue(title, 3)) for title in ("Pies", "Ties")] == ["1 pie", "1 tie"]


def test_numbers_points_and_times_are_for_people() -> None:
    assert [number_in_words(1234.5), points_in_words(12)] == ["1,234.5", "12 points"]
    assert [time_in_words(seconds) for seconds in (45, 89, 91, 600)] == [
        "45 seconds",
        "89 seconds",
        "2 minutes",
        "10 minutes",
    ]


def test_german_says_it_in_german_and_leaves_the_words_of_the_game(practice: GameSpec) -> None:
    offer = Offer({"apples": Allocation({"human": 1, "agent": 5}), "day": "Sunday"})

    said = offer_in_words(offer, practice, "human", language="de")

    assert said == "1 Apples für mich, 5 Apples für Sie; Day: Sunday"
    assert list_in_words(["a", "b", "c"], "de") == "a, b und c"


def test_german_nouns_are_neither_small_nor_guessed_in_the_singular() -> None:
    berries = QuantityIssue("berries", 3, "Beeren")

    assert [units_in_words(units, berries, "de") for units in (1, 2)] == ["1 Beeren", "2 Beeren"]
    assert (title_in_words(berries), title_in_words(berries, "de")) == ("beeren", "Beeren")


def test_german_figures_have_its_own_marks() -> None:
    assert [number_in_words(1234.5, "de"), points_in_words(1000, "de")] == ["1.234,5", "1.000 Punkte"]
    assert [time_in_words(120, "de"), time_in_words(30, "de")] == ["2 Minuten", "30 Sekunden"]


@pytest.mark.parametrize("language", languages())
def test_every_language_says_every_form_with_what_fills_it(language: str) -> None:
    told = forms(language)

    share, value = told.share.format(things="3 x", who="y"), told.value.format(issue="x", value="y")
    assert all("x" in said and "y" in said for said in (share, value))
    assert all("7" in form.format(number=7) for form in (told.points, told.minutes, told.seconds))
    assert told.speaker != told.other


@pytest.mark.parametrize("language", ["xx", "../phrasing/en", ""])
def test_a_language_that_nobody_wrote_down_is_a_sentence(language: str) -> None:
    with pytest.raises(AgentError, match="how offers are said"):
        forms(language)
