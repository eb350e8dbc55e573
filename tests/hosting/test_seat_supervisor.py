"""An agent that cannot go on: strikes, a restart with its past inputs, a fallback, and the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, Schedule, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.events import DecidedBy, EndedBy, Event, EventType, Message, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import steps
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner
from negoplatform.hosting.responder import FallbackAgent, Responder, SeatAssignment
from tests.eventlog.logs import SESSION_ID, header_for
from tests.games import coins_only


class Counting(NegotiationAgent):
    """Agent that says how many messages it got; fails at messages with the word for it."""

    def __init__(self, agent_id: str = "agent") -> None:
        super().__init__(agent_id)
        self.heard = 0

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.heard += 1
        if event.get_text() == "Fail!":
            raise RuntimeError("as it was told")
        return [SendMessage(f"{self.heard} heard")]


class Polite(NegotiationAgent):
    """Fallback agent."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("I take over.")]


class Mortal:
    """Responder that is lost at messages with the word for it, like a process that ends."""

    def __init__(self, agent: NegotiationAgent) -> None:
        self._runner = AgentRunner(agent, Random(1))
        self.lost = False

    def respond(self, request: AgentRequest) -> AgentResponse:
        if request.stimulus.get_text() == "Die!":
            self.lost = True
        if self.lost:
            return AgentResponse(request, failure="Its process ended by SIGSEGV.", lost=True)
        return self._runner.respond(request)

    def notify(self, event: Event) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """Do nothing."""


class Played:
    """A table on a virtual clock at which a test speaks for the human seat; it goes on after past events."""

    def __init__(
        self,
        make: Callable[[], Responder],
        budget: AgentBudget,
        fallback_agent: FallbackAgent | None,
        past: Sequence[Event] = (),
    ) -> None:
        self.events = list(past)
        self.clock = VirtualClock()
        self.clock.advance_to(past[-1].t if past else 0.0)
        self.table = SessionRunner(
            coins_only(deadline_seconds=60.0),
            seed=1,
            clock=self.clock,
            log=NoLog(),
            report=lambda _error: None,
            session_id=SESSION_ID,
        )
        self.table.assign("agent", SeatAssignment(make, budget, fallback_agent))
        self.table.subscribe(lambda published: self.events.append(published.event))
        self.table.resume(past)

    def says(self, *texts: str) -> None:
        """Send messages, and wait after each until it has been answered."""
        for text in texts:
            self.table.session.send_message("human", Message(text))
            until = self.clock() + 2
            while (due := self.table.next_due()) is not None and due <= until:
                self.clock.advance_to(due)
                self.table.run_one_due()
            self.clock.advance_to(until)

    def answers(self) -> list[str]:
        return [event.get_text() or "" for event in self.events if event.sender == "agent"]

    def notes(self) -> list[tuple[str, dict[str, Any]]]:
        return [
            (e.payload.kind.value, dict(e.payload.data)) for e in self.events if isinstance(e.payload, Note)
        ]

    def to_the_end(self) -> EndedBy | None:
        self.table.run_on(self.clock)
        ending = self.table.session.state.ending
        return ending.ended_by if ending else None


def mortal(made: list[Mortal] | None = None) -> Callable[[], Responder]:
    def make() -> Responder:
        agent = Mortal(Counting())
        if made is not None:
            made.append(agent)
        return agent

    return make


def counting() -> Responder:
    return AgentRunner(Counting(), Random(1))


POLITE = FallbackAgent("polite", "1234", lambda: AgentRunner(Polite(), Random(1)))


def test_three_strikes_restart_an_agent_with_its_past_inputs() -> None:
    played = Played(counting, AgentBudget(), None)

    played.says("One", "Fail!", "Fail!", "Fail!", "Two")

    assert played.answers() == ["1 heard", "5 heard"]
    assert played.notes() == [("agent_restarted", {"seat": "agent", "times": 1})]


def test_after_its_one_restart_three_more_strikes_end_the_session() -> None:
    played = Played(counting, AgentBudget(), None)

    played.says(*["Fail!"] * 6)

    assert played.to_the_end() is EndedBy.AGENT_FAILURE
    failed = [event.payload.strikes for event in played.events if event.type == EventType.AGENT_FAILED]
    assert failed == [1, 2, 3, 4, 5, 6]


def test_an_agent_whose_process_ended_is_restarted_at_once_and_not_asked_that_again() -> None:
    made: list[Mortal] = []
    played = Played(mortal(made), AgentBudget(), None)

    played.says("One", "Die!", "Two")

    assert played.answers() == ["1 heard", "2 heard"]
    assert len(made) == 2
    assert not made[1].lost


def test_a_fallback_takes_over_and_answers_what_the_agent_could_not() -> None:
    played = Played(mortal(), AgentBudget(restarts=0, fallback="polite"), POLITE)

    played.says("One", "Die!", "Two")

    assert played.answers() == ["1 heard", "I take over.", "I take over."]
    assert played.notes() == [
        ("fallback_seated", {"seat": "agent", "agent": "polite", "sha256": "1234"}),
    ]
    by = [event.decided_by for event in played.events if event.sender == "agent"]
    assert by == [DecidedBy.AGENT, DecidedBy.FALLBACK, DecidedBy.FALLBACK]


def test_a_restart_comes_before_the_fallback() -> None:
    played = Played(mortal(), AgentBudget(fallback="polite"), POLITE)

    played.says("Die!", "One", "Die!")

    assert [kind for kind, _ in played.notes()] == ["agent_restarted", "fallback_seated"]


def test_an_agent_that_cannot_be_made_again_ends_the_session() -> None:
    first = [Mortal(Counting())]

    def make() -> Responder:
        if first:
            return first.pop()
        raise NegoError("The file of the agent is gone.")

    played = Played(make, AgentBudget(), None)
    played.says("Die!", "One")

    assert played.to_the_end() is EndedBy.AGENT_FAILURE
    reasons = [event.payload.reason for event in played.events if event.type == EventType.AGENT_FAILED]
    assert reasons == ["Its process ended by SIGSEGV.", "The file of the agent is gone."]


def test_what_was_scheduled_before_a_restart_is_still_done() -> None:
    class Planner(Counting):
        """Agent that schedules a word for later with its first answer."""

        def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
            if event.get_text() == "Plan":
                later = f"as planned, after {self.heard}"
                return [Schedule(9000, lambda ctx: SendMessage(later)), SendMessage("soon", delay_ms=6000)]
            return super().on_send_message(ctx, event)

    played = Played(lambda: Mortal(Planner()), AgentBudget(), None)
    played.says("One", "Plan", "Die!")

    played.to_the_end()

    assert played.answers() == ["1 heard", "soon", "as planned, after 1"]


def test_a_slow_answer_counts_and_is_a_strike() -> None:
    class Slow(Mortal):
        def respond(self, request: AgentRequest) -> AgentResponse:
            answer = super().respond(request)
            return (
                answer._replace(failure="It took 2.3 s to react; 2 s are allowed.")
                if answer.steps
                else answer
            )

    played = Played(lambda: Slow(Counting()), AgentBudget(), None)
    played.says("One", "Two")

    assert played.answers() == ["1 heard", "2 heard"]
    assert [event.payload.strikes for event in played.events if event.type == EventType.AGENT_FAILED] == [
        1,
        2,
    ]


@pytest.mark.parametrize("fallback_agent", [None, POLITE])
def test_the_log_of_all_this_replays(fallback_agent: FallbackAgent | None) -> None:
    fallback = "end_session" if fallback_agent is None else "polite"
    played = Played(mortal(), AgentBudget(fallback=fallback), fallback_agent)
    played.says("One", "Die!", "Two", "Fail!", "Die!", "Three")
    played.to_the_end()

    header = header_for(played.table.session.state.game)
    log = SessionLog(Path("a.jsonl"), header, tuple(played.events), ("",) * len(played.events))
    last = list(steps(log))[-1]

    assert last.state == played.table.session.state
    assert NoteKind.AGENT_RESTARTED in {
        event.payload.kind for event in played.events if isinstance(event.payload, Note)
    }


def test_what_happened_when_an_agent_was_lost_is_not_lost_on_the_next() -> None:
    seen: list[list[str]] = []

    class Folding(Mortal):
        """Responder that keeps all inputs, like a process that folds them."""

        def __init__(self, agent: NegotiationAgent) -> None:
            super().__init__(agent)
            self.told: list[str] = []
            seen.append(self.told)

        def respond(self, request: AgentRequest) -> AgentResponse:
            self.told.append(request.stimulus.get_text() or "")
            return super().respond(request)

        def notify(self, event: Event) -> None:
            self.told.append(event.get_text() or "")

    played = Played(lambda: Folding(Counting()), AgentBudget(), None)
    played.says("One", "Die!", "Two")

    assert [text for text in seen[1] if text] == ["One", "1 heard", "Die!", "Two", "2 heard"]


def test_a_fallback_gets_the_start_even_if_the_agent_was_lost_there() -> None:
    class Stillborn(Mortal):
        def respond(self, request: AgentRequest) -> AgentResponse:
            return AgentResponse(request, failure="Its process ended by SIGKILL.", lost=True)

    class Starting(Polite):
        begun = 0

        def reset(self) -> None:
            self.begun = 0

        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            self.begun += 1
            return []

        def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [SendMessage(f"begun {self.begun}")]

    fallback_agent = FallbackAgent("starting", "1234", lambda: AgentRunner(Starting(), Random(1)))
    budget = AgentBudget(fallback="starting")
    played = Played(lambda: Stillborn(Counting()), budget, fallback_agent)

    played.says("One")

    assert played.answers() == ["begun 1"]


def test_an_agent_that_is_replaced_for_being_slow_does_not_answer_as_well() -> None:
    class Slow(Mortal):
        def respond(self, request: AgentRequest) -> AgentResponse:
            answer = super().respond(request)
            return answer._replace(failure="It took 2.3 s to react.") if answer.steps else answer

    budget = AgentBudget(strikes=1, restarts=0, fallback="polite")
    played = Played(lambda: Slow(Counting()), budget, POLITE)

    played.says("One")

    assert played.answers() == ["I take over."]


def test_a_fallback_is_not_asked_for_callbacks_that_it_never_scheduled() -> None:
    class Planner(Counting):
        def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [Schedule(100, lambda ctx: SendMessage("never said"))]

    class LostInCallback(Mortal):
        def respond(self, request: AgentRequest) -> AgentResponse:
            self.lost = self.lost or request.call is not None
            return super().respond(request)

    budget = AgentBudget(strikes=1, restarts=0, fallback="polite")
    played = Played(lambda: LostInCallback(Planner()), budget, POLITE)

    played.says("One", "Two")

    assert played.answers() == ["I take over."]
    assert sum(event.type == EventType.AGENT_FAILED for event in played.events) == 1


def test_an_agent_that_cannot_be_made_for_want_of_threads_is_a_failure_and_no_silence() -> None:
    first = [Mortal(Counting())]

    def make() -> Responder:
        if first:
            return first.pop()
        raise RuntimeError("can't start new thread")

    played = Played(make, AgentBudget(), None)
    played.says("Die!", "One")

    assert played.to_the_end() is EndedBy.AGENT_FAILURE
