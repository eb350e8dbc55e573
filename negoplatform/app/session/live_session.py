"""Session on the wall clock, on a separate thread, which the window reaches through queues alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from typing import Any, Protocol, assert_never

from negoplatform.agent_api.actions import FormalQuit
from negoplatform.app.session.participant_actions import ProposalPerformer
from negoplatform.app.session.participant_seat import (
    FinishClosingRequest,
    ParticipantEntry,
    ParticipantSeat,
    PauseRequest,
    SaveDraftRequest,
    SessionUpdate,
    UnpauseRequest,
)
from negoplatform.app.session.session_clock import ClockMonitor, SessionClock
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.app.session.unused_joint_gains import ParetoImprovement, find_pareto_improvement
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import EndedBy, Ending, Event, EventType, clean_text
from negoplatform.core.fold import initial_state
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks import Record
from negoplatform.core.state import Phase
from negoplatform.core.visibility import Observer, View, copy_for_thread, view_of, visible_event, visible_game
from negoplatform.domain.errors import LogWriteError, NegoError, Refused
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.failover import LogRelocation
from negoplatform.eventlog.writer import EventSink
from negoplatform.hosting.agent_runner import AgentResponse
from negoplatform.hosting.responder import AgentInput, ResponderFactory
from negoplatform.hosting.responder_executors import AgentExecutor, ResponseCallback, ThreadExecutor

PAUSED_FOR_READING, LOG_UNWRITABLE, CLOSING_OVER = "reading", "stuck", "over"
"""Reasons for which the clock stands still."""

RETRY_SECONDS = 1.0
"""Seconds between two attempts of a frozen session to write."""

LONGEST_WAIT = 2.0
"""Longest wait of the session's thread in seconds: the clocks are polled then."""


class LiveLog(EventSink, Protocol):
    """Log that may have to move to another folder, and reports when it cannot be written anywhere."""

    on_unwritable: Callable[[LogWriteError], bool]

    @property
    def sync_due(self) -> float | None:
        """The ``time.monotonic()`` by which :meth:`sync` has to be called; None if nothing waits."""
        ...

    def sync(self) -> None:
        """Sync to the disk what was written."""
        ...

    def take_relocations(self) -> list[LogRelocation]:
        """Return the moves since the last call."""
        ...


class SessionPersistence(Protocol):
    """Storage for data that survives a session."""

    def save_record(self, record: Record) -> None:
        """Save the record of accepted proposals, after a change."""
        ...

    def save_draft(self, draft: Mapping[str, Any]) -> None:
        """Save the participant's unsent draft."""
        ...


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """State of the log from which a session is resumed.

    Args:
        events: The events of its log.
        torn_bytes: The number of bytes of a torn last line that were set aside.
    """

    events: tuple[Event, ...]
    torn_bytes: int = 0


@dataclass(frozen=True, slots=True)
class _AgentResponded:
    """Pass on the oldest response of an agent, which waits in a queue of its own."""


@dataclass(frozen=True, slots=True)
class _ImprovementFound:
    """Result of the search for a better deal."""

    improvement: ParetoImprovement | None


@dataclass(frozen=True, slots=True)
class _Stop:
    """End the session."""


_InboxEntry = ParticipantEntry | _AgentResponded | _ImprovementFound | _Stop
"""Values that reach the session's thread: a participant's script, or a request to the thread itself.

The participant's window can reach this queue, so nothing in it leads to an agent or to the session.
"""


class LiveSession:
    """Session of a participant that runs on a separate thread.

    Only that thread uses session, scheduler and log: proposals arrive through one queue, updates leave
    through another.

    Args:
        plan: The session's plan.
        log: Its log.
        report: Called with an unexpected error, for the crash file.
        persistence: Stores drafts and the record; None: they are not stored.
        resume_point: The point that the session is resumed from; None: it is new.
        clock_monitor: The monitor of the computer's clocks.
        on_any_event: Called on the session's thread with every event, whichever seats may see it; for an
            agent's author alone.
    """

    def __init__(
        self,
        plan: SessionPlan,
        *,
        log: LiveLog,
        report: Callable[[BaseException], object],
        persistence: SessionPersistence | None = None,
        resume_point: ResumePoint | None = None,
        clock_monitor: ClockMonitor | None = None,
        on_any_event: Callable[[Event], object] = lambda _event: None,
    ) -> None:
        if plan.human_seat is None:
            raise NegoError("A live table needs a seat for a person.")
        self.seat: Seat = plan.human_seat
        self.updates: SimpleQueue[SessionUpdate] = SimpleQueue()
        self._plan = plan
        self._log = log
        self._report = report
        self._persistence = persistence
        self._resume_point = resume_point
        self._clock_monitor = clock_monitor or ClockMonitor()
        self._on_any_event = on_any_event
        self._inbox: SimpleQueue[_InboxEntry] = SimpleQueue()
        self._responses: SimpleQueue[tuple[ResponseCallback, AgentResponse]] = SimpleQueue()
        self._start_requests: SimpleQueue[bool] = SimpleQueue()
        self._observer = Observer(self.seat)
        self._clock = SessionClock()
        self._started = False
        self._stopped = False
        self._stop_requested = Flag()
        self._frozen: str = ""
        self._frozen_since = 0.0
        self._paused_page: str = ""
        self._paused_since = 0.0
        self._improvement: ParetoImprovement | None = None
        self._pending_notes: list[tuple[NoteKind, Mapping[str, Any]]] = list(plan.notes)
        self._drafts: SimpleQueue[Mapping[str, Any]] = SimpleQueue()
        self._runner: SessionRunner | None = None
        self._thread = Thread(target=self._run, name="table", daemon=True)
        log.on_unwritable = self._on_unwritable

    @property
    def participant_seat(self) -> ParticipantSeat:
        """All that the participant's window gets of this session."""
        return ParticipantSeat(
            self.seat,
            visible_game(self._plan.game, self._observer),
            self._plan.participant,
            self.updates,
            on_start=self._start_requests.put,
            on_entry=self._inbox.put,
            on_draft=self._drafts.put,
        )

    @property
    def has_started(self) -> bool:
        """Whether the game was started or resumed."""
        return self._started

    def await_start(self) -> None:
        """Wait on the session's thread until :meth:`ParticipantSeat.start` is called."""
        self._thread.start()

    def start(self) -> None:
        """Start or resume the game, without waiting for the participant."""
        self._start_requests.put(True)
        self.await_start()

    def stop(self, timeout: float = 3.0) -> None:
        """End the session and wait until its log is closed; not to be called from a Tk callback."""
        self._stop_requested.set()
        self._start_requests.put(False)
        self._inbox.put(_Stop())
        if self._thread.ident is not None:
            self._thread.join(timeout)

    def _save_draft(self) -> None:
        """Save the newest draft; also at the end and after a failure, so that no waiting draft is lost."""
        draft = None
        with suppress(Empty):
            while True:
                draft = self._drafts.get_nowait()
        if draft is not None and self._persistence is not None:
            self._persistence.save_draft(draft)

    def _run(self) -> None:
        self._started = self._start_requests.get()
        if not self._started:
            return
        try:
            self._runner = self._build()
            self._begin(self._runner)
            self._loop(self._runner)
        except LogWriteError as error:
            self._fail(str(error), error)
        except BaseException as error:  # noqa: BLE001 - this thread must not end without a report
            self._fail(
                "The session had to stop because of an error in the program. Everything so far is saved.",
                error,
            )
        finally:
            self._plan.stop_agents()  # including the process of an agent that never got a request

    def _build(self) -> SessionRunner:
        past = self._resume_point
        self._clock = SessionClock(past.events[-1].t if past and past.events else 0.0)
        runner = SessionRunner(
            self._plan.game,
            seed=self._plan.seed,
            clock=self._clock,
            log=self._log,
            report=self._report,
            # Reading the debriefings is noted in the log, so the log is closed after that.
            on_closed=self._stop_clock_after_closing if self._plan.debriefings else None,
            session_id=self._plan.session_id,
            record=self._plan.record,
        )
        for seat, agent in self._plan.agents.items():
            runner.assign(seat, agent.assignment, agent.timing, self._thread_executor(seat))
        runner.subscribe(self._on_published)
        return runner

    def _begin(self, runner: SessionRunner) -> None:
        if self._resume_point is None:
            self._clock.resume()
            runner.start()
            return
        # Session time is stopped until all agents have been restored.
        runner.resume(self._resume_point.events, self._resume_point.torn_bytes)
        if self._persistence is not None:
            # The program may have been killed between the log and the store.
            self._persistence.save_record(runner.session.state.record)
        self._clock.resume()
        self.updates.put(self._update(self._current_view()))

    def _thread_executor(self, seat: Seat) -> Callable[..., AgentExecutor]:
        def make(
            responder_factory: ResponderFactory, on_response: ResponseCallback, past: tuple[AgentInput, ...]
        ) -> AgentExecutor:
            def enqueue(answer: AgentResponse) -> None:
                self._responses.put((on_response, answer))
                self._inbox.put(_AgentResponded())

            return ThreadExecutor(responder_factory, enqueue, past, f"agent at {seat}")

        return make

    def _loop(self, runner: SessionRunner) -> None:
        """Perform due events, then queued entries, one at a time; sleep until there is one of either."""
        performer = ProposalPerformer(runner.session, self.seat)
        while not (runner.finished or self._stopped):
            try:
                entry = self._inbox.get(timeout=self._seconds_to_wait(runner))
            except Empty:
                entry = None
            self._housekeeping(runner)
            # First one due call: at the deadline the game is over, even if a click waits. Only one, so
            # an agent that always has something due does not block the queue.
            if not self._paused_page:
                runner.run_one_due()
            if entry is not None and not runner.finished:
                self._execute(entry, runner, performer)
            if runner.session.state.phase is not Phase.NEGOTIATING:
                self._unpause()
        self._unpause()
        self._save_draft()
        self._housekeeping(runner)
        runner.finish()
        self._take_relocations()  # all of the log is compared when it is closed
        self.updates.put(replace(self._update(self._current_view()), finished=True))

    def _seconds_to_wait(self, runner: SessionRunner) -> float:
        """Return the seconds until something is due if no entry arrives."""
        wait = LONGEST_WAIT
        due = None if self._paused_page else runner.next_due()
        if due is not None:
            wait = min(wait, due - self._clock())
        if self._log.sync_due is not None:
            wait = min(wait, self._log.sync_due - time.monotonic())
        return max(0.0, wait)

    def _housekeeping(self, runner: SessionRunner) -> None:
        """Sync the log when that is due, and record notes about the computer and the log."""
        if self._log.sync_due is not None and self._log.sync_due <= time.monotonic():
            self._log.sync()
        if self._frozen:
            self._unfreeze()
        self._take_relocations()
        for news in self._clock_monitor.poll():
            self._pending_notes.append((news.kind, {"seconds": news.seconds}))
        while self._pending_notes and not runner.finished:
            kind, data = self._pending_notes[0]
            with suppress(Refused):  # before the start and after the end notes are refused
                runner.session.note(kind, **data)
            self._pending_notes.pop(0)

    def _take_relocations(self) -> None:
        """Report each move of the log, for the crash file, and note it."""
        for move in self._log.take_relocations():
            self._report(LogWriteError(str(move)))
            # A path may contain bytes that are no UTF-8, which a log cannot hold.
            moved = {"old": str(move.old), "new": str(move.new), "reason": move.reason}
            moved = {name: clean_text(text) for name, text in moved.items()}
            self._pending_notes.append((NoteKind.LOG_MOVED, moved))

    def _execute(self, entry: _InboxEntry, runner: SessionRunner, performer: ProposalPerformer) -> None:
        try:
            match entry:
                case tuple():
                    performer.perform(entry)
                    if any(isinstance(proposal, FormalQuit) for proposal in entry):
                        # Where the rules let the others go on, nobody is left who would see it.
                        runner.session.end(EndedBy.QUIT, by=self.seat)
                case _AgentResponded():
                    on_response, response = self._responses.get()
                    on_response(response)
                case SaveDraftRequest():
                    self._save_draft()
                case PauseRequest(page):
                    self._pause(page)
                case UnpauseRequest():
                    self._unpause()
                case FinishClosingRequest():
                    if runner.session.state.phase is Phase.CLOSING:
                        runner.finish()
                case _ImprovementFound(improvement):
                    self._improvement = improvement
                    self.updates.put(self._update(self._current_view()))
                case _Stop():
                    self._stopped = True
                case _:
                    assert_never(entry)
        except Refused:
            # Recorded by the session, and shown to the participant in their transcript.
            return

    # A log that cannot be written

    def _on_unwritable(self, error: LogWriteError) -> bool:
        """Stop session time and ask the participant to wait; return whether to try again."""
        if not self._frozen:
            self._frozen_since = time.monotonic()
            self._clock.stop(LOG_UNWRITABLE)
        if self._frozen != str(error):
            self._frozen = str(error)
            self._report(error)
            if self._runner is not None:
                self.updates.put(self._update(self._current_view()))
        return not self._stop_requested.wait(RETRY_SECONDS)

    def _unfreeze(self) -> None:
        reason, self._frozen = self._frozen, ""
        seconds = round(time.monotonic() - self._frozen_since, 3)
        self._clock.resume(LOG_UNWRITABLE)
        self._pending_notes.append((NoteKind.SESSION_FROZEN, {"seconds": seconds, "reason": reason}))
        self.updates.put(self._update(self._current_view()))

    # Pauses for reading

    def _stop_clock_after_closing(self, at: float) -> None:
        """Stop session time at the end of the closing, until :meth:`ParticipantSeat.finish_closing`."""
        self._clock.stop(CLOSING_OVER, at=at)
        self.updates.put(replace(self._update(self._current_view()), finished=True))

    def _pause(self, page: str) -> None:
        """Stop session time, and everything that is due, until :meth:`_unpause`."""
        if not self._paused_page and self._require_runner().session.state.phase is Phase.NEGOTIATING:
            self._paused_page, self._paused_since = page, time.monotonic()
            self._clock.stop(PAUSED_FOR_READING)
            self.updates.put(self._update(self._current_view()))

    def _unpause(self) -> None:
        if not self._paused_page:
            return
        page, self._paused_page = self._paused_page, ""
        seconds = round(time.monotonic() - self._paused_since, 3)
        self._clock.resume(PAUSED_FOR_READING)
        self._pending_notes.append((NoteKind.SESSION_PAUSED, {"page": page, "seconds": seconds}))
        self.updates.put(self._update(self._current_view()))

    # Updates for the window

    def _on_published(self, published: PublishedEvent) -> None:
        if self._frozen:
            self._unfreeze()  # events are published only when their lines are on the disk
        self._on_any_event(published.event)
        if published.event.type == EventType.STATE_PROPOSED and self._persistence is not None:
            self._persistence.save_record(published.state.record)
        if isinstance(published.event.payload, Ending) and self._plan.game.rules.show_left_on_table:
            self._find_improvement(published.event.payload)
        event = visible_event(published.event, self._observer)
        if event is not None:
            self.updates.put(self._update(view_of(published.state, self._observer), event))

    def _update(self, view: View, event: Event | None = None) -> SessionUpdate:
        return SessionUpdate(
            copy_for_thread(view),
            event,
            self._clock.time_origin,
            frozen=self._frozen,
            paused=bool(self._paused_page),
            improvement=self._improvement,
        )

    def _find_improvement(self, ending: Ending) -> None:
        """Search on another thread for a deal that would have been better for every seat."""

        def search() -> None:
            self._inbox.put(_ImprovementFound(find_pareto_improvement(self._plan.game, ending)))

        Thread(target=search, name="left on the table", daemon=True).start()

    def _current_view(self) -> View:
        return view_of(self._require_runner().session.state, self._observer)

    def _initial_view(self) -> View:
        """Return the seat's view of a game that could not be set up."""
        game = self._plan.game
        return view_of(
            initial_state(game, mechanism_of(game.mechanism), self._plan.session_id, self._plan.record),
            self._observer,
        )

    def _require_runner(self) -> SessionRunner:
        if self._runner is None:
            raise NegoError("The table is not set yet.")
        return self._runner

    def _fail(self, sentence: str, error: BaseException) -> None:
        """End a session that cannot go on; the window is informed, whatever else fails."""
        try:
            self._report(error)
            self._save_draft()
        finally:
            seen = self._current_view() if self._runner is not None else self._initial_view()
            self.updates.put(
                SessionUpdate(
                    copy_for_thread(seen),
                    None,
                    self._clock.time_origin,
                    finished=True,
                    error_message=sentence,
                )
            )
            if self._runner is not None:
                self._runner.abandon()
            try:
                self._log.close()
            except (OSError, LogWriteError) as second:
                self._report(second)
