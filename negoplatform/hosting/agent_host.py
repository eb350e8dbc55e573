"""One agent in one seat, seen from the table: events go out to it, its script comes back as proposals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import partial
from typing import NamedTuple

from negoplatform.agent_api.actions import FormalAccept, Schedule, SendExpression, SendMessage
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import EndedBy, Event, EventType, FailureKind
from negoplatform.core.notes import NoteKind
from negoplatform.core.scheduler import Scheduler, TimerHandle
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.state import Phase, State
from negoplatform.core.visibility import Observer, ViewProjector, visible_game
from negoplatform.domain.errors import AgentError, LogWriteError, Refused
from negoplatform.domain.fast_tuple import new_tuple
from negoplatform.domain.seat import Seat
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import (
    AgentRequest,
    AgentResponse,
    ScheduledCall,
    ScriptStep,
    failure_response,
)
from negoplatform.hosting.executor import ExecutorFactory
from negoplatform.hosting.responder import SeatAssignment, event_for_agent
from negoplatform.hosting.script_timing import (
    FLUSHING_EVENTS,
    AgentTiming,
    Opening,
    is_opening,
    steps_with_due_times,
)
from negoplatform.hosting.seat_actions import AcceptOffer, SeatAction, perform_action
from negoplatform.hosting.seat_lifecycle import RecoveryAction, SeatSnapshot, SeatSupervisor

MAX_SCHEDULED_STEPS = 1000
"""Steps of one agent that may wait at once; callbacks that schedule callbacks would fill the memory."""


class _ScheduledStep(NamedTuple):
    """A step that waits on the scheduler, and the answer that it belongs to."""

    timer: TimerHandle
    step: ScriptStep
    response: AgentResponse


class RestoredStep(NamedTuple):
    """A step of a script that was waiting when a session was interrupted.

    Args:
        decided_at: The session time at which it was decided.
        known_seq: The newest event that was known then.
        reschedule: Has it wait again.
    """

    decided_at: float
    known_seq: int
    reschedule: Callable[[], None]


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
        assignment: SeatAssignment,
        executor_factory: ExecutorFactory,
        acceptance_target: Callable[[State], int],
        report: Callable[[BaseException], object],
    ) -> None:
        self._seat = seat
        self._observer = Observer(seat)
        # A copy of its own: what an agent does to it, by whatever trick, the session does not feel.
        self._viewer = ViewProjector(
            self._observer, deepcopy(visible_game(session.state.game, self._observer))
        )
        self._session = session
        self._scheduler = scheduler
        self._timing = timing
        self._opening = Opening(seat, timing)
        self._acceptance_target = acceptance_target
        self._report = report
        self._scheduled: list[_ScheduledStep] = []
        self._performing: AgentResponse | None = None
        self._flushed = self._ended = 0
        self._pending_failure: SeatSnapshot | None = None
        self._supervisor = SeatSupervisor(seat, assignment, executor_factory, self.on_response)

    def on_event(self, published: PublishedEvent) -> None:
        """Takes note of a happening and asks the agent, if its seat may see it and did not do it."""
        seen = event_for_agent(self._observer, published.public)
        if seen is None:
            return
        if seen.type == EventType.GAME_END:
            self._ended = seen.seq
            self._cancel_at_the_end()
        if seen.sender == self._seat:
            self._supervisor.notify(seen)
            return
        if seen.type in FLUSHING_EVENTS:
            self._flushed = seen.seq
            if self._scheduled:
                self._cancel(lambda step: bool(step.flushable))
        if earlier := self._opening.update(seen):
            self._advance_opening(earlier)
        self._supervisor.submit(
            new_tuple(AgentRequest, (self._viewer.view(published.state), seen.t, seen, None))
        )

    def resume(self, published_events: Iterable[PublishedEvent]) -> list[RestoredStep]:
        """Takes up its seat in a session that was interrupted.

        A fresh mind hears again what it heard; of what it answers, only that is kept which the log does not
        hold yet.

        Returns:
            What was still to come. It waits again once it is put back, which is done for all seats together:
            of two things that are due at one instant, the one that was decided first comes first.
        """
        retrace = AgentReplay(
            self._seat, self._supervisor.assignment, self._viewer, self._timing, self._acceptance_target
        )
        for happening in published_events:
            retrace.apply_event(happening)
        self._flushed = retrace.flushed
        self._opening = retrace.opening
        tenant = retrace.snapshot()
        self._pending_failure = tenant if tenant.failed_response else None
        self._supervisor.restore(tenant)
        now, found = self._session.now(), []
        for left in retrace.pending_steps():
            origin = self._origin(left.response, left.decided_at)
            put = partial(self._schedule_step, left.response, left.step, max(left.due, now), origin)
            found.append(RestoredStep(left.decided_at, left.response.request.view.state.version, put))
        return found

    def complete_recovery(self) -> None:
        """What the log of a resumed session still owes: a failure, and what follows from it."""
        owing, self._pending_failure = self._pending_failure, None
        if owing is None or owing.failed_response is None:
            return
        if owing.recorded_kind is None:
            self._record_failure(owing.failed_response, FailureKind.LOST)
        elif self._session.state.phase is Phase.NEGOTIATING:
            self._recover_from_failure(owing.failed_response, owing.recorded_kind)

    def on_response(self, response: AgentResponse) -> None:
        """Schedules an answer's script; called on the table's thread."""
        if response.failure and self._record_failure(response, _failure_kind(response)):
            return  # another one answers in its place
        known = response.request.view.state.version
        if known < self._ended or not response.steps:
            return  # nothing to do, or decided before the end, and the end cancels what waits
        if self._scheduled:
            self._scheduled = [waiting for waiting in self._scheduled if waiting.timer.pending]
        if len(self._scheduled) + len(response.steps) > MAX_SCHEDULED_STEPS:
            error = AgentError(f"More than {MAX_SCHEDULED_STEPS:,} of its actions wait.")
            self._record_failure(failure_response(response.request, error), FailureKind.FAILED)
            return
        if self._timing.interrupt:
            self._cancel(lambda step: not isinstance(step, ScheduledCall))
        self._schedule(response, decided_before_a_move=known < self._flushed)

    def _schedule(self, answer: AgentResponse, *, decided_before_a_move: bool) -> None:
        """Puts an answer's steps on the scheduler, each at its time."""
        decided_at = self._session.now()
        origin = self._origin(answer, decided_at)
        for step, due in steps_with_due_times(answer, decided_at, self._timing, self._opening.at):
            if isinstance(step, ScheduledCall) and self._ended:
                continue  # nothing that waits outlives the end
            if step.flushable and decided_before_a_move:
                continue  # the other's move makes it pointless
            self._schedule_step(answer, step, due, origin)

    def _origin(self, answer: AgentResponse, decided_at: float) -> ActionOrigin:
        return new_tuple(
            ActionOrigin, (self._supervisor.decided_by, answer.request.stimulus.seq, decided_at, ())
        )

    def _schedule_step(
        self, answer: AgentResponse, step: ScriptStep, due: float, origin: ActionOrigin
    ) -> None:
        if isinstance(step, ScheduledCall):
            call = partial(self._run_callback, step, answer.request.stimulus)
        else:
            call = partial(self._perform, answer, step, origin)
        self._scheduled.append(new_tuple(_ScheduledStep, (self._scheduler.call_at(due, call), step, answer)))

    def _advance_opening(self, seconds: float) -> None:
        """Moves what waits of the answer to the start: another seat has acted before it was due."""
        for i, (entry, step, answer) in enumerate(self._scheduled):
            if entry.pending and is_opening(answer):
                entry.cancel()
                earlier = self._scheduler.call_at(entry.when - seconds, entry.callback)
                self._scheduled[i] = new_tuple(_ScheduledStep, (earlier, step, answer))

    def stop(self) -> None:
        """Ends what asks the agent."""
        self._supervisor.stop()

    def _perform(self, answer: AgentResponse, step: ScriptStep, origin: ActionOrigin) -> None:
        outer, self._performing = self._performing, answer
        try:
            self._execute_action(step, origin, answer.request)
        except Refused:
            # The session has recorded it, and the agent hears of it by on_action_refused.
            return
        except LogWriteError:
            raise
        except Exception as error:  # noqa: BLE001 - what an agent made must not end the table
            self._record_failure(failure_response(answer.request, error), FailureKind.ACT)
        finally:
            self._performing = outer

    def _execute_action(self, step: ScriptStep, origin: ActionOrigin, request: AgentRequest) -> None:
        match step:
            case Schedule() | ScheduledCall():
                raise TypeError("a callback is called, not performed")
            case FormalAccept():
                action: SeatAction = AcceptOffer(self._acceptance_target(request.view.state))
            case _:
                action = step
        perform_action(self._session, self._seat, action, origin)

    def _run_callback(self, step: ScheduledCall, stimulus: Event) -> None:
        phase = self._session.state.phase
        noted = self._session.note(NoteKind.SCHEDULED_CALL, stimulus.seq, seat=self._seat, number=step.number)
        if self._session.state.phase is not phase:
            # The note was one event too many for this instant and ended the game: what waits is over.
            return
        view = self._viewer.view(self._session.state)
        self._supervisor.submit(AgentRequest(view, noted.t, stimulus, call=step.number))

    def _cancel(self, wanted: Callable[[ScriptStep], bool]) -> None:
        for waiting in self._scheduled:
            if wanted(waiting.step):
                waiting.timer.cancel()

    def _cancel_at_the_end(self) -> None:
        """What waits is over, but for the words that stand behind the very act that ended the game."""
        for waiting in self._scheduled:
            if waiting.response is not self._performing or not isinstance(
                waiting.step, SendMessage | SendExpression
            ):
                waiting.timer.cancel()

    def _record_failure(self, answer: AgentResponse, kind: FailureKind) -> bool:
        """Records a failure and what follows from it; whether the understudy took the seat."""
        if answer.error is not None:
            self._report(answer.error)
        try:
            self._session.record_agent_failure(
                self._seat, answer.failure, kind, cause=answer.request.stimulus.seq
            )
        except Refused:
            return False  # it failed after the closing, when nothing is recorded any more
        if not self._supervisor.record_failure(answer) or self._session.state.phase is not Phase.NEGOTIATING:
            return False
        return self._recover_from_failure(answer, kind)

    def _recover_from_failure(self, answer: AgentResponse, kind: FailureKind) -> bool:
        """Whoever follows takes the seat of one that may no longer hold it; whether it is the understudy."""
        match self._supervisor.next_action():
            case RecoveryAction.RESTART:
                times = self._supervisor.restarts + 1
                self._session.note(NoteKind.AGENT_RESTARTED, seat=self._seat, times=times)
                self._supervisor.restart(answer.request if answer.lost else None)
            case RecoveryAction.FALLBACK:
                understudy = self._supervisor.fallback
                named = {"agent": understudy.name, "sha256": understudy.sha256}
                self._session.note(NoteKind.FALLBACK_SEATED, seat=self._seat, **named)
                self._cancel(lambda _step: True)
                self._supervisor.seat_fallback(None if kind is FailureKind.ACT else answer.request)
                return True
            case RecoveryAction.END:
                self._supervisor.stop()  # it is not asked for last words that it cannot find
                self._session.end(EndedBy.AGENT_FAILURE, "The other side can’t continue.", by=self._seat)
        return False


def _failure_kind(answer: AgentResponse) -> FailureKind:
    if answer.lost:
        return FailureKind.LOST
    return FailureKind.SLOW if answer.steps else FailureKind.FAILED
