"""Hosted session for tests: a fake session that takes what windows send, and real sockets on the loopback."""

from __future__ import annotations

import json
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from negoplatform.app.joining.join_admission import full_name
from negoplatform.app.joining.join_client import JoinClient, JoinNews
from negoplatform.app.joining.join_codes import Nonces, ProofSide, draw_id, make_proof
from negoplatform.app.joining.join_server import JoinServer
from negoplatform.app.session.windows.session_feed import (
    FeedEvent,
    FeedItem,
    FeedStatus,
    JoinRole,
    RemoteEntry,
    RoleKind,
    SessionIntroduction,
)
from negoplatform.core.visibility import visible_event
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import SYSTEM
from negoplatform.eventlog.observer_export import filter_log
from negoplatform.eventlog.reader import SessionLog
from negoplatform.formats.log_header import Header
from negoplatform.testing import TrialTable
from tests.eventlog.logs import header_for

T = TypeVar("T")

HUMAN = JoinRole(RoleKind.SEAT, "human")
WIZARD = JoinRole(RoleKind.WIZARD, "agent")
EXPERIMENTER = JoinRole(RoleKind.EXPERIMENTER)
PUBLIC = JoinRole(RoleKind.PUBLIC)

CODES = {HUMAN: "AAAAA22222", WIZARD: "BBBBB33333", EXPERIMENTER: "CCCCC44444", PUBLIC: "DDDDD55555"}

PATIENCE = 20.0
"""Seconds after which a test gives up to wait, on however busy a machine."""


def until(holds: Callable[[], T], what: str = "this") -> T:
    """Wait until a condition holds, and return its value."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end, f"{what} did not happen"
        time.sleep(0.002)
    return found


class FakeSession:
    """Session that windows can join, played at a trial table on the test's thread.

    Args:
        table: The table.
        header: The complete header of its log.
    """

    def __init__(self, table: TrialTable, header: Header | None = None) -> None:
        self.table = table
        self.header = header or header_for(table.state.game)
        self.submitted: list[tuple[JoinRole, RemoteEntry]] = []
        self.attached: dict[JoinRole, list[Callable[[FeedItem], object]]] = {}
        self.detached: list[tuple[JoinRole, str]] = []
        self.unknown: set[JoinRole] = set()
        self._lock = Lock()
        table.subscribe(lambda published: self._publish(published.event))

    def introduction(self, role: JoinRole) -> SessionIntroduction:
        """Return the header as the role may see it, and names."""
        if role in self.unknown:
            raise NegoError("There is no such role.")
        game = self.table.state.game
        header = self.header
        if role.kind is not RoleKind.EXPERIMENTER:
            view = SYSTEM if role.kind is RoleKind.SYSTEM else role.seat or "public"
            header = filter_log(SessionLog(Path("log"), self.header, (), ()), view).header
        names = {seat: "Robin" for seat in game.seats if seat != role.seat}
        participant = "P07" if role.kind is RoleKind.SEAT else ""
        return SessionIntroduction(role, header, participant, names)

    def attach(self, role: JoinRole, put: Callable[[FeedItem], object]) -> None:
        """Feed a window all events so far, and the status."""
        with self._lock:
            self.attached.setdefault(role, []).append(put)
            for event in self.table.events:
                self._feed(role, put, event)
            put(self.status())

    def detach(self, role: JoinRole, put: Callable[[FeedItem], object], reason: str) -> None:
        """Stop feeding a window."""
        with self._lock:
            self.attached[role].remove(put)
            self.detached.append((role, reason))

    def submit(self, role: JoinRole, entry: RemoteEntry) -> None:
        """Keep an entry."""
        with self._lock:
            self.submitted.append((role, entry))

    def status(self, **changes: Any) -> FeedStatus:
        """Return the status."""
        started = bool(self.table.events)
        return FeedStatus(
            **{"session_time": self.table.state.t, "running": started, "started": started, **changes}
        )

    def put(self, role: JoinRole, item: FeedItem) -> None:
        """Feed an item to the windows of a role."""
        with self._lock:
            for put in self.attached.get(role, []):
                put(item)

    def windows(self, role: JoinRole) -> int:
        """Return the number of windows in a role."""
        with self._lock:
            return len(self.attached.get(role, []))

    def entries(self, role: JoinRole = HUMAN) -> list[RemoteEntry]:
        """Return what a role has sent."""
        with self._lock:
            return [entry for by, entry in self.submitted if by == role]

    def _publish(self, event: Any) -> None:
        with self._lock:
            for role, puts in self.attached.items():
                for put in puts:
                    self._feed(role, put, event)

    def _feed(self, role: JoinRole, put: Callable[[FeedItem], object], event: Any) -> None:
        seen = visible_event(event, role.observer_in(self.table.state.game))
        if seen is not None:
            put(FeedEvent(seen))


class Hosting:
    """Server with a fake session, and the windows that a test opens.

    Args:
        table: The table of the session.
        folder: A folder for token files.
    """

    def __init__(self, table: TrialTable, folder: Path) -> None:
        self.errors: list[BaseException] = []
        self.session = FakeSession(table)
        self.folder = folder
        self.server = JoinServer("127.0.0.1", 0, CODES, report=self.errors.append)
        self.server.start()
        self.server.serve(self.session)
        self.clients: list[JoinClient] = []
        self.peers: list[Peer] = []

    @property
    def port(self) -> int:
        """The port of the server."""
        return self.server.port

    def join(
        self, code: str = CODES[HUMAN], wanted: str = "", *, port: int = 0, token: str = ""
    ) -> JoinClient:
        """Open a window."""
        client = JoinClient(
            "127.0.0.1",
            port or self.port,
            code,
            wanted,
            report=self.errors.append,
            token_file=self.folder / token if token else None,
        )
        self.clients.append(client)
        client.start()
        return client

    def peer(self, **options: Any) -> Peer:
        """Open a plain connection."""
        found = Peer(self.port, **options)
        self.peers.append(found)
        return found

    def close(self) -> None:
        """End everything."""
        for client in self.clients:
            client.stop()
        for peer in self.peers:
            peer.socket.close()
        self.server.stop()


class Peer:
    """Plain connection to a server, which sends whatever a test wants.

    Args:
        port: The port.
        receive_buffer: The size of the system's buffer for what arrives; 0: as usual.
        source: The address of this computer from which it comes; empty: the usual one.
    """

    def __init__(self, port: int, receive_buffer: int = 0, source: str = "") -> None:
        self.socket = socket.socket()
        if source:
            self.socket.bind((source, 0))
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", port))
        self._data = b""

    def send(self, document: object) -> None:
        """Send a JSON value as a line, or bytes as they are."""
        data = document if isinstance(document, bytes) else json.dumps(document).encode() + b"\n"
        self.socket.sendall(data)

    def receive(self) -> dict[str, Any] | None:
        """Return the next line; None at the end of the connection."""
        while b"\n" not in self._data:
            try:
                data = self.socket.recv(65536)
            except ConnectionResetError:
                return None
            if not data:
                return None
            self._data += data
        line, _, self._data = self._data.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def receive_all(self) -> list[dict[str, Any]]:
        """Return the lines until the end of the connection."""
        return list(iter(self.receive, None))

    def hello(self, **changes: Any) -> dict[str, Any]:
        """Send a hello, and return it."""
        line = {
            "kind": "hello",
            "protocol": 1,
            "version": "0.1.0",
            "nonce": draw_id(),
            "wanted": "",
            "ticket": "",
            "window": draw_id(),
            **changes,
        }
        self.send(line)
        return line

    def admit(self, code: str, **changes: Any) -> dict[str, Any] | None:
        """Say hello and prove to have a code; return the answer."""
        hello = self.hello(**changes)
        challenge = self.receive()
        if challenge is None or challenge["kind"] != "challenge":
            return challenge
        nonces = Nonces(hello["nonce"], challenge["nonce"])
        self.send(
            {"kind": "proof", "proof": make_proof(code.encode(), ProofSide.WINDOW, nonces, hello["wanted"])}
        )
        answer = self.receive()
        if answer is not None and answer["kind"] == "welcome":
            role = JoinRole(RoleKind(answer["role_kind"]), answer["seat"])
            assert answer["proof"] == make_proof(code.encode(), ProofSide.HOST, nonces, full_name(role))
        return answer


class CutLink:
    """Relay between windows and a server whose connections a test can cut.

    Args:
        port: The port of the server.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self.is_cut = False
        self.loses_answers = False
        self._stopped = False
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """End all connections, and refuse new ones."""
        self.is_cut = True

    def restore(self) -> None:
        """Let connections through again."""
        self.loses_answers = False
        self.is_cut = False

    def stop(self) -> None:
        """End the relay."""
        self._stopped = True
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        while not self._stopped:
            if self.is_cut:
                self._end_all()
            ends = [end for pair in self._pairs for end in pair]
            readable, _, _ = select.select([self._listener, *ends], [], [], 0.01)
            for end in readable:
                if end is self._listener:
                    self._accept()
                else:
                    self._pass_on(end)
        self._end_all()
        self._listener.close()

    def _accept(self) -> None:
        window, _ = self._listener.accept()
        if self.is_cut:
            window.close()
            return
        self._pairs.append((window, socket.create_connection(("127.0.0.1", self._target))))

    def _pass_on(self, end: socket.socket) -> None:
        pair = next((pair for pair in self._pairs if end in pair), None)
        if pair is None:
            return
        other = pair[1] if end is pair[0] else pair[0]
        try:
            data = end.recv(65536)
            if data and not (self.loses_answers and end is pair[1]):
                other.sendall(data)
        except OSError:
            data = b""
        if not data:
            self._pairs.remove(pair)
            for each in pair:
                each.close()

    def _end_all(self) -> None:
        for pair in self._pairs:
            for end in pair:
                end.close()
        self._pairs.clear()


class NewsReader:
    """News of a client, kept for a test.

    Args:
        client: The client.
    """

    def __init__(self, client: JoinClient) -> None:
        self._news = client.news
        self.all: list[JoinNews] = []

    def next(self, kind: type[T]) -> T:
        """Wait for news of a kind, and return the first since the last call."""
        while True:
            news = self._news.get(timeout=PATIENCE)
            self.all.append(news)
            if isinstance(news, kind):
                return news


def drained(queue: SimpleQueue[T]) -> list[T]:
    """Return what a queue holds."""
    found: list[T] = []
    try:
        while True:
            found.append(queue.get_nowait())
    except Empty:
        return found


@contextmanager
def relay(port: int) -> Iterator[CutLink]:
    """Run a relay to a server."""
    found = CutLink(port)
    try:
        yield found
    finally:
        found.stop()
