"""Programs that report to this process over a pipe, and that can be killed at any moment.

Where processes can be forked, a program is a copy of this process. On Windows it is a new Python: it imports
its modules in advance, so that the moment of a kill falls into its work, and not into the start of Python.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, ClassVar, Protocol, TypeAlias

from tests.torture.forks import LONGEST, fork, read_some, read_to_end, reap

if sys.platform == "win32":
    import msvcrt

Send: TypeAlias = Callable[[bytes], object]
"""Function of a program that sends bytes to the process which started it."""

Work: TypeAlias = Callable[[Send], object]
"""Work of a program; on Windows it has to be picklable."""

KILLED = -signal.SIGKILL if os.name == "posix" else 1
"""Exit code of a program that was killed."""

FAILED = 70
"""Exit code of a program whose work failed."""

READY = b"\0"


class Program(Protocol):
    """Program that was started."""

    def read_some(self) -> bytes:
        """Return the next bytes that it has sent; none once it has ended."""
        ...

    def kill(self) -> bytes:
        """Kill the program; return the bytes that it had sent and that were not read yet."""
        ...

    def reap(self) -> int:
        """Wait for its end; return its exit code."""
        ...


def start(work: Work, *, warm: Callable[[], object]) -> Program:
    """Start a program.

    Args:
        work: Its work.
        warm: Called in a new Python before the work is handed over; its module is imported too.
    """
    return ForkedProgram(work) if os.name == "posix" else SpawnedProgram.take(work, warm)


class ForkedProgram:
    """Copy of this process."""

    def __init__(self, work: Work) -> None:
        self._read, write = os.pipe()
        self._child = fork(lambda: work(lambda data: os.write(write, data)))
        os.close(write)

    def read_some(self) -> bytes:
        """Return the next bytes."""
        return read_some(self._read, LONGEST)

    def kill(self) -> bytes:
        """Kill it with signal 9."""
        os.kill(self._child, signal.SIGKILL)
        return read_to_end(self._read, LONGEST)

    def reap(self) -> int:
        """Wait for its end; a negative code is a signal."""
        os.close(self._read)
        return reap(self._child)


class SpawnedProgram:
    """New Python that runs this module, and gets its work through its standard input.

    Args:
        warm: Called before the work.
    """

    _spares: ClassVar[dict[Any, list[SpawnedProgram]]] = {}
    """Programs that were started in advance, by what they called before their work."""

    def __init__(self, warm: Callable[[], object]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-X", "utf8", "-m", "tests.torture.programs"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self._is_ready = False
        self._send(warm)

    @classmethod
    def take(cls, work: Work, warm: Callable[[], object]) -> SpawnedProgram:
        """Return a program that begins its work, and start the next one in advance."""
        (taken,) = cls.take_ready(1, warm)
        taken.begin(work)
        cls._spares.setdefault(warm, []).append(cls(warm))
        return taken

    @classmethod
    def take_ready(cls, number: int, warm: Callable[[], object]) -> list[SpawnedProgram]:
        """Return programs that wait for their work."""
        spares = cls._spares.setdefault(warm, [])
        taken = [spares.pop() if spares else cls(warm) for _ in range(number)]
        for each in taken:
            each.wait_until_ready()
        return taken

    def wait_until_ready(self) -> None:
        """Wait until it has imported and called everything that comes before its work."""
        if not self._is_ready:
            assert self.read_some() == READY, "A program did not start."
            self._is_ready = True

    def begin(self, work: Work, *, stays: bool = False) -> None:
        """Let it do its work; afterwards it ends, or stays for more."""
        self._is_ready = False
        self._send((work, stays))

    def give_back(self, warm: Callable[[], object]) -> None:
        """Keep a program that stays, and has reported that it is ready again, for the next who takes one."""
        self._is_ready = True
        self._spares.setdefault(warm, []).append(self)

    def _send(self, what: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(pickle.dumps(what))

    def read_some(self) -> bytes:
        """Return the next bytes.

        Raises:
            AssertionError: If none arrive for too long; then it is killed.
        """
        assert self._process.stdout is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(LONGEST, end)
        timer.start()
        try:
            data = self._process.stdout.read(65536) or b""
        finally:
            timer.cancel()
        assert not late.is_set(), "A program sent nothing for too long."
        return data

    def kill(self) -> bytes:
        """Kill it; on Windows that is TerminateProcess."""
        self._process.kill()
        return self.read_to_end()

    def read_to_end(self) -> bytes:
        """Return all further bytes until its end."""
        parts = []
        while data := self.read_some():
            parts.append(data)
        return b"".join(parts)

    def reap(self) -> int:
        """Wait for its end."""
        code = self._process.wait(LONGEST)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        return code


def _main() -> int:
    """Do the work that arrives through the standard input."""
    source = sys.stdin.buffer
    # What is printed must not get between the bytes that are sent.
    out = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if sys.platform == "win32":
        msvcrt.setmode(out, os.O_BINARY)
    try:
        pickle.load(source)()
        stays = True
        while stays:
            try:
                os.write(out, READY)
                work, stays = pickle.load(source)
            except (OSError, EOFError):  # it was not needed
                return 0
            work(lambda data: os.write(out, data))
    except BaseException:  # noqa: BLE001 - reported to the process that started this one
        traceback.print_exc()
        return FAILED
    return 0


if __name__ == "__main__":
    # Under its own name, as the parts that are sent name the modules they are from.
    sys.exit(importlib.import_module("tests.torture.programs")._main())
