"""Principals, teams and assistants in game files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.core.visibility import Observer, observer_of, visible_game
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.command_settings import (
    PrincipalTiming,
    ProtocolKind,
    ProtocolSettings,
    Split,
    TeamAcceptance,
    TeamSpec,
)
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import GameModel, build_game, dump_game, load_game
from negoplatform.formats.strict_json import validate_json

SEATS = ("north", "south", "east", "west")
COMMAND: dict[str, Any] = {
    "principals": {
        "head": {
            "over": ["north", "south"],
            "protocol": {"vertical": {"split": "proportional"}},
            "timing": {"tick_interval": 10, "msg_delay": 0.5},
            "agent": "budget_holder",
            "settings": {"budget": 80},
        },
        "board": {"over": ["head"]},
    },
    "teams": [{"members": ["east", "west"], "share": ["Limits"], "accept": "majority"}],
    "assistants": {"agenda": {"seat": "north", "coach": True}, "mine": {"assistant": "insights"}},
}


def game_document(**command: Any) -> dict[str, Any]:
    preferences = {"issues": {"price": {"values": {"low": 1, "high": 2}}}, "reservation_value": 0}
    return {
        "schema": "negoplatform.game/1",
        "name": "four",
        "issues": [{"kind": "categorical", "name": "price", "values": ["low", "high"]}],
        "seats": {seat: {"preferences": preferences} for seat in SEATS},
        **command,
    }


def loaded(folder: Path, **command: Any) -> GameSpec:
    file = folder / "game.json"
    file.write_text(json.dumps(game_document(**command)), encoding="utf-8")
    return load_game(file)


def test_the_chain_of_command_is_read_from_a_game_file(tmp_path: Path) -> None:
    game = loaded(tmp_path, **COMMAND)

    head = game.principals["head"]
    assert head.protocol == ProtocolSettings(ProtocolKind.VERTICAL, Split.PROPORTIONAL)
    assert head.timing == PrincipalTiming(tick_interval=10, msg_delay=0.5)
    assert [game.level_of(name) for name in ("north", "head", "board")] == [1, 2, 3]
    assert [game.upstream_of(name) for name in ("north", "west", "head", "board")] == [
        *("head", None, "board", None)
    ]
    assert game.seats_below("board") == ("north", "south")
    assert game.teams == (TeamSpec(("east", "west"), ("Limits",), TeamAcceptance.MAJORITY),)
    assert game.allies_of("east") == ("west",)
    assert game.allies_of("north") == ()
    assert game.assistants["agenda"] == AssistantSpec("agenda", "", "north", coach=True)
    assert game.assistants["mine"].plugin == "insights"


def test_a_game_with_command_is_written_and_read_without_loss(tmp_path: Path) -> None:
    game = loaded(tmp_path, **COMMAND)

    text = json.dumps(dump_game(game)).encode()

    assert build_game(validate_json(GameModel, text, "a test"), "a test") == game


def test_the_observers_have_the_levels_and_the_seats_of_the_chain(tmp_path: Path) -> None:
    game = loaded(tmp_path, **COMMAND)

    assert observer_of(game, "north") == Observer("north")
    assert observer_of(game, "head") == Observer("head", level=2, over=("north", "south"))
    assert observer_of(game, "board") == Observer("board", level=3, over=("north", "south"))
    assert observer_of(game, "system") == Observer("system", level=3, over=SEATS, sources=("head", "board"))


def test_a_seat_knows_the_chain_but_neither_settings_nor_hidden_assistants(tmp_path: Path) -> None:
    game = loaded(tmp_path, **COMMAND)

    seen = visible_game(game, Observer("north"))

    assert list(seen.principals) == ["head", "board"]
    assert not seen.principals["head"].settings
    assert not seen.principals["head"].agent
    assert not seen.assistants


@pytest.mark.parametrize(
    ("kind", "coach", "shown"),
    [
        (AssistantKind.AGENDA, True, True),
        (AssistantKind.AGENDA, False, False),
        (AssistantKind.INSIGHTS, True, False),
        (AssistantKind.DEBRIEF, False, True),
        (None, True, False),
    ],
)
def test_a_participant_is_shown_a_coach_and_a_debriefing_alone(
    kind: AssistantKind | None, coach: bool, shown: bool
) -> None:
    assert AssistantSpec("one", seat="north", coach=coach, kind=kind).is_shown_to_participant is shown


def test_fewer_seats_leave_only_those_above_who_still_have_a_seat(tmp_path: Path) -> None:
    game = loaded(tmp_path, **COMMAND)
    without_issues = game.__class__(
        **{name: getattr(game, name) for name in game.__dataclass_fields__ if name != "known_offers"}
        | {"fewest_seats": 2}
    )

    two = without_issues.with_seats(2)

    assert list(two.principals) == ["head", "board"]
    assert two.teams == ()


@pytest.mark.parametrize(
    ("command", "where", "reason"),
    [
        ({"principals": {"head": {"over": ["nord"]}}}, "principals.head.over", "no seat or principal 'nord'"),
        ({"principals": {"north": {"over": ["south"]}}}, "principals.north", "another one is named 'north'"),
        ({"principals": {"system": {"over": ["south"]}}}, "principals.system", "program itself uses"),
        (
            {"principals": {"a": {"over": ["north"]}, "b": {"over": ["north"]}}},
            "principals.b.over",
            "'north' is under 'a' already",
        ),
        ({"principals": {"a": {"over": ["b"]}, "b": {"over": ["a"]}}}, "principals.a.over", "a loop"),
        (
            {
                "principals": {
                    "a": {"over": ["north"]},
                    "b": {"over": ["a"]},
                    "c": {"over": ["b"]},
                }
            },
            "principals.c.over",
            "more than three levels",
        ),
        (
            {
                "principals": {
                    "top": {"over": ["short", "long"]},
                    "short": {"over": ["north"]},
                    "long": {"over": ["head"]},
                    "head": {"over": ["south"]},
                }
            },
            "principals.top.over",
            "more than three levels",
        ),
        (
            {"principals": {"a": {"over": ["north"]}, "b": {"over": ["a", "south"]}}},
            "principals.b.over",
            "seats alone or principals alone",
        ),
        (
            {"principals": {"a": {"over": ["north"], "timing": {"msg_delay": -1}}}},
            "principals.a",
            "timing.msg_delay is a number of seconds from 0 to 3600",
        ),
        (
            {"principals": {"a": {"over": ["north"], "protocol": {"vertical": {}, "horizontal": {}}}}},
            "principals.a",
            "not both",
        ),
        ({"teams": [{"members": ["north", "nord"]}]}, "teams[0].members", "no seat 'nord'"),
        (
            {"teams": [{"members": ["north", "south"]}, {"members": ["south", "east"]}]},
            "teams[1].members",
            "'south' is in a team already",
        ),
        ({"assistants": {"agenda": {"seat": "nord"}}}, "assistants.agenda.seat", "no seat 'nord'"),
        ({"assistants": {"agenda": {"kind": "agenda"}}}, "assistants.agenda.kind", "belongs to logs"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(
    command: dict[str, Any], where: str, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InputFileError) as refused:
        loaded(tmp_path, **command)

    assert refused.value.where == where
    assert reason in str(refused.value)
