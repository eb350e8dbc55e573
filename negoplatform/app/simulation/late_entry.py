"""Entry of an agent into a session that has begun: it receives every event, and acts from its entry on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from negoplatform.agent_api.actions import ProposeChange, SendExpression, SendMessage, ShowTyping
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.action_rules import EVENTS_PER_INSTANT
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.core.visibility import observer_of
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, ScheduledCall, ScriptStep
from negoplatform.hosting.agent_script_timing import (
    AgentTiming,
    Opening,
    is_opening,
    steps_with_due_times,
)
from negoplatform.hosting.responder import Responder, SeatAssignment, event_for_agent
from negoplatform.hosting.seat_actions import as_act

_SHOWN = SendMessage | SendExpression | ShowTyping
_ACCOMPANIES = _SHOWN | ProposeChange


@dataclass(slots=True)
class _DueCall:
    """A callback that the agent has scheduled, with the session time at which it is due."""

    response: AgentResponse
    step: ScheduledCall
    due: float


class _DueAct(NamedTuple):
    """A step of a response, with the session time at which it was or is due."""

    response: AgentResponse
    step: ScriptStep
    due: float


class LateEntry:
    """Entry of one agent: before it, its callbacks are called when they are due, and its acts are dropped.

    What the agent decided last is what it does when it enters, unless its seat has made an offer since then:
    so the offer that is on the table at the entry is answered. Words and faces alone that are due later are
    shown too. Those that its seat has recorded since the decision are not repeated: the entry may be in the
    middle of a script. An agent that waits for its own pending bid is never left waiting, because only acts
    that a later offer of its seat has replaced are left out. Callbacks
    that wait at the entry are called at their times.

    Args:
        seat: The agent's seat.
        assignment: The agent.
        timing: Timing of its scripts.
        runner: The session.
    """

    def __init__(
        self, seat: Seat, assignment: SeatAssignment, timing: AgentTiming, *, runner: SessionRunner
    ) -> None:
        game = runner.session.state.game
        self.entered = False
        self.failure = ""
        """First failure before the entry, as a sentence; empty: none."""
        self._seat = seat
        self._observer = observer_of(game, seat)
        self._timing = timing
        self._opening = Opening(seat, timing, game.rules.counterpart.pace)
        self._flushing = mechanism_of(game.mechanism).flushing_acts
        self._session = runner.session
        self._state: State | None = None
        """The state after the last event."""
        self._calls: list[_DueCall] = []
        self._calls_at: Counter[float] = Counter()
        self._acts: list[_DueAct] = []
        """The steps of the response with the agent's last act."""
        self._shown: list[_DueAct] = []
        """The steps of responses without an act."""
        self._is_replaced = False
        self._recorded: list[Event] = []
        """Events that the seat has caused before the entry."""
        # Before the host, so that what was due before an event is called before the agent is asked about it.
        runner.subscribe(self.observe)
        make = assignment.make
        own = replace(assignment, make=lambda: _LateResponder(make(), self))
        self._host = runner.assign(seat, own, timing)

    def observe(self, published: PublishedEvent) -> None:
        """Take an event, before the agent is asked about it: callbacks that were due before it are called."""
        if self.entered:
            return
        self._call_due(published.event.t)
        self._state = published.state
        event = event_for_agent(self._observer, published.public)
        if event is None:
            return
        if event.type == EventType.GAME_END:
            self._calls.clear()
        elif event.sender == self._seat:
            self._recorded.append(published.event)
            self._is_replaced = self._is_replaced or event.type == EventType.SEND_OFFER
        elif event.type in self._flushing:
            self._calls = [call for call in self._calls if not call.step.flushable]
            self._acts = [act for act in self._acts if act.due <= event.t or not act.step.flushable]
            self._shown = [act for act in self._shown if act.due <= event.t or not act.step.flushable]
        if earlier := self._opening.update(event):
            for call in self._calls:
                if is_opening(call.response):
                    call.due = round(call.due - earlier, 3)

    def enter(self, *, moves_now: bool = False) -> None:
        """Let the agent act from now on, first by what it decided last.

        Args:
            moves_now: Whether it also does what an offer of its seat has replaced: its seat is to move.
        """
        now = self._session.now()
        self._call_due(now, {event.cause for event in self._recorded if event.t == now})
        self.entered = True
        acts = self._acts if moves_now or not self._is_replaced else []
        shown = [act for act in self._shown if act.due >= now]
        for act in self._not_recorded(sorted([*shown, *acts], key=lambda act: act.due)):
            self._host.schedule_decided(act.response, act.step, act.due)
        for call in sorted(self._calls, key=lambda call: call.due):
            self._host.schedule_decided(call.response, call.step, call.due)

    def _not_recorded(self, acts: Iterable[_DueAct]) -> Iterator[_DueAct]:
        """Yield acts without the words and faces that the seat has recorded since they were decided."""
        recorded = list(self._recorded)
        for due_act in acts:
            act = as_act(due_act.step, self._state) if isinstance(due_act.step, _SHOWN) else None  # type: ignore[arg-type]
            decided = due_act.response.request.now
            same = (
                event
                for event in recorded
                if act is not None
                and event.t >= decided
                and (event.type, event.payload, event.to) == (act.type, act.payload, act.to)
            )
            found = next(same, None)
            if found is None:
                yield due_act
            else:
                recorded.remove(found)

    def _call_due(self, before: float, begun: Collection[int | None] = ()) -> None:
        """Have the callbacks called that are due before a session time, each at its own time.

        Args:
            before: The session time.
            begun: Events in answer to which callbacks that are due at that time are called too.
        """
        while self._state is not None:
            due = [
                call
                for call in self._calls
                if call.due < before or (call.due == before and call.response.request.stimulus.seq in begun)
            ]
            call = min(due, key=lambda call: call.due, default=None)
            if call is None:
                return
            self._calls.remove(call)
            self._calls_at[call.due] += 1
            if self._calls_at[call.due] > EVENTS_PER_INSTANT:
                self.failure = self.failure or f"Over {EVENTS_PER_INSTANT:,} callbacks for {call.due:g} s."
                self._calls.clear()
                return
            stimulus = call.response.request.stimulus
            self._host.call_unlogged(call.step.number, stimulus, state=self._state, now=call.due)

    def take(self, response: AgentResponse) -> AgentResponse:
        """Return the response that counts."""
        if self.entered:
            return response
        self.failure = self.failure or response.failure
        if self._timing.interrupt and response.steps:
            now = response.request.now
            self._acts = [act for act in self._acts if act.due <= now]
            self._shown = [act for act in self._shown if act.due <= now]
        timed = steps_with_due_times(response, response.request.now, self._timing, self._opening.at)
        acts = []
        for step, due in timed:
            if isinstance(step, ScheduledCall):
                self._calls.append(_DueCall(response, step, round(due, 3)))
            else:
                acts.append(_DueAct(response, step, due))
        if any(not isinstance(act.step, _ACCOMPANIES) for act in acts):
            self._acts, self._is_replaced = acts, False
        else:
            self._shown += acts
        return AgentResponse(response.request)

    def check(self, agent: str) -> None:
        """Check that the agent has not failed before its entry.

        Raises:
            NegoError: If it has.
        """
        if self.failure:
            raise NegoError(f"The agent {agent} cannot go on with this session: {self.failure}")


class _LateResponder:
    """Responder whose answers are dropped until its agent has entered."""

    def __init__(self, inner: Responder, entry: LateEntry) -> None:
        self._inner = inner
        self._entry = entry

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Return the agent's response, or an empty one before the entry."""
        return self._entry.take(self._inner.respond(request))

    def notify(self, event: Event) -> None:
        """Pass on an event of the agent's own seat."""
        self._inner.notify(event)

    def stop(self) -> None:
        """Stop the agent."""
        self._inner.stop()
