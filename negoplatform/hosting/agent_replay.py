"""An agent run again over what a log holds: what it does now, held against what was recorded then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from negoplatform.core.bus import Happening
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
from negoplatform.core.visibility import Observer, Viewer
from negoplatform.domain.seat import Seat
from negoplatform.hosting.agent_runner import Answer, Question, ScheduledCall, Step
from negoplatform.hosting.responder import (
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
from negoplatform.hosting.script_timing import FLUSHING, AgentTiming, Opening, timed
from negoplatform.hosting.seat_lifecycle import Tenant
from negoplatform.hosting.step_matching import in_words, is_same, recorded


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
        self.opening = Opening(seat, timing)
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
        self._told: FailureKind | None = None
        self._heard: list[Heard] = []
        self._certain = 0
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
                self._stands_answered(event)
                if action != EventType.STATE_PROPOSED:  # its proposal was crossed off just before
                    self._cross_off(event, action, None)
        if event.sender == self._seat and event.decided_by in (DecidedBy.AGENT, DecidedBy.FALLBACK):
            self._stands_answered(event)
            self._cross_off(event, event.type, event)
        self._hear(happening)

    def still_to_come(self) -> Iterator[StillToCome]:
        """What the agent decided and the log does not hold, in the order in which it is due."""
        left = [
            StillToCome(script.answer, step, script.decided_at, due)
            for script in self._scripts
            for i, (step, due) in enumerate(
                timed(script.answer, script.decided_at, self._timing, self.opening.at)
            )
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
            certain=self._certain,
            failed=self._owing,
            told=self._told,
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
        self.opening.see(seen)
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
            self._owing, self._told = answer, None
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

    def _stands_answered(self, event: Event) -> None:
        """What the log holds an answer to is nobody's to answer again, nor is what came before it.

        So a mind that is lost only now, while it is run again, turns nothing that was answered then into a
        live question. What it would still have done by such answers is lost with it.
        """
        place = _place_of(self._pending, 0, event)
        if place is not None:
            self._heard += self._pending[: place + 1]
            del self._pending[: place + 1]
            self._certain = len(self._heard)
        else:
            place = _place_of(self._heard, self._certain, event)
            if place is None:
                return
            self._certain = place + 1

    def _take_back_what_failed(self) -> None:
        """The question that the agent could not answer, and what came after it, are the understudy's."""
        place = next((i for i, heard in enumerate(self._heard) if heard is self._failed_at), None)
        if place is not None and self._told is not FailureKind.ACT:
            self._keep_heard(max(place, self._certain))
        # The callbacks were the agent's own.
        self._heard, self._pending = without_calls(self._heard), without_calls(self._pending)
        self._certain = len(self._heard)

    def _keep_heard(self, many: int) -> None:
        """Whoever comes next is asked all but the first of what was heard."""
        self._pending = [*self._heard[many:], *self._pending]
        del self._heard[many:]

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
                    expected = recorded(step, script.answer.question.view.state, self._named_by_accept)
                    if expected is None or expected[0] != kind:
                        continue
                    if exactly and whole is not None and not is_same(whole, expected[1]):
                        continue
                    script.waiting.remove(i)
                    if event.decided_at is not None:
                        script.decided_at = event.decided_at
                    if not exactly:
                        now = in_words(expected[1])
                        self._differ(event, f"it did {kind} {in_words(event.payload)}, and now {now}")
                    return
        refused = " (refused)" if whole is None else ""
        self._differ(event, f"it did {kind}{refused} in answer to event {event.cause}, and now does not")

    def _cross_off_failure(self, event: Event) -> None:
        failure: Failure = event.payload
        self._strikes += 1
        self._stands_answered(event)
        now = next((one for one in self._failures if one.question.stimulus.seq == event.cause), None)
        if now is not None:
            self._failures.remove(now)
            self._failed_at = now.question
        else:
            self._failed_at = self._newest_question(event.cause)
            self._differ(event, f"it failed ({failure.reason}), and now does not")
            self._forget_what_failed(failure.kind)
        if failure.kind is FailureKind.LOST and not any(one is self._failed_at for one in self._lost_at):
            self._lose()
        self._owe(failure)

    def _owe(self, failure: Failure) -> None:
        """What follows a failure stands in the log right behind it, or is owed."""
        failed_at = self._failed_at
        # The first logs do not tell a loss from any other failure.
        is_the_loss = (
            failure.kind is FailureKind.FAILED
            and self._owing is not None
            and self._owing.question is failed_at
        )
        lost = failure.kind is FailureKind.LOST or is_the_loss
        if failed_at is not None and (lost or self._strikes >= self._casting.budget.strikes):
            self._owing = Answer(failed_at, failure=failure.reason, lost=lost)
            self._told = failure.kind
            if self._certain and self._heard[self._certain - 1] is failed_at:
                self._certain -= 1  # an understudy may be asked it, but nothing before it

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

    def _lose(self) -> None:
        """The mind was lost there, whatever it answers now; nothing later was decided and still to come."""
        place = next((i for i, heard in enumerate(self._heard) if heard is self._failed_at), None)
        if place is None or self._failed_at is None:
            return
        later = [*self._heard[place + 1 :], *self._pending]
        self._scripts = [
            script for script in self._scripts if not any(script.answer.question is one for one in later)
        ]
        self._keep_heard(max(place + 1, self._certain))
        self._lost_at.append(self._failed_at)
        self._lost = True
        self._mind.stop()
        self._mind = LostMind("It was lost, and nobody followed yet.")

    def _differ(self, event: Event, reason: str) -> None:
        self.differences.append(Difference(self._seat, event.seq, reason))


def _place_of(heard: Sequence[Heard], first: int, event: Event) -> int | None:
    """Where, from a first place on, the question stands that an event was decided in answer to."""
    by = event.t if event.decided_at is None else event.decided_at
    for i in range(len(heard) - 1, first - 1, -1):
        one = heard[i]
        # A callback has the event as its cause in answer to which it was scheduled.
        if isinstance(one, Question) and one.stimulus.seq == event.cause and (not one.call or one.now <= by):
            return i
    return None
