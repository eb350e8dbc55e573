"""One agent in one seat, seen from the table: events go out to it, its script comes back as proposals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import partial
from typing import NamedTuple, assert_never

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    ProposeChange,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.core.bus import Happening
from negoplatform.core.events import EndedBy, Event, EventType, FailureKind, Message
from negoplatform.core.notes import NoteKind
from negoplatform.core.proposals import Proposer, ProposerKind
from negoplatform.core.scheduler import Entry, Scheduler
from negoplatform.core.session import Origin, Session
from negoplatform.core.state import Phase, State
from negoplatform.core.visibility import Observer, Viewer, visible_game
from negoplatform.domain.errors import AgentError, LogFailed, Refused
from negoplatform.domain.fast_tuple import make
from negoplatform.domain.seat import Seat
from negoplatform.hosting.agent_replay import Retrace
from negoplatform.hosting.agent_runner import Answer, Question, ScheduledCall, Step, failed
from negoplatform.hosting.executor import MakeRunner
from negoplatform.hosting.responder import Casting, heard_by
from negoplatform.hosting.script_timing import FLUSHING, AgentTiming, Opening, is_opening, timed
from negoplatform.hosting.seat_lifecycle import Next, Tenancy, Tenant

MOST_WAITING = 1000
"""Steps of one agent that may wait at once; callbacks that schedule callbacks would fill the memory."""


class _Waiting(NamedTuple):
    """A step that waits on the scheduler, and the answer that it belongs to."""

    entry: Entry
    step: Step
    answer: Answer


class StillToCome(NamedTuple):
    """A step of a script that was waiting when a session was interrupted.

    Args:
        decided_at: The session time at which it was decided.
        known: The newest event that was known then.
        put: Has it wait again.
    """

    decided_at: float
    known: int
    put: Callable[[], None]


class AgentHost:
    """Seats an agent. Lives on the table's thread.

    Args:
        seat: The agent's seat.
        session: Where its actions go, by the same verbs that a person's window calls.
        scheduler: Where its script waits.
        timing: How the script is timed.
        casting: Who holds the seat, what it may take, and who follows.
        runner: Makes what asks a mind.
        named_by_accept: What a formal accept names in a state; the mechanism says.
        report: Is given an agent's error, for the crash file.
    """

    def __init__(
        self,
        seat: Seat,
        *,
        session: Session,
        scheduler: Scheduler,
        timing: AgentTiming,
        casting: Casting,
        runner: MakeRunner,
        named_by_accept: Callable[[State], int],
        report: Callable[[BaseException], object],
    ) -> None:
        self._seat = seat
        self._observer = Observer(seat)
        self._proposer = Proposer(ProposerKind.SEAT, seat)
        # A copy of its own: what an agent does to it, by whatever trick, the session does not feel.
        self._viewer = Viewer(self._observer, deepcopy(visible_game(session.state.game, self._observer)))
        self._session = session
        self._scheduler = scheduler
        self._timing = timing
        self._opening = Opening(seat, timing)
        self._named_by_accept = named_by_accept
        self._report = report
        self._waiting: list[_Waiting] = []
        self._performing: Answer | None = None
        self._flushed = self._ended = 0
        self._owing: Tenant | None = None
        self._tenancy = Tenancy(seat, casting, runner, self.take)

    def hear(self, happening: Happening) -> None:
        """Takes note of a happening and asks the agent, if its seat may see it and did not do it."""
        seen = heard_by(self._observer, happening.seen)
        if seen is None:
            return
        if seen.type == EventType.GAME_END:
            self._ended = seen.seq
            self._cancel_at_the_end()
        if seen.sender == self._seat:
            self._tenancy.see(seen)
            return
        if seen.type in FLUSHING:
            self._flushed = seen.seq
            if self._waiting:
                self._cancel(lambda step: bool(step.flushable))
        if earlier := self._opening.see(seen):
            self._open_earlier(earlier)
        self._tenancy.ask(make(Question, (self._viewer.view(happening.state), seen.t, seen, None)))

    def resume(self, happenings: Iterable[Happening]) -> list[StillToCome]:
        """Takes up its seat in a session that was interrupted.

        A fresh mind hears again what it heard; of what it answers, only that is kept which the log does not
        hold yet.

        Returns:
            What was still to come. It waits again once it is put back, which is done for all seats together:
            of two things that are due at one instant, the one that was decided first comes first.
        """
        retrace = Retrace(
            self._seat, self._tenancy.casting, self._viewer, self._timing, self._named_by_accept
        )
        for happening in happenings:
            retrace.follow(happening)
        self._flushed = retrace.flushed
        self._opening = retrace.opening
        tenant = retrace.tenant()
        self._owing = tenant if tenant.failed else None
        self._tenancy.take_over(tenant)
        now, found = self._session.now(), []
        for left in retrace.still_to_come():
            origin = self._origin(left.answer, left.decided_at)
            put = partial(self._put, left.answer, left.step, max(left.due, now), origin)
            found.append(StillToCome(left.decided_at, left.answer.question.view.state.version, put))
        return found

    def settle(self) -> None:
        """What the log of a resumed session still owes: a failure, and what follows from it."""
        owing, self._owing = self._owing, None
        if owing is None or owing.failed is None:
            return
        if owing.told is None:
            self._strike(owing.failed, FailureKind.LOST)
        elif self._session.state.phase is Phase.NEGOTIATING:
            self._succeed(owing.failed, owing.told)

    def take(self, answer: Answer) -> None:
        """Schedules an answer's script; called on the table's thread."""
        if answer.failure and self._strike(answer, _kind_of(answer)):
            return  # another one answers in its place
        known = answer.question.view.state.version
        if known < self._ended or not answer.steps:
            return  # nothing to do, or decided before the end, and the end cancels what waits
        if self._waiting:
            self._waiting = [waiting for waiting in self._waiting if waiting.entry.waiting]
        if len(self._waiting) + len(answer.steps) > MOST_WAITING:
            error = AgentError(f"More than {MOST_WAITING:,} of its actions wait.")
            self._strike(failed(answer.question, error), FailureKind.FAILED)
            return
        if self._timing.interrupt:
            self._cancel(lambda step: not isinstance(step, ScheduledCall))
        self._schedule(answer, decided_before_a_move=known < self._flushed)

    def _schedule(self, answer: Answer, *, decided_before_a_move: bool) -> None:
        """Puts an answer's steps on the scheduler, each at its time."""
        decided_at = self._session.now()
        origin = self._origin(answer, decided_at)
        for step, due in timed(answer, decided_at, self._timing, self._opening.at):
            if isinstance(step, ScheduledCall) and self._ended:
                continue  # nothing that waits outlives the end
            if step.flushable and decided_before_a_move:
                continue  # the other's move makes it pointless
            self._put(answer, step, due, origin)

    def _origin(self, answer: Answer, decided_at: float) -> Origin:
        return make(Origin, (self._tenancy.decided_by, answer.question.stimulus.seq, decided_at, ()))

    def _put(self, answer: Answer, step: Step, due: float, origin: Origin) -> None:
        if isinstance(step, ScheduledCall):
            call = partial(self._call, step, answer.question.stimulus)
        else:
            call = partial(self._perform, answer, step, origin)
        self._waiting.append(make(_Waiting, (self._scheduler.at(due, call), step, answer)))

    def _open_earlier(self, seconds: float) -> None:
        """Moves what waits of the answer to the start: another seat has acted before it was due."""
        for i, (entry, step, answer) in enumerate(self._waiting):
            if entry.waiting and is_opening(answer):
                entry.cancel()
                earlier = self._scheduler.at(entry.at - seconds, entry.call)
                self._waiting[i] = make(_Waiting, (earlier, step, answer))

    def stop(self) -> None:
        """Ends what asks the agent."""
        self._tenancy.stop()

    def _perform(self, answer: Answer, step: Step, origin: Origin) -> None:
        outer, self._performing = self._performing, answer
        try:
            self._do(step, origin, answer.question)
        except Refused:
            # The session has recorded it, and the agent hears of it by on_action_refused.
            return
        except LogFailed:
            raise
        except Exception as error:  # noqa: BLE001 - what an agent made must not end the table
            self._strike(failed(answer.question, error), FailureKind.ACT)
        finally:
            self._performing = outer

    def _do(self, step: Step, origin: Origin, question: Question) -> None:
        """One action as one verb."""
        match step:
            case SendMessage(text, subtype):
                message = Message(text, subtype, step.preference, step.batna)
                self._session.send_message(self._seat, message, origin._replace(to=step.to))
            case SendOffer(offer):
                self._session.send_offer(self._seat, offer, origin)
            case SendExpression(expression, duration_ms):
                self._session.send_expression(self._seat, expression, duration_ms, origin)
            case FormalAccept():
                offer_id = self._named_by_accept(question.view.state)
                self._session.formal_accept(self._seat, offer_id, origin)
            case FormalQuit():
                self._session.formal_quit(self._seat, origin)
            case ShowTyping(duration_ms):
                self._session.show_typing(self._seat, duration_ms, origin)
            case ProposeChange(updates):
                # Nobody else changes a seat's notes, so what names no version is meant for the newest.
                newest = self._session.state.record.version
                base = newest if step.base_version is None else step.base_version
                self._session.propose_change(self._proposer, updates, base, origin)
            case Schedule() | ScheduledCall():
                raise TypeError("a callback is called, not performed")
            case _:
                assert_never(step)

    def _call(self, step: ScheduledCall, stimulus: Event) -> None:
        phase = self._session.state.phase
        noted = self._session.note(NoteKind.SCHEDULED_CALL, stimulus.seq, seat=self._seat, number=step.number)
        if self._session.state.phase is not phase:
            # The note was one event too many for this instant and ended the game: what waits is over.
            return
        view = self._viewer.view(self._session.state)
        self._tenancy.ask(Question(view, noted.t, stimulus, call=step.number))

    def _cancel(self, wanted: Callable[[Step], bool]) -> None:
        for waiting in self._waiting:
            if wanted(waiting.step):
                waiting.entry.cancel()

    def _cancel_at_the_end(self) -> None:
        """What waits is over, but for the words that stand behind the very act that ended the game."""
        for waiting in self._waiting:
            if waiting.answer is not self._performing or not isinstance(
                waiting.step, SendMessage | SendExpression
            ):
                waiting.entry.cancel()

    def _strike(self, answer: Answer, kind: FailureKind) -> bool:
        """Records a failure and what follows from it; whether the understudy took the seat."""
        if answer.error is not None:
            self._report(answer.error)
        try:
            self._session.agent_failed(self._seat, answer.failure, kind, cause=answer.question.stimulus.seq)
        except Refused:
            return False  # it failed after the closing, when nothing is recorded any more
        if not self._tenancy.struck(answer) or self._session.state.phase is not Phase.NEGOTIATING:
            return False
        return self._succeed(answer, kind)

    def _succeed(self, answer: Answer, kind: FailureKind) -> bool:
        """Whoever follows takes the seat of one that may no longer hold it; whether it is the understudy."""
        match self._tenancy.next():
            case Next.RESTART:
                times = self._tenancy.restarts + 1
                self._session.note(NoteKind.AGENT_RESTARTED, seat=self._seat, times=times)
                self._tenancy.restart(answer.question if answer.lost else None)
            case Next.UNDERSTUDY:
                understudy = self._tenancy.understudy
                named = {"agent": understudy.name, "sha256": understudy.sha256}
                self._session.note(NoteKind.FALLBACK_SEATED, seat=self._seat, **named)
                self._cancel(lambda _step: True)
                self._tenancy.seat_understudy(None if kind is FailureKind.ACT else answer.question)
                return True
            case Next.END:
                self._tenancy.stop()  # it is not asked for last words that it cannot find
                self._session.end(EndedBy.AGENT_FAILURE, "The other side can’t continue.", by=self._seat)
        return False


def _kind_of(answer: Answer) -> FailureKind:
    if answer.lost:
        return FailureKind.LOST
    return FailureKind.SLOW if answer.steps else FailureKind.FAILED
