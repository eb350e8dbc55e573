"""A table on the wall clock, on a thread of its own; the window talks to it by queues alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from typing import Any, Protocol

from negoplatform.app.session.clock_monitor import ClockWatch
from negoplatform.app.session.session_clock import LiveClock
from negoplatform.app.session.session_plan import Sitting
from negoplatform.app.session.session_runner import Table
from negoplatform.app.session.unused_joint_gains import LeftOnTable, left_on_table
from negoplatform.core.bus import Happening
from negoplatform.core.events import Ending, Event, EventType, clean_text
from negoplatform.core.fold import initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.notes import NoteKind
from negoplatform.core.session import Session
from negoplatform.core.state import Phase
from negoplatform.core.visibility import Observer, View, view_of, visible_event, visible_game
from negoplatform.domain.errors import LogFailed, NegoError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import Seat
from negoplatform.eventlog.failover import Move
from negoplatform.eventlog.writer import EventSink
from negoplatform.hosting.agent_runner import Answer
from negoplatform.hosting.executor import Runner, TakeAnswer, ThreadRunner
from negoplatform.hosting.responder import Heard, MakeMind

READING, STUCK, OVER = "reading", "stuck", "over"
"""Reasons for which the clock stands still."""

RETRY_SECONDS = 1.0
"""How long a frozen session waits before it tries again to write."""

LONGEST_WAIT = 2.0
"""Seconds after which the table looks round although nothing is due: at the clocks."""


class LiveLog(EventSink, Protocol):
    """A log that may have to move to another folder, and says when it can be written nowhere."""

    on_stuck: Callable[[LogFailed], bool]

    @property
    def sync_due(self) -> float | None:
        """The ``time.monotonic()`` by which :meth:`sync` has to be called; None if nothing waits."""
        ...

    def sync(self) -> None:
        """Brings to the disk what was written."""
        ...

    def take_moves(self) -> list[Move]:
        """The moves that nobody has noted yet."""
        ...


class Keeper(Protocol):
    """Keeps what outlives a session."""

    def keep_record(self, record: Mapping[str, Any]) -> None:
        """The record of what the parties proposed, after a change of it."""
        ...

    def keep_draft(self, draft: Mapping[str, Any]) -> None:
        """What the participant has prepared and not sent."""
        ...


@dataclass(frozen=True, slots=True)
class Update:
    """What the window is told.

    Args:
        view: What the participant's seat sees now.
        event: What happened, as they may see it; None if only the time of others.
        zero: ``time.monotonic()`` at which session time was 0.
        finished: Whether the session is over, last words too.
        trouble: A sentence, if the session had to stop; empty otherwise.
        left: What another deal would have brought, once the game has ended and if its rules tell that.
        held: Whether the session stands still because the participant reads the rules or the help.
        frozen: A sentence for the experimenter, while the session stands still because nothing can be
            written; empty otherwise.
    """

    view: View
    event: Event | None
    zero: float
    finished: bool = False
    trouble: str = ""
    frozen: str = ""
    held: bool = False
    left: LeftOnTable | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """What a resumed session goes on from.

    Args:
        events: The events of its log.
        torn_bytes: How much of a torn last line was set aside.
    """

    events: tuple[Event, ...]
    torn_bytes: int = 0


class LiveTable:
    """Runs a sitting on a thread of its own.

    Nobody else touches session, scheduler and log: what others want arrives in one queue, what
    they may see leaves by another.

    Args:
        sitting: Who plays what.
        log: Where events go.
        report: Is given an unexpected error, for the crash file.
        keeper: Keeps drafts and the record; None: nobody does.
        resumed: What the session goes on from; None: it is new.
        watch: Notices what the computer's clocks do.
        witness: Is given every event, on the table's thread, whoever may see it: for an agent's author alone.
    """

    def __init__(
        self,
        sitting: Sitting,
        *,
        log: LiveLog,
        report: Callable[[BaseException], object],
        keeper: Keeper | None = None,
        resumed: Past | None = None,
        watch: ClockWatch | None = None,
        witness: Callable[[Event], object] = lambda _event: None,
    ) -> None:
        if sitting.human_seat is None:
            raise NegoError("A live table needs a seat for a person.")
        self.seat: Seat = sitting.human_seat
        self.updates: SimpleQueue[Update] = SimpleQueue()
        self._sitting = sitting
        self._log = log
        self._report = report
        self._keeper = keeper
        self._resumed = resumed
        self._watch = watch or ClockWatch()
        self._witness = witness
        self._inbox: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._observer = Observer(self.seat)
        self._clock = LiveClock()
        self._stopped = Flag()
        self._leaving = Flag()
        self._frozen: str = ""
        self._frozen_since = 0.0
        self._held: str = ""
        self._held_since = 0.0
        self._left: LeftOnTable | None = None
        self._to_note: list[tuple[NoteKind, dict[str, Any]]] = []
        self._drafts: SimpleQueue[Mapping[str, Any]] = SimpleQueue()
        self._table: Table | None = None
        self._thread = Thread(target=self._run, name="table", daemon=True)
        log.on_stuck = self._stuck

    @property
    def game(self) -> GameSpec:
        """The game as the participant's seat may see it; known before anything has begun."""
        return visible_game(self._sitting.game, self._observer)

    @property
    def participant(self) -> str:
        """The participant's code."""
        return self._sitting.participant

    @property
    def begun(self) -> bool:
        """Whether it was started."""
        return self._thread.ident is not None

    def start(self) -> None:
        """Starts the game, or goes on with it."""
        self._thread.start()

    def stop(self, patience: float = 3.0) -> None:
        """Ends the sitting and waits until its log is closed. Never call it from a Tk callback."""
        self._leaving.set()
        self._inbox.put(self._stopped.set)
        if self.begun:
            self._thread.join(patience)

    def propose(self, act: Callable[[Session], object]) -> None:
        """Puts a proposal into the table's queue; whether it is refused is seen in the updates."""
        self._inbox.put(lambda: act(self._seated_table().session))

    def hold(self, page: str) -> None:
        """Has the session stand still while the participant reads a page."""
        self._inbox.put(lambda: self._hold(page))

    def release(self) -> None:
        """Has the session go on."""
        self._inbox.put(self._release)

    def close(self) -> None:
        """Ends the closing: the participant is done. Does nothing while the game runs."""

        def end() -> None:
            table = self._seated_table()
            if table.session.state.phase is Phase.CLOSING:
                table.finish()

        self._inbox.put(end)

    def keep_draft(self, draft: Mapping[str, Any]) -> None:
        """Puts what the participant has prepared into the table's queue, to be kept."""
        self._drafts.put(draft)
        self._inbox.put(self._keep_draft)

    def _keep_draft(self) -> None:
        """Keeps the newest draft; a session that ends or fails takes none with it that was waiting."""
        draft = None
        with suppress(Empty):
            while True:
                draft = self._drafts.get_nowait()
        if draft is not None and self._keeper is not None:
            self._keeper.keep_draft(draft)

    def _run(self) -> None:
        try:
            self._table = self._build()
            self._begin(self._table)
            self._loop(self._table)
        except LogFailed as error:
            self._fail(str(error), error)
        except BaseException as error:  # noqa: BLE001 - nothing may end this thread without a word
            self._fail(
                "The session had to stop because of an error in the program. Everything so far is saved.",
                error,
            )
        finally:
            self._sitting.let_go()  # the process of an agent that was never asked, too

    def _build(self) -> Table:
        past = self._resumed
        self._clock = LiveClock(past.events[-1].t if past and past.events else 0.0)
        table = Table(
            self._sitting.game,
            seed=self._sitting.seed,
            clock=self._clock,
            log=self._log,
            report=self._report,
            # What is still to be read is noted in the log, which is closed after that.
            on_closed=self._wait_for_reader if self._sitting.debriefings else None,
        )
        for seat, seated in self._sitting.agents.items():
            table.cast(seat, seated.casting, seated.timing, self._thread_runner(seat))
        table.subscribe(self._tell)
        return table

    def _begin(self, table: Table) -> None:
        if self._resumed is None:
            self._clock.go_on()
            table.start()
            return
        # Session time stands still until everybody knows again what they knew.
        table.resume(self._resumed.events, self._resumed.torn_bytes)
        self._clock.go_on()
        self.updates.put(self._update(self._seen()))

    def _thread_runner(self, seat: Seat) -> Callable[..., Runner]:
        def make(mind: MakeMind, take: TakeAnswer, past: tuple[Heard, ...]) -> Runner:
            def hand_on(answer: Answer) -> None:
                self._inbox.put(lambda: take(answer))

            return ThreadRunner(mind, hand_on, past, f"agent at {seat}")

        return make

    def _loop(self, table: Table) -> None:
        """Does what is due, then what is asked, one thing at a time; sleeps until the next of either."""
        while not (table.finished or self._stopped.is_set()):
            try:
                wish = self._inbox.get(timeout=self._patience(table))
            except Empty:
                wish = None
            self._look_round(table)
            # One due thing first: at the deadline the game is over, whoever clicked last. Only one, so
            # that an agent that always has something due keeps nobody else from being heard.
            if not self._held:
                table.run_one_due()
            if wish is not None and not table.finished:
                self._grant(wish)
            if table.session.state.phase is not Phase.NEGOTIATING:
                self._release()
        self._release()
        self._keep_draft()
        self._look_round(table)
        table.finish()
        self.updates.put(replace(self._update(self._seen()), finished=True))

    def _patience(self, table: Table) -> float:
        """Seconds until something has to be done, whether anybody asks or not."""
        wait = LONGEST_WAIT
        due = None if self._held else table.next_due()
        if due is not None:
            wait = min(wait, due - self._clock())
        if self._log.sync_due is not None:
            wait = min(wait, self._log.sync_due - time.monotonic())
        return max(0.0, wait)

    def _look_round(self, table: Table) -> None:
        """Brings to the disk what has waited long enough, and notes what happened beside the session."""
        if self._log.sync_due is not None and self._log.sync_due <= time.monotonic():
            self._log.sync()
        if self._frozen:
            self._thaw()
        for move in self._log.take_moves():
            # A path may hold bytes that are no UTF-8, and then no log can hold it as it is.
            told = {"old": str(move.old), "new": str(move.new), "reason": move.reason}
            told = {name: clean_text(text) for name, text in told.items()}
            self._to_note.append((NoteKind.LOG_MOVED, told))
        for news in self._watch.look():
            self._to_note.append((news.kind, {"seconds": news.seconds}))
        while self._to_note and not table.finished:
            kind, data = self._to_note[0]
            with suppress(Refused):  # before the start and after the end nothing is noted
                table.session.note(kind, **data)
            self._to_note.pop(0)

    def _grant(self, wish: Callable[[], object]) -> None:
        try:
            wish()
        except Refused:
            # Recorded by the session, and shown to the one who asked through their transcript.
            return

    # A log that cannot be written

    def _stuck(self, error: LogFailed) -> bool:
        """Session time stands still and the participant is asked to wait; whether to try again."""
        if not self._frozen:
            self._frozen_since = time.monotonic()
            self._clock.stop(STUCK)
        if self._frozen != str(error):
            self._frozen = str(error)
            self._report(error)
            if self._table is not None:
                self.updates.put(self._update(self._seen()))
        return not self._leaving.wait(RETRY_SECONDS)

    def _thaw(self) -> None:
        reason, self._frozen = self._frozen, ""
        seconds = round(time.monotonic() - self._frozen_since, 3)
        self._clock.go_on(STUCK)
        self._to_note.append((NoteKind.SESSION_FROZEN, {"seconds": seconds, "reason": reason}))
        self.updates.put(self._update(self._seen()))

    # A participant who reads

    def _wait_for_reader(self, at: float) -> None:
        """Session time stands still at the end of the closing, until :meth:`close`."""
        self._clock.stop(OVER, at=at)
        self.updates.put(replace(self._update(self._seen()), finished=True))

    def _hold(self, page: str) -> None:
        """Session time stands still, and nothing that is due is done, until :meth:`_release`."""
        if not self._held and self._seated_table().session.state.phase is Phase.NEGOTIATING:
            self._held, self._held_since = page, time.monotonic()
            self._clock.stop(READING)
            self.updates.put(self._update(self._seen()))

    def _release(self) -> None:
        if not self._held:
            return
        page, self._held = self._held, ""
        seconds = round(time.monotonic() - self._held_since, 3)
        self._clock.go_on(READING)
        self._to_note.append((NoteKind.SESSION_PAUSED, {"page": page, "seconds": seconds}))
        self.updates.put(self._update(self._seen()))

    # What the window sees

    def _tell(self, happening: Happening) -> None:
        if self._frozen:
            self._thaw()  # its line is on the disk, or nobody would be told
        self._witness(happening.event)
        if happening.event.type == EventType.STATE_PROPOSED and self._keeper is not None:
            self._keeper.keep_record(self._seated_table().session.get_state())
        if isinstance(happening.event.payload, Ending) and self._sitting.game.rules.show_left_on_table:
            self._look_back(happening.event.payload)
        event = visible_event(happening.event, self._observer)
        if event is not None:
            self.updates.put(self._update(view_of(happening.state, self._observer), event))

    def _update(self, view: View, event: Event | None = None) -> Update:
        return Update(
            view, event, self._clock.zero, frozen=self._frozen, held=bool(self._held), left=self._left
        )

    def _look_back(self, ending: Ending) -> None:
        """Finds out on a thread of its own what another deal would have brought."""

        def show(left: LeftOnTable | None) -> None:
            self._left = left
            self.updates.put(self._update(self._seen()))

        def look() -> None:
            left = left_on_table(self._sitting.game, ending)
            self._inbox.put(lambda: show(left))

        Thread(target=look, name="left on the table", daemon=True).start()

    def _seen(self) -> View:
        return view_of(self._seated_table().session.state, self._observer)

    def _seen_at_first(self) -> View:
        """What the seat sees of a game that could not even be set up."""
        game = self._sitting.game
        return view_of(initial_state(game, mechanism_of(game.mechanism)), self._observer)

    def _seated_table(self) -> Table:
        if self._table is None:
            raise NegoError("The table is not set yet.")
        return self._table

    def _fail(self, sentence: str, error: BaseException) -> None:
        """The session cannot go on; the window is told, whatever else goes wrong."""
        try:
            self._report(error)
            self._keep_draft()
        finally:
            seen = self._seen() if self._table is not None else self._seen_at_first()
            self.updates.put(Update(seen, None, self._clock.zero, finished=True, trouble=sentence))
            if self._table is not None:
                self._table.abandon()
            try:
                self._log.close()
            except (OSError, LogFailed) as second:
                self._report(second)
