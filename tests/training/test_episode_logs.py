"""Logs of episodes: verified, replayed, exported, run again and forked as those of any session."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from negoplatform.app.simulation.rerun import resimulate
from negoplatform.cli.main import cli
from negoplatform.core.events import EndedBy, EventType
from negoplatform.domain.errors import LogWriteError
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.replay.seat_occupant_names import participants_of, session_facts
from negoplatform.training import NegotiationEnv, NegotiationParallelEnv, parallel_env
from tests.training.shipped_games import AGENTS

KINDS = {"bargaining": "campsite", "market": "land_market", "trading": "tac_trading"}
"""A game of each kind."""

every_kind = pytest.mark.parametrize("kind", KINDS)

WALL_CLOCK = {"at", "hash", "created_at", "session_id"}
"""Fields that differ between equal sessions."""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def play(checked: NegotiationParallelEnv, seed: int, most: int) -> None:
    """Play an episode of random actions that never walk away."""
    _, infos = checked.reset(seed=seed)
    for seat in checked.possible_agents:
        checked.action_space(seat).seed(seed)
    for _ in range(most):
        if not checked.agents:
            return
        actions = {}
        for seat in checked.agents:
            mask = infos[seat]["action_mask"]
            (mask["d"] if isinstance(mask, dict) else mask)[0][-1] = 0
            actions[seat] = checked.action_space(seat).sample(mask)
        _, _, _, _, infos = checked.step(actions)


def played(kind: str, folder: Path, *, seed: int = 3, most: int = 40) -> Path:
    """Return the folder of the log of an episode of a kind of game, with agents in every second seat."""
    game = KINDS[kind]
    seats = parallel_env(game).possible_agents[1::2]
    step = 20 if kind == "market" else 5
    made = parallel_env(game, opponents=dict.fromkeys(seats, AGENTS[kind]), log=folder, step_seconds=step)
    play(made, seed, most)
    made.close()
    (log,) = folder.iterdir()
    return log


def comparable(log: Path) -> list[Any]:
    lines = [json.loads(line) for line in (log / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    return [{name: value for name, value in line.items() if name not in WALL_CLOCK} for line in lines]


@every_kind
def test_a_log_is_verified_and_replayed(kind: str, tmp_path: Path) -> None:
    log = played(kind, tmp_path)

    verified, replayed = run("log", "verify", str(log)), run("replay", str(log))

    assert "sound" in verified.output
    assert ", finished (" in verified.output
    assert "Learner (agent learner)" in replayed.output
    assert "THE GAME ENDS" in replayed.output


@every_kind
def test_a_log_becomes_tables_in_which_learners_are_named(kind: str, tmp_path: Path) -> None:
    log, tables = played(kind, tmp_path / "logs"), tmp_path / "tables"

    done = run("export", str(log), "--out", str(tables))

    assert "1 session" in done.output
    with (tables / "seats.csv").open(encoding="utf-8", newline="") as file:
        seats = list(csv.DictReader(file))
    assert [row["agent_id"] for row in seats][:2] == ["learner", AGENTS[kind]]
    assert seats[0]["name"] == "Learner"
    events = (tables / "events.csv").read_text(encoding="utf-8").splitlines()
    assert len(events) == len(read_log(log).events) + 1


@every_kind
def test_the_agents_of_a_log_are_run_again_and_learners_are_taken_from_it(kind: str, tmp_path: Path) -> None:
    log = read_log(played(kind, tmp_path / "logs"))
    agents = [seat for seat, who in log.header.seats.items() if not who.is_learner]

    found = resimulate(log, tmp_path)

    assert (found.agents, found.learners) == (len(agents), len(log.header.seats) - len(agents))
    assert not found.differences
    assert found.acts == sum(event.sender in agents and event.decided_by is not None for event in log.events)


def test_the_command_says_that_the_acts_of_learners_are_taken_from_the_log(tmp_path: Path) -> None:
    mixed, alone = played("bargaining", tmp_path / "mixed"), tmp_path / "alone"
    play(parallel_env("campsite", log=alone), 1, 100)
    (learners,) = alone.iterdir()

    agents_again, no_agents = run("resimulate", str(mixed)), run("resimulate", str(learners))

    assert "No difference: the agent repeated all" in agents_again.output
    assert "The acts of programs that learn are taken from the log." in agents_again.output
    assert "Programs that learn had all seats" in no_agents.output


@every_kind
def test_a_log_of_learners_alone_with_refused_acts_has_no_agent_to_run_again(
    kind: str, tmp_path: Path
) -> None:
    alone = parallel_env(KINDS[kind], log=tmp_path / "logs", step_seconds=20 if kind == "market" else 5)
    play(alone, 3, 40)
    alone.close()
    (log,) = (tmp_path / "logs").iterdir()
    refused = [event for event in read_log(log).events if event.type == EventType.ACTION_REFUSED]

    found = resimulate(read_log(log), tmp_path)

    assert refused or kind == "bargaining"
    assert (found.agents, found.learners, found.differences) == (0, len(alone.possible_agents), ())


def test_the_replay_names_learners_by_their_seats_where_there_are_several(tmp_path: Path) -> None:
    mixed, alone = played("bargaining", tmp_path / "mixed"), tmp_path / "alone"
    play(parallel_env("campsite", log=alone), 1, 100)
    (learners,) = alone.iterdir()

    for language in (ENGLISH, Language.load("de"), Language.load("he")):
        one = participants_of(read_log(mixed).header, language)
        both = participants_of(read_log(learners).header, language)

        assert one.names["human"] == "Learner"
        assert both.names == {"human": "Learner (human)", "agent": "Learner (agent)"}
        assert "learner" in session_facts(read_log(mixed).header, one, language)


def test_another_agent_goes_on_in_the_place_of_a_learner(tmp_path: Path) -> None:
    log, out = played("bargaining", tmp_path / "logs"), tmp_path / "forks"

    done = run(
        "fork", str(log), "--at", "3", "--seat", "human", "--agent", "fair", "--n", "1", "--out", str(out)
    )

    assert done.exit_code == 0, done.output
    (fork,) = out.glob("*/events.jsonl")
    assert read_log(fork.parent).header.seats["human"].agent == "fair"


@pytest.mark.parametrize("cut", ["close", "reset"])
def test_an_episode_that_is_cut_off_leaves_a_sound_log_that_says_so(cut: str, tmp_path: Path) -> None:
    made = parallel_env("campsite", log=tmp_path)
    made.reset(seed=1)
    made.step({})
    made.step({})

    if cut == "close":
        made.close()
    else:
        made.reset()

    first = read_log(min(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime_ns))
    replay(first)
    ending = first.events[-1].payload
    assert (ending.ended_by, ending.reason) == (
        EndedBy.ABORTED,
        "The environment ended this episode before the game was over.",
    )
    assert first.events[-1].t == 10


@every_kind
def test_equal_seeds_leave_equal_logs(kind: str, tmp_path: Path) -> None:
    one, two = (comparable(played(kind, tmp_path / name, most=15)) for name in ("one", "two"))

    assert one == two


def test_other_seeds_leave_other_logs(tmp_path: Path) -> None:
    one, two = (comparable(played("trading", tmp_path / str(seed), seed=seed, most=15)) for seed in (1, 2))

    assert one != two


def test_every_episode_has_a_log_of_its_own(tmp_path: Path) -> None:
    made = NegotiationEnv("campsite", log=tmp_path)

    for seed in range(3):
        made.reset(seed=seed)
        made.step(made.action_space.sample())
    made.close()

    assert len(list(tmp_path.glob("*/events.jsonl"))) == 3


def test_a_folder_that_cannot_be_written_is_told_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    made = parallel_env("campsite", log=file)

    with pytest.raises(LogWriteError, match=r"\AThe session cannot be recorded in .*file.*\)\.\Z"):
        made.reset(seed=1)

    made.close()


def test_a_disk_that_fills_up_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = parallel_env("campsite", log=tmp_path)
    made.reset(seed=1)

    def full(_self: object, *_arguments: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("negoplatform.eventlog.disk_calls.Disk.write", full)

    with pytest.raises(LogWriteError, match="No space left on device"):
        made.step({})

    monkeypatch.undo()
    made.reset(seed=2)
    assert made.agents == ["human", "agent"]
