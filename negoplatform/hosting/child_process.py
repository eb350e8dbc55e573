"""Child process that exchanges lines, never waits without a limit, and ends with all that it started."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, Timer, current_thread

import negoplatform
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.formats.agent_protocol import LONGEST_LINE
from negoplatform.hosting.processes.process_group import ProcessGroup
from negoplatform.hosting.processes.process_limits import MEGABYTE
from negoplatform.hosting.sandbox.process_family import (
    descendants,
    end_left_behind,
    has_children,
    resident_memory,
)
from negoplatform.hosting.sandbox.process_sandbox import guard_program
from negoplatform.hosting.transport import start_process

AGENT_PROCESS = "agent-process"
"""The argument that makes the program an agent's process."""

MAX_UNREAD_LINES = 64
"""Lines that a process may send without a request."""

POLL_SECONDS = 0.2
"""Seconds between two checks whether a process has ended whose grandchild still holds the transport."""

FAMILY_CHECK_SECONDS = 0.2
"""Seconds between two checks of a process together with those that it started."""

EXIT_GRACE_SECONDS = 0.1
"""Seconds that a process which has closed its transport has for ending by itself."""

TRACEBACK_SECONDS = 1.0
"""Most seconds that a hung process has for writing its traceback; it takes some on a busy machine."""

INHERITED_VARIABLES = (
    *("LANG", "LC_ALL", "LC_CTYPE", "PATH", "TMPDIR", "TEMP", "TMP"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "SystemRoot"),
)
"""Environment variables that an interpreter needs to start at all, and no others."""

EXIT_OUT_OF_MEMORY = 86
EXIT_PROTOCOL_ERROR = 87

EXIT_MESSAGES = {
    EXIT_OUT_OF_MEMORY: "It ran out of memory.",
    EXIT_PROTOCOL_ERROR: "Its process could not handle a message.",
}
"""Exit codes of the agent's process with their meaning."""


WRITE_TIMEOUT_MESSAGE = "It did not read a message in time."


class ChildEnded(AgentError):
    """Raised when the process has ended; the text is a sentence with the reason."""


def agent_command() -> list[str]:
    """Return the command that starts an agent's process: the program itself, frozen or not."""
    if getattr(sys, "frozen", False):
        return [sys.executable, AGENT_PROCESS]
    # No modules from the working folder (-P) or from the user's site-packages (-s).
    return [_interpreter(), "-P", "-s", "-X", "utf8", "-m", "negoplatform", AGENT_PROCESS]


def module_search_path() -> list[str]:
    """Return the module search path of further processes: the standard library, then the program's own path.

    Python puts the folder of a script or the working folder first, and files there may be named like modules
    of the standard library. An agent's own libraries may be in any folder of the path.
    """
    paths = [path for path in sys.path if Path(path).is_absolute()]
    ours = str(Path(negoplatform.__file__).resolve().parent.parent)
    standard = [path for path in paths if _is_standard_library(Path(path))]
    return list(dict.fromkeys([*standard, *paths, ours]))


def agent_environment() -> dict[str, str]:
    """Return the environment of an agent's process: variables to start with, and some for reproducibility."""
    environment = {name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ}
    return {
        **environment,
        "PYTHONPATH": os.pathsep.join(module_search_path()),
        "PYTHONHASHSEED": "0",
        # Libraries that start a thread per core would use up their memory at once.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
        # As multiprocessing does for the interpreter of a virtual environment.
        **({} if _interpreter() == sys.executable else {"__PYVENV_LAUNCHER__": sys.executable}),
    }


def _is_standard_library(path: Path) -> bool:
    library = Path(getattr(os, "__file__", os.devnull)).parent  # a packaged program may have none
    if path.suffix == ".zip" or path == Path(sys.base_prefix, "DLLs"):  # python311.zip, and Windows
        return path.is_relative_to(sys.base_prefix)
    return path.is_relative_to(library) and not {"site-packages", "dist-packages"} & set(path.parts)


def _interpreter() -> str:
    """Return the path of the interpreter itself.

    In a virtual environment on Windows, ``sys.executable`` only starts the interpreter as another process,
    which could be outside the job of its parent.
    """
    if sys.platform == "win32":
        return str(getattr(sys, "_base_executable", sys.executable))
    return sys.executable


class ChildProcess:
    """Child process that exchanges lines with the program.

    Args:
        pipes: Whether the transport is pipes rather than a socket; None: the system's default.

    Raises:
        NegoError: If the process cannot be started.
    """

    def __init__(self, *, pipes: bool | None = None) -> None:
        guard_program()
        joined = os.name != "posix" if pipes is None else pipes
        try:
            self._process, self._transport = start_process(agent_command(), agent_environment(), pipes=joined)
        except OSError as error:
            raise NegoError(f"An agent's process cannot be started ({error.strerror}).") from error
        self.pid = self._process.pid
        try:
            self._group = ProcessGroup(self._process)
            self._lock = Lock()
            self._reap_lock = Lock()
            self._write_lock = Lock()
            self._reaped = False
            self._end_reason = ""
            self._ended = Event()
            self._lines: SimpleQueue[bytes | None] = SimpleQueue()
            # A daemon thread: it must not delay the end of the program.
            self._reader = Thread(target=self._read, name=f"agent process {self.pid}", daemon=True)
            _running_children.add(self)
            self._reader.start()
        except BaseException as error:  # no memory, or no thread: the process would never be ended
            _running_children.discard(self)
            with contextlib.suppress(OSError):
                self._process.kill()  # it has started no other yet
            self._process.wait()
            self._transport.close()
            if isinstance(error, RuntimeError):
                raise NegoError(f"An agent's process cannot be listened to ({error}).") from error
            raise

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return not self._end_reason and not self._reaped and not self._has_exited()

    @property
    def passes_files(self) -> bool:
        """Whether an open file can be sent along with lines."""
        return self._transport.passes_files

    def send(self, lines: bytes, until: float, file: int | None = None) -> None:
        """Write lines.

        Args:
            lines: The lines.
            until: The time by ``time.monotonic()`` until which the process has to read them.
            file: A descriptor, of which the process receives a copy together with the first byte.

        Raises:
            TimeoutError: If the process does not read in time.
            ChildEnded: If the process has ended.
        """
        watch = None if self._transport.has_write_timeout else self._start_kill_timer(until)
        try:
            with self._write_lock:
                self._transport.write(lines, until, file)
        except TimeoutError:
            raise
        except (OSError, ValueError):  # ValueError: the transport is closed
            if self._end_reason == WRITE_TIMEOUT_MESSAGE and time.monotonic() >= until:
                raise TimeoutError("the process does not read") from None
            self._reader.join(POLL_SECONDS)  # it finds the reason, if the process has ended
            self._end("It closed its end of the wire.")
            raise ChildEnded(self._describe_exit()) from None
        finally:
            if watch is not None:
                watch.cancel()

    def receive(self, until: float) -> bytes:
        """Return the next line.

        Raises:
            TimeoutError: If there is none in time.
            ChildEnded: If the process has ended.
        """
        while True:
            left = until - time.monotonic()
            try:
                line = self._lines.get(timeout=max(0.0, min(left, POLL_SECONDS)))
            except Empty:
                if self._has_exited() and left > -POLL_SECONDS:
                    self._transport.wake_reader()  # ends the reader, even if a grandchild holds the other end
                elif left <= 0:
                    raise TimeoutError("the process has said nothing") from None
                continue
            if line is None:
                self._lines.put(None)  # for the next call
                raise ChildEnded(self._describe_exit())
            return line

    def watch_family(self, *, memory_mb: int) -> None:
        """Watch the process together with those that it starts, from now on; on Linux only.

        They end when together they have more memory, beyond the present one; the system limits each alone.
        They also end when the first process has, although another one keeps the transport open.
        """
        if not sys.platform.startswith("linux"):
            return
        most = resident_memory([self.pid]) + memory_mb * MEGABYTE
        reason = f"It used more than {memory_mb:,} MB of memory, with the processes that it started."

        def watch() -> None:
            while not self._ended.wait(FAMILY_CHECK_SECONDS):
                if self._has_exited():
                    self._transport.wake_reader()
                elif has_children(self.pid) and resident_memory([self.pid, *descendants(self.pid)]) > most:
                    self._end(reason)

        # Without a thread for it, the limits of the single processes still hold.
        with contextlib.suppress(RuntimeError):
            Thread(target=watch, name=f"family of process {self.pid}", daemon=True).start()

    def kill_with_traceback(self, reason: str) -> None:
        """End a process that hangs; its output file gets a traceback first.

        On Windows, which has no such signal, the process itself writes it soon after its time is over.
        """
        with self._lock:
            self._end_reason = self._end_reason or reason
            if self._process.returncode is None and os.name == "posix":
                # Its faulthandler, which works even in a hung process, writes a traceback and ends it.
                with contextlib.suppress(OSError):
                    os.kill(self.pid, signal.SIGABRT)
        self._reader.join(TRACEBACK_SECONDS)
        self.stop()

    def stop(self) -> None:
        """End the process and all that it started; from any thread, and more than once."""
        self._end("It was stopped.")
        if current_thread() is not self._reader:
            self._reader.join(POLL_SECONDS)

    def _start_kill_timer(self, until: float) -> Timer:
        """End the process at a time, unless cancelled before; a blocked write ends with it."""
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
        """Kill the group, but never after its first process was reaped: the number may be another's then."""
        if self._process.returncode is None:
            self._group.kill()

    def _has_exited(self) -> bool:
        """Return whether the process has ended; it is not reaped, where the system can tell without that."""
        if self._process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            with self._reap_lock:
                if self._process.returncode is None and self._process.poll() is not None:
                    self._group.kill()  # at once; later the number may be another process's
            return self._process.returncode is not None
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except OSError:
            return True

    def _read(self) -> None:
        """Turn bytes into lines until the end of the stream, then reap the process."""
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
        # A process that closes the transport gets a moment to end by itself, for its exit code.
        until = time.monotonic() + EXIT_GRACE_SECONDS
        while not self._has_exited() and time.monotonic() < until:
            time.sleep(0.002)
        self._end("It closed its end of the wire.")
        if hasattr(os, "waitid"):
            with contextlib.suppress(OSError):
                os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        else:
            while not self._has_exited():  # reaps it
                time.sleep(0.002)
        with self._lock:
            self._kill()  # the rest of its group, while the number is still its own
            self._process.wait()
            self._reaped = True
            self._group.close()
        end_left_behind(lambda: [child.pid for child in _running_children.copy()])
        self._ended.set()
        with self._write_lock:  # no write may go to a descriptor that was reused
            self._transport.close()
        _running_children.discard(self)

    def _describe_exit(self) -> str:
        """Return the reason for its end, in a sentence."""
        self._reader.join(POLL_SECONDS)
        if self._end_reason:
            return self._end_reason
        code = self._process.returncode
        if code is None:
            return "Its process ended."
        if code in EXIT_MESSAGES:
            return EXIT_MESSAGES[code]
        if sys.platform == "win32" and code in _WINDOWS_EXIT_EXPLANATIONS:
            why = _WINDOWS_EXIT_EXPLANATIONS[code]
            return f"Its process was ended by Windows{why} (exit code {_exit_code_text(code)})."
        if code >= 0:
            return f"Its process ended by itself (exit code {_exit_code_text(code)})."
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"Its process was ended by {name}{_SIGNAL_EXPLANATIONS.get(name, '')}."


_SIGNAL_EXPLANATIONS = {
    "SIGXCPU": ": it had used up its processor time",
    "SIGKILL": ", as the system does when memory runs out",
}

_WINDOWS_EXIT_EXPLANATIONS = {
    1816: ": it had used up its processor time",
    0xC0000005: ": it used memory that is not its own",
    0xC0000017: ", as the system does when memory runs out",
    0xC000001D: ": it executed an instruction that the processor does not have",
    0xC0000094: ": it divided by zero in a library",
    0xC00000FD: ": its calls were nested too deeply",
    0xC0000135: ": a library that it needs is missing",
    0xC000012D: ", as the system does when memory runs out",
    0xC0000142: ": a library that it needs could not be loaded",
    0xC0000374: ": it damaged its own memory",
    0xC0000409: ": it stopped itself after an internal error",
}
"""Exit codes of Windows: NTSTATUS, and ERROR_NOT_ENOUGH_QUOTA of a job whose time is over."""


def _exit_code_text(code: int) -> str:
    """Return an exit code; those of Windows are known by their hexadecimal form."""
    return f"0x{code:08X}" if code >= 0x40000000 else str(code)


_running_children: set[ChildProcess] = set()


@atexit.register
def _stop_all() -> None:
    """End all child processes when the program exits, and what they leave behind."""
    running = list(_running_children)
    for child in running:
        with child._lock:
            if not child._reaped:
                child._kill()
        child._transport.wake_reader()
    for child in running:
        child._ended.wait(TRACEBACK_SECONDS)
