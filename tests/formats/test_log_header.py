"""Header of a log: omitted fields keep the meaning that they had when it was written."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.formats import agent_limits
from negoplatform.formats.game_files import game_rules
from negoplatform.formats.games import GameModel, build_game, dump_game
from negoplatform.formats.log_header import decode_header, encode_header
from negoplatform.formats.strict_json import validate_json
from tests.eventlog.logs import header_for


def budget_in(line: bytes) -> AgentBudget:
    return decode_header(line[:-1], "log").game.rules.agents


@pytest.fixture
def line(game: GameSpec) -> bytes:
    """Header with today's default budget."""
    assert game.rules.agents == AgentBudget()
    return encode_header(header_for(game))


def test_the_version_of_an_agent_is_kept_and_where_there_is_none_nothing_is_said(game: GameSpec) -> None:
    header = header_for(game)
    versioned = SeatMap((seat, replace(who, version="1.2")) for seat, who in header.seats.items())

    with_version = encode_header(replace(header, seats=versioned))

    kept = decode_header(with_version[:-1], "log").seats
    assert {who.version for who in kept.values()} == {"1.2"}
    assert b'"version"' not in encode_header(header)
    assert decode_header(encode_header(header)[:-1], "log").seats == header.seats


def test_the_sandboxes_of_agents_are_kept_and_where_there_is_none_nothing_is_said(game: GameSpec) -> None:
    header = header_for(game)
    without = replace(header, isolation={})

    line = encode_header(header)

    kept = decode_header(line[:-1], "log").isolation
    assert kept == header.isolation
    assert json.loads(line)["isolation"] == {
        game.seats[-1]: {
            "sandbox": "full",
            "landlock": 7,
            "seccomp": True,
            "permissions": {"write": ["secret_folder"]},
        }
    }
    assert b'"isolation"' not in encode_header(without)
    assert decode_header(encode_header(without)[:-1], "log").isolation == {}


def test_a_sandbox_in_a_seat_that_the_game_does_not_have_is_refused(game: GameSpec) -> None:
    header = header_for(game)
    (isolation,) = header.isolation.values()
    line = encode_header(replace(header, isolation={"nobody": isolation}))

    with pytest.raises(InputFileError, match="isolation: there is no seat 'nobody' in this game"):
        decode_header(line[:-1], "log")


@pytest.mark.parametrize("session_id", ["", "a b", "../a", "a\n", "a" * 65])
def test_a_session_id_that_could_be_no_part_of_a_file_name_is_refused(
    game: GameSpec, session_id: str
) -> None:
    line = encode_header(replace(header_for(game), session_id=session_id))

    with pytest.raises(InputFileError, match="session_id"):
        decode_header(line[:-1], "log")


def another_is_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the default budget, as a later release might."""
    usual = AgentBudget(soft_seconds=3.0, hard_seconds=9.0, strikes=5, memory_mb=4096)
    monkeypatch.setattr(agent_limits, "DEFAULT_BUDGET", usual)
    monkeypatch.setattr(game_rules, "DEFAULT_BUDGET", usual)


def test_a_log_is_resumed_under_its_own_budget_whatever_is_usual_later(
    line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    another_is_usual(monkeypatch)

    assert budget_in(line) == AgentBudget()


@pytest.mark.parametrize(
    "agents",
    [
        AgentBudget(),
        AgentBudget(soft_seconds=3.0, hard_seconds=9.0, strikes=5, memory_mb=4096),
        AgentBudget(soft_seconds=3.0, hard_seconds=9.0),
        AgentBudget(soft_seconds=9.0, hard_seconds=9.0, strikes=7),
    ],
)
def test_a_later_release_says_every_budget_so_that_it_is_understood(
    game: GameSpec, monkeypatch: pytest.MonkeyPatch, agents: AgentBudget
) -> None:
    another_is_usual(monkeypatch)
    played = replace(game, rules=replace(game.rules, agents=agents))

    form = validate_json(GameModel, json.dumps(dump_game(played)), "game")

    assert build_game(form, "game").rules.agents == agents
    assert budget_in(encode_header(header_for(played))) == agents
