"""An agent run again over what a log holds: what it does now, held against what was recorded then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    ProposeChange,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.core.bus import Happening
from negoplatform.core.changes import StateProposal
from negoplatform.core.events import (
    NOTHING,
    Accepted,
    DecidedBy,
    Event,
    EventType,
    ExpressionShown,
    Failure,
    FailureKind,
    Message,
    Note,
    OfferMade,
    Refusal,
    Typing,
    clean_text,
)
from negoplatform.core.notes import NoteKind
from negoplatform.core.state import State
from negoplatform.core.visibility import Observer, Viewer
from negoplatform.domain.seat import Seat
from negoplatform.formats.payloads import payload_text
from negoplatform.hosting.brain import Answer, Question, ScheduledCall, Step
from negoplatform.hosting.mind import (
    Casting,
    Heard,
    LostMind,
    MakeMind,
    Mind,
    heard_by,
    mind_after,
    without_asking,
    without_calls,
)
from negoplatform.hosting.tenancy import Tenant
from negoplatform.hosting.timing import FLUSHING, AgentTiming, timed

LONGEST_WORDS = 200
"""Characters of what was done that are told."""


@dataclass(slots=True)
class _Script:
    """An answer, and which of its steps, by their places, have not been found in the log yet."""

    answer: Answer
    decided_at: float
    waiting: list[int]
    overtaken: bool = False
    """Whether a later answer interrupts it, once that arrives; what of it came before is in the log."""

    def steps(self) -> list[tuple[int, Step]]:
        """Those steps with their places."""
        return [(i, self.answer.steps[i]) for i in self.waiting]

    def keep(self, wanted: Callable[[Step], bool]) -> None:
        """Forgets every other step."""
        self.waiting = [i for i, step in self.steps() if wanted(step)]


@dataclass(frozen=True, slots=True)
class StillToCome:
    """A step that the log does not hold yet: when it was decided and when it is due, in session time."""

    answer: Answer
    step: Step
    decided_at: float
    due: float


@dataclass(frozen=True, slots=True)
class Difference:
    """Where an agent that was run again departs from the log.

    Args:
        seat: Its seat.
        seq: The event at which it shows.
        reason: A sentence.
    """

    seat: Seat
    seq: int
    reason: str


class Retrace:
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
        casting: Casting,
        viewer: Viewer,
        timing: AgentTiming,
        named_by_accept: Callable[[State], int],
    ) -> None:
        self.differences: list[Difference] = []
        self.flushed = 0
        self._seat = seat
        self._observer = Observer(seat)
        self._casting = casting
        self._viewer = viewer
        self._timing = timing
        self._named_by_accept = named_by_accept
        self._scripts: list[_Script] = []
        self._failures: list[Answer] = []
        self._failed_at: Question | None = None
        self._owing: Answer | None = None
        self._owed_is_told = False
        self._heard: list[Heard] = []
        self._lost_at: list[Question] = []
        self._pending: list[Heard] = []
        self._strikes = self._restarts = 0
        self._stands_in = False
        self._mind: Mind = mind_after(casting.make, ())
        self._lost = False

    def follow(self, happening: Happening) -> None:
        """One event of the log, with the state after it."""
        event = happening.event
        match event.payload:
            case Note(kind=kind, data=data) if data.get("seat") == self._seat:
                self._follow_note(kind, data, happening)
            case Failure(seat=seat) if seat == self._seat:
                self._cross_off_failure(event)
            case Refusal(action=action) if event.to == (self._seat,) and event.cause is not None:
                if action != EventType.STATE_PROPOSED:  # its proposal was crossed off just before
                    self._cross_off(event, action, None)
        if event.sender == self._seat and event.decided_by in (DecidedBy.AGENT, DecidedBy.FALLBACK):
            self._cross_off(event, event.type, event)
        self._hear(happening)

    def still_to_come(self) -> Iterator[StillToCome]:
        """What the agent decided and the log does not hold, in the order in which it is due."""
        left = [
            StillToCome(script.answer, step, script.decided_at, due)
            for script in self._scripts
            for i, (step, due) in enumerate(timed(script.answer, script.decided_at, self._timing))
            if i in script.waiting and (isinstance(step, ScheduledCall) or not script.overtaken)
        ]
        return iter(sorted(left, key=lambda one: one.due))

    def tenant(self) -> Tenant:
        """How the seat is held after the last event."""
        return Tenant(
            mind=self._mind,
            heard=self._heard,
            lost_at=self._lost_at,
            pending=self._pending,
            strikes=self._strikes,
            restarts=self._restarts,
            stands_in=self._stands_in,
            failed=self._owing,
            told=self._owed_is_told,
        )

    # What the agent is asked again

    def _hear(self, happening: Happening) -> None:
        seen = heard_by(self._observer, happening.seen)
        if seen is None:
            return
        if seen.sender == self._seat:
            self._see(seen)
            return
        if seen.type in FLUSHING:
            self.flushed = seen.seq
            for script in self._scripts:
                script.keep(lambda step: not step.flushable)
        self._ask(Question(self._viewer.view(happening.state), seen.t, seen, None))

    def _see(self, event: Event) -> None:
        if self._lost:
            self._pending.append(event)
            return
        self._heard.append(event)
        self._mind.see(event)

    def _ask(self, question: Question) -> None:
        if self._lost:
            self._pending.append(question)
            return
        answer = self._mind.answer(question)
        self._lost = answer.lost
        self._heard.append(question)
        if answer.lost:
            self._lost_at.append(question)
            self._owing, self._owed_is_told = answer, False
        if answer.failure:
            self._failures.append(answer)
        if answer.steps:
            if self._timing.interrupt:
                for script in self._scripts:
                    script.overtaken = True
            self._scripts.append(_Script(answer, question.now, list(range(len(answer.steps)))))
        self._scripts = [script for script in self._scripts if script.waiting]

    def _follow_note(self, kind: NoteKind, data: Any, happening: Happening) -> None:
        if kind is NoteKind.SCHEDULED_CALL:
            self._call(data.get("number"), happening)
        elif kind is NoteKind.AGENT_RESTARTED:
            self._strikes = 0
            self._restarts += 1
            self._start_over(self._casting.make, self._lost_at)
        elif kind is NoteKind.FALLBACK_SEATED and self._casting.understudy is not None:
            self._strikes = 0
            self._stands_in = True
            self._scripts.clear()
            self._take_back_what_failed()
            self._start_over(self._casting.understudy.make, ())

    def _call(self, number: object, happening: Happening) -> None:
        for script in self._scripts:
            for i, step in script.steps():
                if isinstance(step, ScheduledCall) and step.number == number:
                    script.waiting.remove(i)
                    view = self._viewer.view(happening.state)
                    stimulus = script.answer.question.stimulus
                    self._ask(Question(view, happening.event.t, stimulus, call=step.number))
                    return
        self._differ(happening.event, f"its callback {number} was called, and it scheduled no such callback")

    def _take_back_what_failed(self) -> None:
        """The question that the agent failed at, and what came after it, are the understudy's."""
        for i, heard in enumerate(self._heard):
            if heard is self._failed_at:
                self._pending = [*self._heard[i:], *self._pending]
                del self._heard[i:]
                break
        # The callbacks were the agent's own.
        self._heard, self._pending = without_calls(self._heard), without_calls(self._pending)

    def _start_over(self, make: MakeMind, lost_at: Sequence[Question]) -> None:
        self._mind.stop()
        self._mind = mind_after(make, without_asking(self._heard, lost_at))
        self._lost = False
        self._owing = None
        pending, self._pending = self._pending, []
        for heard in pending:
            if isinstance(heard, Question):
                self._ask(heard)
            else:
                self._see(heard)

    # What it is held against

    def _cross_off(self, event: Event, kind: str, whole: Event | None) -> None:
        """Finds the step that an event, or a refusal of such an event, came from."""
        answers = [s for s in self._scripts if s.answer.question.stimulus.seq == event.cause]
        for exactly in (True, False):
            for script in answers:
                for i, step in script.steps():
                    expected = self._as_event(step, script.answer.question)
                    if expected is None or expected[0] != kind:
                        continue
                    if exactly and whole is not None and not _is_same(whole, expected[1]):
                        continue
                    script.waiting.remove(i)
                    if event.decided_at is not None:
                        script.decided_at = event.decided_at
                    if not exactly:
                        now = _in_words(expected[1])
                        self._differ(event, f"it did {kind} {_in_words(event.payload)}, and now {now}")
                    return
        refused = " (refused)" if whole is None else ""
        self._differ(event, f"it did {kind}{refused} in answer to event {event.cause}, and now does not")

    def _as_event(self, step: Step, question: Question) -> tuple[str, Any] | None:
        """The type and payload of the event that a step becomes; None for a callback."""
        match step:
            case SendMessage(text, subtype):
                message = Message(clean_text(text), subtype, step.preference, step.batna)
                return EventType.SEND_MESSAGE, message
            case SendOffer(offer):
                return EventType.SEND_OFFER, OfferMade(offer)
            case SendExpression(expression, duration_ms):
                return EventType.SEND_EXPRESSION, ExpressionShown(expression, duration_ms)
            case FormalAccept():
                return EventType.FORMAL_ACCEPT, Accepted(self._named_by_accept(question.view.state))
            case FormalQuit():
                return EventType.FORMAL_QUIT, NOTHING
            case ShowTyping(duration_ms):
                return EventType.TYPING, Typing(duration_ms)
            case ProposeChange(updates):
                return EventType.STATE_PROPOSED, dict(updates)
            case _:
                return None

    def _cross_off_failure(self, event: Event) -> None:
        failure: Failure = event.payload
        self._strikes += 1
        now = next((one for one in self._failures if one.question.stimulus.seq == event.cause), None)
        if now is not None:
            self._failures.remove(now)
            self._failed_at = now.question
        else:
            self._failed_at = self._newest_question(event.cause)
            self._differ(event, f"it failed ({failure.reason}), and now does not")
            self._forget_what_failed(failure.kind)
        if self._lost or self._strikes >= self._casting.budget.strikes:
            # Whatever follows stands in the log right behind, or is owed.
            self._owe(event)

    def _owe(self, event: Event) -> None:
        if self._owing is None and self._failed_at is not None:
            self._owing = Answer(self._failed_at, failure=event.payload.reason, lost=self._lost)
        self._owed_is_told = True

    def _newest_question(self, cause: int | None) -> Question | None:
        for heard in reversed(self._heard):
            if isinstance(heard, Question) and heard.stimulus.seq == cause:
                return heard
        return None

    def _forget_what_failed(self, kind: FailureKind) -> None:
        """What the agent answers now and could not answer then, it did not want then."""
        failed_at = self._failed_at
        scripts = [script for script in self._scripts if script.answer.question is failed_at]
        if kind is FailureKind.ACT:
            for script in scripts:
                del script.waiting[:1]
        elif kind is not FailureKind.SLOW:
            self._scripts = [script for script in self._scripts if script not in scripts]
        if kind is FailureKind.LOST and failed_at is not None:
            self._lose(failed_at)

    def _lose(self, question: Question) -> None:
        """The mind was lost at a question, whatever it answers now; nobody has heard what came after it."""
        i = next(i for i, heard in enumerate(self._heard) if heard is question)
        self._pending = [*self._heard[i + 1 :], *self._pending]
        del self._heard[i + 1 :]
        unheard = [heard for heard in self._pending if isinstance(heard, Question)]
        self._scripts = [
            script
            for script in self._scripts
            if not any(script.answer.question is asked for asked in unheard)
        ]
        self._lost_at.append(question)
        self._lost = True
        self._mind.stop()
        self._mind = LostMind("It was lost, and nobody followed yet.")

    def _differ(self, event: Event, reason: str) -> None:
        self.differences.append(Difference(self._seat, event.seq, reason))


def _is_same(event: Event, expected: Any) -> bool:
    if isinstance(event.payload, StateProposal):
        return bool(event.payload.updates.thaw() == expected)
    return bool(event.payload == expected)


def _in_words(payload: Any) -> str:
    """What was said or done, in short."""
    return (
        str(payload)[:LONGEST_WORDS] if isinstance(payload, dict) else payload_text(payload)[:LONGEST_WORDS]
    )
