"""Points that no decimal can say, lists of points by value, and a limit of all points."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.utility import InteractionUtility
from negoplatform.formats.games import GameModel, build_game, dump_game
from negoplatform.formats.strict_json import validate_json
from tests.formats.game_texts import flat, loaded, put, refused

MINE = "seats.human.preferences"


def test_a_fraction_in_quotes_is_the_nearest_number_to_it(tmp_path: Path) -> None:
    document = put(flat(), f"{MINE}.issues.room", {"values": {"big": "12/3700", "small": "-6/2"}})
    document = put(document, f"{MINE}.reservation_value", "1/3")

    mine = loaded(tmp_path, document).preferences["human"]

    assert mine.utility(Offer({"room": "big"})) == float(Fraction(12, 3700))
    assert mine.utility(Offer({"room": "small"})) == -3
    assert mine.reservation_value == 1 / 3


def test_a_fraction_is_rounded_once_after_weight_and_scale(tmp_path: Path) -> None:
    document = put(flat(), f"{MINE}.scale", 100)
    for issue, weight in (("shelves", 0.378), ("room", 0.122), ("rent", 0.5)):
        document = put(document, f"{MINE}.issues.{issue}.weight", weight)
    document = put(document, f"{MINE}.issues.room.values", {"big": "12/3700", "small": 1})

    utility = loaded(tmp_path, document).preferences["human"].utility

    assert utility(Offer({"room": "big"})) == float(Fraction(12, 3700) * Fraction("0.122") * 100)


def test_a_line_between_fractions_is_straight(tmp_path: Path) -> None:
    document = put(flat(), f"{MINE}.issues.rent", {"linear": ["1/3", 1]})

    utility = loaded(tmp_path, document).preferences["human"].utility

    assert [utility(Offer({"rent": rent})) for rent in (400, 450, 600)] == [1 / 3, 0.5, 1]


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ("1/0", r"room.values.big: 1/0 divides by 0"),
        ("1/-3", r'room.values.big: a number belongs here, not "1/-3"'),
        ("0.5/3", r'a number belongs here, not "0.5/3"'),
        ("2000000000/1", r"the number must be at most 1,000,000,000, not "),
        ("-3000000000/2", r"the number must be at least -1,000,000,000, not "),
    ],
)
def test_a_faulty_fraction_is_refused_with_its_place(tmp_path: Path, points: str, reason: str) -> None:
    error = refused(tmp_path, put(flat(), f"{MINE}.issues.room.values.big", points))

    assert reason in str(error)


def test_points_may_be_a_list_in_the_order_of_the_values(tmp_path: Path) -> None:
    document = put(flat(), f"{MINE}.issues.room", {"by_value": [5, 1]})

    assert loaded(tmp_path, document) == loaded(tmp_path, flat())


def test_a_list_of_another_length_and_points_said_twice_are_refused(tmp_path: Path) -> None:
    short = refused(tmp_path, put(flat(), f"{MINE}.issues.room", {"by_value": [5]}))
    both = {"by_value": [5, 1], "values": {"big": 5, "small": 1}}
    twice = refused(tmp_path, put(flat(), f"{MINE}.issues.room", both))

    assert "by_value needs 2 numbers, one for each value, but has 1" in str(short)
    assert "'by_value' say the same thing twice; keep one of them" in str(twice)


def test_an_issue_with_ten_thousand_values_is_read_and_written(tmp_path: Path) -> None:
    values = [f"v{i}" for i in range(10_000)]
    document: dict[str, Any] = put(flat(), "issues.1.values", values)
    for seat in ("human", "agent"):
        document = put(document, f"seats.{seat}.preferences.issues.room", {"by_value": list(range(10_000))})

    game = loaded(tmp_path, document)

    assert game.preferences["agent"].utility(Offer({"room": "v9999"})) == 9999
    again = dump_game(game)
    assert again["seats"]["human"]["preferences"]["issues"]["room"] == {"by_value": list(range(10_000))}


def test_a_limit_of_all_points_is_read_written_and_read_again(tmp_path: Path) -> None:
    game = loaded(tmp_path, put(flat(), f"{MINE}.at_most", 12))
    utility = game.preferences["human"].utility

    best = Offer({"shelves": Allocation({"human": 2}), "room": "big", "rent": 400})
    assert isinstance(utility, InteractionUtility)
    assert utility(best) == utility.highest == 12
    assert utility.additive(best) == 19

    text = json.dumps(dump_game(game))
    assert build_game(validate_json(GameModel, text, "game"), "game") == game
