"""An agent run again over what a log holds: what it does now, held against what was recorded then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import (
    DecidedBy,
    Event,
    EventType,
    Failure,
    FailureKind,
    Note,
    Refusal,
)
from negoplatform.core.notes import NoteKind
from negoplatform.core.state import State
from negoplatform.core.visibility import Observer, ViewProjector
from negoplatform.domain.seat import Seat
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, ScheduledCall, ScriptStep
from negoplatform.hosting.responder import (
    AgentInput,
    LostResponder,
    Responder,
    ResponderFactory,
    SeatAssignment,
    event_for_agent,
    replayed_responder,
    without_callbacks,
    without_lost_requests,
)
from negoplatform.hosting.script_timing import FLUSHING_EVENTS, AgentTiming, Opening, steps_with_due_times
from negoplatform.hosting.seat_lifecycle import SeatSnapshot
from negoplatform.hosting.step_matching import expected_event, has_payload, summarize_payload


@dataclass(slots=True)
class _ReplayedScript:
    """An answer, and which of its steps, by their places, have not been found in the log yet."""

    response: AgentResponse
    decided_at: float
    unmatched: list[int]
    superseded: bool = False
    """Whether a later answer interrupts it, once that arrives; what of it came before is in the log."""

    def steps(self) -> list[tuple[int, ScriptStep]]:
        """Those steps with their places."""
        return [(i, self.response.steps[i]) for i in self.unmatched]

    def retain(self, wanted: Callable[[ScriptStep], bool]) -> None:
        """Forgets every other step."""
        self.unmatched = [i for i, step in self.steps() if wanted(step)]


@dataclass(frozen=True, slots=True)
class PendingStep:
    """A step that the log does not hold yet: when it was decided and when it is due, in session time."""

    response: AgentResponse
    step: ScriptStep
    decided_at: float
    due: float


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where an agent that was run again departs from the log.

    Args:
        seat: Its seat.
        seq: The event at which it shows.
        reason: A sentence.
    """

    seat: Seat
    seq: int
    reason: str


class AgentReplay:
    """Follows a log event by event, asks the agent of one seat again, and crosses off what it did.

    Args:
        seat: The seat.
        casting: Who holds it, and who follows.
        viewer: Works out what the seat sees.
        timing: How the agent's scripts are timed.
        named_by_accept: What a formal accept names in a state; the mechanism says.
    """

    def __init__(
        self,
        seat: Seat,
        assignment: SeatAssignment,
        viewer: ViewProjector,
        timing: AgentTiming,
        acceptance_target: Callable[[State], int],
    ) -> None:
        self.divergences: list[Divergence] = []
        self.flushed = 0
        self.opening = Opening(seat, timing)
        self._seat = seat
        self._observer = Observer(seat)
        self._assignment = assignment
        self._viewer = viewer
        self._timing = timing
        self._acceptance_target = acceptance_target
        self._scripts: list[_ReplayedScript] = []
        self._failures: list[AgentResponse] = []
        self._failed_request: AgentRequest | None = None
        self._unhandled_failure: AgentResponse | None = None
        self._recorded_kind: FailureKind | None = None
        self._inputs: list[AgentInput] = []
        self._acknowledged = 0
        self._lost_requests: list[AgentRequest] = []
        self._pending: list[AgentInput] = []
        self._strikes = self._restarts = 0
        self._is_fallback = False
        self._responder: Responder = replayed_responder(assignment.make, ())
        self._lost = False

    def apply_event(self, published: PublishedEvent) -> None:
        """One event of the log, with the state after it."""
        event = published.event
        match event.payload:
            case Note(kind=kind, data=data) if data.get("seat") == self._seat:
                self._follow_note(kind, data, published)
            case Failure(seat=seat) if seat == self._seat:
                self._match_failure(event)
            case Refusal(action=action) if event.to == (self._seat,) and event.cause is not None:
                self._acknowledge(event)
                if action != EventType.STATE_PROPOSED:  # its proposal was crossed off just before
                    self._match_action(event, action, None)
        if event.sender == self._seat and event.decided_by in (DecidedBy.AGENT, DecidedBy.FALLBACK):
            self._acknowledge(event)
            self._match_action(event, event.type, event)
        self._deliver(published)

    def pending_steps(self) -> Iterator[PendingStep]:
        """What the agent decided and the log does not hold, in the order in which it is due."""
        left = [
            PendingStep(script.response, step, script.decided_at, due)
            for script in self._scripts
            for i, (step, due) in enumerate(
                steps_with_due_times(script.response, script.decided_at, self._timing, self.opening.at)
            )
            if i in script.unmatched and (isinstance(step, ScheduledCall) or not script.superseded)
        ]
        return iter(sorted(left, key=lambda one: one.due))

    def snapshot(self) -> SeatSnapshot:
        """How the seat is held after the last event."""
        return SeatSnapshot(
            responder=self._responder,
            inputs=self._inputs,
            lost_requests=self._lost_requests,
            pending=self._pending,
            strikes=self._strikes,
            restarts=self._restarts,
            is_fallback=self._is_fallback,
            acknowledged=self._acknowledged,
            failed_response=self._unhandled_failure,
            recorded_kind=self._recorded_kind,
        )

    # What the agent is asked again

    def _deliver(self, happening: PublishedEvent) -> None:
        seen = event_for_agent(self._observer, happening.public)
        if seen is None:
            return
        if seen.sender == self._seat:
            self._notify(seen)
            return
        if seen.type in FLUSHING_EVENTS:
            self.flushed = seen.seq
            for script in self._scripts:
                script.retain(lambda step: not step.flushable)
        self.opening.update(seen)
        self._submit(AgentRequest(self._viewer.view(happening.state), seen.t, seen, None))

    def _notify(self, event: Event) -> None:
        if self._lost:
            self._pending.append(event)
            return
        self._inputs.append(event)
        self._responder.notify(event)

    def _submit(self, question: AgentRequest) -> None:
        if self._lost:
            self._pending.append(question)
            return
        answer = self._responder.respond(question)
        self._lost = answer.lost
        self._inputs.append(question)
        if answer.lost:
            self._lost_requests.append(question)
            self._unhandled_failure, self._recorded_kind = answer, None
        if answer.failure:
            self._failures.append(answer)
        if answer.steps:
            if self._timing.interrupt:
                for script in self._scripts:
                    script.superseded = True
            self._scripts.append(_ReplayedScript(answer, question.now, list(range(len(answer.steps)))))
        self._scripts = [script for script in self._scripts if script.unmatched]

    def _follow_note(self, kind: NoteKind, data: Any, happening: PublishedEvent) -> None:
        if kind is NoteKind.SCHEDULED_CALL:
            self._run_callback(data.get("number"), happening)
        elif kind is NoteKind.AGENT_RESTARTED:
            self._strikes = 0
            self._restarts += 1
            self._replace_responder(self._assignment.make, self._lost_requests)
        elif kind is NoteKind.FALLBACK_SEATED and self._assignment.fallback is not None:
            self._strikes = 0
            self._is_fallback = True
            self._scripts.clear()
            self._requeue_failed_request()
            self._replace_responder(self._assignment.fallback.make, ())

    def _run_callback(self, number: object, happening: PublishedEvent) -> None:
        for script in self._scripts:
            for i, step in script.steps():
                if isinstance(step, ScheduledCall) and step.number == number:
                    script.unmatched.remove(i)
                    view = self._viewer.view(happening.state)
                    stimulus = script.response.request.stimulus
                    self._submit(AgentRequest(view, happening.event.t, stimulus, call=step.number))
                    return
        self._add_divergence(
            happening.event, f"its callback {number} was called, and it scheduled no such callback"
        )

    def _acknowledge(self, event: Event) -> None:
        """What the log holds an answer to is nobody's to answer again, nor is what came before it.

        So a mind that is lost only now, while it is run again, turns nothing that was answered then into a
        live question. What it would still have done by such answers is lost with it.
        """
        place = _index_of_request(self._pending, 0, event)
        if place is not None:
            self._inputs += self._pending[: place + 1]
            del self._pending[: place + 1]
            self._acknowledged = len(self._inputs)
        else:
            place = _index_of_request(self._inputs, self._acknowledged, event)
            if place is None:
                return
            self._acknowledged = place + 1

    def _requeue_failed_request(self) -> None:
        """The question that the agent could not answer, and what came after it, are the understudy's."""
        place = next((i for i, heard in enumerate(self._inputs) if heard is self._failed_request), None)
        if place is not None and self._recorded_kind is not FailureKind.ACT:
            self._requeue_after(max(place, self._acknowledged))
        # The callbacks were the agent's own.
        self._inputs, self._pending = without_callbacks(self._inputs), without_callbacks(self._pending)
        self._acknowledged = len(self._inputs)

    def _requeue_after(self, many: int) -> None:
        """Whoever comes next is asked all but the first of what was heard."""
        self._pending = [*self._inputs[many:], *self._pending]
        del self._inputs[many:]

    def _replace_responder(self, make: ResponderFactory, lost_at: Sequence[AgentRequest]) -> None:
        self._responder.stop()
        self._responder = replayed_responder(make, without_lost_requests(self._inputs, lost_at))
        self._lost = False
        self._unhandled_failure = None
        pending, self._pending = self._pending, []
        for heard in pending:
            if isinstance(heard, AgentRequest):
                self._submit(heard)
            else:
                self._notify(heard)

    # What it is held against

    def _match_action(self, event: Event, kind: str, whole: Event | None) -> None:
        """Finds the step that an event, or a refusal of such an event, came from."""
        answers = [s for s in self._scripts if s.response.request.stimulus.seq == event.cause]
        for exactly in (True, False):
            for script in answers:
                for i, step in script.steps():
                    expected = expected_event(
                        step, script.response.request.view.state, self._acceptance_target
                    )
                    if expected is None or expected[0] != kind:
                        continue
                    if exactly and whole is not None and not has_payload(whole, expected[1]):
                        continue
                    script.unmatched.remove(i)
                    if event.decided_at is not None:
                        script.decided_at = event.decided_at
                    if not exactly:
                        now = summarize_payload(expected[1])
                        self._add_divergence(
                            event, f"it did {kind} {summarize_payload(event.payload)}, and now {now}"
                        )
                    return
        refused = " (refused)" if whole is None else ""
        self._add_divergence(
            event, f"it did {kind}{refused} in answer to event {event.cause}, and now does not"
        )

    def _match_failure(self, event: Event) -> None:
        failure: Failure = event.payload
        self._strikes += 1
        self._acknowledge(event)
        now = next((one for one in self._failures if one.request.stimulus.seq == event.cause), None)
        if now is not None:
            self._failures.remove(now)
            self._failed_request = now.request
        else:
            self._failed_request = self._newest_request(event.cause)
            self._add_divergence(event, f"it failed ({failure.reason}), and now does not")
            self._drop_failed_scripts(failure.kind)
        if failure.kind is FailureKind.LOST and not any(
            one is self._failed_request for one in self._lost_requests
        ):
            self._mark_lost()
        self._note_unhandled_failure(failure)

    def _note_unhandled_failure(self, failure: Failure) -> None:
        """What follows a failure stands in the log right behind it, or is owed."""
        failed_at = self._failed_request
        # The first logs do not tell a loss from any other failure.
        is_the_loss = (
            failure.kind is FailureKind.FAILED
            and self._unhandled_failure is not None
            and self._unhandled_failure.request is failed_at
        )
        lost = failure.kind is FailureKind.LOST or is_the_loss
        if failed_at is not None and (lost or self._strikes >= self._assignment.budget.strikes):
            self._unhandled_failure = AgentResponse(failed_at, failure=failure.reason, lost=lost)
            self._recorded_kind = failure.kind
            if self._acknowledged and self._inputs[self._acknowledged - 1] is failed_at:
                self._acknowledged -= 1  # an understudy may be asked it, but nothing before it

    def _newest_request(self, cause: int | None) -> AgentRequest | None:
        for heard in reversed(self._inputs):
            if isinstance(heard, AgentRequest) and heard.stimulus.seq == cause:
                return heard
        return None

    def _drop_failed_scripts(self, kind: FailureKind) -> None:
        """What the agent answers now and could not answer then, it did not want then."""
        failed_at = self._failed_request
        scripts = [script for script in self._scripts if script.response.request is failed_at]
        if kind is FailureKind.ACT:
            for script in scripts:
                del script.unmatched[:1]
        elif kind is not FailureKind.SLOW:
            self._scripts = [script for script in self._scripts if script not in scripts]

    def _mark_lost(self) -> None:
        """The mind was lost there, whatever it answers now; nothing later was decided and still to come."""
        place = next((i for i, heard in enumerate(self._inputs) if heard is self._failed_request), None)
        if place is None or self._failed_request is None:
            return
        later = [*self._inputs[place + 1 :], *self._pending]
        self._scripts = [
            script for script in self._scripts if not any(script.response.request is one for one in later)
        ]
        self._requeue_after(max(place + 1, self._acknowledged))
        self._lost_requests.append(self._failed_request)
        self._lost = True
        self._responder.stop()
        self._responder = LostResponder("It was lost, and nobody followed yet.")

    def _add_divergence(self, event: Event, reason: str) -> None:
        self.divergences.append(Divergence(self._seat, event.seq, reason))


def _index_of_request(heard: Sequence[AgentInput], first: int, event: Event) -> int | None:
    """Where, from a first place on, the question stands that an event was decided in answer to."""
    by = event.t if event.decided_at is None else event.decided_at
    for i in range(len(heard) - 1, first - 1, -1):
        one = heard[i]
        # A callback has the event as its cause in answer to which it was scheduled.
        if (
            isinstance(one, AgentRequest)
            and one.stimulus.seq == event.cause
            and (not one.call or one.now <= by)
        ):
            return i
    return None
