"""Routes of events: a proposal goes to the session; its event to the log, then to agents and window."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from negoplatform.agent_api.actions import Action, FormalAccept, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Message
from tests.app.session.test_live_session import Live
from tests.games import coins_only
from tests.hosting.ledger import Ledger
from tests.hosting.updates import LONGEST

pytestmark = pytest.mark.timeout(30)


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds that another thread brings about."""
    until = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < until, "It did not come about."
        time.sleep(0.002)


class TracedLog(Ledger):
    """Log that notes in a trace what it writes."""

    def __init__(self, trace: list[tuple[str, int]]) -> None:
        super().__init__()
        self.trace = trace

    def write(self, event: Event) -> None:
        super().write(event)
        self.trace.append(("log", event.seq))


class Traced(NegotiationAgent):
    """Agent that notes in a trace what it receives and finds, answers a message, and accepts too early."""

    def __init__(self, trace: list[tuple[str, int]]) -> None:
        super().__init__()
        self.trace = trace
        self.received: list[Event] = []

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.received.append(event)
        self.trace.append(("agent", event.seq))
        if ctx.get_message_history() and ctx.get_message_history()[-1]["seq"] == event.seq:
            self.trace.append(("state", event.seq))
        return [SendMessage("I see."), FormalAccept()] if event.type == EventType.SEND_MESSAGE else []


class Traces:
    """Live session whose log, agent and window note every event."""

    def __init__(self) -> None:
        self.trace: list[tuple[str, int]] = []
        self.log = TracedLog(self.trace)
        self.agent = Traced(self.trace)
        self.live = Live(self.agent, coins_only(), self.log)

    def until_refused(self) -> None:
        """Wait for the agent's refused accept in the log: it is the last event of its answer."""
        self.live.until_event(EventType.SEND_MESSAGE, "agent")
        wait_until(lambda: any(e.type == EventType.ACTION_REFUSED for e in self.log.events))

    def of(self, kind: EventType, sender: str) -> Event:
        """Return the one event of a kind and a sender in the log."""
        (found,) = [event for event in self.log.events if (event.type, event.sender) == (kind, sender)]
        return found


@pytest.fixture
def traces() -> Iterator[Traces]:
    made = Traces()
    yield made
    made.live.table.stop()


def test_a_participants_message_reaches_log_state_agent_and_window(traces: Traces) -> None:
    traces.live.participant.send_message(Message("Hello."))

    shown = traces.live.until_event(EventType.SEND_MESSAGE, "human")
    traces.until_refused()

    assert traces.of(EventType.SEND_MESSAGE, "human").seq == shown.seq
    route = [place for place, seq in traces.trace if seq == shown.seq]
    assert route == ["log", "agent", "state"], "written before it is handled, and state when it is handled"


def test_an_agents_action_takes_the_same_route_and_does_not_come_back_to_it(traces: Traces) -> None:
    traces.live.participant.send_message(Message("Hello."))

    traces.until_refused()

    answer = traces.of(EventType.SEND_MESSAGE, "agent")
    assert [place for place, seq in traces.trace if seq == answer.seq] == ["log"]
    assert answer.seq not in [event.seq for event in traces.agent.received]


def test_a_refusal_reaches_the_log_and_the_one_who_asked_alone(traces: Traces) -> None:
    traces.live.participant.send_message(Message("Hello."))
    traces.until_refused()

    traces.live.participant.send_message(Message("Well?"))
    traces.live.until_event(EventType.SEND_MESSAGE, "human")

    (refusal, *_) = [event for event in traces.log.events if event.type == EventType.ACTION_REFUSED]
    assert refusal.to == ("agent",)
    wait_until(lambda: refusal.seq in [event.seq for event in traces.agent.received])
    shown = [update.event for update in traces.live.told.updates if update.event is not None]
    assert shown
    assert all(event.type != EventType.ACTION_REFUSED for event in shown)
