"""Connection of one window at the host: lines that arrive, and lines and items that wait to be sent."""

from __future__ import annotations

import socket
import time
from collections import deque
from collections.abc import Callable
from enum import Enum, auto

from negoplatform.app.joining.feed_lines import encode_item
from negoplatform.app.joining.join_admission import Challenged
from negoplatform.app.session.windows.session_feed import FeedItem, FeedStatus, JoinRole
from negoplatform.domain.errors import NegoError
from negoplatform.formats.join_protocol import (
    LONGEST_FIRST_LINE,
    LONGEST_HOST_LINE,
    LineBuffer,
)

FIRST_SECONDS = 5.0
"""Seconds in which a window has to be admitted."""

SILENT_SECONDS = 15.0
"""Seconds without a sign of life after which a connection is lost."""

PARTING_SECONDS = 2.0
"""Seconds for which a connection stays open after its last line, so that the line is not lost."""

MOST_DROPPED = 64 * 1024
"""Bytes that are read and dropped in that time; a peer that sends more is not listening."""

MOST_ITEMS = 10_000
"""Maximum number of items that wait for a window, beyond those with which its feed begins."""

MOST_BYTES = 8 * 1024 * 1024 + LONGEST_HOST_LINE
"""Maximum number of bytes that wait for a window: 8 MB, and an introduction."""

ENCODED_AHEAD = 128 * 1024
"""Bytes that are encoded before they can be sent; the other items wait as values."""

RECEIVED_AT_ONCE = 64 * 1024
SOCKET_BUFFER = 256 * 1024
"""Bytes of the system's buffer: a window that does not read is noticed, and reads all of it in a second."""


class ConnectionStage(Enum):
    """Stage of a connection."""

    HELLO = auto()
    """Connected, and nothing has arrived yet."""
    PROOF = auto()
    """The challenge was sent."""
    JOINED = auto()
    """The window was admitted."""
    PARTING = auto()
    """The last line was sent; whatever arrives is dropped."""


class TokenBucket:
    """Limit of a rate, with bursts.

    Args:
        rate: Tokens per second.
        burst: Maximum number of tokens.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._filled_at = burst, time.monotonic()

    def take(self, now: float) -> bool:
        """Take a token; return False if there is none."""
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._rate)
        self._filled_at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class FeedOutbox:
    """Items of a session that wait for a window; the session's thread appends, the host's thread takes.

    Args:
        wake: Called after an item was appended.
    """

    def __init__(self, wake: Callable[[], object]) -> None:
        self._items: deque[tuple[float, FeedItem]] = deque()
        self._wake = wake
        # All events so far are appended at once, whatever their number; the first status follows them.
        self._most: int | None = None
        self.overflowed = False
        self.put: Callable[[FeedItem], None] = self._put
        """The function that is attached to the session, the same object at each access."""

    def __bool__(self) -> bool:
        return bool(self._items)

    def take(self) -> tuple[float, FeedItem] | None:
        """Return the next item with the ``time.monotonic()`` of its arrival; None if there is none."""
        return self._items.popleft() if self._items else None

    def close(self) -> None:
        """Drop what waits, and whatever the session still appends."""
        self._most = 0
        self._items.clear()

    def _put(self, item: FeedItem) -> None:
        if self._most is not None and len(self._items) >= self._most:
            self.overflowed = True
        else:
            self._items.append((time.monotonic(), item))
            if self._most is None and isinstance(item, FeedStatus):
                self._most = len(self._items) + MOST_ITEMS
        self._wake()


class JoinConnection:
    """Connection of a window.

    Args:
        peer: Its socket, which does not block.
        key: The key under which its address is counted.
        now: The present ``time.monotonic()``.
    """

    def __init__(self, peer: socket.socket, key: str, now: float) -> None:
        self.peer, self.key = peer, key
        self.stage = ConnectionStage.HELLO
        self.until = now + FIRST_SECONDS
        """The ``time.monotonic()`` at which it is closed, unless it is admitted or heard from."""
        self.challenged: Challenged | None = None
        self.role: JoinRole | None = None
        self.window = ""
        self.ticket = ""
        self.feed: FeedOutbox | None = None
        self.entries = TokenBucket(50.0, 200.0)
        self.lines = LineBuffer(LONGEST_FIRST_LINE)
        self._outgoing = bytearray()
        self.waits_to_write = False
        self._dropped = 0

    @property
    def is_behind(self) -> bool:
        """Whether so much waits for the window that it does not seem to read."""
        overflowed = self.feed is not None and self.feed.overflowed
        return overflowed or len(self._outgoing) > MOST_BYTES

    def receive(self, now: float) -> bool:
        """Read what has arrived; return False if the connection has ended."""
        try:
            data = self.peer.recv(
                RECEIVED_AT_ONCE if self.stage is ConnectionStage.JOINED else 2 * LONGEST_FIRST_LINE
            )
        except BlockingIOError:
            return True
        except OSError:
            return False
        if self.stage is ConnectionStage.JOINED:
            self.until = now + SILENT_SECONDS
        if self.stage is ConnectionStage.PARTING:
            self._dropped += len(data)
            return bool(data) and self._dropped <= MOST_DROPPED
        self.lines.feed(data)
        return bool(data)

    def send(self, line: bytes) -> None:
        """Queue a line."""
        self._outgoing += line

    def flush(self, now: float) -> bool:
        """Send as much as the system takes; return False if the connection has ended."""
        self.waits_to_write = False
        while self._fill():
            try:
                sent = self.peer.send(self._outgoing)
            except BlockingIOError:
                self.waits_to_write = True
                return True
            except OSError:
                return False
            if sent < len(self._outgoing) and self.stage is ConnectionStage.JOINED:
                self.until = now + SILENT_SECONDS  # it reads a long feed, and answers no sooner
            del self._outgoing[:sent]
        return True

    def part(self, line: bytes, now: float) -> None:
        """Send a last line in place of all that waits; the peer's end follows, or a time-out."""
        self.stage, self.until = ConnectionStage.PARTING, now + PARTING_SECONDS
        self.flush(now)
        if not self._outgoing:  # otherwise a line has been sent in part
            self.send(line)
            self.flush(now)
        try:
            self.peer.shutdown(socket.SHUT_WR)
        except OSError:
            self.until = now

    def _fill(self) -> bool:
        """Encode items that fit into the bytes ahead; return whether there is anything to send."""
        if self.feed is not None and self.stage is ConnectionStage.JOINED:
            while len(self._outgoing) < ENCODED_AHEAD and (found := self.feed.take()) is not None:
                made, item = found
                self._outgoing += encode_item(item, made)
        return bool(self._outgoing)


def listen(address: str, port: int) -> socket.socket:
    """Return a socket that listens and does not block."""
    try:
        found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, place = found[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise NegoError(
            f"The address {address!r} is not an address of this computer ({error.strerror})."
        ) from None
    try:
        # On Windows the option would let another program listen at the same port.
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) else "no such port"
        raise NegoError(
            f"Windows cannot join at {address}, port {port} ({reason}); choose another address or port."
        ) from None
    listener.setblocking(False)
    return listener
