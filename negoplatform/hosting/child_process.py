"""A process that we started: heard line by line, never waited for, ended with everything that it started."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread, Timer, current_thread

import negoplatform
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.formats.agent_protocol import LONGEST_LINE
from negoplatform.hosting.transport import start_process

AGENT_PROCESS = "agent-process"
"""The argument by which the program knows that it is to be an agent's process."""

MAX_UNREAD_LINES = 64
"""Lines that a process may send without being asked."""

POLL_SECONDS = 0.2
"""How often it is looked whether a process has ended whose grandchild still holds the wire."""

EXIT_GRACE_SECONDS = 0.1
"""How long a hung process has to say where it hangs."""

INHERITED_VARIABLES = (
    *("LANG", "LC_ALL", "LC_CTYPE", "PATH", "TMPDIR", "TEMP", "TMP"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "SystemRoot"),
)
"""What of our environment an interpreter needs to start at all, and nothing else."""

EXIT_OUT_OF_MEMORY = 86
EXIT_PROTOCOL_ERROR = 87

EXIT_MESSAGES = {
    EXIT_OUT_OF_MEMORY: "It ran out of memory.",
    EXIT_PROTOCOL_ERROR: "Its process could not go on with what it was told.",
}
"""What the exit codes of our own child program mean."""


WRITE_TIMEOUT_MESSAGE = "It did not read what it was told."


class ChildEnded(AgentError):
    """The process has ended; the text is a sentence that says how."""


def agent_command() -> list[str]:
    """The command that makes a process an agent's: the program itself, frozen or not."""
    if getattr(sys, "frozen", False):
        return [sys.executable, AGENT_PROCESS]
    # A working folder is no place to take modules from (-P), and neither is what a user installed (-s).
    return [sys.executable, "-P", "-s", "-X", "utf8", "-m", "negoplatform", AGENT_PROCESS]


def agent_environment() -> dict[str, str]:
    """The environment of an agent's process: what it needs to start, and what makes it reproducible."""
    environment = {name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ}
    # It finds what we find, in the same order; an agent's own libraries may be there.
    ours = str(Path(negoplatform.__file__).resolve().parent.parent)
    paths = dict.fromkeys([*(path for path in sys.path if Path(path).is_absolute()), ours])
    return {
        **environment,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONHASHSEED": "0",
        # Libraries that start a thread per core would use up their memory before they do anything.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
    }


class ChildProcess:
    """A process that speaks lines.

    Args:
        pipes: Whether it is joined by pipes in place of a socket; None: as the system needs it.

    Raises:
        NegoError: If it cannot be started.
    """

    def __init__(self, *, pipes: bool | None = None) -> None:
        joined = os.name != "posix" if pipes is None else pipes
        try:
            self._process, self._transport = start_process(agent_command(), agent_environment(), pipes=joined)
        except OSError as error:
            raise NegoError(f"An agent's process cannot be started ({error.strerror}).") from error
        self.pid = self._process.pid
        try:
            self._lock = Lock()
            self._reap_lock = Lock()
            self._write_lock = Lock()
            self._reaped = False
            self._end_reason = ""
            self._lines: SimpleQueue[bytes | None] = SimpleQueue()
            # A daemon thread: it must not hold up the end of the program.
            self._reader = Thread(target=self._read, name=f"agent process {self.pid}", daemon=True)
            _running_children.add(self)
            self._reader.start()
        except BaseException as error:  # no memory, or no thread: nobody would ever end it
            _running_children.discard(self)
            self._kill()
            self._process.wait()
            self._transport.close()
            if isinstance(error, RuntimeError):
                raise NegoError(f"An agent's process cannot be listened to ({error}).") from error
            raise

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return not self._end_reason and not self._reaped and not self._has_exited()

    def send(self, lines: bytes, until: float) -> None:
        """Writes lines.

        Raises:
            TimeoutError: If it does not read in time.
            ChildEnded: If it has ended.
        """
        watch = None if self._transport.has_write_timeout else self._start_kill_timer(until)
        try:
            with self._write_lock:
                self._transport.write(lines, until)
        except TimeoutError:
            raise
        except (OSError, ValueError):  # ValueError: the wire is closed
            if self._end_reason == WRITE_TIMEOUT_MESSAGE and time.monotonic() >= until:
                raise TimeoutError("the process does not read") from None
            self._reader.join(POLL_SECONDS)  # which knows how it ended, if it has
            self._end("It closed its end of the wire.")
            raise ChildEnded(self._describe_exit()) from None
        finally:
            if watch is not None:
                watch.cancel()

    def receive(self, until: float) -> bytes:
        """The next line.

        Raises:
            TimeoutError: If there is none in time.
            ChildEnded: If it has ended.
        """
        while True:
            left = until - time.monotonic()
            try:
                line = self._lines.get(timeout=max(0.0, min(left, POLL_SECONDS)))
            except Empty:
                if self._has_exited() and left > -POLL_SECONDS:
                    self._transport.wake_reader()  # so that the reader ends, whoever else holds the other end
                elif left <= 0:
                    raise TimeoutError("the process has said nothing") from None
                continue
            if line is None:
                self._lines.put(None)  # for whoever listens next
                raise ChildEnded(self._describe_exit())
            return line

    def kill_with_traceback(self, reason: str) -> None:
        """Ends a process that hangs, and lets it say where before it goes."""
        with self._lock:
            self._end_reason = self._end_reason or reason
            if self._process.returncode is None and os.name == "posix":
                # Its faulthandler, which needs no cooperation of what hangs, writes a trace and ends it.
                with contextlib.suppress(OSError):
                    os.kill(self.pid, signal.SIGABRT)
        self._reader.join(EXIT_GRACE_SECONDS)
        self.stop()

    def stop(self) -> None:
        """Ends it with everything that it started; from any thread, and more than once."""
        self._end("It was stopped.")
        if current_thread() is not self._reader:
            self._reader.join(POLL_SECONDS)

    def _start_kill_timer(self, until: float) -> Timer:
        """Ends it at a time, unless that is cancelled before: a write that waits comes to an end with it."""
        watch = Timer(max(0.0, until - time.monotonic()), self._end, [WRITE_TIMEOUT_MESSAGE])
        watch.daemon = True
        try:
            watch.start()
        except RuntimeError:
            self._end("There was no thread left to watch it.")
            raise ChildEnded(self._describe_exit()) from None
        return watch

    def _end(self, why: str) -> None:
        with self._lock:
            if self._reaped:
                return
            self._end_reason = self._end_reason or ("" if self._has_exited() else why)
            self._kill()
        self._transport.wake_reader()

    def _kill(self) -> None:
        """Kills the group; never after its first process was reaped, when the number may mean another."""
        if self._process.returncode is None:
            self._kill_group()

    def _kill_group(self) -> None:
        if os.name == "posix":
            # On some systems a group of processes that have all ended may not be signalled.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        else:
            with contextlib.suppress(OSError):
                self._process.kill()

    def _has_exited(self) -> bool:
        """Whether it has ended; where the system can look without reaping it, it is not reaped."""
        if self._process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            with self._reap_lock:
                if self._process.returncode is None and self._process.poll() is not None:
                    self._kill_group()  # in the same breath; later its number may mean another
            return self._process.returncode is not None
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except OSError:
            return True

    def _read(self) -> None:
        """Turns bytes into lines until nothing comes any more, and then buries the process."""
        rest = b""
        with contextlib.suppress(OSError):
            while chunk := self._transport.read():
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._lines.put(line)
                if len(rest) > LONGEST_LINE:
                    self._end(f"It sent a message of more than {LONGEST_LINE:,} bytes.")
                    break
                if self._lines.qsize() > MAX_UNREAD_LINES:
                    self._end("It sent messages that nobody had asked for.")
                    break
        self._reap()
        self._lines.put(None)

    def _reap(self) -> None:
        # Whoever closes the wire is given a moment to end by itself, so that it is known how it did.
        until = time.monotonic() + EXIT_GRACE_SECONDS
        while not self._has_exited() and time.monotonic() < until:
            time.sleep(0.002)
        self._end("It closed its end of the wire.")
        if hasattr(os, "waitid"):
            with contextlib.suppress(OSError):
                os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        else:
            while not self._has_exited():  # which reaps it
                time.sleep(0.002)
        with self._lock:
            self._kill()  # what it left behind, while its number is still its own
            self._process.wait()
            self._reaped = True
        with self._write_lock:  # nobody writes to a descriptor that means something else by now
            self._transport.close()
        _running_children.discard(self)

    def _describe_exit(self) -> str:
        """How it ended, in a sentence."""
        self._reader.join(POLL_SECONDS)
        if self._end_reason:
            return self._end_reason
        code = self._process.returncode
        if code is None:
            return "Its process ended."
        if code in EXIT_MESSAGES:
            return EXIT_MESSAGES[code]
        if code >= 0:
            return f"Its process ended by itself (exit code {code})."
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"Its process was ended by {name}{_SIGNAL_EXPLANATIONS.get(name, '')}."


_SIGNAL_EXPLANATIONS = {
    "SIGXCPU": ": it had used up its processor time",
    "SIGKILL": ", as the system does when memory runs out",
}

_running_children: set[ChildProcess] = set()


@atexit.register
def _stop_all() -> None:
    """Nothing that we started outlives us."""
    for child in list(_running_children):
        with child._lock:
            if not child._reaped:
                child._kill()
