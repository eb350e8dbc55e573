"""Standard streams of an agent's process as its transport, and the watchdog over what it does in between."""

from __future__ import annotations

import contextlib
import errno
import faulthandler
import os
import signal
import socket
import stat
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue

from negoplatform.formats.agent_protocol import ChunkBuffer
from negoplatform.hosting.child_process import EXIT_PROTOCOL_ERROR
from negoplatform.hosting.sandbox.process_family import end_own_children
from negoplatform.hosting.transport import READ_BYTES, receive_with_files

STACK_BYTES = 512 * 1024
"""Stack size of the reading thread; the default of some megabytes would count as memory of the agent."""


WATCH_SLACK = 0.25
"""Seconds within which requests that follow each other have one watchdog."""

IDLE_SECONDS = 0.05
"""Seconds without a request after which the process has no watchdog until the next."""


class Watchdog:
    """Watchdog that ends this process if it hangs outside Python, where nothing else may be able to end it.

    Where the user already runs too many threads for one more, there is no watchdog.
    """

    def __init__(self) -> None:
        self._ends_at = 0.0

    def watch(self, seconds: float) -> None:
        """Give the process this time, or up to ``WATCH_SLACK`` more, until it rests or is given another time.

        Each new time costs a thread of the system, so one that is still long enough is kept.
        """
        now = time.monotonic()
        if self._ends_at - now >= seconds:
            return
        with contextlib.suppress(RuntimeError):
            faulthandler.dump_traceback_later(seconds + WATCH_SLACK, exit=True, file=2)
            self._ends_at = now + seconds + WATCH_SLACK

    def rest(self) -> None:
        """Take the time away: the process waits for a request."""
        self._ends_at = 0.0
        faulthandler.cancel_dump_traceback_later()

    @contextlib.contextmanager
    def watching(self, seconds: float) -> Iterator[None]:
        """Give the process a time within a ``with`` statement."""
        self.rest()
        self.watch(seconds)
        try:
            yield
        finally:
            self.rest()


watchdog = Watchdog()


class StdioTransport:
    """The original stdin and stdout, moved to descriptors that a plugin's prints and reads do not use by
    accident.
    """

    def __init__(self) -> None:
        self._in, self._out = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        os.close(nothing)
        # Writes a traceback on a signal from the parent, or at a segmentation fault.
        faulthandler.enable(2)
        if hasattr(signal, "SIGPIPE"):
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._files: deque[int] = deque()
        self._chunks, self._rest = ChunkBuffer(), b""
        self._read_some = self._reader()

    def receive_first(self) -> bytes:
        """Return the first message, read by the calling thread.

        There is no other thread until the sandbox is entered: it restricts the thread that enters it, and
        those that this one starts afterwards.
        """
        while self._lines.empty():
            self._read_once()
        return self._lines.get()

    def start_reader(self) -> None:
        """Read on a thread from now on, which ends this process when its parent is gone."""
        threading.stack_size(STACK_BYTES)
        threading.Thread(target=self._read, name="reader", daemon=True).start()
        threading.stack_size(0)

    def receive(self) -> bytes:
        """Return the next message, joined if it came in chunks; no watchdog is needed until then."""
        try:
            return self._lines.get(timeout=IDLE_SECONDS)
        except Empty:
            watchdog.rest()
            return self._lines.get()

    def take_file(self) -> int | None:
        """Return the descriptor that came with the last message; None if none did.

        A descriptor comes with the first byte of its message, so it is there when the message is.
        """
        return self._files.popleft() if self._files else None

    def send(self, line: bytes) -> None:
        """Send a message."""
        left = memoryview(line)
        while left:
            left = left[os.write(self._out, left) :]

    def _read(self) -> None:
        while True:
            self._read_once()

    def _read_once(self) -> None:
        """Read what has come; end this process once the parent is gone, as the agent is of no use then."""
        try:
            chunk = self._read_some()
        except OSError as error:
            if error.errno == errno.EBADF:  # the agent has closed it; the parent cleans up
                os._exit(EXIT_PROTOCOL_ERROR)
            chunk = b""
        if not chunk:
            _kill_process_group()
        self._put_lines(chunk)

    def _reader(self) -> Callable[[], bytes]:
        """Return a function that reads what has come; the descriptors that come with it are kept."""
        if not stat.S_ISSOCK(os.fstat(self._in).st_mode):
            return lambda: os.read(self._in, READ_BYTES)
        wire = socket.socket(fileno=self._in)

        def read() -> bytes:
            data, files = receive_with_files(wire)
            self._files.extend(files)
            return data

        return read

    def _put_lines(self, read: bytes) -> None:
        """Queue the complete messages; keep the rest of the last line."""
        *lines, self._rest = (self._rest + read).split(b"\n")
        for line in lines:
            whole = self._chunks.feed(line)
            if whole is not None:
                self._lines.put(whole)


def _kill_process_group() -> None:
    end_own_children()
    if os.name == "posix" and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)
