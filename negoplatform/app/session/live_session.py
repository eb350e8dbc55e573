"""Session on the wall clock, on a separate thread, which the window reaches through queues alone."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from typing import Any, assert_never

from negoplatform.app.session.participant_seat import (
    AgentResponded,
    AnswerAdvice,
    FinishClosingRequest,
    ImprovementFound,
    InboxEntry,
    ParticipantEntry,
    ParticipantSeat,
    PauseRequest,
    PersonReady,
    SaveDraftRequest,
    SeatEntry,
    SessionUpdate,
    StopSession,
    UnpauseRequest,
    WindowRequested,
)
from negoplatform.app.session.session_clock import ClockMonitor, SessionClock
from negoplatform.app.session.session_data_autosave import SessionPersistence
from negoplatform.app.session.session_plan import ResumePoint, SessionPlan, adviser_name
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.app.session.unused_joint_gains import ParetoImprovement, find_pareto_improvement
from negoplatform.app.session.windows.session_feed import (
    AnswerSuggestion,
    ChangeWizardMode,
    DraftEntry,
    FeedItem,
    FeedStatus,
    HoldSuggestion,
    JoinRole,
    OpenWholeState,
    RemoteEntry,
    RoleKind,
    SessionIntroduction,
    StartRequest,
)
from negoplatform.app.session.windows.session_windows import (
    AttachWindow,
    DetachWindow,
    SaveRemoteDraft,
    SessionWindows,
    WindowRequest,
    WizardRequest,
    introduction_of,
)
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Ending, Event, EventType, clean_text
from negoplatform.core.fold import initial_state
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import Phase
from negoplatform.core.visibility import (
    View,
    copy_for_thread,
    observer_of,
    view_of,
    visible_event,
    visible_game,
)
from negoplatform.domain.errors import LogWriteError, NegoError, Refused
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.failover import LiveLog
from negoplatform.hosting.agent_host import AgentHost
from negoplatform.hosting.agent_runner import AgentResponse
from negoplatform.hosting.responder import AgentInput, ResponderFactory
from negoplatform.hosting.responder_executors import (
    AgentExecutor,
    InlineExecutor,
    ResponseCallback,
    ThreadExecutor,
)

PAUSED_FOR_READING, LOG_UNWRITABLE, CLOSING_OVER = "reading", "stuck", "over"
"""Reasons for which the clock stands still."""

RETRY_SECONDS = 1.0
"""Seconds between two attempts of a frozen session to write."""

LONGEST_WAIT = 2.0
"""Longest wait of the session's thread in seconds: the clocks are polled then."""


class LiveSession:
    """Session with people that runs on a separate thread.

    Only that thread uses session, scheduler and log: proposals arrive through one queue, updates leave
    through another. Windows in other processes can join (``JoinableSession``).

    Args:
        plan: The session's plan.
        log: Its log.
        report: Called with an unexpected error, for the crash file.
        persistence: Stores drafts and the record; None: they are not stored.
        resume_point: The point that the session is resumed from; None: it is new.
        clock_monitor: The monitor of the computer's clocks.
        on_any_event: Called on the session's thread with every event, whichever seats may see it; for an
            agent's author alone.
        has_window: Whether the first person's window is in this process; otherwise it joins too.
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
        has_window: bool = True,
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
        self._has_window = has_window
        self._inbox: SimpleQueue[InboxEntry] = SimpleQueue()
        self._deferred: deque[InboxEntry] = deque()
        self._responses: SimpleQueue[tuple[ResponseCallback, AgentResponse]] = SimpleQueue()
        self._requests: SimpleQueue[WindowRequest | SaveRemoteDraft] = SimpleQueue()
        self._observer = observer_of(plan.game, self.seat)
        self._clock = SessionClock()
        self._started = False
        self._stopped = False
        self._is_over = False
        self._stop_requested = Flag()
        self._frozen: str = ""
        self._frozen_since = 0.0
        self._paused_page: str = ""
        self._paused_since = 0.0
        self._held: list[WizardRequest] = []
        """The wizard's scripts that wait for the end of a pause, in which nothing is recorded."""
        self._improvement: ParetoImprovement | None = None
        self._pending_notes: list[tuple[NoteKind, Mapping[str, Any]]] = list(plan.notes)
        self._drafts: SimpleQueue[Mapping[str, Any]] = SimpleQueue()
        self._runner: SessionRunner | None = None
        self._windows = SessionWindows(
            plan,
            resume_point.events if resume_point else (),
            has_window=has_window,
            note=lambda kind, data: self._pending_notes.append((kind, data)),
            on_changed=self._put_status,
        )
        self._thread = Thread(target=self._run, name="table", daemon=True)
        log.on_unwritable = self._on_unwritable

    @property
    def participant_seat(self) -> ParticipantSeat:
        """All that the first participant's window gets of this session."""
        inbox, seat = self._inbox, self.seat  # the functions must not lead to this object
        return ParticipantSeat(
            seat,
            visible_game(self._plan.game, self._observer),
            self._plan.participant,
            self.updates,
            on_start=lambda _ready: inbox.put(PersonReady(seat)),
            on_entry=lambda entry: inbox.put(SeatEntry(seat, entry)),
            on_draft=self._drafts.put,
        )

    @property
    def has_started(self) -> bool:
        """Whether the game was started or resumed."""
        return self._started

    @property
    def is_running(self) -> bool:
        """Whether the session's thread runs, or waits for people."""
        return self._thread.is_alive()

    def await_start(self) -> None:
        """Wait on the session's thread until each person is ready and each awaited window has joined."""
        self._thread.start()

    def start(self) -> None:
        """Start or resume the game, without waiting for the participants."""
        self._inbox.put(PersonReady(None))
        self.await_start()

    def stop(self, timeout: float = 3.0) -> None:
        """End the session and wait until its log is closed; not to be called from a Tk callback."""
        self._stop_requested.set()
        self._inbox.put(StopSession())
        if self._thread.ident is not None:
            self._thread.join(timeout)

    # Windows in other processes; see JoinableSession

    def introduction(self, role: JoinRole) -> SessionIntroduction:
        """Return what a window in a role gets first."""
        draft = None
        if role.kind is RoleKind.SEAT and role.seat is not None and self._persistence is not None:
            draft = self._persistence.draft_of(role.seat)
        return introduction_of(self._plan, role, draft, resumed=self._resume_point is not None)

    def attach(self, role: JoinRole, put: Callable[[FeedItem], object]) -> None:
        """Feed a window from now on."""
        self._request(AttachWindow(role, put))

    def detach(self, role: JoinRole, put: Callable[[FeedItem], object], reason: str) -> None:
        """Stop feeding a window."""
        self._request(DetachWindow(role, put, reason))

    def submit(self, role: JoinRole, entry: RemoteEntry) -> None:
        """Queue an entry of a window."""
        match role, entry:
            case JoinRole(RoleKind.SEAT, str() as seat), StartRequest():
                self._inbox.put(PersonReady(seat))
            case JoinRole(RoleKind.SEAT, str() as seat), DraftEntry(draft):
                self._request(SaveRemoteDraft(seat, draft))
            case JoinRole(RoleKind.SEAT, str() as seat), (
                tuple()
                | PauseRequest()
                | UnpauseRequest()
                | SaveDraftRequest()
                | FinishClosingRequest()
                | AnswerAdvice()
            ):
                self._inbox.put(SeatEntry(seat, entry))
            case JoinRole(RoleKind.WIZARD, str() as seat), (
                tuple() | ChangeWizardMode() | AnswerSuggestion() | HoldSuggestion() | OpenWholeState()
            ):
                self._request(WizardRequest(seat, entry))

    def _request(self, request: WindowRequest | SaveRemoteDraft) -> None:
        self._requests.put(request)
        self._inbox.put(WindowRequested())

    def _save_draft(self) -> None:
        """Save the newest draft; also at the end and after a failure, so that no waiting draft is lost."""
        draft = None
        with suppress(Empty):
            while True:
                draft = self._drafts.get_nowait()
        if draft is not None and self._persistence is not None:
            self._persistence.save_draft(draft)

    def _run(self) -> None:
        try:
            if not self._await_people():
                return
            self._started = True
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

    def _await_people(self) -> bool:
        """Wait until the game can begin; return whether it does. Other entries wait for its beginning."""
        begins = False
        while not (begins or self._windows.presence.is_complete):
            entry = self._inbox.get()
            match entry:
                case StopSession():
                    return False
                case PersonReady(None):
                    begins = True
                case PersonReady(str() as seat):
                    self._windows.presence.set_ready(seat)
                case WindowRequested():
                    self._handle_request(self._requests.get())
                case _:
                    self._deferred.append(entry)
        return not self._stop_requested.is_set()

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
        assistants = self._plan.assistants
        runner.assign_assistants(
            {name: one.assignment for name, one in assistants.items()},
            # The shipped ones run in this process, and are fast.
            lambda name: InlineExecutor if assistants[name].process is None else self._thread_executor(name),
        )
        for seat, agent in self._plan.agents.items():
            host = runner.assign(
                seat,
                agent.assignment,
                agent.timing,
                self._thread_executor(seat),
                self._plan.wizards.get(seat),
            )
            self._windows.set_control(seat, host.wizard)
        for seat, agent in self._plan.advisers.items():
            executor = self._thread_executor(adviser_name(seat))
            self._windows.set_adviser(runner.assign_adviser(seat, agent.assignment, agent.timing, executor))
        for name, principal in self._plan.principals.items():
            runner.assign_principal(name, principal.assignment, self._thread_executor(name))
        runner.subscribe(self._on_published)
        self._windows.begin(runner, self._seat_stand_in)
        return runner

    def _begin(self, runner: SessionRunner) -> None:
        if self._resume_point is None:
            self._clock.resume()
            runner.start()
            self._put_window_status()
            return
        # Session time is stopped until all agents have been restored.
        runner.resume(self._resume_point.events, self._resume_point.torn_bytes)
        if self._persistence is not None:
            # The program may have been killed between the log and the store.
            self._persistence.save_record(runner.session.state.record)
        self._clock.resume()
        self._put_status()

    def _seat_stand_in(self, seat: Seat) -> AgentHost:
        """Assign the seat of a person to the agent that stands in for them."""
        agent = self._plan.stand_ins[seat]
        return self._require_runner().assign(
            seat, agent.assignment, agent.timing, self._thread_executor(seat)
        )

    def _thread_executor(self, seat: Seat) -> Callable[..., AgentExecutor]:
        def make(
            responder_factory: ResponderFactory, on_response: ResponseCallback, past: tuple[AgentInput, ...]
        ) -> AgentExecutor:
            def enqueue(answer: AgentResponse) -> None:
                self._responses.put((on_response, answer))
                self._inbox.put(AgentResponded())

            return ThreadExecutor(responder_factory, enqueue, past, f"agent at {seat}")

        return make

    def _loop(self, runner: SessionRunner) -> None:
        """Perform due events, then queued entries, one at a time; sleep until there is one of either."""
        while not (runner.finished or self._stopped):
            entry = self._next_entry(runner)
            self._housekeeping(runner)
            # First one due call: at the deadline the game is over, even if a click waits. Only one, so
            # an agent that always has something due does not block the queue.
            if not self._paused_page:
                runner.run_one_due()
            if entry is not None and not runner.finished:
                self._execute(entry, runner)
            if runner.session.state.phase is not Phase.NEGOTIATING:
                self._unpause()
        self._unpause()
        self._save_draft()
        self._housekeeping(runner)
        runner.finish()
        self._take_relocations()  # all of the log is compared when it is closed
        self._is_over = True
        if runner.session.state.phase is not Phase.NEGOTIATING:
            self._put_status()
        elif self._has_window:
            # The program ends in the middle of a game: the other windows learn that from their connections.
            self.updates.put(replace(self._update(self._current_view()), finished=True))

    def _next_entry(self, runner: SessionRunner) -> InboxEntry | None:
        """Return the next entry, or None as soon as something is due."""
        if self._deferred:
            return self._deferred.popleft()
        try:
            return self._inbox.get(timeout=self._seconds_to_wait(runner))
        except Empty:
            return None

    def _seconds_to_wait(self, runner: SessionRunner) -> float:
        """Return the seconds until something is due if no entry arrives."""
        if self._pending_notes:
            return 0.0
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

    def _execute(self, entry: InboxEntry, runner: SessionRunner) -> None:
        try:
            match entry:
                case SeatEntry(seat, seat_entry):
                    self._execute_for_seat(seat, seat_entry, runner)
                case AgentResponded():
                    on_response, response = self._responses.get()
                    on_response(response)
                case WindowRequested():
                    self._handle_request(self._requests.get())
                case PersonReady():
                    pass  # a person came back, and the game is on
                case ImprovementFound(improvement):
                    self._improvement = improvement
                    self._put_status()
                case StopSession():
                    self._stopped = True
                case _:
                    assert_never(entry)
        except Refused:
            # Recorded by the session, and shown to the participant in their transcript.
            return

    def _execute_for_seat(self, seat: Seat, entry: ParticipantEntry, runner: SessionRunner) -> None:
        if self._windows.presence.is_taken_over(seat):
            return
        match entry:
            case tuple():
                self._windows.perform(seat, entry)
            case SaveDraftRequest():
                self._save_draft()
            case PauseRequest(page):
                self._pause(page)
            case UnpauseRequest():
                self._unpause()
            case AnswerAdvice():
                self._windows.answer_advice(seat, entry)
            case FinishClosingRequest():
                if runner.session.state.phase is Phase.CLOSING:
                    self._windows.presence.finish(seat)
                    self._finish_if_closing_is_over(runner)
            case _:
                assert_never(entry)

    def _handle_request(self, request: WindowRequest | SaveRemoteDraft) -> None:
        """Handle a request about a window in another process."""
        if isinstance(request, SaveRemoteDraft):
            if self._persistence is not None:
                self._persistence.save_draft_of(request.seat, request.draft)
            return
        if self._paused_page and isinstance(request, WizardRequest) and isinstance(request.entry, tuple):
            self._held.append(request)
            return
        self._windows.handle(request)
        runner = self._runner
        if runner is not None and isinstance(request, DetachWindow):
            if request.role.kind is RoleKind.SEAT and self._windows.presence.absent:
                self._unpause()  # the page was in that window
            self._finish_if_closing_is_over(runner)

    def _finish_if_closing_is_over(self, runner: SessionRunner) -> None:
        if runner.session.state.phase is Phase.CLOSING and self._windows.presence.is_closing_over:
            runner.finish()

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
                self._put_status()
        return not self._stop_requested.wait(RETRY_SECONDS)

    def _unfreeze(self) -> None:
        reason, self._frozen = self._frozen, ""
        seconds = round(time.monotonic() - self._frozen_since, 3)
        self._clock.resume(LOG_UNWRITABLE)
        self._pending_notes.append((NoteKind.SESSION_FROZEN, {"seconds": seconds, "reason": reason}))
        self._put_status()

    # Pauses for reading

    def _stop_clock_after_closing(self, at: float) -> None:
        """Stop session time at the end of the closing, until :meth:`ParticipantSeat.finish_closing`."""
        if self._windows.presence.is_closing_over:
            self._require_runner().finish()  # nobody is there to be done
            return
        self._clock.stop(CLOSING_OVER, at=at)
        self._is_over = True
        self._put_status()

    def _pause(self, page: str) -> None:
        """Stop session time and all that is due until :meth:`_unpause`, if the game has that rule."""
        if not (page and self._plan.game.rules.help_pauses):
            return  # a window in another process may ask for anything
        if not self._paused_page and self._require_runner().session.state.phase is Phase.NEGOTIATING:
            self._paused_page, self._paused_since = page, time.monotonic()
            self._clock.stop(PAUSED_FOR_READING)
            self._put_status()

    def _unpause(self) -> None:
        if not self._paused_page:
            return
        page, self._paused_page = self._paused_page, ""
        seconds = round(time.monotonic() - self._paused_since, 3)
        self._clock.resume(PAUSED_FOR_READING)
        self._pending_notes.append((NoteKind.SESSION_PAUSED, {"page": page, "seconds": seconds}))
        held, self._held = self._held, []
        for request in held:
            self._request(request)
        self._put_status()

    # Updates for the window

    def _on_published(self, published: PublishedEvent) -> None:
        if self._frozen:
            self._unfreeze()  # events are published only when their lines are on the disk
        self._on_any_event(published.event)
        if published.event.type == EventType.STATE_PROPOSED and self._persistence is not None:
            self._persistence.save_record(published.state.record)
        if isinstance(published.event.payload, Ending) and self._plan.game.rules.show_left_on_table:
            self._find_improvement(published.event.payload)
        self._windows.publish(published)
        event = visible_event(published.event, self._observer) if self._has_window else None
        if event is not None:
            self.updates.put(self._update(view_of(published.state, self._observer), event))

    def _put_status(self, error_message: str = "") -> None:
        """Tell every window what has changed that is no event."""
        if self._has_window and self._runner is not None:
            self.updates.put(
                replace(
                    self._update(self._current_view()), finished=self._is_over, error_message=error_message
                )
            )
        self._put_window_status(error_message)

    def _put_window_status(self, error_message: str = "") -> None:
        """Tell the windows in other processes alone."""
        self._windows.put_status(
            FeedStatus(
                self._clock(),
                running=self._started and not (self._frozen or self._paused_page or self._is_over),
                started=self._started,
                finished=self._is_over,
                error_message=error_message,
                frozen=self._frozen,
                paused=bool(self._paused_page),
                absent=self._windows.absent,
                improvement=self._improvement,
            )
        )

    def _update(self, view: View, event: Event | None = None) -> SessionUpdate:
        return SessionUpdate(
            copy_for_thread(view),
            event,
            self._clock.time_origin,
            frozen=self._frozen,
            paused=bool(self._paused_page),
            improvement=self._improvement,
            absent=tuple(seat for seat in self._windows.absent if seat != self.seat),
            advice=self._windows.advice_for(self.seat),
        )

    def _find_improvement(self, ending: Ending) -> None:
        """Search on another thread for a deal that would have been better for every seat."""

        def search() -> None:
            self._inbox.put(ImprovementFound(find_pareto_improvement(self._plan.game, ending)))

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
            self._is_over = True
            if self._runner is None:
                # The game could not be set up.
                seen = copy_for_thread(self._initial_view())
                self.updates.put(
                    SessionUpdate(seen, None, self._clock.time_origin, finished=True, error_message=sentence)
                )
            self._put_status(sentence)
            if self._runner is not None:
                self._runner.abandon()
            try:
                self._log.close()
            except (OSError, LogWriteError) as second:
                self._report(second)
