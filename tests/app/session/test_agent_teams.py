"""Teams of agents behind one seat: found by name, in the log, run again and resumed as they were."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_placement import find_agent_with_settings
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.session_plan import with_time_limit
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.simulation.simulate import simulate
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.plugins.agent_team import AgentTeam

OFFERS = """
from negoplatform.agent_api.actions import Schedule, SendMessage
from negoplatform.agent_api.base import NegotiationAgent

class Thinks(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [Schedule(3000, lambda ctx: SendMessage(f"{ctx.rng.random():.6f}"))]
"""

Play = Callable[..., SessionLog]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Function that plays a short game against a team and returns its log."""

    def played(team: str, *, isolated: bool = False) -> SessionLog:
        agents = [find_agent("fair", tmp_path), find_agent_with_settings(team, tmp_path)]
        game = with_time_limit(find_game("practice", tmp_path), 30.0)
        logs = tmp_path / "logs"
        games = simulate(
            game, agents, games=1, seed=3, logs=logs, report=lambda _error: None, isolated=isolated
        )
        next(games)
        (path,) = logs.iterdir()
        return read_log(path)

    return played


def team_of(names: str, tmp_path: Path) -> AgentTeam:
    team = find_agent(f"team:{names}", tmp_path)
    assert isinstance(team, AgentTeam)
    return team


# Names and settings


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("team:fair", "A team has 2 to 5 agents, as in team:fair+negochat; 'team:fair' has 1."),
        ("team:" + "+".join(["fair"] * 6), "has 6."),
        ("team:fair+", "names no team of agents; write team:fair+negochat."),
        ("team:fair+nosuch", "There is no agent 'nosuch'"),
        ("team:fair+team:fair", "names no team of agents; write team:fair+negochat."),
        ("team:language_model+language_model", "Only one member of a team can ask a language model"),
    ],
)
def test_a_name_that_is_no_team_is_refused_in_a_sentence(name: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(NegoError, match=re.escape(sentence)):
        find_agent(name, tmp_path)


def test_members_may_be_files(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OFFERS)

    team = find_agent(f"team:fair+{file}:Thinks", tmp_path)

    assert isinstance(team, AgentTeam)
    assert [member.class_name for member in team.members] == ["Fair", "Thinks"]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"offers": "all"}, "The setting 'offers' of a team is one of rotate, average, not 'all'."),
        ({"accept": 2}, "The setting 'accept' of a team is one of any, majority, unanimous, not 2."),
        ({"speaker": "negochat"}, "is the name of a member (fair, tit_for_tat), or its number from 1 to 2"),
        ({"speaker": 3}, "from 1 to 2, not 3."),
        ({"vote": "all"}, "A team of agents has no setting 'vote'; it has accept,"),
        ({"members": {"negochat": {}}}, "the team has no member of that name; it has fair, tit_for_tat."),
        ({"members": [{}]}, "or a list with one entry for each of fair, tit_for_tat."),
        ({"members": {"fair": 3}}, "The settings of the member 'fair' are named values, not 3."),
        ({"members": {"fair": {"honesty": "odd"}}}, "honesty"),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    settings: dict[str, object], sentence: str, tmp_path: Path, practice: GameSpec
) -> None:
    team = team_of("fair+tit_for_tat", tmp_path)

    with pytest.raises(NegoError, match=re.escape(sentence)):
        prepare_in_process(team, "agent", settings, game=practice)


def test_a_team_plays_no_market(tmp_path: Path) -> None:
    team = team_of("fair+tit_for_tat", tmp_path)

    with pytest.raises(AgentError, match="A team of agents plays games of the kind bargaining"):
        team.check_plays(find_game("grain_market", tmp_path))


def test_settings_of_members_are_given_by_name_or_in_order(tmp_path: Path) -> None:
    team = team_of("fair+tit_for_tat", tmp_path)

    by_name = team.resolve_settings({"members": {"fair": {"honesty": "reserved"}}, "speaker": "tit_for_tat"})
    in_order = team.resolve_settings({"members": [{"honesty": "reserved"}, {}], "speaker": 2})

    assert by_name == in_order
    assert by_name["members"][0]["config"]["honesty"] == "reserved"
    assert team.resolve_settings(by_name) == by_name  # as a log has them


# The log


def test_the_header_holds_the_members(play: Play) -> None:
    who = play("team:fair+boulware").header.seats["agent"]

    assert who.agent == "team:fair+boulware"
    assert [member["agent"] for member in who.config["members"]] == ["fair", "boulware"]
    assert all(len(member["sha256"]) == 64 for member in who.config["members"])


@pytest.mark.parametrize("isolated", [False, True])
def test_a_team_acts_again_as_it_did(play: Play, tmp_path: Path, isolated: bool) -> None:
    log = play("team:tit_for_tat+boulware", isolated=isolated)

    found = resimulate(log, tmp_path)

    assert found.differences == ()
    assert any(event.sender == "agent" for event in log.events)


def test_equal_members_have_random_numbers_of_their_own(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "thinks.py"
    file.write_text(OFFERS)
    settings = tmp_path / "two.json"

    said = []
    for speaker in (1, 2):
        settings.write_text(json.dumps({"speaker": speaker}))
        agents = [
            find_agent("fair", tmp_path),
            find_agent_with_settings(f"team:{file}+{file}@{settings}", tmp_path),
        ]
        game = with_time_limit(find_game("practice", tmp_path), 10.0)
        logs = tmp_path / f"logs{speaker}"
        next(simulate(game, agents, games=1, seed=3, logs=logs, report=lambda _error: None))
        (path,) = logs.iterdir()
        said += [event.get_text() for event in read_log(path).events if event.sender == "agent"]

    assert len(said) == len(set(said)) == 2


def test_a_member_whose_file_has_changed_is_refused(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "thinks.py"
    file.write_text(OFFERS)
    log = play(f"team:fair+{file}")
    assert resimulate(log, tmp_path, [str(file)]).differences == ()

    file.write_text(OFFERS + "# changed")

    with pytest.raises(NegoError, match=r"The agent 'thinks' \(thinks\.py\) is not here as it was"):
        resimulate(log, tmp_path, [str(file)])


def test_a_header_without_the_members_is_refused(play: Play, tmp_path: Path) -> None:
    log = play("team:fair+boulware")
    seats = {seat: replace(who, config={}) for seat, who in log.header.seats.items()}
    log = replace(log, header=replace(log.header, seats=type(log.header.seats)(seats)))

    with pytest.raises(NegoError, match="The log does not hold the members of the team 'team:fair"):
        resimulate(log, tmp_path)
