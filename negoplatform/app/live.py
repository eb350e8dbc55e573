"""A table on the wall clock, on a thread of its own; the window talks to it by queues alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread

from negoplatform.app.sitting import Sitting
from negoplatform.app.table import Table
from negoplatform.core.bus import Happening
from negoplatform.core.events import EndedBy, Event, Expression, Message
from negoplatform.core.notes import NoteKind
from negoplatform.core.session import Session
from negoplatform.core.visibility import Observer, View, view_of, visible_event
from negoplatform.domain.errors import LogFailed, NegoError, Refused
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.eventlog.writer import EventSink
from negoplatform.hosting.brain import Answer, Brain
from negoplatform.hosting.runner import Runner, TakeAnswer, ThreadRunner


@dataclass(frozen=True, slots=True)
class Update:
    """What the window is told.

    Args:
        view: What the participant's seat sees now.
        event: What happened, as they may see it; None if only the time of others.
        zero: ``time.monotonic()`` at which session time was 0.
        finished: Whether the log is closed.
        trouble: A sentence, if the session had to stop; empty otherwise.
    """

    view: View
    event: Event | None
    zero: float
    finished: bool = False
    trouble: str = ""


class LiveTable:
    """Runs a sitting on a thread of its own.

    Nobody else touches session, scheduler and log: what others want arrives in one queue, what
    they may see leaves by another.

    Args:
        sitting: Who plays what.
        log: Where events go.
        report: Is given an unexpected error, for the crash file.
    """

    def __init__(
        self, sitting: Sitting, *, log: EventSink, report: Callable[[BaseException], object]
    ) -> None:
        if sitting.human_seat is None:
            raise NegoError("A live table needs a seat for a person.")
        self.seat: Seat = sitting.human_seat
        self.updates: SimpleQueue[Update] = SimpleQueue()
        self._sitting = sitting
        self._log = log
        self._report = report
        self._inbox: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._observer = Observer(self.seat)
        self._zero = time.monotonic()
        self._stopped = False
        self._table: Table | None = None
        self._thread = Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Starts the game."""
        self._thread.start()

    def stop(self, patience: float = 3.0) -> None:
        """Ends the sitting and waits until its log is closed. Never call it from a Tk callback."""
        self._inbox.put(self._stop)
        self._thread.join(patience)

    def propose(self, act: Callable[[Session], object]) -> None:
        """Puts a proposal into the table's queue; whether it is refused is seen in the updates."""
        self._inbox.put(lambda: act(self._seated_table().session))

    def _run(self) -> None:
        try:
            self._table = self._build()
            self._table.start()
            self._loop()
        except LogFailed as error:
            self._fail(str(error), error)
        except BaseException as error:  # noqa: BLE001 - nothing may end this thread without a word
            self._fail(
                "The session had to stop because of an error in the program; what was said is kept.", error
            )

    def _build(self) -> Table:
        table = Table(
            self._sitting.game,
            seed=self._sitting.seed,
            clock=lambda: time.monotonic() - self._zero,
            log=self._log,
            report=self._report,
        )
        for seat, seated in self._sitting.agents.items():
            table.seat_agent(seat, seated.agent, seated.timing, self._thread_runner(seat))
        table.subscribe(self._tell)
        self._zero = time.monotonic()
        return table

    def _thread_runner(self, seat: Seat) -> Callable[[Brain, TakeAnswer], Runner]:
        def make(brain: Brain, take: TakeAnswer) -> Runner:
            def hand_on(answer: Answer) -> None:
                self._inbox.put(lambda: take(answer))

            return ThreadRunner(brain, hand_on, f"agent at {seat}")

        return make

    def _loop(self) -> None:
        """Does what is due, then what is asked, one thing at a time; sleeps until the next of either."""
        table = self._seated_table()
        while not (table.finished or self._stopped):
            due = table.next_due()
            wait = None if due is None else max(0.0, due - (time.monotonic() - self._zero))
            try:
                wish = self._inbox.get(timeout=wait)
            except Empty:
                wish = None
            # One due thing first: at the deadline the game is over, whoever clicked last. Only one, so
            # that an agent that always has something due keeps nobody else from being heard.
            table.run_one_due()
            if wish is not None and not table.finished:
                self._grant(wish)
        table.finish()
        self.updates.put(Update(self._seen(), None, self._zero, finished=True))

    def _grant(self, wish: Callable[[], object]) -> None:
        try:
            wish()
        except Refused:
            # Recorded by the session, and shown to the one who asked through their transcript.
            return

    def _tell(self, happening: Happening) -> None:
        event = visible_event(happening.event, self._observer)
        if event is not None:
            self.updates.put(Update(view_of(happening.state, self._observer), event, self._zero))

    def _seen(self) -> View:
        return view_of(self._seated_table().session.state, self._observer)

    def _seated_table(self) -> Table:
        if self._table is None:
            raise NegoError("The table is not set yet.")
        return self._table

    def _stop(self) -> None:
        self._stopped = True

    def _fail(self, sentence: str, error: BaseException) -> None:
        """The session cannot go on; the window is told before anything else can go wrong."""
        self._report(error)
        if self._table is not None:
            self.updates.put(Update(self._seen(), None, self._zero, finished=True, trouble=sentence))
            self._table.abandon()
        try:
            self._log.close()
        except (OSError, LogFailed) as second:
            self._report(second)


class Participant:
    """What a participant's window may do: the session's own verbs, through the table's queue.

    Args:
        table: The table that the participant sits at.
    """

    def __init__(self, table: LiveTable) -> None:
        self._table = table
        self._seat = table.seat

    def send_message(self, message: Message) -> None:
        """Says something."""
        self._table.propose(lambda session: session.send_message(self._seat, message))

    def send_offer(self, offer: Offer) -> None:
        """Puts an offer on the table."""
        self._table.propose(lambda session: session.send_offer(self._seat, offer))

    def send_expression(self, expression: Expression) -> None:
        """Shows an emotion."""
        self._table.propose(lambda session: session.send_expression(self._seat, expression))

    def show_drafting(self, draft: Offer) -> None:
        """Says that an offer is being built."""
        self._table.propose(lambda session: session.offer_in_progress(self._seat, draft))

    def show_typing(self) -> None:
        """Says that a message is being typed."""
        self._table.propose(lambda session: session.show_typing(self._seat))

    def formal_accept(self, offer_id: int) -> None:
        """Accepts the offer of that id: the one that the participant saw."""
        self._table.propose(lambda session: session.formal_accept(self._seat, offer_id))

    def formal_quit(self) -> None:
        """Walks away."""
        self._table.propose(lambda session: session.formal_quit(self._seat))

    def note_warning(self, about: str, **figures: float) -> None:
        """Records that the participant was warned."""
        self._table.propose(lambda session: session.note(NoteKind.WARNING_SHOWN, about=about, **figures))

    def leave(self) -> None:
        """Closes the window of a running game."""

        def close(session: Session) -> None:
            session.note(NoteKind.WINDOW_CLOSED, seat=self._seat)
            session.end(EndedBy.ABORTED, "The participant closed the window.", by=self._seat)

        self._table.propose(close)
