"""Number issues in game files: ranges, their points, and one sentence for each fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.issue import NumberIssue
from negoplatform.domain.offer import Allocation, Number, Offer
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.formats.games import GameModel, build_game, dump_game
from negoplatform.formats.strict_json import validate_json
from tests.formats.game_texts import flat, loaded, put, refused


def rent_table(folder: Path, points: dict[str, Any], **rent: Any) -> dict[Number, Number]:
    """Return the human's points for each rent, given the points in the file."""
    document = put(flat(), "seats.human.preferences.issues.rent", points)
    document["issues"][2].update(rent)
    if rent:
        put(document, "seats.agent.preferences.issues.rent", {"linear": [0, 1]})
    utility = loaded(folder, document).preferences["human"].utility
    assert isinstance(utility, AdditiveUtility)
    return dict(utility.tables["rent"])  # type: ignore[arg-type]  # the levels of a number issue are numbers


def test_a_number_issue_is_read_with_its_range_and_unit(tmp_path: Path) -> None:
    game = loaded(tmp_path, flat())

    assert game.issues[2] == NumberIssue("rent", 400, 600, 50, "", "€")
    assert game.count_outcomes() == 3 * 2 * 5


def test_linear_points_run_from_the_lowest_to_the_highest_number(tmp_path: Path) -> None:
    assert rent_table(tmp_path, {"linear": [10, 0]}) == {400: 10, 450: 7.5, 500: 5, 550: 2.5, 600: 0}


def test_points_may_be_given_for_every_number(tmp_path: Path) -> None:
    table = rent_table(tmp_path, {"by_number": [-1, 0, 0.5, 3, 3]})

    assert table == {400: -1, 450: 0, 500: 0.5, 550: 3, 600: 3}
    assert [type(points) for points in table.values()] == [int, int, float, int, int]


def test_fractions_are_computed_exactly(tmp_path: Path) -> None:
    table = rent_table(tmp_path, {"linear": [0, 1]}, low=0, high=1, step=0.1)

    assert table == {n / 10: n / 10 for n in range(11)}
    assert list(table) == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]


def test_weight_and_scale_multiply_the_points_of_a_number_issue(tmp_path: Path) -> None:
    document = flat()
    mine = document["seats"]["human"]["preferences"]
    mine["scale"] = 100
    for name, weight in (("shelves", 0.1), ("room", 0.2), ("rent", 0.7)):
        mine["issues"][name]["weight"] = weight

    utility = loaded(tmp_path, document).preferences["human"].utility

    assert utility(Offer({"rent": 400})) == 700
    assert utility(Offer({"rent": 550, "room": "big", "shelves": Allocation({"human": 1, "agent": 1})})) == (
        175 + 100 + 20
    )


def test_a_range_of_one_number_has_the_points_of_its_lowest(tmp_path: Path) -> None:
    assert rent_table(tmp_path, {"linear": [4, 9]}, low=500, high=500) == {500: 4}


def test_the_step_is_1_unless_given(tmp_path: Path) -> None:
    document = put(flat(), "issues.2", {"kind": "number", "name": "rent", "low": 0, "high": 4})

    assert loaded(tmp_path, document).issues[2] == NumberIssue("rent", 0, 4)


def test_a_game_with_numbers_comes_back_equal(tmp_path: Path) -> None:
    game = loaded(tmp_path, flat())

    text = json.dumps(dump_game(game))

    assert build_game(validate_json(GameModel, text, "game"), "game") == game


@pytest.mark.parametrize(
    ("place", "value", "where", "reason"),
    [
        ("issues.2.high", 390, "issues[2]", "the highest number, 390, is below the lowest, 400"),
        ("issues.2.step", 60, "issues[2]", "from 400 to 600 there is no whole number of steps of 60"),
        ("issues.2.step", 0.0001, "issues[2]", "more than 10,001 numbers; take a longer step"),
        ("issues.2.step", 1e-30, "issues[2]", "more than 10,001 numbers; take a longer step"),
        ("issues.2.step", 0, "issues[2].step", "must be above 0, not 0"),
        ("issues.2.step", -50, "issues[2].step", "must be above 0, not -50"),
        ("issues.2.low", "400", "issues[2].low", 'a number belongs here, not "400"'),
        ("issues.2.low", True, "issues[2].low", "a number belongs here, not true"),
        ("issues.2.high", 10**10, "issues[2].high", "at most 1,000,000,000"),
        ("issues.2.unit", "x" * 21, "issues[2].unit", "at most 20 characters"),
        ("issues.2.values", [1], "issues[2].values", "this key is not known here"),
        (
            "seats.human.preferences.issues.rent",
            {"by_number": [1, 2]},
            "seats.human.preferences.issues.rent",
            "by_number needs 5 numbers, one for each step, but has 2",
        ),
        (
            "seats.human.preferences.issues.rent",
            {"linear": [1, 2, 3]},
            "seats.human.preferences.issues.rent.linear",
            "at most 2 belong here",
        ),
        (
            "seats.human.preferences.issues.rent",
            {"per_unit": 1},
            "seats.human.preferences.issues.rent",
            "'per_unit' does not belong here; this issue takes 'linear'",
        ),
        (
            "seats.human.preferences.issues.rent",
            {"linear": [1, 2], "by_number": [1, 2, 3, 4, 5]},
            "seats.human.preferences.issues.rent",
            "'linear' and 'by_number' say the same thing twice; keep one of them",
        ),
        (
            "seats.human.preferences.issues.rent",
            {},
            "seats.human.preferences.issues.rent",
            "'linear' is missing",
        ),
        (
            "seats.human.preferences.issues.shelves",
            {"linear": [0, 4]},
            "seats.human.preferences.issues.shelves",
            "'linear' does not belong here; this issue takes 'per_unit'",
        ),
    ],
)
def test_a_number_issue_that_makes_no_sense_is_refused_with_its_place(
    tmp_path: Path, place: str, value: object, where: str, reason: str
) -> None:
    problem = refused(tmp_path, put(flat(), place, value))

    assert problem.where == where
    assert reason in problem.reason
