"""Simulation: both seatings, and the same results from the same seed."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from math import factorial, prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.session_plan import SIMULATION_LIMIT
from negoplatform.app.simulation.simulate import (
    Result,
    Seatings,
    seatings,
    simulate,
    summarize,
)
from negoplatform.cli.render.simulation_table import simulation_lines
from negoplatform.core.events import EndedBy
from negoplatform.core.mechanisms.bargaining import left_out_seats
from negoplatform.domain.agreement_rules import Agreement, Outvoted
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.plugins.agent_loader import AgentPlugin
from tests.agents.seating import plugin
from tests.games import COINS, make_game, three_seats

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
    """Return the logs of a folder as bytes, without wall-clock fields, hashes, session ids and sandboxes."""

    def stripped(line: str) -> bytes:
        found = json.loads(line)
        for key in ("at", "created_at", "session_id", "hash", "isolation"):
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
    assert result.seconds == SIMULATION_LIMIT
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
    first = results[0].first_failures
    assert all(reason.startswith("It raised ValueError (no idea) in line ") for reason in first.values())
    assert all(result.failures_by_seat.keys() == result.first_failures.keys() for result in results)
    told = "\n".join(simulation_lines(game, summarize(results)))
    reason = f"{fails.name} as {game.seats[0]}: {first[game.seats[0]]} (seed {results[0].seed})"
    assert f"The first failure: {reason}" in told


def test_the_first_failure_of_each_agent_is_told(tmp_path: Path, game: GameSpec) -> None:
    for name, reason in (("one", "no idea"), ("two", "no plan")):
        (tmp_path / f"{name}.py").write_text(FAILS.replace("no idea", reason))
    one, two = (find_agent(str(tmp_path / f"{name}.py"), tmp_path) for name in ("one", "two"))

    results = run(game, one, two, games=2, report=lambda _error: None)

    told = list(simulation_lines(game, summarize(results)))
    first = told[told.index("The first failure of each agent:") + 1 :]
    assert [("no idea" in line, "no plan" in line) for line in first] == [(True, False), (False, True)]
    assert all(f"(seed {results[0].seed})" in line for line in first)


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


# Seats


@pytest.mark.parametrize(
    ("named", "fill", "sentence"),
    [
        (1, False, "and 1 agent is named; name as many agents, or one for the other seats with --fill."),
        (2, False, "and 2 agents are named; name as many agents, or one for the other seats with --fill."),
        (4, False, "and 4 agents are named; name as many agents as there are seats."),
        (4, True, "and 4 agents are named; name as many agents as there are seats."),
        (9, False, "and 9 agents are named; name as many agents as there are seats."),
        (3, True, "and 3 agents are named, so no seat is left for another agent; leave out --fill."),
    ],
)
def test_agents_that_do_not_fit_the_seats_are_refused_in_a_sentence(
    fair: AgentPlugin, boulware: AgentPlugin, named: int, *, fill: bool, sentence: str
) -> None:
    with pytest.raises(NegoError) as caught:
        run(three_seats(), *[fair] * named, fill=boulware if fill else None)

    assert str(caught.value) == f"made_up has 3 seats (red, green, blue), {sentence}"


REFUSES = f"""
from negoplatform.domain.errors import AgentError
{TAKES_TIME}
    def check_game(self, game):
        if self.agent_id == "blue":
            raise AgentError("It cannot play blue.")
"""


def test_an_agent_that_cannot_play_in_a_later_seat_is_found_before_any_game(
    tmp_path: Path, fair: AgentPlugin
) -> None:
    (tmp_path / "refuses.py").write_text(REFUSES)
    refuses = find_agent(str(tmp_path / "refuses.py"), tmp_path)
    games = simulate(three_seats(), [refuses, fair, fair], games=1, seed=1, logs=None, report=print)

    with pytest.raises(NegoError, match="It cannot play blue") as caught:
        next(games)

    assert "refuses" in str(caught.value)


def seats_of(orders: list[tuple[AgentPlugin, ...]]) -> list[str]:
    return [" ".join(agent.name for agent in order) for order in orders]


def test_three_agents_take_the_seats_as_given_in_rotation_or_in_every_order(
    fair: AgentPlugin, boulware: AgentPlugin, silent: AgentPlugin
) -> None:
    agents = [fair, boulware, silent]

    assert seats_of(seatings(agents, Seatings.GIVEN)) == ["fair boulware silent"]
    assert seats_of(seatings(agents)) == seats_of(seatings(agents, Seatings.ROTATIONS))
    assert seats_of(seatings(agents, Seatings.ROTATIONS)) == [
        "fair boulware silent",
        "boulware silent fair",
        "silent fair boulware",
    ]
    assert seats_of(seatings(agents, Seatings.ALL)) == [
        "fair boulware silent",
        "fair silent boulware",
        "boulware fair silent",
        "boulware silent fair",
        "silent fair boulware",
        "silent boulware fair",
    ]


def test_two_agents_are_seated_as_given_and_reversed_in_rotation_and_in_every_order(
    fair: AgentPlugin, boulware: AgentPlugin
) -> None:
    for how in (Seatings.ROTATIONS, Seatings.ALL):
        assert seats_of(seatings([fair, boulware], how)) == ["fair boulware", "boulware fair"]
        assert seats_of(seatings([fair, fair], how)) == ["fair fair"]


NAMES = ("fair", "boulware", "conceder", "micro")


@given(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5))
def test_every_seating_is_an_order_of_the_agents_and_none_comes_twice(names: list[str]) -> None:
    agents = [plugin(name) for name in names]

    kinds = (Seatings.GIVEN, Seatings.ROTATIONS, Seatings.ALL)
    given, turned, every = (seatings(agents, how) for how in kinds)

    assert [tuple(agents)] == given
    assert given[0] == turned[0] == every[0]
    distinct = factorial(len(names)) // prod(factorial(count) for count in Counter(names).values())
    assert len(seats_of(every)) == len(set(seats_of(every))) == distinct
    assert len(set(seats_of(turned))) == len(turned)
    assert set(seats_of(turned)) <= set(seats_of(every))
    assert all(sorted(order.split()) == sorted(names) for order in seats_of(every))
    # Over a whole rotation every agent has had every seat: equal agents make it shorter, not uneven.
    for seat in range(len(names)):
        counts = Counter(order[seat].name for order in turned)
        assert {name: counts[name] * len(names) for name in counts} == {
            name: count * len(turned) for name, count in Counter(names).items()
        }


def test_one_agent_fills_all_seats_that_are_left(fair: AgentPlugin, boulware: AgentPlugin) -> None:
    game = three_seats(deadline_seconds=60.0)

    results = run(game, boulware, fill=fair, games=1)

    assert [list(result.agents.values()) for result in results] == [
        ["boulware", "fair", "fair"],
        ["fair", "fair", "boulware"],
        ["fair", "boulware", "fair"],
    ]


def test_games_of_three_are_measured_and_summarized_by_seating(
    fair: AgentPlugin, boulware: AgentPlugin
) -> None:
    game = three_seats(deadline_seconds=120.0)

    results = run(game, boulware, boulware, fair, games=2, how=Seatings.ROTATIONS)
    summaries = summarize(results)

    assert [summary.games for summary in summaries] == [2, 2, 2]
    assert all(list(summary.points) == ["red", "green", "blue"] for summary in summaries)
    for result in results:
        assert result.measures is not None
        assert result.failures == 0
        bidding = [result.measures.seats[seat].bidding for seat in game.seats]
        assert sum(bids.offers for bids in bidding) == result.offers
        assert {(bids.steps, bids.coupling, bids.awareness) for bids in bidding} == {(None, None, None)}
        if result.ended_by is EndedBy.AGREEMENT:
            assert result.measures.joint_points == sum(points or 0 for points in result.points.values())


def test_eight_agents_take_eight_seats(fair: AgentPlugin) -> None:
    tables = {f"s{i}": {"coins": list(range(5))} for i in range(8)}
    game = make_game(tables, issues=(COINS,), deadline_seconds=30.0)

    results = run(game, *[fair] * 8, games=1)

    assert [len(result.agents) for result in results] == [8]
    assert results[0].failures == 0


def test_a_seat_that_is_left_out_of_a_deal_is_simulated_and_logged_alike(
    tmp_path: Path, boulware: AgentPlugin
) -> None:
    game = three_seats(
        agreement=Agreement.MAJORITY,
        outvoted=Outvoted.LEFT_OUT,
        acceptance=Acceptance.MAKER_ACCEPTS,
        deadline_seconds=120.0,
    )

    (result,) = run(game, boulware, boulware, boulware, games=1, logs=tmp_path)

    played = replay(read_log(next(folder for folder in tmp_path.iterdir() if folder.is_dir())))
    assert played.state.ending is not None
    (out,) = left_out_seats(game, played.state.ending)
    assert played.points == result.points
    assert result.measures is not None
    assert result.points[out] == result.measures.seats[out].utility == 1


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
