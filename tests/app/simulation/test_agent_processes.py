"""Games between agents in processes that are used for many games."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from time import sleep
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_process
from negoplatform.app.simulation import agent_processes
from negoplatform.app.simulation import simulate as simulate_module
from negoplatform.app.simulation.agent_processes import SimulationProcesses, play_at_once, worker_count
from negoplatform.app.simulation.full_path import play_session
from negoplatform.app.simulation.simulate import Result, Seatings, simulate
from negoplatform.core.events import EventType
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.hosting.agent_process_proxy import AgentProcess
from negoplatform.plugins.agent_loader import AgentPlugin
from tests.app.simulation.test_simulate import without_wall_clock
from tests.games import with_rules
from tests.hosting.processes import PATIENT, is_gone

COUNTS = """
import os
from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent

games = []

class Counts(NegotiationAgent):
    '''Says how many games it has begun, and in which process.'''

    made = 0

    def configure(self, config):
        Counts.made += 1
        {configured}

    def on_game_start(self, ctx, event):
        games.append(1)
        print(f"{{self.agent_id}} begins {{id(self)}}")
        {begun}
        return [SendMessage(f"{{len(games)}} {{Counts.made}} {{os.getpid()}}")]
"""


@pytest.fixture
def short(practice: GameSpec) -> GameSpec:
    """Return a game of some seconds, in which agents may take as long as they need."""
    return with_rules(practice, deadline_seconds=5.0, agents=replace(PATIENT, strikes=1, restarts=1))


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> list[AgentProcess]:
    """Return the processes that are started, in order."""
    found: list[AgentProcess] = []
    spawn = AgentProcess.spawn

    def count(**more: Any) -> AgentProcess:
        found.append(spawn(**more))
        return found[-1]

    monkeypatch.setattr(AgentProcess, "spawn", count)
    return found


def counting(folder: Path, *, configured: str = "", begun: str = "") -> AgentPlugin:
    """Return an agent in a folder of its own, in which it may write to ``scratch``."""
    file = folder / "counts" / "agent.py"
    file.parent.mkdir()
    file.write_text(COUNTS.format(configured=configured or "pass", begun=begun or "pass"))
    file.with_name("agent.json").write_text('{"permissions": {"write": ["scratch"]}}')
    return find_agent(str(file), folder)


def run(game: GameSpec, agents: Sequence[AgentPlugin], logs: Path, **more: Any) -> list[Result]:
    given: dict[str, Any] = {
        "games": 3,
        "seed": 5,
        "report": lambda _error: None,
        "how": Seatings.GIVEN,
        **more,
    }
    return list(simulate(game, agents, logs=logs, isolated=True, **given))


def logs_of(folder: Path) -> list[SessionLog]:
    found = [read_log(path.parent) for path in folder.glob("*/events.jsonl")]
    return sorted(found, key=lambda log: log.header.seed or 0)


def said(log: SessionLog, seat: str) -> list[tuple[int, int, int]]:
    """Return what the agents of a seat say: the games of the module and of the class, and the process."""
    found = []
    for event in log.events:
        if event.type == EventType.SEND_MESSAGE and event.sender == seat:
            games, made, pid = map(int, event.payload.text.split())
            found.append((games, made, pid))
    return found


@pytest.mark.parametrize("workers", [1, 2])
def test_the_logs_of_agents_in_processes_are_those_of_agents_in_the_program(
    practice: GameSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(simulate_module, "worker_count", lambda _games: workers)
    agents = [find_agent(name, tmp_path) for name in ("fair", "negochat")]
    given: dict[str, Any] = {"games": 3, "seed": 5, "report": lambda _error: None}

    here = list(simulate(practice, agents, logs=tmp_path / "here", **given))
    there = list(simulate(practice, agents, logs=tmp_path / "there", isolated=True, **given))

    assert here == there
    assert without_wall_clock(tmp_path / "here") == without_wall_clock(tmp_path / "there")
    assert len(without_wall_clock(tmp_path / "there")) == 6


def test_each_seat_has_one_process_in_which_every_game_begins_afresh(short: GameSpec, tmp_path: Path) -> None:
    counts = counting(tmp_path)

    run(short, [counts, counts], tmp_path / "logs")

    logs = logs_of(tmp_path / "logs")
    assert len(logs) == 3
    heard = {seat: [spoken for log in logs for spoken in said(log, seat)] for seat in short.seats}
    assert all([spoken[:2] for spoken in found] == [(1, 1)] * 3 for found in heard.values())
    pids = {seat: {pid for *_, pid in found} for seat, found in heard.items()}
    assert [len(found) for found in pids.values()] == [1, 1]
    assert len(set.union(*pids.values())) == 2
    assert all(is_gone(pid) for found in pids.values() for pid in found)


def test_what_an_agent_prints_in_a_game_is_beside_the_log_of_that_game(
    short: GameSpec, tmp_path: Path
) -> None:
    counts = counting(tmp_path)

    run(short, [counts, counts], tmp_path / "logs")

    for log in logs_of(tmp_path / "logs"):
        for seat in short.seats:
            printed = (log.path.parent / f"agent-{seat}.txt").read_text().splitlines()
            assert len(printed) == 1
            assert printed[0].startswith(f"{seat} begins")
    assert not list((tmp_path / "logs").glob(".starting-*"))


def test_an_agent_takes_another_seat_in_another_process(
    short: GameSpec, tmp_path: Path, spawned: list[AgentProcess]
) -> None:
    agents = [counting(tmp_path), find_agent("fair", tmp_path)]

    run(short, agents, tmp_path / "logs", games=1, how=Seatings.ROTATIONS)

    pids = {
        pid for log in logs_of(tmp_path / "logs") for seat in short.seats for *_, pid in _numbers(log, seat)
    }
    assert len(pids) == 2
    # Those that were checked before the first game are used in it.
    assert len(spawned) == 4


def _numbers(log: SessionLog, seat: str) -> Iterator[tuple[int, int, int]]:
    if log.header.seats[seat].agent == "counts":
        yield from said(log, seat)


@pytest.mark.parametrize("fault", ["os._exit(3)", "raise ValueError"])
def test_an_agent_that_is_lost_or_restarted_goes_on_in_a_fresh_process(
    short: GameSpec, tmp_path: Path, spawned: list[AgentProcess], fault: str
) -> None:
    mark = tmp_path / "counts" / "scratch" / "failed.txt"
    begun = f"if not os.path.exists({str(mark)!r}): open({str(mark)!r}, 'w').write(str(os.getpid())); {fault}"
    agents = [counting(tmp_path, begun=begun), find_agent("fair", tmp_path)]

    results = run(short, agents, tmp_path / "logs")

    assert [result.failures for result in results] == [1, 0, 0]
    heard = [spoken for log in logs_of(tmp_path / "logs") for spoken in said(log, "human")]
    assert [spoken[:2] for spoken in heard] == [(1, 1)] * 2, "the start is not put to it again"
    failed, restarted = int(mark.read_text()), {pid for *_, pid in heard}
    assert len(restarted) == 1
    assert failed not in restarted
    assert {process.pid for process in spawned} >= {failed, *restarted}
    assert len(spawned) == 3
    assert all(is_gone(process.pid) for process in spawned)


def test_a_process_in_which_an_agent_cannot_begin_again_is_replaced(short: GameSpec, tmp_path: Path) -> None:
    once = counting(tmp_path, configured="import sys; assert not hasattr(sys, 'left'); sys.left = True")

    results = run(short, [once, once], tmp_path / "logs")

    assert [result.failures for result in results] == [0, 0, 0]
    pids = [pid for log in logs_of(tmp_path / "logs") for *_, pid in said(log, "human")]
    assert len(set(pids)) == 3


def test_a_process_is_replaced_after_some_games(
    short: GameSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_processes, "GAMES_PER_PROCESS", 2)
    counts = counting(tmp_path)

    run(short, [counts, counts], tmp_path / "logs")

    first, second, third = [pid for log in logs_of(tmp_path / "logs") for *_, pid in said(log, "human")]
    assert first == second != third
    assert is_gone(first)


def test_a_run_that_is_given_up_leaves_no_process(short: GameSpec, tmp_path: Path) -> None:
    counts = counting(tmp_path)
    games = simulate(
        short, [counts, counts], games=9, seed=1, logs=tmp_path / "logs", report=print, isolated=True
    )

    next(games)
    (log,) = logs_of(tmp_path / "logs")
    (spoken,) = said(log, "human")
    assert not is_gone(spoken[2])
    games.close()  # type: ignore[attr-defined]  # a generator

    assert is_gone(spoken[2])


def test_results_and_errors_come_in_the_order_of_the_games(spawned: list[AgentProcess]) -> None:
    later = Barrier(2)
    order: list[object] = []

    def play(place: int, report: Callable[[BaseException], object], _processes: SimulationProcesses) -> int:
        report(ValueError(place))
        later.wait(30)  # no game ends before another one is played at the same time
        sleep(0.05 if place % 2 == 0 else 0)
        return place

    with SimulationProcesses(games=1) as one, SimulationProcesses(games=1) as two:
        order.extend(play_at_once(range(8), play, [one, two], lambda error: order.append(error.args[0])))

    assert order == [number for place in range(8) for number in (place, place)]
    assert not spawned


def test_an_error_of_a_game_comes_after_the_games_before_it_and_ends_the_run() -> None:
    begun: list[int] = []

    def play(place: int, _report: Callable[[BaseException], object], _processes: SimulationProcesses) -> int:
        begun.append(place)
        if place == 2:
            raise NegoError("This game cannot be played.")
        return place

    with SimulationProcesses(games=1) as worker:
        results = play_at_once(range(100), play, [worker], lambda _error: None)
        found = [next(results), next(results)]
        with pytest.raises(NegoError, match="cannot be played"):
            next(results)

    assert found == [0, 1]
    assert len(begun) < 10, "the games after it were played all the same"


def test_a_run_that_is_interrupted_ends_the_games_that_are_being_played() -> None:
    ended: list[int] = []

    def play(place: int, _report: Callable[[BaseException], object], processes: SimulationProcesses) -> int:
        for _ in range(500 if place else 0):
            processes.check_wanted()
            sleep(0.01)
        ended.append(place)
        return place

    with SimulationProcesses(games=1) as one, SimulationProcesses(games=1) as two:
        results = play_at_once(range(9), play, [one, two], lambda _error: None)
        first = next(results)
        with pytest.raises(KeyboardInterrupt):
            results.throw(KeyboardInterrupt)  # type: ignore[attr-defined]  # a generator

    assert (first, ended) == (0, [0])


def test_a_game_that_is_given_up_ends_before_its_next_step(practice: GameSpec, tmp_path: Path) -> None:
    class GivenUpLater(SimulationProcesses):
        steps = 0

        def prepare(self, plugin: AgentPlugin, seat: str, **more: Any) -> PreparedAgent:
            return prepare_in_process(plugin, seat, {}, game=more["game"])

        def warm(self, places: object) -> None:
            pass

        def check_wanted(self) -> None:
            self.steps += 1
            if self.steps == 3:
                self.give_up()
            super().check_wanted()

    fair = find_agent("fair", tmp_path)
    later = GivenUpLater(games=1)

    with pytest.raises(NegoError, match="given up"):
        play_session(practice, (fair, fair), 1, logs=None, report=print, processes=later)

    assert later.steps == 3


@pytest.mark.parametrize(
    ("games", "processors", "expected"), [(9, 8, 1), (25, 8, 2), (400, 8, 4), (400, 1, 1)]
)
def test_there_are_as_many_workers_as_pay(
    games: int, processors: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if hasattr(os, "sched_getaffinity"):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(processors)))
    monkeypatch.setattr(os, "cpu_count", lambda: processors)

    assert worker_count(games) == expected
