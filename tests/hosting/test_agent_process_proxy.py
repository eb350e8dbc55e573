"""An agent in a separate process is the same agent."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.visibility import Observer, ViewProjector, visible_event, visible_game
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import load_game
from negoplatform.hosting.agent_process_proxy import AgentProcess
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner, ScheduledCall
from negoplatform.hosting.processes.process_limits import NICENESS
from negoplatform.hosting.responder import Responder, replayed_responder
from negoplatform.plugins.agent_loader import hash_of, load_agent_class, load_agents
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import Scripted, TrialTable
from tests.hosting.conftest import Make
from tests.hosting.processes import (
    PATIENT,
    QUICK,
    halt,
    hostile,
    is_gone,
    open_descriptors,
    priority,
    processes_of_group,
    request_about,
    start_request_for,
    started,
)

if sys.platform == "win32":
    from negoplatform.hosting.processes.windows_job import BELOW_NORMAL_PRIORITY_CLASS

pytestmark = [pytest.mark.new_python, pytest.mark.timeout(110)]

COUNTER = Path(__file__).parent / "counter.py"

GUARD = 30.0
"""Seconds after which a test counts as hung."""


def runner_for(file: Path, class_name: str) -> AgentRunner:
    """Return the same agent in this process, with the same random numbers."""
    agent: NegotiationAgent = load_agent_class(file, class_name, hash_of(file))("agent")
    agent.configure({})
    return AgentRunner(agent, Random("1/agent"))


def said(answer: AgentResponse) -> tuple[object, ...]:
    return answer.steps, answer.failure, answer.lost


TRADERS = {"double_auction", "land_trader", "tac"}
SEATLESS = {"agenda", "budget_head", "debrief", "insights", "scripted_head"}
SHIPPED = sorted({path.stem for path in bundled("agents").glob("*.py")} - TRADERS - SEATLESS)
GAMES = ("resource_exchange.json", "job_candidate.json", "land_sale/game.json")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_agent_answers_the_same_in_a_process(name: str, make: Make) -> None:
    file = bundled("agents") / f"{name}.py"
    plugin = load_agents(file, name)[0]
    game = load_game(bundled("games") / GAMES[len(name) % len(GAMES)]).resolve_profiles(1)
    seat = game.seats[-1]
    process = make(start_request_for(file, plugin.class_name, game, seat=seat))
    runner = runner_for(file, plugin.class_name)
    table = TrialTable(game)
    observer = Observer(seat)
    viewer = ViewProjector(observer, visible_game(game, observer))
    compared = []

    def on_event(published: PublishedEvent) -> None:
        seen = visible_event(published.public, observer)
        if seen is None or seen.sender == seat:
            if seen is not None:
                process.notify(seen)
            return
        request = AgentRequest(viewer.view(published.state), seen.t, seen)
        compared.append((said(process.respond(request)), said(runner.respond(request))))

    table.subscribe(on_event)
    rng = Random(name)
    for outcome in zip(range(25), game.outcomes(), strict=False):
        mover = table.participant(rng.choice(game.seats))
        mover.offers(outcome[1])
        table.wait(rng.choice([0.5, 6.0]))
    table.participant(game.seats[0]).quits()

    assert [there for there, _ in compared] == [here for _, here in compared]
    # One that answers after a while says little at once; its callbacks are asked about below.
    assert sum(bool(steps) for (steps, _, _), _ in compared) > 2


def test_every_action_comes_back_as_it_was_asked_for(practice: GameSpec, make: Make) -> None:
    process = make(start_request_for(COUNTER, "DoesEverything", practice))
    request = request_about(started(practice))

    there = process.respond(request)
    here = runner_for(COUNTER, "DoesEverything").respond(request)

    assert not there.failure
    assert len(there.steps) == len(here.steps)
    assert outcome_of(practice, there) == outcome_of(practice, here)


def outcome_of(game: GameSpec, answer: AgentResponse) -> list[str]:
    """Return the outcome of a script at a table, with refusals and their texts."""
    table = TrialTable(game)
    table.seat(Scripted(*[step for step in answer.steps if not isinstance(step, ScheduledCall)]))
    table.wait(20)
    return [repr(event) for event in table.events]


def requests_in(table: TrialTable) -> list[AgentRequest]:
    """Return requests about a start, some words, a callback that was scheduled, and more words."""
    requests = [request_about(table)]
    for i in range(4):
        table.human.says(f"word {i}")
        requests.append(request_about(table))
    calls = [request_about(table, table.events[1], call=number) for number in (2, 1, 5)]
    table.human.says("The last one")
    return [*requests, *calls, request_about(table), request_about(table, call=6)]


def test_a_fresh_process_that_hears_the_same_goes_on_the_same(practice: GameSpec, make: Make) -> None:
    start_request = start_request_for(COUNTER, "Counts", practice)
    requests = requests_in(started(practice))

    first = make(start_request)
    answers = [said(first.respond(request)) for request in requests]
    again: list[AgentProcess] = []

    def made_again() -> Responder:
        again.append(make(start_request))
        return again[-1]

    responder = replayed_responder(made_again, requests[:6])
    rest = [said(responder.respond(request)) for request in requests[6:]]

    assert rest == answers[6:]
    assert all(steps and not failure for steps, failure, _ in answers)
    assert len({repr(steps) for steps, _, _ in answers}) == len(answers)
    assert [process.pid == first.pid for process in again] == [False]


def test_callbacks_stay_in_the_process_under_the_numbers_that_they_have_in_this_process(
    practice: GameSpec, make: Make
) -> None:
    process = make(start_request_for(COUNTER, "Counts", practice))
    runner = runner_for(COUNTER, "Counts")

    pairs = [
        (said(process.respond(request)), said(runner.respond(request)))
        for request in requests_in(started(practice))
    ]

    assert [there for there, _ in pairs] == [here for _, here in pairs]
    assert any(isinstance(step, ScheduledCall) for (steps, _, _), _ in pairs for step in steps)  # type: ignore[attr-defined]


def test_a_callback_that_was_not_scheduled_is_a_failure_and_no_end(practice: GameSpec, make: Make) -> None:
    process = make(start_request_for(COUNTER, "Counts", practice))
    table = started(practice)
    process.respond(request_about(table))

    answer = process.respond(request_about(table, call=77))

    assert "KeyError" in answer.failure
    assert not answer.lost
    assert process.respond(request_about(table)).steps


def test_an_agent_has_its_own_name_in_one_line_of_forty_characters(practice: GameSpec, make: Make) -> None:
    process = make(start_request_for(COUNTER, "Counts", practice, config={"name": "Robin"}))

    assert process.name == r"Robin of Tales \ud800" + "x" * 19


def test_a_process_that_is_warm_serves_the_agent_that_is_chosen_later(practice: GameSpec, make: Make) -> None:
    spare = AgentProcess.spawn()

    process = make(start_request_for(COUNTER, "Counts", practice), spare)

    assert process is spare
    assert process.respond(request_about(started(practice))).steps


def test_a_spare_that_has_ended_is_replaced(practice: GameSpec, make: Make) -> None:
    spare = AgentProcess.spawn()
    spare.stop()

    process = make(start_request_for(COUNTER, "Counts", practice), spare)

    assert process is not spare
    assert process.alive


def test_a_file_that_has_changed_is_refused(practice: GameSpec, tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text(COUNTER.read_text(encoding="utf-8"), encoding="utf-8")
    start_request = start_request_for(file, "Counts", practice)
    file.write_text("raise SystemExit", encoding="utf-8")
    process = AgentProcess.spawn()

    with pytest.raises(NegoError, match="has changed since it was looked at"):
        process.start(start_request)

    assert not process.alive
    assert is_gone(process.pid)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import no_such_module_at_all", r"failed: it raised ModuleNotFoundError \(.*\) in line 1\."),
        ("def f(:", r"failed: line 1: "),
        ("raise SystemExit(3)", r"failed: it raised SystemExit \(3\) in line 1\."),
        ("x = 1", "has no agent class 'Counts'"),
    ],
)
def test_an_agent_that_cannot_be_had_is_told_in_a_sentence(
    practice: GameSpec, make: Make, tmp_path: Path, source: str, words: str
) -> None:
    file = tmp_path / "agent.py"
    file.write_text(source, encoding="utf-8")

    with pytest.raises(NegoError, match=words):
        make(start_request_for(file, "Counts", practice))


def test_settings_that_are_no_json_are_told_before_anything_is_loaded(practice: GameSpec) -> None:
    process = AgentProcess.spawn()

    with pytest.raises(NegoError, match="settings are no JSON"):
        process.start(start_request_for(COUNTER, "Counts", practice, config={"odd": {1, 2}}))

    assert is_gone(process.pid)


def test_stopping_from_another_thread_ends_a_question_at_once(practice: GameSpec, make: Make) -> None:
    process = make(start_request_for(COUNTER, "Hangs", practice))
    table = started(practice)
    table.human.says("Hello")
    answers: list[AgentResponse] = []
    asking = threading.Thread(target=lambda: answers.append(process.respond(request_about(table))))
    asking.start()

    process.stop()
    process.stop()
    asking.join(PATIENT.hard_seconds - 1)

    assert not asking.is_alive()
    assert answers[0].lost
    assert "stopped" in answers[0].failure
    assert is_gone(process.pid)


def test_what_was_lost_stays_lost_and_is_told_nothing(practice: GameSpec, make: Make) -> None:
    process = make(hostile("loops", practice))
    table = started(practice)
    process.respond(request_about(table))

    process.notify(table.events[-1])
    answer = process.respond(request_about(table))

    assert answer.lost
    assert answer.failure == "It did not react within 0.2 s."


@pytest.mark.parametrize("pipes", [False, True])
def test_a_process_that_does_not_read_blocks_no_longer_than_it_may(
    practice: GameSpec, make: Make, pipes: bool
) -> None:
    if sys.platform == "win32" and not pipes:
        pytest.skip("a process cannot be given a socket there")
    start_request = start_request_for(COUNTER, "Counts", practice, budget=QUICK)
    process = make(start_request, AgentProcess.spawn(pipes=pipes))
    halt(process.pid)
    table = started(practice)
    table.human.says("x" * 4000)
    began = time.monotonic()

    for _ in range(2000):
        process.notify(table.events[-1])
    answer = process.respond(request_about(table))

    assert answer.lost
    assert time.monotonic() - began < GUARD
    assert is_gone(process.pid)


def test_pipes_do_as_well_as_a_socket(practice: GameSpec, make: Make) -> None:
    process = make(start_request_for(COUNTER, "Counts", practice), AgentProcess.spawn(pipes=True))
    runner = runner_for(COUNTER, "Counts")
    requests = requests_in(started(practice))

    answers = [(said(process.respond(request)), said(runner.respond(request))) for request in requests]

    assert [there for there, _ in answers] == [here for _, here in answers]


@pytest.mark.skipif(sys.platform == "darwin", reason="the system lists no processes")
def test_no_agent_outlives_the_program_however_it_hangs() -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.hosting.orphans"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert program.stdout is not None
    with program.stdout:
        pids = [int(pid) for pid in program.stdout.readline().split()]
    begun = [len(processes_of_group(pid)) for pid in pids]

    program.kill()
    program.wait()
    until = time.monotonic() + GUARD
    while any(map(processes_of_group, pids)) and time.monotonic() < until:
        time.sleep(0.05)

    assert begun == [1] * 7 + [2]
    assert not [pid for pid in pids if processes_of_group(pid)]


def test_thirty_processes_leave_no_thread_and_no_descriptor(practice: GameSpec) -> None:
    before = threading.active_count(), open_descriptors()

    for _ in range(10):
        spares = [AgentProcess.spawn() for _ in range(3)]
        for spare in spares:
            spare.stop()

    until = time.monotonic() + GUARD
    while threading.active_count() > before[0] and time.monotonic() < until:
        time.sleep(0.01)
    assert (threading.active_count(), open_descriptors()) == before


def test_an_agents_process_stands_back_behind_the_window() -> None:
    own = priority(os.getpid())
    if sys.platform == "win32":
        lower = BELOW_NORMAL_PRIORITY_CLASS
    else:
        lower = min(19, own + NICENESS)
    process = AgentProcess.spawn()
    try:
        end = time.monotonic() + 20
        while priority(process.pid) == own and time.monotonic() < end:
            time.sleep(0.01)

        assert priority(process.pid) == lower
    finally:
        process.stop()
