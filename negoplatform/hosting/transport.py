"""Transports between the program and an agent's process: a socket, or two pipes."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import sys
import time
from array import array
from typing import IO, Any, Protocol

READ_BYTES = 64 * 1024
"""Bytes that either end reads at once."""

_NO_INHERITANCE = getattr(socket, "MSG_CMSG_CLOEXEC", 0)


class ProcessTransport(Protocol):
    """The program's end of a transport.

    Args:
        has_write_timeout: Whether a write has a time limit; without one, the caller has to end the process.
        passes_files: Whether an open file can be sent along with bytes.
    """

    has_write_timeout: bool
    passes_files: bool

    def read(self) -> bytes:
        """Return the bytes that have come, as soon as there are any; none at the end of the stream."""
        ...

    def write(self, data: bytes, until: float, file: int | None = None) -> None:
        """Write all bytes.

        Args:
            data: The bytes.
            until: The time by ``time.monotonic()`` at which a transport with a write timeout gives up.
            file: A descriptor, of which the other end receives a copy with the first byte; only for a
                transport that passes files.

        Raises:
            TimeoutError: If the other end does not read in time.
            OSError: If there is no other end.
        """
        ...

    def wake_reader(self) -> None:
        """Wake a reader that waits; from any thread."""
        ...

    def close(self) -> None:
        """Close the descriptors; called by the reader."""
        ...


class SocketTransport:
    """Socket for both directions: shutting it down wakes a reader even if a grandchild has the other end."""

    has_write_timeout = True
    passes_files = True

    def __init__(self, ours: socket.socket) -> None:
        self._socket = ours

    def read(self) -> bytes:
        """Return the bytes that have come."""
        return self._socket.recv(READ_BYTES)

    def write(self, data: bytes, until: float, file: int | None = None) -> None:
        """Write all bytes, within the time limit."""
        left = memoryview(data)
        while left:
            try:
                left = left[self._send(left, file) :]
            except BlockingIOError:
                self._wait(until)
            else:
                file = None

    def _send(self, data: memoryview, file: int | None) -> int:
        if file is None:
            return self._socket.send(data, socket.MSG_DONTWAIT)
        # socket.send_fds does not pass its flags on, and would wait.
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [file]))]
        return self._socket.sendmsg([data], ancillary, socket.MSG_DONTWAIT)

    def wake_reader(self) -> None:
        """Wake a reader that waits."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the descriptor."""
        self._socket.close()

    def _wait(self, until: float) -> None:
        seconds = until - time.monotonic()
        poll = select.poll()
        poll.register(self._socket, select.POLLOUT)
        if seconds <= 0 or not poll.poll(seconds * 1000):
            raise TimeoutError("the process does not read")


def receive_with_files(wire: socket.socket) -> tuple[bytes, array[int]]:
    """Return the bytes that have come, and the descriptor that came with them, if one did."""
    files = array("i")
    # socket.recv_fds does not pass its flags on.
    data, ancillary, _, _ = wire.recvmsg(READ_BYTES, socket.CMSG_LEN(files.itemsize), _NO_INHERITANCE)
    for level, kind, content in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            files.frombytes(content[: len(content) - len(content) % files.itemsize])
    return data, files


class PipeTransport:
    """Two pipes, where a process cannot be given a socket: on Windows.

    A write blocks there until its reader reads or the process ends; stopping the process ends the wait. A
    read blocks until no process has the other end.
    """

    has_write_timeout = False
    passes_files = False

    def __init__(self, to_child: IO[bytes], from_child: IO[bytes]) -> None:
        self._to_child = to_child
        self._from_child = from_child

    def read(self) -> bytes:
        """Return the bytes that have come."""
        return os.read(self._from_child.fileno(), READ_BYTES)

    def write(self, data: bytes, until: float, file: int | None = None) -> None:  # noqa: ARG002 - a pipe there has no time limit
        """Write all bytes."""
        if file is not None:
            raise ValueError("a pipe passes no files")
        left = memoryview(data)
        while left:
            left = left[os.write(self._to_child.fileno(), left) :]

    def wake_reader(self) -> None:
        """Do nothing: a reader wakes when the process has ended, and all that it started."""

    def close(self) -> None:
        """Close the descriptors."""
        for pipe in (self._to_child, self._from_child):
            with contextlib.suppress(OSError):
                pipe.close()


def start_process(
    command: list[str], environment: dict[str, str], *, pipes: bool
) -> tuple[subprocess.Popen[bytes], ProcessTransport]:
    """Start a process in a new group; its end of the transport as stdin and stdout is all it inherits.

    Raises:
        OSError: If it cannot be started.
    """
    options: dict[str, Any] = {"stderr": subprocess.DEVNULL, "env": environment, "close_fds": True}
    if sys.platform == "win32":
        options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    else:
        options["start_new_session"] = True
    if pipes:
        piped = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        if piped.stdin is None or piped.stdout is None:
            raise OSError("the process has no pipes")
        return piped, PipeTransport(piped.stdin, piped.stdout)
    ours, theirs = socket.socketpair()
    try:
        transport = SocketTransport(ours)
        with theirs:
            process = subprocess.Popen(command, stdin=theirs.fileno(), stdout=theirs.fileno(), **options)
    except BaseException:
        ours.close()
        raise
    return process, transport
