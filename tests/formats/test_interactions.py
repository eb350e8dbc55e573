"""Interactions in game files: points for combinations of levels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.offer import Allocation, Number, Offer
from negoplatform.domain.utility import InteractionUtility, Points
from negoplatform.formats.games import GameModel, build_game, dump_game
from negoplatform.formats.strict_json import validate_json
from tests.formats.game_texts import flat, loaded, put, refused

PLACE = "seats.human.preferences.interactions"


def with_interactions(*interactions: dict[str, Any], scale: Number = 1) -> dict[str, Any]:
    """Return the flat with combinations that are worth more or less to the human."""
    document = put(flat(), PLACE, list(interactions))
    document["seats"]["human"]["preferences"]["scale"] = scale
    return document


def extra(folder: Path, when: dict[str, Any], *, shelves: int, room: str, rent: Number) -> Points:
    """Return the points that an interaction of 100 points adds to an outcome."""
    outcome = Offer(
        {"shelves": Allocation({"human": shelves, "agent": 2 - shelves}), "room": room, "rent": rent}
    )
    utility = loaded(folder, with_interactions({"points": 100, "when": when})).preferences["human"].utility
    assert isinstance(utility, InteractionUtility)
    return utility(outcome) - utility.additive(outcome)


@pytest.mark.parametrize(
    ("when", "added"),
    [
        ({"room": "big", "rent": 500}, 100),
        ({"room": "small", "rent": 500}, 0),
        ({"room": ["small", "big"], "rent": [400, 500]}, 100),
        ({"room": "big", "rent": {"at_least": 450}}, 100),
        ({"room": "big", "rent": {"at_least": 500, "at_most": 500}}, 100),
        ({"room": "big", "rent": {"at_most": 499}}, 0),
        ({"room": "big", "rent": {}}, 100),
        ({"shelves": 1, "room": "big"}, 100),
        ({"shelves": {"at_least": 2}, "room": "big"}, 0),
        ({"shelves": [0, 1], "room": "big", "rent": {"at_least": 500}}, 100),
        ({"room": "big", "rent": 500.0}, 100),
    ],
)
def test_an_interaction_counts_when_every_named_issue_comes_out_as_it_says(
    tmp_path: Path, when: dict[str, Any], added: int
) -> None:
    assert extra(tmp_path, when, shelves=1, room="big", rent=500) == added


def test_the_scale_multiplies_interactions_too(tmp_path: Path) -> None:
    together = {"points": -2.5, "when": {"room": "big", "rent": 600}}

    utility = loaded(tmp_path, with_interactions(together, scale=10)).preferences["human"].utility

    assert utility(Offer({"room": "big", "rent": 600})) == 50 + 0 - 25


def test_lowest_and_highest_know_the_interactions(tmp_path: Path) -> None:
    document = with_interactions(
        {"points": 20, "when": {"room": "small", "rent": 600}},
        {"points": -9, "when": {"room": "big", "shelves": {"at_least": 1}}},
    )

    game = loaded(tmp_path, document)

    utility = game.preferences["human"].utility
    worths = [utility(outcome) for outcome in game.outcomes()]
    assert (utility.lowest, utility.highest) == (min(worths), max(worths)) == (-2, 25)


def test_a_game_with_interactions_comes_back_equal_and_is_always_written_alike(tmp_path: Path) -> None:
    game = loaded(
        tmp_path,
        with_interactions({"points": 2, "when": {"rent": [600, 400, 450], "room": ["small", "big"]}}),
    )

    text = json.dumps(dump_game(game))

    assert build_game(validate_json(GameModel, text, "game"), "game") == game
    written = json.loads(text)["seats"]["human"]["preferences"]["interactions"]
    assert written == [{"points": 2, "when": {"rent": [400, 450, 600], "room": ["big", "small"]}}]


@pytest.mark.parametrize(
    ("interaction", "where", "reason"),
    [
        (
            {"points": 1, "when": {"room": "big"}},
            f"{PLACE}[0].when",
            "at least 2 are needed here, but there is 1",
        ),
        (
            {"points": 1, "when": {"room": "big", "view": "sea"}},
            f"{PLACE}[0]",
            "the game has no issue 'view'",
        ),
        (
            {"points": 1, "when": {"room": "huge", "rent": 400}},
            f"{PLACE}[0]",
            "'room' never comes out as 'huge'",
        ),
        ({"points": 1, "when": {"room": "big", "rent": 410}}, f"{PLACE}[0]", "'rent' never comes out as 410"),
        (
            {"points": 1, "when": {"room": "big", "rent": "400"}},
            f"{PLACE}[0]",
            "'rent' never comes out as '400'",
        ),
        (
            {"points": 1, "when": {"room": "big", "shelves": 3}},
            f"{PLACE}[0]",
            "'shelves' never comes out as 3",
        ),
        ({"points": 1, "when": {"room": 1, "shelves": 1}}, f"{PLACE}[0]", "'room' never comes out as 1"),
        (
            {"points": 1, "when": {"room": {"at_least": 1}, "rent": 400}},
            f"{PLACE}[0]",
            "'room' has named values; write one, or a list of them",
        ),
        (
            {"points": 1, "when": {"room": "big", "rent": {"at_least": 700}}},
            f"{PLACE}[0]",
            "'rent' never comes out so; name a value",
        ),
        (
            {"points": 1, "when": {"room": [], "rent": 400}},
            f"{PLACE}[0]",
            "'room' never comes out so; name a value",
        ),
        ({"when": {"room": "big", "rent": 400}}, f"{PLACE}[0].points", "this key is missing"),
        (
            {"points": "1", "when": {"room": "big", "rent": 400}},
            f"{PLACE}[0].points",
            "a number belongs here",
        ),
        (
            {"points": 1, "when": {"room": "big", "rent": {"from": 400}}},
            f"{PLACE}[0].when.rent.from",
            "this key is not known here",
        ),
    ],
)
def test_an_interaction_that_makes_no_sense_is_refused_with_its_place(
    tmp_path: Path, interaction: dict[str, Any], where: str, reason: str
) -> None:
    problem = refused(tmp_path, with_interactions(interaction))

    assert problem.where == where
    assert reason in problem.reason


def test_the_second_interaction_is_named_where_it_is_the_wrong_one(tmp_path: Path) -> None:
    good = {"points": 1, "when": {"room": "big", "rent": 400}}

    problem = refused(tmp_path, with_interactions(good, {"points": 1, "when": {"room": "big", "rent": 1}}))

    assert problem.where == f"{PLACE}[1]"


def test_points_of_an_interaction_have_limits_after_the_scale_too(tmp_path: Path) -> None:
    large = {"points": 10**6, "when": {"room": "big", "rent": 400}}

    problem = refused(tmp_path, with_interactions(large, scale=10**6))

    assert "the points go beyond 1,000,000,000" in problem.reason


def test_issues_that_interact_in_too_many_ways_are_refused(tmp_path: Path) -> None:
    names = [f"price{i}" for i in range(3)]
    document = flat(issues=[{"kind": "number", "name": name, "low": 0, "high": 200} for name in names])
    for seat in document["seats"].values():
        seat["preferences"]["issues"] = {name: {"linear": [0, 1]} for name in names}
    put(document, PLACE, [{"points": 1, "when": dict.fromkeys(names, 1)}])

    problem = refused(tmp_path, document)

    assert problem.where == PLACE
    assert problem.reason == "price0, price1, price2 interact in more than 1,000,000 ways"
