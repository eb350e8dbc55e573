"""Simulation: both seatings, and the same results from the same seed."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.simulation.simulate import DEFAULT_LIMIT, Result, simulate, summarize
from negoplatform.core.events import EndedBy
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.plugins.agent_loader import AgentPlugin

TAKES_TIME = """
from negoplatform.agent_api.base import NegotiationAgent

class Silent(NegotiationAgent):
    '''Waits for the end.'''
"""
IS_REFUSED = f"""
from negoplatform.agent_api.actions import FormalAccept
{TAKES_TIME}
    def on_game_start(self, ctx, event):
        return [FormalAccept()]
"""
FAILS = TAKES_TIME + "\n    def on_time(self, ctx, event):\n        raise ValueError('no idea')\n"


def run(game: GameSpec, *agents: AgentPlugin, **more: Any) -> list[Result]:
    told: dict[str, Any] = {"games": 2, "seed": 5, "logs": None, "report": lambda error: None, **more}
    return list(simulate(game, agents, **told))


@pytest.fixture
def fair(tmp_path: Path) -> AgentPlugin:
    return find_agent("fair", tmp_path)


@pytest.fixture
def boulware(tmp_path: Path) -> AgentPlugin:
    return find_agent("boulware", tmp_path)


@pytest.fixture
def silent(tmp_path: Path) -> AgentPlugin:
    (tmp_path / "silent.py").write_text(TAKES_TIME)
    return find_agent(str(tmp_path / "silent.py"), tmp_path)


def test_two_agents_play_in_both_seatings_with_the_same_seeds(
    practice: GameSpec, fair: AgentPlugin, boulware: AgentPlugin
) -> None:
    results = run(practice, fair, boulware)

    assert [(dict(result.agents), result.seed) for result in results] == [
        ({"human": "fair", "agent": "boulware"}, 5),
        ({"human": "fair", "agent": "boulware"}, 6),
        ({"human": "boulware", "agent": "fair"}, 5),
        ({"human": "boulware", "agent": "fair"}, 6),
    ]
    assert all(result.failures == 0 for result in results)


def test_an_agent_against_itself_has_one_seating(practice: GameSpec, fair: AgentPlugin) -> None:
    assert len(run(practice, fair, fair)) == 2


def without_wall_clock(folder: Path) -> list[bytes]:
    """Return the logs of a folder as bytes, without wall-clock fields, hashes and session ids."""

    def stripped(line: str) -> bytes:
        found = json.loads(line)
        for key in ("at", "created_at", "session_id", "hash"):
            found.pop(key, None)
        for who in found.get("seats", {}).values():
            del who["sha256"]
        return json.dumps(found).encode()

    # One folder per session: their names differ, their contents must not.
    return sorted(
        b"\n".join(stripped(line) for line in path.read_text("utf-8").splitlines())
        for path in folder.glob("*/events.jsonl")
    )


@pytest.mark.parametrize("name", ["resource_exchange", "practice"])
def test_equal_seeds_give_equal_logs(
    tmp_path: Path, request: pytest.FixtureRequest, fair: AgentPlugin, boulware: AgentPlugin, name: str
) -> None:
    game = request.getfixturevalue({"resource_exchange": "game"}.get(name, name))

    first = run(game, fair, boulware, logs=tmp_path / "one")
    second = run(game, fair, boulware, logs=tmp_path / "two")

    assert first == second
    one, two = without_wall_clock(tmp_path / "one"), without_wall_clock(tmp_path / "two")
    assert len(one) == 4
    assert one == two


def test_another_seed_gives_another_game(
    tmp_path: Path, game: GameSpec, fair: AgentPlugin, boulware: AgentPlugin
) -> None:
    run(game, fair, boulware, logs=tmp_path / "one", games=5, seed=1)
    run(game, fair, boulware, logs=tmp_path / "two", games=5, seed=101)

    def events_only(logs: list[bytes]) -> list[list[bytes]]:
        return sorted(log.split(b"\n")[1:] for log in logs)

    assert events_only(without_wall_clock(tmp_path / "one")) != events_only(
        without_wall_clock(tmp_path / "two")
    )


def test_the_log_of_a_simulated_game_replays_to_its_result(
    tmp_path: Path, game: GameSpec, fair: AgentPlugin, boulware: AgentPlugin
) -> None:
    (result,) = run(game, fair, boulware, games=1, logs=tmp_path)[:1]

    logs = [read_log(folder) for folder in (tmp_path).iterdir() if folder.is_dir()]
    (log,) = [log for log in logs if log.header.seats["human"].agent == "fair"]
    assert replay(log).points == result.points
    assert log.header.seed == 5
    assert log.header.seats["agent"].file == "time_dependent.py"
    assert log.header.seats["agent"].sha256 == boulware.sha256


def test_a_game_without_a_deadline_is_given_one(game: GameSpec, silent: AgentPlugin) -> None:
    endless = replace(game, rules=replace(game.rules, deadline_seconds=None))

    (result,) = run(endless, silent, silent, games=1)

    assert result.ended_by is EndedBy.TIMEOUT
    assert result.seconds == DEFAULT_LIMIT
    assert dict(result.points) == {"human": 12, "agent": 10}


def test_an_agent_that_fails_is_counted_reported_and_ends_its_game_only(
    tmp_path: Path, game: GameSpec, fair: AgentPlugin
) -> None:
    (tmp_path / "fails.py").write_text(FAILS)
    fails = find_agent(str(tmp_path / "fails.py"), tmp_path)
    reported: list[BaseException] = []

    results = run(game, fails, fails, games=2, report=reported.append)

    assert [result.ended_by for result in results] == [EndedBy.AGENT_FAILURE] * 2
    assert all(set(result.points.values()) == {None} for result in results)
    assert [str(error) for error in reported] == ["no idea"] * sum(result.failures for result in results)


def test_an_act_that_is_refused_is_counted_and_is_no_failure(tmp_path: Path, game: GameSpec) -> None:
    (tmp_path / "refused.py").write_text(IS_REFUSED)
    refused = find_agent(str(tmp_path / "refused.py"), tmp_path)

    (result,) = run(game, refused, refused, games=1)

    assert (result.refusals, result.failures) == (2, 0), "there is nothing to accept yet"


def test_a_summary_counts_agreements_and_takes_means_by_seating(
    practice: GameSpec, fair: AgentPlugin, silent: AgentPlugin
) -> None:
    summaries = summarize(run(practice, silent, fair))

    assert [dict(summary.agents) for summary in summaries] == [
        {"human": "silent", "agent": "fair"},
        {"human": "fair", "agent": "silent"},
    ]
    assert [(summary.games, summary.agreements) for summary in summaries] == [(2, 0), (2, 0)]
    assert dict(summaries[0].points) == {"human": 4, "agent": 4}
    assert summaries[0].seconds == 600


def test_a_game_needs_as_many_agents_as_it_has_seats(practice: GameSpec, fair: AgentPlugin) -> None:
    with pytest.raises(NegoError, match=r"practice has 2 seats \(human, agent\); name as many agents"):
        run(practice, fair)


def test_every_game_is_measured_at_its_end(
    practice: GameSpec, fair: AgentPlugin, boulware: AgentPlugin
) -> None:
    (result,) = run(practice, fair, boulware, games=1)[:1]

    found = result.measures
    assert found is not None
    assert result.ended_by is EndedBy.AGREEMENT
    assert found.joint_points == sum(found.seats[seat].utility or 0 for seat in practice.seats)
    assert [found.seats[seat].points for seat in practice.seats] == list(result.points.values())
    assert sum(found.seats[seat].bidding.offers for seat in practice.seats) == result.offers
    assert result.why_unmeasured == ""


def test_a_summary_takes_the_mean_of_every_measure_over_the_games_that_have_it(
    practice: GameSpec, fair: AgentPlugin, silent: AgentPlugin
) -> None:
    (summary,) = summarize(run(practice, silent, fair)[:2])

    # Without an agreement both get their reservation values, and no deal is efficient or not.
    assert summary.means["relative_welfare"] == 0
    assert summary.means["human.advantage"] == 0
    assert "pareto_optimal" not in summary.means
    assert summary.means["human.offers"] == 0
    assert summary.means["agent.offers"] > 0


@pytest.fixture
def campsite(tmp_path: Path) -> GameSpec:
    return find_game("campsite", tmp_path)


def test_profiles_are_drawn_anew_for_every_game_and_alike_in_both_seatings(
    campsite: GameSpec, fair: AgentPlugin, boulware: AgentPlugin
) -> None:
    results = run(campsite, fair, boulware, games=6)

    drawn = [dict(result.profiles) for result in results]
    assert drawn[:6] == drawn[6:]
    assert len({tuple(profiles.items()) for profiles in drawn}) > 1


def test_the_log_of_a_game_holds_the_profiles_that_were_drawn(
    tmp_path: Path, campsite: GameSpec, fair: AgentPlugin
) -> None:
    results = run(campsite, fair, fair, games=3, logs=tmp_path / "logs")

    logged = {log.header.seed: log for log in map(read_log, (tmp_path / "logs").iterdir())}
    assert [logged[r.seed].header.game.chosen for r in results] == [r.profiles for r in results]
    assert [replay(logged[r.seed]).points for r in results] == [r.points for r in results]


def test_a_profile_that_is_asked_for_is_played_by_every_game(campsite: GameSpec, fair: AgentPlugin) -> None:
    wanted = {"human": "water_food_firewood"}

    results = run(campsite, fair, fair, games=4, profiles=wanted)

    assert {result.profiles["human"] for result in results} == {"water_food_firewood"}


def test_a_game_with_interactions_is_played_without_numpy(
    monkeypatch: pytest.MonkeyPatch, practice: GameSpec, silent: AgentPlugin
) -> None:
    own = practice.preferences["human"]
    assert isinstance(own.utility, AdditiveUtility)
    both = Interaction(2, (("day", frozenset({"Sunday"})), ("apples", frozenset({0}))))
    bound = replace(own, utility=InteractionUtility(own.utility, [both]))
    monkeypatch.setitem(sys.modules, "numpy", None)

    results = run(
        replace(practice, preferences=practice.preferences.with_value("human", bound)), silent, silent
    )

    assert {result.why_unmeasured.partition(",")[0] for result in results} == {"Issues of practice interact"}
    assert all(result.measures is not None and result.measures.joint_points for result in results)
