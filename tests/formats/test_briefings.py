"""Briefings and spoken forms in game files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation
from negoplatform.formats.games import GameModel, build_game, dump_game
from negoplatform.formats.strict_json import validate_json
from tests.formats.game_texts import flat, loaded, put, refused

BRIEFING = {
    "background": ["I’ve just moved here."],
    "reasons": {"rent": ["I’m still paying back a loan.", "I only work half days."]},
    "value_reasons": {
        "room": {"big": ["My piano needs the big room."]},
        "shelves": {"2": ["I own four boxes of books."]},
        "rent": {"400": ["That’s what I paid before."]},
    },
}


def briefed(**more: Any) -> dict[str, Any]:
    """Return the flat, whose human has a briefing."""
    document = flat()
    document["seats"]["human"] |= BRIEFING | more
    return document


def again(game: GameSpec) -> GameSpec:
    """Return a game that was written and read again."""
    return build_game(validate_json(GameModel, json.dumps(dump_game(game)), "game"), "game")


def test_background_and_reasons_are_read(tmp_path: Path) -> None:
    briefing = loaded(tmp_path, briefed()).briefings["human"]

    assert briefing.background == ("I’ve just moved here.",)
    assert briefing.reasons_for("rent", 400)[0] == "That’s what I paid before."
    assert briefing.reasons_for("rent", 450) == ("I’m still paying back a loan.", "I only work half days.")
    assert briefing.reasons_for("room", "big") == ("My piano needs the big room.",)
    assert briefing.reasons_for("shelves", Allocation({"human": 2}), "human") == (
        "I own four boxes of books.",
    )


def test_the_reasons_of_a_profile_take_the_place_of_those_of_its_seat(tmp_path: Path) -> None:
    document = briefed()
    preferences = document["seats"]["human"].pop("preferences")
    document["seats"]["human"]["profiles"] = {
        "poor": {"preferences": preferences, "reasons": {"rent": ["I’ve got nothing."]}},
        "rich": {"preferences": preferences, "background": ["I’ve inherited a house."]},
    }
    game = loaded(tmp_path, document)

    poor, rich = (game.resolve_profiles(1, {"human": name}).briefings["human"] for name in ("poor", "rich"))

    assert poor.background == ("I’ve just moved here.",)
    assert poor.reasons_of("rent") == ("I’ve got nothing.",)
    assert rich.background == ("I’ve inherited a house.",)
    assert rich.reasons_of("rent") == ("I’m still paying back a loan.", "I only work half days.")
    assert again(game) == game


def test_a_game_with_briefings_and_spoken_forms_comes_back_equal(tmp_path: Path) -> None:
    game = loaded(tmp_path, with_spoken(briefed()))

    assert again(game) == game


def test_a_game_without_them_is_written_without_their_keys(tmp_path: Path) -> None:
    document = dump_game(loaded(tmp_path, flat()))

    keys = {key for part in (*document["issues"], *document["seats"].values()) for key in part}
    assert keys.isdisjoint({"background", "reasons", "value_reasons", "spoken"})


@pytest.mark.parametrize(
    ("place", "value", "where", "reason"),
    [
        ("reasons", {"car": ["I like it."]}, "reasons.car", "no such issue; it has shelves, room, rent"),
        ("value_reasons", {"car": {}}, "value_reasons.car", "no such issue"),
        ("value_reasons", {"room": {"blue": ["x"]}}, "value_reasons.room.blue", "it is one of big, small"),
        ("value_reasons", {"shelves": {"3": ["x"]}}, "value_reasons.shelves.3", "it is 0 to 2 own units"),
        (
            "value_reasons",
            {"rent": {"410": ["x"]}},
            "value_reasons.rent.410",
            "from 400 to 600 in steps of 50",
        ),
        ("reasons", {"rent": []}, "reasons.rent", "at least 1 is needed"),
        ("reasons", {"rent": ["x" * 201]}, "reasons.rent[0]", "at most 200 characters"),
        ("background", [" "], "background[0]", "must not be empty"),
        ("background", ["x"] * 7, "background", "at most 6 belong here"),
        ("background", "I’m Ada.", "background", "a list in brackets"),
    ],
)
def test_a_briefing_that_does_not_fit_the_game_is_refused_with_its_place(
    tmp_path: Path, place: str, value: object, where: str, reason: str
) -> None:
    problem = refused(tmp_path, briefed(**{place: value}))

    assert problem.where == f"seats.human.{where}"
    assert reason in problem.reason


def test_a_fault_in_a_profile_is_reported_with_the_place_of_the_profile(tmp_path: Path) -> None:
    document = flat()
    seat = document["seats"]["human"]
    seat["profiles"] = {"poor": {"preferences": seat.pop("preferences"), "reasons": {"car": ["I like it."]}}}

    assert refused(tmp_path, document).where == "seats.human.profiles.poor.reasons.car"


# Spoken forms


def with_spoken(document: dict[str, Any]) -> dict[str, Any]:
    """Give each issue of the flat a spoken form, and return the document."""
    put(document, "issues.0.spoken", {"one": "shelf", "many": "shelves"})
    put(document, "issues.1.spoken", {"big": "the big room", "small": "the small room"})
    return put(document, "issues.2.spoken", "a rent of {value}")


def test_spoken_forms_are_read(tmp_path: Path) -> None:
    shelves, room, rent = loaded(tmp_path, with_spoken(flat())).issues

    assert isinstance(shelves, QuantityIssue)
    assert shelves.spoken == ("shelf", "shelves")
    assert isinstance(room, CategoricalIssue)
    assert room.spoken == ("the big room", "the small room")
    assert isinstance(rent, NumberIssue)
    assert rent.spoken == "a rent of {value}"


@pytest.mark.parametrize(
    ("issue", "spoken", "where", "reason"),
    [
        (0, {"one": "shelf"}, "issues[0].spoken.many", "this key is missing"),
        (0, {"one": " ", "many": "shelves"}, "issues[0].spoken.one", "must not be empty"),
        (1, {"big": "the big room"}, "issues[1]", "the value 'small' has no spoken form"),
        (1, {"blue": "a blue one"}, "issues[1]", "a spoken form for 'blue', which is none of the values"),
        (1, {"big": "a room", "small": "A room"}, "issues[1]", "two values have the same spoken form"),
        (2, "a rent", "issues[2].spoken", "the number's place is written {value}, once"),
        (2, "{value} of {value}", "issues[2].spoken", "the number's place is written {value}, once"),
        (2, "{value!r} {value}", "issues[2].spoken", "without other braces"),
    ],
)
def test_spoken_forms_that_do_not_fit_are_refused_with_their_place(
    tmp_path: Path, issue: int, spoken: object, where: str, reason: str
) -> None:
    problem = refused(tmp_path, put(flat(), f"issues.{issue}.spoken", spoken))

    assert problem.where == where
    assert reason in problem.reason
