"""Sessions with assistants that are resumed after each of their events."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from negoplatform.agent_api.assistant import Assistant
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.assistant_setup import AssistantPlaces, assigned_assistants, with_assistants
from negoplatform.app.session.session_plan import with_time_limit
from negoplatform.app.session.session_runner import SessionRunner, run_session
from negoplatform.core.events import GAME_END, Event, EventType
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.assistant_settings import AssistantSpec
from negoplatform.domain.game import GameSpec
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.responder import SeatAssignment
from tests.hosting.assistants.small_assistants import (
    CountingAgenda,
    CountingInsights,
    ShortDebrief,
    proposals,
)
from tests.resumed_events import without_the_break, without_versions

NOWHERE = Path("nowhere")
CLASSES: dict[str, type[Assistant]] = {
    "agenda": CountingAgenda,
    "insights": CountingInsights,
    "debrief": ShortDebrief,
}


class Events:
    """Log that keeps its events in memory."""

    def __init__(self, events: tuple[Event, ...] = ()) -> None:
        self.events = list(events)

    def write(self, event: Event) -> None:
        self.events.append(event)

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def game() -> GameSpec:
    short = with_time_limit(find_game("practice", NOWHERE), 15)
    found = with_assistants(short, map(AssistantSpec, CLASSES))
    return assigned_assistants(found, AssistantPlaces((), found.seats), NOWHERE)[0]


def assignment(name: str) -> SeatAssignment:
    def make() -> AgentRunner:
        assistant = CLASSES[name](name)
        assistant.configure({})
        return AgentRunner(assistant, Random(1))

    return SeatAssignment(make)


def session(game: GameSpec, log: Events, clock: VirtualClock) -> SessionRunner:
    errors: list[BaseException] = []
    runner = SessionRunner(game, seed=2, clock=clock, log=log, report=errors.append)
    runner.assign_assistants({name: assignment(name) for name in CLASSES})
    for seat, agent in zip(game.seats, ("boulware", "conceder"), strict=True):
        plugin = find_agent(agent, NOWHERE, in_program=True)
        prepared = prepare_in_process(plugin, seat, plugin.settings, game=game, seed=2)
        runner.assign(seat, prepared.assignment, prepared.timing)
    return runner


@pytest.fixture(scope="module")
def whole(game: GameSpec) -> list[Event]:
    log, clock = Events(), VirtualClock()
    run_session(session(game, log, clock), clock)
    return log.events


def resumed(game: GameSpec, past: tuple[Event, ...]) -> list[Event]:
    log, clock = Events(past), VirtualClock()
    clock.advance_to(past[-1].t)
    runner = session(game, log, clock)
    runner.resume(past)
    runner.run_on(clock)
    return log.events


def test_a_session_goes_on_as_if_it_had_not_been_interrupted_after_any_event(
    game: GameSpec, whole: list[Event]
) -> None:
    end = next(event.seq for event in whole if event.type == GAME_END)
    assert len(proposals(whole)) > 5

    for cut in range(1, end):
        again = resumed(game, tuple(whole[:cut]))

        assert without_the_break(again) == without_versions(whole), f"cut after event {cut}"


class Failing(CountingAgenda):
    """Agenda that fails at its second answer, and at no other."""

    def plan(self, ctx: Any) -> Any:
        plan = super().plan(ctx)
        if self.times == 2:
            raise ZeroDivisionError("no plan")
        return plan


def test_a_failure_in_the_log_is_not_counted_again_by_a_resumed_session(
    game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CLASSES, "agenda", Failing)
    log, clock = Events(), VirtualClock()
    run_session(session(game, log, clock), clock)
    failed = next(event.seq for event in log.events if event.type == EventType.AGENT_FAILED)

    again = resumed(game, tuple(log.events[: failed + 3]))

    assert without_the_break(again) == without_versions(log.events)
    assert sum(event.type == EventType.AGENT_FAILED for event in again) == 1
