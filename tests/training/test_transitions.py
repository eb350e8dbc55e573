"""Transitions of any log: what a seat could see, what it did, and what it got."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from negoplatform.agent_api.context import AgentContext
from negoplatform.cli.main import cli
from negoplatform.core.visibility import observer_of, view_of
from negoplatform.eventlog.observer_export import filter_log
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay, steps
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.training import NegotiationParallelEnv
from negoplatform.training.ctde import SystemAgent
from negoplatform.training.rewards import score_change
from negoplatform.training.transitions import transition_rows
from tests.training.chain_games import ACCEPT, OFFER, Listed, chain_game

GOLDEN = Path(__file__).parents[1] / "golden" / "deal-2.jsonl"
"""A session of a person and an agent that ends in a deal."""


def rows_of(log: SessionLog, seat: str, **options: Any) -> list[dict[str, Any]]:
    """Return the transitions of one seat."""
    return [dict(row) for row in transition_rows(log, **options) if row["seat"] == seat]


def test_transitions_are_what_an_environment_gave_its_learner(tmp_path: Path) -> None:
    env = NegotiationParallelEnv("practice", opponents={"agent": "fair"}, log=tmp_path)
    obs, infos = env.reset(options={"game_seed": 3})
    acted: list[list[float]] = []
    rewards = 0.0
    choices = np.array(env.action_space("human").nvec)  # type: ignore[attr-defined]  # all are choices
    while env.agents:
        action = np.zeros(len(choices), int)
        action[:2] = OFFER, len(acted) % choices[1]
        if len(acted) >= 4 and infos["human"]["action_mask"][0][ACCEPT]:
            action[0] = ACCEPT
        now = obs["human"].tolist()
        obs, gained, *_, infos = env.step({"human": action})
        acted += [now] if not infos["human"]["refused"] else []
        rewards += gained["human"]
    env.close()
    (folder,) = tmp_path.iterdir()

    rows = rows_of(read_log(folder), "human")

    assert rows[0]["act"] == "wait"
    assert [json.loads(row["observation"]) for row in rows[1:]] == acted
    assert len(acted) >= 4
    assert rewards == pytest.approx(sum(row["reward"] for row in rows))
    assert rewards > 0
    for earlier, later in pairwise(rows):
        assert earlier["next_observation"] == later["observation"]


def test_the_transitions_of_a_person_are_as_those_of_an_agent() -> None:
    log = read_log(GOLDEN)

    rows = list(transition_rows(log))

    kinds = {str(row["seat"]): row["actor"] for row in rows}
    assert set(kinds.values()) == {"human", "agent"}
    points = replay(log).points
    for seat in kinds:
        own = rows_of(log, seat)
        assert [row["step"] for row in own] == list(range(len(own)))
        assert [row["terminated"] for row in own] == [False] * (len(own) - 1) + [True]
        utility = log.header.game.preferences[seat].utility
        share = (points[seat] - utility.lowest) / (utility.highest - utility.lowest)  # type: ignore[operator]
        assert own[-1]["reward"] == pytest.approx(share)
        lengths = {len(json.loads(row["observation"])) for row in own}
        assert len(lengths) == 1


def test_a_log_of_one_seat_gives_the_same_transitions_of_that_seat_and_of_no_other() -> None:
    log = read_log(GOLDEN)
    seat = log.header.game.seats[0]

    shown = list(transition_rows(filter_log(log, seat)))

    assert {row["seat"] for row in shown} == {seat}
    without = [{**row, "decided_by": None} for row in rows_of(log, seat)]
    assert [{**row, "decided_by": None} for row in shown] == without
    assert list(transition_rows(filter_log(log, "public"))) == []


def test_the_observation_of_an_act_is_the_view_of_its_seat_just_before_it() -> None:
    log = read_log(GOLDEN)
    seat = log.header.game.seats[0]
    states = {step.event.seq: step.state for step in steps(log)}

    rows = [row for row in rows_of(log, seat) if row["seq"] is not None]

    assert len(rows) > 1
    for row in rows:
        before = states[row["seq"] - 1]
        at = log.events[row["seq"] - 1].t
        ctx = AgentContext(view_of(before, observer_of(before.game, seat)), at, Random(0))
        assert json.loads(row["observation"]) == ctx.observation.vector().tolist()
        assert json.loads(row["observation"]) != json.loads(row["next_observation"])


def test_rewards_add_up_whatever_the_reward(tmp_path: Path) -> None:
    system = SystemAgent(
        chain_game(), policies={"green": Listed((OFFER, 14, 1), (OFFER, 3, 1))}, log=tmp_path
    )
    system.run_event_driven(3, AgentTiming(act_delay=1))
    (folder,) = tmp_path.iterdir()

    rows = rows_of(read_log(folder), "green", reward=score_change)

    assert [row["act"] for row in rows] == ["wait", "SEND_OFFER", "SEND_OFFER"]
    assert sum(row["reward"] for row in rows) == pytest.approx(0)  # no deal at the end, as at the start
    assert (rows[-1]["terminated"], rows[-1]["truncated"]) == (False, True)


def test_a_decision_that_was_never_performed_has_no_row(tmp_path: Path) -> None:
    system = SystemAgent(
        chain_game(deadline_seconds=3.0), policies={"green": Listed((OFFER, 14, 1))}, log=tmp_path
    )
    system.run_event_driven(3, AgentTiming(msg_delay=1, act_delay=2))
    (folder,) = tmp_path.iterdir()

    rows = rows_of(read_log(folder), "green")

    assert [row["act"] for row in rows] == ["wait"]


@pytest.mark.parametrize("game", ["tac_trading", "grain_market"])
def test_games_without_issues_have_transitions_too(game: str, tmp_path: Path) -> None:
    system = SystemAgent(game, log=tmp_path, step_seconds=20)
    system.reset(1)
    seat = system.settings.learners[0]
    action = system.subordinates[seat].neutral()
    action.set_values({"d": [1, *action.d[1:]]})
    for _ in range(200):
        if any(system.execute({seat: action}, system.proxy).truncateds.values()):
            break
        if system._joined.ending is not None:
            break
    system.close()
    (folder,) = tmp_path.iterdir()
    log = read_log(folder)

    rows = rows_of(log, seat)

    assert len(rows) > 1
    assert rows[1]["act"] in ("CALL_FOR_PROPOSALS", "PLACE_ORDER")
    if replay(log).state.ending is not None:
        assert rows[-1]["reward"] == pytest.approx(float(replay(log).points[seat] or 0))


def test_the_command_writes_a_table_that_the_codebook_describes(tmp_path: Path) -> None:
    with_it, without = tmp_path / "with", tmp_path / "without"
    runner = CliRunner()

    done = runner.invoke(cli, ["export", str(GOLDEN), "--transitions", "--out", str(with_it)])
    runner.invoke(cli, ["export", str(GOLDEN), "--out", str(without)])

    assert done.exit_code == 0, done.output
    assert not (without / "transitions.csv").exists()
    with (with_it / "transitions.csv").open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert len(written) == len(list(transition_rows(read_log(GOLDEN))))
    with (with_it / "codebook.csv").open(encoding="utf-8", newline="") as file:
        described = {row["column"] for row in csv.DictReader(file) if row["table"] == "transitions"}
    assert described == set(written[0])


def test_the_packages_of_the_extra_are_not_needed() -> None:
    code = (
        "import sys\n"
        "for name in ('numpy', 'gymnasium', 'pettingzoo'):\n"
        "    sys.modules[name] = None\n"
        "from pathlib import Path\n"
        "from negoplatform.eventlog.reader import read_log\n"
        "from negoplatform.training.transitions import transition_rows\n"
        f"log = read_log(Path({str(GOLDEN)!r}))\n"
        "print(len(list(transition_rows(log))))\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == len(list(transition_rows(read_log(GOLDEN))))
