"""Assistants that answer later, as in a process: the agents wait for the agenda, but not for long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

import pytest

from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.events import Event, EventType, Message
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner
from negoplatform.hosting.responder import AgentInput, ResponderFactory, SeatAssignment
from negoplatform.testing.trial_table import Scripted
from tests.games import categorical_only
from tests.hosting.assistants.small_assistants import CountingAgenda, course
from tests.hosting.assistants.test_assistant_resume import Events


class LaterExecutor:
    """Executor whose answers come when the test says so."""

    def __init__(
        self, make: ResponderFactory, on_response: Callable[[AgentResponse], None], past: Iterable[AgentInput]
    ) -> None:
        self._responder, self._on_response = make(), on_response
        self.waiting: list[AgentRequest] = []

    def submit(self, request: AgentRequest) -> None:
        self.waiting.append(request)

    def notify(self, event: Event) -> None:
        pass

    def stop(self) -> None:
        pass

    def answer(self) -> None:
        """Answer the oldest request."""
        self._on_response(self._responder.respond(self.waiting.pop(0)))


class SlowTable:
    """Table whose agenda answers later, with an agent that keeps the events that it was told."""

    def __init__(self) -> None:
        spec = AssistantSpec("agenda", seat="human", kind=AssistantKind.AGENDA)
        game = replace(categorical_only(deadline_seconds=60.0), assistants=SeatMap({"agenda": spec}))
        self.clock, self.log, self.agent = VirtualClock(), Events(), Scripted()
        self.agent.configure({})
        self.runner = SessionRunner(game, seed=1, clock=self.clock, log=self.log, report=lambda _error: None)
        made: list[LaterExecutor] = []

        def executor(*parts: object) -> LaterExecutor:
            made.append(LaterExecutor(*parts))  # type: ignore[arg-type]  # as the supervisor calls it
            return made[-1]

        agenda = CountingAgenda("agenda")
        agenda.configure({})
        assignment = SeatAssignment(lambda: AgentRunner(agenda, Random(1)))
        self.runner.assign_assistants({"agenda": assignment}, lambda _name: executor)
        self.runner.assign_agent("agent", self.agent)
        self.runner.start()
        (self.executor,) = made

    @property
    def told(self) -> list[str]:
        """Types of the events that the agent was told."""
        return [str(event.type) for event in self.agent.received_events]

    def wait(self, seconds: float) -> None:
        until = round(self.clock() + seconds, 3)
        while (due := self.runner.next_due()) is not None and due <= until:
            self.clock.advance_to(due)
            self.runner.run_one_due()
        self.clock.advance_to(until)


@pytest.fixture
def table() -> SlowTable:
    return SlowTable()


def test_an_agent_is_told_an_event_when_the_agenda_has_answered(table: SlowTable) -> None:
    assert table.told == []

    table.executor.answer()

    assert table.told == ["GAME_START"]
    assert course(table.log.events) == ["GAME_START", "agenda"]


def test_an_agent_waits_for_two_seconds_at_most(table: SlowTable) -> None:
    table.wait(1.9)
    assert table.told == []

    table.wait(0.1)

    assert table.told == ["GAME_START"]


def test_the_end_is_not_held_back(table: SlowTable) -> None:
    table.runner.session.formal_quit("human")

    assert table.told == ["GAME_START", "FORMAL_QUIT", "GAME_END"]


def test_only_one_request_is_open_and_the_answers_keep_the_order_of_the_events(table: SlowTable) -> None:
    table.runner.session.send_message("human", Message("One."))
    table.runner.session.send_message("human", Message("Two."))
    assert len(table.executor.waiting) == 1

    for _ in range(3):
        table.executor.answer()

    causes = [event.cause for event in table.log.events if event.type == EventType.STATE_PROPOSED]
    assert causes == [1, 2, 3]
    assert table.told == ["GAME_START", "SEND_MESSAGE", "SEND_MESSAGE"]
