"""Server of a host: windows in other processes join a session, each in its role, over TCP.

One thread serves all of them. The session's thread appends items to a window's outbox and wakes this thread;
it never waits for a window. A flood of connections costs little: they are accepted at a limited rate, and a
connection that is not admitted has few bytes and seconds.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from queue import Empty, SimpleQueue
from threading import Thread

from negoplatform.app.joining.feed_lines import (
    NumberedEntry,
    NumberedIntroduction,
    decode_window_line,
    encode_introduction,
    may_send,
)
from negoplatform.app.joining.join_admission import (
    ONE_WINDOW_KINDS,
    Admission,
    Admitted,
    Challenged,
    address_key,
    refusal,
)
from negoplatform.app.joining.join_codes import draw_id
from negoplatform.app.joining.join_connection import (
    SILENT_SECONDS,
    SOCKET_BUFFER,
    ConnectionStage,
    FeedOutbox,
    JoinConnection,
    TokenBucket,
    listen,
)
from negoplatform.app.session.windows.session_feed import JoinableSession, JoinRole
from negoplatform.domain.errors import NegoError
from negoplatform.formats.join_protocol import (
    LONGEST_ENTRY_LINE,
    BadJoinLine,
    DoneModel,
    GoodbyeModel,
    GoodbyeReason,
    HelloModel,
    LeaveModel,
    OtherProtocol,
    PingModel,
    PongModel,
    ProofModel,
    RefusalReason,
    WaitingModel,
    decode_first_line,
    encode_line,
)

MOST_STRANGERS, MOST_STRANGERS_OF_ADDRESS = 32, 8
"""Maximum number of connections that are not admitted yet, in all and of one address."""

MOST_WINDOWS = 16
"""Maximum number of windows in a role that several windows may have."""

ACCEPTS_PER_SECOND, ACCEPTS_AT_ONCE = 100.0, 20.0
PAUSE_SECONDS = 0.05
"""Seconds for which nothing is accepted once the rate is used up: a flood does not keep the thread busy."""

CHECK_SECONDS = 0.5
"""Seconds between two checks of the connections' time limits."""

LAST_SECONDS = 0.5
"""Seconds in which windows can read that the host has ended."""

MOST_PROCESSES = 64
"""Maximum number of windows' processes whose last entry is remembered."""


class LinkEnd(StrEnum):
    """End of a connection, as a session's log has it."""

    CLOSED = "closed"
    LOST = "lost"
    REPLACED = "replaced"
    MISUSED = "misused"
    TOO_SLOW = "too slow"
    HOST_STOPPED = "host stopped"
    SESSION_OVER = "session over"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class _Serve:
    session: JoinableSession | None


class JoinServer:
    """Server that windows join.

    Args:
        address: The address to listen at, such as ``127.0.0.1``.
        port: The TCP port; 0: any free one.
        codes: The codes of the roles.
        report: Called with an error of the program.

    Raises:
        NegoError: If a code is malformed, or two roles have the same one.
    """

    def __init__(
        self,
        address: str,
        port: int,
        codes: Mapping[JoinRole, str],
        *,
        report: Callable[[BaseException], object],
    ) -> None:
        self._address, self._wanted_port = address, port
        self._report = report
        self._admission = Admission(codes)
        self._commands: SimpleQueue[_Serve] = SimpleQueue()
        self._session: JoinableSession | None = None
        self._feed_id = draw_id()
        self._performed: OrderedDict[tuple[JoinRole, str], int] = OrderedDict()
        self._connections: list[JoinConnection] = []
        self._accepts = TokenBucket(ACCEPTS_PER_SECOND, ACCEPTS_AT_ONCE)
        self._accepts_again_at: float | None = None
        self._selector = selectors.DefaultSelector()
        self._listener: socket.socket | None = None
        self._woken, self._waker = socket.socketpair()
        self._is_woken = False
        self._stopping = False
        self._thread = Thread(target=self._run, name="joining", daemon=True)

    @property
    def port(self) -> int:
        """The TCP port that it listens at, once it is started."""
        if self._listener is None:
            return self._wanted_port
        port: int = self._listener.getsockname()[1]
        return port

    def start(self) -> None:
        """Listen, and serve windows on a thread.

        Raises:
            NegoError: If the address cannot be listened at; a sentence.
        """
        self._listener = listen(self._address, self._wanted_port)
        for end in (self._woken, self._waker):
            end.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._thread.start()

    def serve(self, session: JoinableSession | None) -> None:
        """Let windows join another session; None: they wait for the next one, and stay connected."""
        self._commands.put(_Serve(session))
        self._wake()

    def stop(self, timeout: float = 3.0) -> None:
        """End all connections, and the thread."""
        self._stopping = True
        self._wake()
        if self._thread.ident is not None:
            self._thread.join(timeout)
        else:
            self._close()

    def _wake(self) -> None:
        if not self._is_woken:
            self._is_woken = True
            with suppress(OSError):  # a full buffer wakes the thread as well; a closed one has no thread
                self._waker.send(b"\0")

    # The thread

    def _run(self) -> None:
        try:
            while not self._stopping:
                self._turn()
        except BaseException as error:  # noqa: BLE001 - this thread must not end without a report
            self._report(error)
        finally:
            self._close()

    def _turn(self) -> None:
        """Wait for something to happen, and handle all of it."""
        paused = self._accepts_again_at is not None
        timeout = PAUSE_SECONDS if paused else CHECK_SECONDS if self._connections else None
        ready = self._selector.select(timeout)
        now = time.monotonic()
        for key, _ in ready:
            if key.fileobj is self._listener:
                self._accept(now)
            elif key.fileobj is self._woken:
                self._take_commands()
            elif key.data is not None and key.data in self._connections:
                self._guarded(self._read, key.data, now)
        for connection in tuple(self._connections):
            self._guarded(self._write, connection, now)
        self._check_times(now)

    def _guarded(
        self, handle: Callable[[JoinConnection, float], object], connection: JoinConnection, now: float
    ) -> None:
        """Handle a connection; an error in the program ends this one, and no other."""
        try:
            handle(connection, now)
        except Exception as error:  # noqa: BLE001 - the other windows stay connected
            self._report(error)
            self._part(connection, GoodbyeReason.FAILED, LinkEnd.FAILED, now)

    def _take_commands(self) -> None:
        with suppress(BlockingIOError):
            self._woken.recv(4096)
        # Not before: the byte of a wake-up that came in between would be read, and no other would be sent.
        self._is_woken = False
        with suppress(Empty):
            while True:
                self._change_session(self._commands.get_nowait().session)

    def _change_session(self, session: JoinableSession | None) -> None:
        joined = [each for each in self._connections if each.stage is ConnectionStage.JOINED]
        for connection in joined:
            self._detach(connection, LinkEnd.SESSION_OVER)
        self._session, self._feed_id = session, draw_id()
        self._performed.clear()
        for connection in joined:
            self._guarded(self._introduce, connection, time.monotonic())

    def _close(self) -> None:
        now = time.monotonic()
        for connection in tuple(self._connections):
            self._part(connection, GoodbyeReason.STOPPED, LinkEnd.HOST_STOPPED, now)
        if self._listener is not None and self._accepts_again_at is None:
            self._selector.unregister(self._listener)
        # Closing a socket with unread bytes would take back the last line.
        while self._connections and time.monotonic() < now + LAST_SECONDS:
            for key, _ in self._selector.select(LAST_SECONDS / 10):
                if key.data in self._connections and not key.data.receive(now):
                    self._drop(key.data)
        for connection in tuple(self._connections):
            self._drop(connection)
        for each in (self._listener, self._woken, self._waker, self._selector):
            if each is not None:
                each.close()

    # Connections

    def _accept(self, now: float) -> None:
        """Accept connections as far as the rate allows, and read what has come with them."""
        while self._listener is not None:
            if not self._accepts.take(now):
                self._pause_accepting(now)
                return
            try:
                peer, address = self._listener.accept()
            except BlockingIOError:
                return
            except OSError:  # no more descriptors, or a connection that has ended already
                self._pause_accepting(now)
                return
            try:
                peer.setblocking(False)
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SOCKET_BUFFER)
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError:  # on macOS, of a connection that has ended already
                peer.close()
                continue
            connection = JoinConnection(peer, address_key(address[0]), now)
            self._make_room(connection.key)
            self._connections.append(connection)
            self._selector.register(peer, selectors.EVENT_READ, connection)
            self._guarded(self._read, connection, now)

    def _pause_accepting(self, now: float) -> None:
        if self._accepts_again_at is None and self._listener is not None:
            self._selector.unregister(self._listener)
        self._accepts_again_at = now + PAUSE_SECONDS

    def _make_room(self, key: str) -> None:
        """Close the oldest connections without proof, so that there is room for one more from this address.

        Refusing the newest instead would let one attacker keep everyone out. A window that has
        named a resume token is not closed.
        """
        strangers = [
            each
            for each in self._connections
            if each.stage in (ConnectionStage.HELLO, ConnectionStage.PROOF)
            and not (each.challenged and each.challenged.ticket)
        ]
        strangers.sort(key=lambda each: each.stage is ConnectionStage.PROOF)
        same = [each for each in strangers if each.key == key]
        if len(same) >= MOST_STRANGERS_OF_ADDRESS:
            self._drop(same[0])
        elif len(strangers) >= MOST_STRANGERS:
            counts: dict[str, int] = {}
            for each in strangers:
                counts[each.key] = counts.get(each.key, 0) + 1
            self._drop(max(strangers, key=lambda each: counts[each.key]))

    def _read(self, connection: JoinConnection, now: float) -> None:
        goes_on = connection.receive(now)
        try:
            while connection.stage is not ConnectionStage.PARTING:
                line = connection.lines.next_line()
                if line is None:
                    break
                if connection.stage is ConnectionStage.JOINED:
                    self._on_line(connection, line, now)
                else:
                    self._on_first_line(connection, line, now)
        except OtherProtocol:
            connection.part(encode_line(refusal(RefusalReason.OTHER_PROTOCOL)), now)
        except BadJoinLine:
            self._on_misuse(connection, now)
        if not goes_on:
            self._detach(connection, LinkEnd.LOST)
            self._drop(connection)

    def _write(self, connection: JoinConnection, now: float) -> None:
        if connection.is_behind:
            self._part(connection, GoodbyeReason.TOO_SLOW, LinkEnd.TOO_SLOW, now)
        elif connection.stage is not ConnectionStage.PARTING and not connection.flush(now):
            self._detach(connection, LinkEnd.LOST)
            self._drop(connection)
        if connection not in self._connections:
            return
        # After its last line a connection counts as ready to be written to, and would keep the thread busy.
        writes = connection.waits_to_write and connection.stage is not ConnectionStage.PARTING
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if writes else 0)
        if self._selector.get_key(connection.peer).events != events:
            self._selector.modify(connection.peer, events, connection)

    def _check_times(self, now: float) -> None:
        if (
            self._accepts_again_at is not None
            and now >= self._accepts_again_at
            and self._listener is not None
        ):
            self._accepts_again_at = None
            self._selector.register(self._listener, selectors.EVENT_READ)
        for connection in tuple(self._connections):
            if now >= connection.until:
                self._detach(connection, LinkEnd.LOST)
                self._drop(connection)

    def _part(self, connection: JoinConnection, reason: GoodbyeReason, end: LinkEnd, now: float) -> None:
        """Send a window its last line."""
        self._detach(connection, end)
        if connection.stage is ConnectionStage.JOINED:
            connection.part(encode_line(GoodbyeModel(reason=reason)), now)
        elif connection.stage is not ConnectionStage.PARTING:
            self._drop(connection)

    def _drop(self, connection: JoinConnection) -> None:
        """Close a connection at once."""
        if connection in self._connections:
            self._connections.remove(connection)
            self._selector.unregister(connection.peer)
            connection.peer.close()

    def _on_misuse(self, connection: JoinConnection, now: float) -> None:
        self._admission.delays.fail(connection.key, now)
        self._admission.revoke(connection.ticket)
        if connection.stage is ConnectionStage.JOINED:
            self._part(connection, GoodbyeReason.MISUSED, LinkEnd.MISUSED, now)
        else:
            connection.part(encode_line(refusal(RefusalReason.MALFORMED)), now)

    # Admission

    def _on_first_line(self, connection: JoinConnection, line: bytes, now: float) -> None:
        message = decode_first_line(line)
        match connection.stage, message:
            case ConnectionStage.HELLO, HelloModel():
                answer = self._admission.challenge(message, connection.key, now)
                if isinstance(answer, Challenged):
                    connection.challenged, connection.stage = answer, ConnectionStage.PROOF
                    connection.send(encode_line(answer.challenge))
                    return
            case ConnectionStage.PROOF, ProofModel(proof=proof) if connection.challenged is not None:
                result = self._admission.admit(connection.challenged, proof, connection.key, now)
                if isinstance(result, Admitted):
                    self._join(connection, result, now)
                    return
                answer = result
            case _:
                raise BadJoinLine("it is not the line that is due")
        connection.part(encode_line(answer), now)

    def _join(self, connection: JoinConnection, admitted: Admitted, now: float) -> None:
        """Let a window in, in place of the one that had its role."""
        role = admitted.role
        same = [
            each for each in self._connections if each.stage is ConnectionStage.JOINED and each.role == role
        ]
        most = 1 if role.kind in ONE_WINDOW_KINDS else MOST_WINDOWS
        for other in same[: max(0, len(same) + 1 - most)]:
            self._part(other, GoodbyeReason.REPLACED, LinkEnd.REPLACED, now)
        connection.stage, connection.role = ConnectionStage.JOINED, role
        connection.ticket = admitted.welcome.ticket
        connection.window = connection.challenged.hello.window if connection.challenged else ""
        connection.lines.longest = LONGEST_ENTRY_LINE
        connection.until = now + SILENT_SECONDS
        connection.send(encode_line(admitted.welcome))
        self._introduce(connection, now)

    # Sessions

    def _introduce(self, connection: JoinConnection, now: float) -> None:  # noqa: ARG002 - guarded like the others
        """Introduce a window to the present session, and feed it."""
        session, role = self._session, connection.role
        if session is None or role is None:
            connection.send(encode_line(WaitingModel()))
            return
        try:
            introduction = session.introduction(role)
        except NegoError:  # this session has no such role; the next one may
            connection.send(encode_line(WaitingModel()))
            return
        performed = self._performed.get((role, connection.window), 0)
        connection.send(encode_introduction(NumberedIntroduction(self._feed_id, performed, introduction)))
        connection.feed = FeedOutbox(self._wake)
        session.attach(role, connection.feed.put)

    def _detach(self, connection: JoinConnection, end: LinkEnd) -> None:
        feed, connection.feed = connection.feed, None
        if feed is None or self._session is None or connection.role is None:
            return
        feed.close()
        try:
            self._session.detach(connection.role, feed.put, end.value)
        except Exception as error:  # noqa: BLE001 - the other windows stay connected
            self._report(error)

    def _on_line(self, connection: JoinConnection, line: bytes, now: float) -> None:
        if not connection.entries.take(now):
            raise BadJoinLine("there are too many lines")
        message = decode_window_line(line)
        match message:
            case NumberedEntry():
                self._on_entry(connection, message)
            case PingModel(number=number):
                connection.send(encode_line(PongModel(number=number, time=now)))
            case LeaveModel():
                self._detach(connection, LinkEnd.CLOSED)
                self._drop(connection)

    def _on_entry(self, connection: JoinConnection, numbered: NumberedEntry) -> None:
        """Hand an entry to the session, unless that was done before the connection was lost."""
        role, session = connection.role, self._session
        if role is None or not may_send(role, numbered.entry):
            raise BadJoinLine("its role sends no such entry")
        accepted = session is not None and connection.feed is not None and numbered.feed == self._feed_id
        if accepted and session is not None:
            process = (role, connection.window)
            if numbered.number > self._performed.get(process, 0):
                self._performed[process] = numbered.number
                self._performed.move_to_end(process)
                if len(self._performed) > MOST_PROCESSES:
                    self._performed.popitem(last=False)
                session.submit(role, numbered.entry)
        connection.send(encode_line(DoneModel(number=numbered.number, accepted=accepted)))
