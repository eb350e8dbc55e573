"""Short-lived copies of this process, which may be killed, starved or run as another user. POSIX only."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

LONGEST = 120.0
"""Seconds that a child may take; an upper bound, not a measure."""


def fork(work: Callable[[], object]) -> int:
    """Start a copy of this process that does one thing and ends; return its id."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        work()
        code = 0
    except BaseException:  # noqa: BLE001 - a copy of the whole program must not run on
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):
            sys.stderr.flush()
        os._exit(code)


def reap(child: int) -> int:
    """Wait for a child; return its exit code, negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def ask(work: Callable[[], T]) -> T:
    """Do some work in a child; return its result.

    Raises:
        AssertionError: If the child ended without a result, or took too long.
    """
    read, write = os.pipe()

    def answer() -> None:
        os.close(read)
        _write_all(write, pickle.dumps(work()))

    child = fork(answer)
    os.close(write)
    try:
        data = read_to_end(read, LONGEST)
    except AssertionError:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        os.close(read)
        code = reap(child)
    assert code == 0, f"The child ended with {code}."
    result: T = pickle.loads(data)
    return result


def read_some(read: int, patience: float) -> bytes:
    """Return the next bytes; none once the other end is closed.

    Raises:
        AssertionError: If nothing arrives for ``patience`` seconds.
    """
    ready, _, _ = select.select([read], [], [], patience)
    assert ready, "A child said nothing for too long."
    return os.read(read, 65536)


def read_to_end(read: int, patience: float) -> bytes:
    """Return all bytes until the other end is closed."""
    parts = []
    while data := read_some(read, patience):
        parts.append(data)
    return b"".join(parts)


class Gate:
    """Gate where children wait until it is opened for all of them at once."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        self._shut = True

    def wait(self) -> None:
        """Wait, in a child, until the gate is opened."""
        os.close(self._write)
        os.read(self._read, 1)
        os.close(self._read)

    def open(self) -> None:
        """Let all children through, from the parent."""
        if self._shut:
            self._shut = False
            os.close(self._write)
            os.close(self._read)


@contextmanager
def gates(number: int) -> Iterator[tuple[Gate, ...]]:
    """Yield gates that are open at the end, whatever happens."""
    made = tuple(Gate() for _ in range(number))
    try:
        yield made
    finally:
        for each in made:
            each.open()


def _write_all(write: int, data: bytes) -> None:
    while data:
        data = data[os.write(write, data) :]
