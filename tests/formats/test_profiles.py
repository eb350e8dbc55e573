"""Profiles in game files: several preferences for a seat, and the chosen one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.formats.games import GameModel, build_game, dump_game
from negoplatform.formats.strict_json import validate_json
from tests.formats.game_texts import flat, loaded, put, refused


def with_profiles(**seat: Any) -> dict[str, Any]:
    """Return the flat, whose human is poor or rich."""
    document = flat()
    preferences = document["seats"]["human"].pop("preferences")
    rich = {**preferences, "reservation_value": 9}
    document["seats"]["human"] = {
        "story": "You look for a flat.",
        "profiles": {
            "poor": {"preferences": preferences, "story": "You have little."},
            "rich": {"preferences": rich},
        },
        **seat,
    }
    return document


def test_profiles_are_read_with_their_stories(tmp_path: Path) -> None:
    game = loaded(tmp_path, with_profiles())

    poor, rich = game.profiles["human"]
    assert (poor.name, poor.story, poor.preferences.reservation_value) == ("poor", "You have little.", 3)
    assert (rich.name, rich.story, rich.preferences.reservation_value) == ("rich", "", 9)
    assert "agent" not in game.profiles
    assert "agent" not in game.chosen


@pytest.mark.parametrize(
    ("chosen", "reservation", "story"),
    [({}, 3, "You have little."), ({"profile": "rich"}, 9, "You look for a flat.")],
)
def test_the_first_profile_is_played_unless_the_file_chooses_another(
    tmp_path: Path, chosen: dict[str, str], reservation: int, story: str
) -> None:
    unsettled = loaded(tmp_path, with_profiles(**chosen))

    game = unsettled.resolve_profiles(1)

    assert game.preferences["human"].reservation_value == reservation
    assert unsettled.preferences["human"].reservation_value == reservation
    assert game.stories["human"] == story
    assert game.chosen["human"] == chosen.get("profile", "poor")


def test_a_file_may_leave_the_choice_to_the_seed(tmp_path: Path) -> None:
    game = loaded(tmp_path, with_profiles(profile="drawn"))

    drawn = {game.resolve_profiles(seed).chosen["human"] for seed in range(30)}

    assert drawn == {"poor", "rich"}


@pytest.mark.parametrize("chosen", [{}, {"profile": "rich"}, {"profile": "drawn"}])
def test_a_game_with_profiles_comes_back_equal(tmp_path: Path, chosen: dict[str, str]) -> None:
    game = loaded(tmp_path, with_profiles(**chosen))

    again = build_game(validate_json(GameModel, json.dumps(dump_game(game)), "game"), "game")

    assert again == game
    assert [again.resolve_profiles(seed) for seed in range(9)] == [
        game.resolve_profiles(seed) for seed in range(9)
    ]


def test_a_settled_game_comes_back_equal_with_the_name_of_its_profile(tmp_path: Path) -> None:
    game = loaded(tmp_path, with_profiles()).resolve_profiles(1, {"human": "rich"})

    again = build_game(validate_json(GameModel, json.dumps(dump_game(game)), "game"), "game")

    assert again == game
    assert again.chosen["human"] == "rich"


def test_weights_are_checked_in_every_profile(tmp_path: Path) -> None:
    document = with_profiles()
    issues = json.loads(json.dumps(document["seats"]["human"]["profiles"]["rich"]["preferences"]["issues"]))
    for points in issues.values():
        points["weight"] = 0.3
    put(document, "seats.human.profiles.rich.preferences.issues", issues)

    problem = refused(tmp_path, document)

    assert problem.where == "seats.human.profiles.rich.preferences"
    assert problem.reason == "the weights add up to 0.9, not to 1"


PROFILE = {"preferences": {"issues": {}, "reservation_value": 0}}


@pytest.mark.parametrize(
    ("place", "value", "where", "reason"),
    [
        ("seats.human.profile", "mean", "seats.human", "there is no profile 'mean'; there is poor, rich"),
        ("seats.human.profiles", {}, "seats.human.profiles", "at least 1 is needed here, but there is none"),
        ("seats.human.profiles.drawn", PROFILE, "seats.human", "no profile may be named 'drawn'"),
        ("seats.human.profiles.4th", PROFILE, "seats.human.profiles.4th", "a name begins with a letter"),
        (
            "seats.human.preferences",
            PROFILE["preferences"],
            "seats.human",
            "give either 'preferences' or 'profiles', not both",
        ),
        (
            "seats.human.profiles.mean",
            PROFILE,
            "seats.human.profiles.mean.preferences.issues.rent",
            "this issue has no points",
        ),
        ("seats.human.profiles.poor", {}, "seats.human.profiles.poor.preferences", "this key is missing"),
        ("seats.human.profiles", None, "seats.human.preferences", "this key is missing"),
        ("seats.agent.profile", "poor", "seats.agent.profile", "this seat has no profiles to choose from"),
    ],
)
def test_profiles_that_make_no_sense_are_refused_with_their_place(
    tmp_path: Path, place: str, value: object, where: str, reason: str
) -> None:
    problem = refused(tmp_path, put(with_profiles(), place, value))

    assert problem.where == where
    assert reason in problem.reason
