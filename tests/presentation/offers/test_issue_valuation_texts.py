"""Values of terms to a side, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.offers.issue_valuation_texts import (
    interaction_lines,
    issue_valuation,
    linked_issue_titles,
)
from tests.presentation.rent_game import CAR, NOTICE, PRICE, rent

HOURS = CategoricalIssue("hours", ("8 hours", "9 hours"), "Hours")
APPLES = QuantityIssue("apples", 6, "Apples")


def along(issue: NumberIssue, points: Sequence[float]) -> Preferences:
    table: Any = dict(zip(issue.values, points, strict=True))
    return Preferences(AdditiveUtility("a", {issue.name: table}), 0)


def said(*issues: Issue, points: float = 5, **when: Any) -> tuple[str, ...]:
    """Return the text about one interaction of a game with these issues."""
    levels: dict[str, Any] = {
        i.name: range(i.quantity + 1) if isinstance(i, QuantityIssue) else i.values for i in issues
    }
    additive = AdditiveUtility("a", {name: dict.fromkeys(there, 0) for name, there in levels.items()})
    named = tuple((name, frozenset(wanted)) for name, wanted in when.items())
    mine = Preferences(InteractionUtility(additive, (Interaction(points, named),)), 0)
    game = GameSpec(name="g", issues=issues, seats=("a", "b"), preferences=SeatMap([("a", mine)]))
    return interaction_lines(game, mine, ENGLISH)


def test_many_numbers_are_told_by_the_range_of_their_points() -> None:
    salary = NumberIssue("salary", 0, 100_000, 10, unit="€")

    rising = issue_valuation(salary, along(salary, range(10_001)), ENGLISH)
    falling = issue_valuation(salary, along(salary, range(10_000, -1, -1)), ENGLISH)

    assert rising.levels == (("€0", "0"), ("… €100,000", "10000"))
    assert falling.levels == (("€0", "10000"), ("… €100,000", "0"))


def test_points_that_rise_and_fall_are_told_by_their_best_and_worst() -> None:
    days = NumberIssue("days", 1, 9, unit="days")

    assert issue_valuation(days, along(days, (0, 1, 2, 7, 2, 1, 0, -1, 0)), ENGLISH).levels == (
        ("best: 4 days", "7"),
        ("worst: 8 days", "-1"),
    )


def test_few_numbers_are_told_one_by_one_and_equal_ones_at_once() -> None:
    days = NumberIssue("days", 1, 3, unit="days")
    many = NumberIssue("many", 1, 30)

    assert issue_valuation(days, along(days, (5, 2.5, 0)), ENGLISH).levels == (
        ("1 day", "5"),
        ("2 days", "2.5"),
        ("3 days", "0"),
    )
    assert issue_valuation(many, along(many, [4] * 30), ENGLISH).text == "4 points at any number"


def test_what_an_issue_is_worth_by_itself_leaves_out_what_it_does_with_others() -> None:
    game = rent()

    assert issue_valuation(CAR, game.preferences["human"], ENGLISH).levels == (
        ("with", "6"),
        ("without", "0"),
    )
    assert issue_valuation(PRICE, game.preferences["human"], ENGLISH).levels == (
        ("€100", "20"),
        ("… €200", "0"),
    )


def test_what_goes_together_is_said_in_words() -> None:
    game = rent()

    assert said(CAR, HOURS, car=["with"], hours=["8 hours"]) == ("Bonus for car with and 8 hours: +5",)
    assert interaction_lines(game, game.preferences["human"], ENGLISH) == (
        "Bonus for car with and price at most €120: +5",
        "Penalty for at least 3 keys and notice 0.5 or 1.5 months: -2.5",
    )
    assert interaction_lines(game, game.preferences["agent"], ENGLISH) == ()


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ([2], "2 apples"),
        ([4, 5, 6], "at least 4 apples"),
        ([0, 1], "at most 1 apple"),
        ([1], "1 apple"),
        ([2, 3], "2 to 3 apples"),
        ([0, 2, 5], "0, 2 or 5 apples"),
    ],
)
def test_own_units_are_said_as_a_span_where_they_are_one(levels: list[int], words: str) -> None:
    assert said(APPLES, CAR, apples=levels, car=["with"]) == (f"Bonus for {words} and car with: +5",)


def test_what_adds_nothing_is_not_mentioned() -> None:
    assert said(APPLES, CAR, points=0, apples=[2], car=["with"]) == ()


def test_an_issue_names_those_that_it_counts_with() -> None:
    game = rent()

    assert linked_issue_titles(CAR, game, game.preferences["human"], ENGLISH) == "price"
    assert linked_issue_titles(NOTICE, game, game.preferences["human"], ENGLISH) == "keys"
    assert linked_issue_titles(CAR, game, game.preferences["agent"], ENGLISH) == ""
