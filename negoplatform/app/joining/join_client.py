"""Client of a window that has joined a session in another process.

One thread connects, reconnects after a lost connection, folds the events, and sends the window's entries. The
window reads queues: ``news`` about the connection, the updates of its seat, and the other items of its feed.
"""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread

from negoplatform.app.joining.entry_queue import EntryQueue, is_momentary
from negoplatform.app.joining.feed_lines import (
    NumberedIntroduction,
    TimedItem,
    decode_host_line,
    may_send,
)
from negoplatform.app.joining.join_codes import draw_id, parse_code
from negoplatform.app.joining.join_connection import RECEIVED_AT_ONCE, SILENT_SECONDS
from negoplatform.app.joining.join_link import (
    Handshake,
    JoinDenied,
    JoinLink,
    LinkFailed,
    ResumeTokenFile,
    close_quietly,
)
from negoplatform.app.joining.observed_session import HostClock, ObservedSession
from negoplatform.app.session.participant_seat import ParticipantSeat, SaveDraftRequest, SessionUpdate
from negoplatform.app.session.windows.session_feed import (
    DraftEntry,
    FeedAdvice,
    FeedEvent,
    FeedItem,
    FeedShared,
    FeedStatus,
    RemoteEntry,
    SessionIntroduction,
    StartRequest,
)
from negoplatform.core.visibility import visible_game
from negoplatform.formats.join_protocol import (
    BadJoinLine,
    DoneModel,
    GoodbyeModel,
    GoodbyeReason,
    LeaveModel,
    LineTooLong,
    PingModel,
    PongModel,
    WaitingModel,
    encode_line,
)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 5.0
"""Seconds between the first two attempts to come back, doubled up to the longest."""

PING_SECONDS = 5.0
FIRST_PINGS = (0.0, 0.3, 1.0)
"""Seconds after joining at which the clock is measured first."""

MOST_CLOSED = 10
"""Attempts after which a host that closes each connection, and never admitted the window, is given up."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Introduction to a session: the first, or another one than before."""

    introduction: SessionIntroduction


@dataclass(frozen=True, slots=True)
class AwaitingSession:
    """Report that the window is admitted, and that there is no session at the moment."""


@dataclass(frozen=True, slots=True)
class LinkLost:
    """Loss of the connection, or another attempt that failed.

    Args:
        reason: A sentence.
        retry_seconds: Seconds until the next attempt.
    """

    reason: str
    retry_seconds: float


@dataclass(frozen=True, slots=True)
class LinkRestored:
    """Return of the connection."""


@dataclass(frozen=True, slots=True)
class EntriesNotSent:
    """Entries that were not performed, and are not sent again.

    Args:
        entries: The entries.
        sentence: The reason, a sentence.
    """

    entries: tuple[RemoteEntry, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class JoinRefused:
    """End of the connection for good, with a sentence."""

    sentence: str


JoinNews = Joined | AwaitingSession | LinkLost | LinkRestored | EntriesNotSent | JoinRefused

STALE = "The connection was lost for too long, so this was not sent; decide again."
OTHER_SESSION = "This was meant for a session that has ended, or was interrupted, so it was not sent."
TOO_MANY = "Too much is already waiting for the connection, so this was not sent."
TOO_LONG = "This is too long to be sent; shorten it."
MALFORMED = "This could not be sent because of an error in this program."

GOODBYES = {
    GoodbyeReason.REPLACED: "Another window has joined with this code, so this one is not connected.",
    GoodbyeReason.STOPPED: "The host has ended.",
    GoodbyeReason.MISUSED: (
        "The host closed the connection, because this window sent something that its role does not allow."
    ),
    GoodbyeReason.FAILED: "The host closed the connection because of an error in its program.",
}
"""Sentences for last lines of a host after which a window does not come back."""


class JoinClient:
    """Client of one window.

    Args:
        host: The host's name or IP address.
        port: Its TCP port.
        code: The code, as it was typed.
        wanted: The role that is named; empty: the one that the code belongs to.
        report: Called with an error of the program.
        token_file: The file of the token with which another process of this window comes back; None: none.

    Raises:
        NegoError: If the code is none; a sentence.
    """

    def __init__(
        self,
        host: str,
        port: int,
        code: str,
        wanted: str = "",
        *,
        report: Callable[[BaseException], object],
        token_file: Path | None = None,
    ) -> None:
        parsed = parse_code(code)
        self.news: SimpleQueue[JoinNews] = SimpleQueue()
        self.items: SimpleQueue[FeedItem] = SimpleQueue()
        """Items of the feed of the present session; for a seat and a wizard without events and statuses."""
        self.seat: ParticipantSeat | None = None
        """The seat of a person or of a wizard, once the window has joined a session."""
        self._report = report
        tokens = ResumeTokenFile(token_file, parsed, wanted, report)
        self._was_admitted = tokens.token is not None
        self._tokens = tokens
        self._handshake = Handshake(host, port, parsed, wanted, draw_id(), tokens)
        self._entries: SimpleQueue[tuple[float, str, RemoteEntry]] = SimpleQueue()
        self._queue = EntryQueue()
        self._clock = HostClock()
        self._feed = ""
        self._observed: ObservedSession | None = None
        self._is_lost = False
        self._is_introduced = False
        self._is_ready = False
        self._stopped = Flag()
        self._woken, self._waker = socket.socketpair()
        for end in (self._woken, self._waker):
            end.setblocking(False)
        self._thread = Thread(target=self._run, name="joined", daemon=True)

    def start(self) -> None:
        """Connect, on a thread."""
        self._thread.start()

    def stop(self, timeout: float = 2.0) -> None:
        """Leave the session; what waits to be sent is sent if the connection takes it at once."""
        self._stopped.set()
        self._wake()
        if self._thread.ident is not None:
            self._thread.join(timeout)

    def forget(self) -> None:
        """Delete the token for coming back, once the window is stopped and its session over."""
        self._tokens.save(None)

    def send(self, entry: RemoteEntry) -> None:
        """Queue an entry for the present session; what the role may not send is dropped."""
        self._send(self._feed, entry)

    def _send(self, feed: str, entry: RemoteEntry) -> None:
        self._entries.put((time.monotonic(), feed, entry))
        self._wake()

    def _wake(self) -> None:
        with suppress(OSError):  # a full buffer wakes the thread as well; a closed one has no thread
            self._waker.send(b"\0")

    # The thread

    def _run(self) -> None:
        try:
            self._stay_joined()
        except JoinDenied as refusal:
            self.news.put(JoinRefused(str(refusal)))
        except BaseException as error:  # noqa: BLE001 - the window has to learn that the thread has ended
            self._report(error)
            self.news.put(JoinRefused("The connection ended because of an error in this program."))
        finally:
            for end in (self._woken, self._waker):
                end.close()

    def _stay_joined(self) -> None:
        """Connect again and again, until the window is closed.

        Raises:
            JoinDenied: If the host does not admit the window, or not any more.
        """
        failures = 0
        while not self._stopped.is_set():
            try:
                link = self._handshake.connect()
            except LinkFailed as failure:
                failures += 1
                is_hopeless = failure.is_address_fault or failures >= MOST_CLOSED
                if not self._was_admitted and is_hopeless:
                    raise JoinDenied(str(failure)) from None
                pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(failures - 1, 10))
                self._pause(str(failure), max(pause, failure.seconds))
                continue
            failures = 0
            self._was_admitted = True
            try:
                reason = _Conversation(link, self).run()
            finally:
                close_quietly(link.peer)
            if not self._stopped.is_set():
                self._is_introduced = False
                self._pause(reason, FIRST_PAUSE)

    def _pause(self, reason: str, seconds: float) -> None:
        self._is_lost = True
        self.news.put(LinkLost(reason, seconds))
        self._stopped.wait(seconds)

    def take_entries(self) -> bytes:
        """Return the lines of entries that are to be sent now."""
        with suppress(Empty):
            while True:
                self._enqueue(*self._entries.get_nowait())
        return self._queue.take_lines() if self._is_introduced else b""

    def _enqueue(self, queued_at: float, feed: str, entry: RemoteEntry) -> None:
        if not feed or feed != self._feed:
            self._tell_not_sent([entry], OTHER_SESSION)
            return
        self._is_ready = self._is_ready or isinstance(entry, StartRequest)
        try:
            if not self._queue.add(feed, entry, queued_at):
                self._tell_not_sent([entry], TOO_MANY)
        except LineTooLong:
            self._tell_not_sent([entry], TOO_LONG)
        except BadJoinLine as fault:
            self._report(fault)
            self._tell_not_sent([entry], MALFORMED)

    def _tell_not_sent(self, entries: list[RemoteEntry], sentence: str) -> None:
        told = tuple(entry for entry in entries if not is_momentary(entry))
        if told:
            self.news.put(EntriesNotSent(told, sentence))

    # Lines of the host

    def take_line(self, line: bytes) -> None:
        """Handle a line of the host.

        Raises:
            BadJoinLine: If it is none.
            JoinDenied: If it is the last one, after which the window does not come back.
            LinkFailed: If it is the last one, after which it does.
        """
        match decode_host_line(line):
            case TimedItem() as timed:
                self._on_item(timed)
            case NumberedIntroduction() as numbered:
                self._on_introduction(numbered)
            case WaitingModel():
                self._on_waiting()
            case DoneModel(number=number, accepted=accepted):
                entry = self._queue.acknowledge(number, accepted=accepted)
                if entry is not None:
                    self._tell_not_sent([entry], OTHER_SESSION)
            case GoodbyeModel(reason=reason):
                if reason in GOODBYES:
                    raise JoinDenied(GOODBYES[reason])
                raise LinkFailed("The host closed the connection, because this window was too slow.")

    def measure(self, sent: float, host_time: float, received: float) -> None:
        """Take a measurement of the host's clock."""
        self._clock.measure(sent, host_time, received)
        if self._observed is not None:
            self._observed.correct_clock()

    def _on_item(self, timed: TimedItem) -> None:
        is_of_seat = isinstance(timed.item, FeedEvent | FeedStatus | FeedAdvice | FeedShared)
        if self._observed is not None and is_of_seat:
            self._observed.take(timed)
        else:
            self.items.put(timed.item)

    def _on_introduction(self, numbered: NumberedIntroduction) -> None:
        introduction, is_new = numbered.introduction, numbered.feed != self._feed
        self._feed = numbered.feed
        if is_new:
            self._is_ready = False
            self.items = SimpleQueue()  # what is left of another session is not for the next screen
            self._observed, self.seat = self._make_seat(introduction, numbered.feed)
        elif self._observed is not None:
            self._observed.restart(introduction)
        self._restore(numbered.feed, numbered.performed)
        if not is_new and self._is_ready:
            # Before the game a person who was away counts as not ready; later this has no effect.
            self._send(numbered.feed, StartRequest())
        if is_new:
            self.news.put(Joined(introduction))
        self._is_introduced = True

    def _on_waiting(self) -> None:
        self._feed, self._is_introduced = "", False
        self._observed = None
        self._restore("", 0)
        self.news.put(AwaitingSession())

    def _restore(self, feed: str, performed: int) -> None:
        """Prepare what waits for a new feed, and report that the connection is back."""
        if self._is_lost:
            self._is_lost = False
            self.news.put(LinkRestored())
        dropped = self._queue.reconnect(feed, performed, time.monotonic())
        self._tell_not_sent(dropped, STALE if feed == self._feed and feed else OTHER_SESSION)

    def _make_seat(
        self, introduction: SessionIntroduction, feed: str
    ) -> tuple[ObservedSession | None, ParticipantSeat | None]:
        """Return the fold and the seat of a role that has a seat."""
        role = introduction.role
        if role.seat is None or not role.has_table:
            return None, None

        def send(entry: RemoteEntry) -> None:
            if may_send(role, entry):
                self._send(feed, entry)

        updates: SimpleQueue[SessionUpdate] = SimpleQueue()
        seat = ParticipantSeat(
            role.seat,
            visible_game(introduction.header.game, role.observer_in(introduction.header.game)),
            introduction.participant,
            updates,
            on_start=lambda _: send(StartRequest()),
            # A draft that is sent is saved by the host, without another request.
            on_entry=lambda entry: None if isinstance(entry, SaveDraftRequest) else send(entry),
            on_draft=lambda draft: send(DraftEntry(dict(draft))),
        )
        return ObservedSession(introduction, updates, self._clock), seat


class _Conversation:
    """Exchange of lines over one connection.

    Args:
        link: The connection.
        client: The client.
    """

    def __init__(self, link: JoinLink, client: JoinClient) -> None:
        self._link, self._client = link, client
        self._woken, self._stopped = client._woken, client._stopped
        self._outgoing = bytearray()
        self._joined_at = self._heard_at = time.monotonic()
        self._next_ping, self._pings = self._joined_at, 0
        self._sent_at: dict[int, float] = {}

    def run(self) -> str:
        """Exchange lines until the connection or the window ends; return why, as a sentence.

        Raises:
            JoinDenied: If the window does not come back.
        """
        try:
            while not self._stopped.is_set():
                self._turn()
            self._outgoing += self._client.take_entries() + encode_line(LeaveModel())
            self._flush()
        except LinkFailed as failure:
            return str(failure)
        except OSError:
            return "The connection to the host is lost."
        except BadJoinLine as fault:
            self._client._report(fault)
            return "The host sent a line that cannot be read."
        return ""

    def _turn(self) -> None:
        now = time.monotonic()
        if now >= self._next_ping:
            self._ping(now)
        if now - self._heard_at > SILENT_SECONDS:
            raise LinkFailed("The host does not answer any more.")
        self._outgoing += self._client.take_entries()
        self._flush()
        peer, wait = self._link.peer, max(0.0, self._next_ping - now)
        readable, _, _ = select.select(
            [peer, self._woken], [peer] if self._outgoing else [], [], min(wait, 1.0)
        )
        if self._woken in readable:
            with suppress(BlockingIOError):
                self._woken.recv(4096)
        if peer in readable:
            self._receive()

    def _ping(self, now: float) -> None:
        self._pings += 1
        self._sent_at[self._pings] = now
        self._outgoing += encode_line(PingModel(number=self._pings))
        first = FIRST_PINGS[self._pings : self._pings + 1]
        self._next_ping = self._joined_at + first[0] if first else now + PING_SECONDS

    def _flush(self) -> None:
        while self._outgoing:
            try:
                sent = self._link.peer.send(self._outgoing)
            except BlockingIOError:
                return
            del self._outgoing[:sent]

    def _receive(self) -> None:
        try:
            data = self._link.peer.recv(RECEIVED_AT_ONCE)
        except BlockingIOError:
            return
        if not data:
            raise LinkFailed("The connection to the host is lost.")
        self._heard_at = time.monotonic()
        self._link.lines.feed(data)
        while (line := self._link.lines.next_line()) is not None:
            if line.startswith(b'{"kind":"pong"'):
                self._on_pong(line)
            else:
                self._client.take_line(line)

    def _on_pong(self, line: bytes) -> None:
        pong = decode_host_line(line)
        if isinstance(pong, PongModel):
            sent = self._sent_at.pop(pong.number, None)
            if sent is not None:
                self._client.measure(sent, pong.time, self._heard_at)
