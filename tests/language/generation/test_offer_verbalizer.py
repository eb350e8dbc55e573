"""Offers and terms as their maker would say them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

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

    mine, yours = (offer_in_words(offer, practice, seat) for seat in ("human", "agent"))
    assert mine == "2 apples for me, 4 apples for you and picking on Sunday"
    assert yours == "4 apples for me, 2 apples for you and picking on Sunday"


def test_what_is_left_open_is_not_spoken_of(practice: GameSpec) -> None:
    offer = Offer({"apples": Allocation({"human": 1}, 5)})

    assert offer_in_words(offer, practice, "agent") == "1 apple for you"


def test_of_several_others_each_is_named() -> None:
    offer = Offer({"coins": Allocation({"red": 2, "green": 1, "blue": 1})})
    game = three_seats()

    said = offer_in_words(offer, game, "red", names={"green": "Sam"})

    assert said == "2 coins for me, 1 coin for Sam, 1 coin for blue"


def test_one_term_is_said_like_an_offer_of_it_alone(practice: GameSpec) -> None:
    assert term_in_words(practice.issue("day"), "Friday", practice, "human") == "picking on Friday"


def test_a_value_that_names_its_issue_is_said_alone() -> None:
    plan = CategoricalIssue("plan", ("With leased car", "None"), label="Leased car")
    points = {"plan": dict.fromkeys(plan.values, 1)}
    game = make_game({"human": points, "agent": points}, issues=(plan,))

    said = [offer_in_words(Offer({"plan": value}), game, "human") for value in plan.values]

    assert said == ["With leased car", "None for the leased car"]


def flat() -> GameSpec:
    """Return a game with one issue of each kind, each with spoken forms."""
    issues = (
        QuantityIssue("water", 3, "Water", spoken=("bottle of water", "bottles of water")),
        CategoricalIssue("car", ("No", "Yes"), "Car", spoken=("no car", "a leased car")),
        NumberIssue("rent", 300, 1500, 50, "Rent", "€", spoken="a rent of {value}"),
    )
    points: dict[str, Any] = {
        "water": dict.fromkeys(range(4), 1),
        "car": {"No": 1, "Yes": 2},
        "rent": dict.fromkeys(range(300, 1501, 50), 1),
    }
    return make_game({"human": points, "agent": points}, issues=issues)


def test_terms_are_said_with_the_noun_phrases_of_the_game() -> None:
    offer = Offer({"water": Allocation({"human": 1, "agent": 2}), "car": "Yes", "rent": 1250})

    said = offer_in_words(offer, flat(), "human")

    assert said == ("1 bottle of water for me, 2 bottles of water for you, a leased car and a rent of €1,250")


def test_the_last_of_several_values_follows_an_and() -> None:
    assert offer_in_words(Offer({"car": "No", "rent": 300}), flat(), "human") == "no car and a rent of €300"
    assert offer_in_words(Offer({"rent": 300}), flat(), "human") == "a rent of €300"


def test_values_without_a_noun_phrase_are_said_with_the_title() -> None:
    game = flat()
    bare = replace(game, issues=(game.issues[0], *(replace(i, spoken=i.spoken[:0]) for i in game.issues[1:])))  # type: ignore[arg-type]  # each of its kind

    said = [
        offer_in_words(Offer({"car": "Yes", "rent": 300}), bare, "human", language=language)
        for language in ("en", "de")
    ]

    assert said == ["Yes for the car and €300 for the rent", "Yes bei Car und 300 € bei Rent"]


def test_numbers_come_with_their_unit() -> None:
    assert value_in_words(90, NumberIssue("price", 0, 100, unit="€")) == "€90"
    assert value_in_words(1500, NumberIssue("price", 0, 3000, unit="€"), "de") == "1.500 €"
    assert value_in_words(12.5, NumberIssue("time", 0, 20, 0.5, unit="days")) == "12.5 days"
    assert value_in_words(1_234_567, NumberIssue("price", 0, 1_234_567)) == "1,234,567"
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

    assert said == "1 apple für mich, 5 apples für Sie und picking on Sunday"
    assert list_in_words(["a", "b", "c"], "de") == "a, b und c"


def test_german_nouns_are_neither_small_nor_guessed_in_the_singular() -> None:
    berries = QuantityIssue("berries", 3, "Beeren")

    assert [units_in_words(units, berries, "de") for units in (1, 2)] == ["1 Beeren", "2 Beeren"]
    assert (title_in_words(berries), title_in_words(berries, "de")) == ("beeren", "Beeren")


def test_german_figures_have_its_own_marks() -> None:
    assert [number_in_words(1234.5, "de"), points_in_words(1000, "de")] == ["1.234,5", "1.000 Punkte"]
    assert [time_in_words(120, "de"), time_in_words(30, "de")] == ["2 Minuten", "30 Sekunden"]


def test_one_point_and_one_second_are_singular() -> None:
    assert [points_in_words(1), time_in_words(1)] == ["1 point", "1 second"]
    assert [points_in_words(1, "de"), time_in_words(1, "de")] == ["1 Punkt", "1 Sekunde"]


@pytest.mark.parametrize("language", languages())
def test_every_language_says_every_form_with_what_fills_it(language: str) -> None:
    told = forms(language)

    share, value = told.share.format(things="3 x", who="y"), told.value.format(issue="x", value="y")
    assert all("x" in said and "y" in said for said in (share, value))
    assert all("7" in many.format(number=7) for _, many in (told.points, told.minutes, told.seconds))
    assert told.speaker != told.other


@pytest.mark.parametrize("language", ["xx", "../phrasing/en", ""])
def test_a_language_that_nobody_wrote_down_is_a_sentence(language: str) -> None:
    with pytest.raises(AgentError, match="how offers are said"):
        forms(language)
