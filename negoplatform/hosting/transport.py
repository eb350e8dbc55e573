"""The two ends of what joins the program to an agent's process."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import time
from typing import IO, Any, Protocol

READ_BYTES = 64 * 1024
"""Bytes that either end takes at once."""


class ProcessTransport(Protocol):
    """The program's end.

    Args:
        has_write_timeout: Whether a write gives up by itself; otherwise whoever writes has to end the process.
    """

    has_write_timeout: bool

    def read(self) -> bytes:
        """What has come, as soon as anything has; nothing when nothing will come any more."""
        ...

    def write(self, data: bytes, until: float) -> None:
        """Writes everything.

        Args:
            data: What is written.
            until: The time by ``time.monotonic()`` at which it is given up, by a wire that keeps time.

        Raises:
            TimeoutError: If the other end does not read in time.
            OSError: If there is no other end.
        """
        ...

    def wake_reader(self) -> None:
        """Wakes whoever reads; from any thread."""
        ...

    def close(self) -> None:
        """Gives the descriptors back; by whoever read."""
        ...


class SocketTransport:
    """One socket for both directions: shutting it wakes a reader even if a grandchild holds the other end."""

    has_write_timeout = True

    def __init__(self, ours: socket.socket) -> None:
        self._socket = ours

    def read(self) -> bytes:
        """What has come."""
        return self._socket.recv(READ_BYTES)

    def write(self, data: bytes, until: float) -> None:
        """Writes everything, and never waits longer than it may."""
        left = memoryview(data)
        while left:
            try:
                left = left[self._socket.send(left, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                self._wait(until)

    def wake_reader(self) -> None:
        """Wakes whoever reads."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Gives the descriptor back."""
        self._socket.close()

    def _wait(self, until: float) -> None:
        seconds = until - time.monotonic()
        poll = select.poll()
        poll.register(self._socket, select.POLLOUT)
        if seconds <= 0 or not poll.poll(seconds * 1000):
            raise TimeoutError("the process does not read")


class PipeTransport:
    """Two pipes, where a process cannot be given a socket: on Windows.

    A write waits for its reader there as long as the process lives; who stops the process ends the wait.
    """

    has_write_timeout = False

    def __init__(self, to_child: IO[bytes], from_child: IO[bytes]) -> None:
        self._to_child = to_child
        self._from_child = from_child

    def read(self) -> bytes:
        """What has come."""
        return os.read(self._from_child.fileno(), READ_BYTES)

    def write(self, data: bytes, until: float) -> None:  # noqa: ARG002 - a pipe there knows no time limit
        """Writes everything."""
        left = memoryview(data)
        while left:
            left = left[os.write(self._to_child.fileno(), left) :]

    def wake_reader(self) -> None:
        """Nothing: a reader wakes when the process has ended."""

    def close(self) -> None:
        """Gives the descriptors back."""
        for pipe in (self._to_child, self._from_child):
            with contextlib.suppress(OSError):
                pipe.close()


def start_process(
    command: list[str], environment: dict[str, str], *, pipes: bool
) -> tuple[subprocess.Popen[bytes], ProcessTransport]:
    """A process in a group of its own, with nothing of ours but its end of the wire as its stdin and stdout.

    Raises:
        OSError: If it cannot be started.
    """
    options: dict[str, Any] = {"stderr": subprocess.DEVNULL, "env": environment, "close_fds": True}
    if os.name == "posix":
        options["start_new_session"] = True
    else:
        options["creationflags"] = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
            subprocess, "CREATE_NO_WINDOW", 0
        )
    if pipes:
        piped = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        if piped.stdin is None or piped.stdout is None:
            raise OSError("the process has no pipes")
        return piped, PipeTransport(piped.stdin, piped.stdout)
    ours, theirs = socket.socketpair()
    try:
        wire = SocketTransport(ours)
        with theirs:
            process = subprocess.Popen(command, stdin=theirs.fileno(), stdout=theirs.fileno(), **options)
    except BaseException:
        ours.close()
        raise
    return process, wire
