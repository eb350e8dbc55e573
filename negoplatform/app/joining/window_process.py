"""Window that is started with its host, in a process of its own.

The program that starts both has the options of the session and all codes. To the window's standard input it
writes only which session the window joins and the state of the host. The window closes at the end of that
input.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO, Any

from negoplatform.app.joining.host_process import program_command, program_environment
from negoplatform.domain.errors import NegoError
from negoplatform.formats.strict_json import StrictModel

END_SECONDS = 5.0
"""Seconds that a window has for closing by itself."""


class WindowStart(StrictModel):
    """First line for a window: the session that it joins, and how it is shown.

    Args:
        address: The address of the host, with its port.
        code: The code of the participant's seat.
        is_participant: Whether the person is a participant, who reaches no page of the experimenter.
        shows_briefing: Whether the rules are shown before a new game.
    """

    address: str
    code: str
    is_participant: bool
    shows_briefing: bool


class HostState(StrictModel):
    """Further line for a window: the state of its host.

    Args:
        is_running: Whether it runs.
        is_log_over: Whether it has closed the log of a session that is over.
        log: The path of the log; empty: it is not known.
    """

    is_running: bool = True
    is_log_over: bool = False
    log: str = ""


class StartingProgram:
    """The program that started this window, and the state of its host; its lines are read on a thread.

    Args:
        lines: The standard input.

    Raises:
        NegoError: If the first line is none of such a program; a sentence.
    """

    def __init__(self, lines: IO[bytes] | None) -> None:
        self.is_gone = False
        """Whether the program has ended, or has requested that the window closes."""
        self.host = HostState()
        """The newest state of the host."""
        first = b"" if lines is None else lines.readline()
        try:
            self.start = WindowStart.model_validate_json(first)
        except ValueError:
            raise NegoError("--hosted is for a window that 'negoplatform play --listen' starts.") from None
        if lines is not None:
            Thread(target=self._read, args=(lines,), name="starter", daemon=True).start()

    def _read(self, lines: IO[bytes]) -> None:
        # Without a buffer, whose lock the end of the program would wait for.
        descriptor, rest = lines.fileno(), b""
        with suppress(OSError):
            while data := os.read(descriptor, 65536):
                *whole, rest = (rest + data).split(b"\n")
                for line in whole:
                    self.host = HostState.model_validate_json(line)
        self.is_gone = True


class WindowProcess:
    """Process of a window that is started with its host.

    Args:
        start: The session that it joins.
        arguments: Arguments of ``negoplatform join`` about the window itself.
    """

    def __init__(self, start: WindowStart, arguments: Sequence[str]) -> None:
        self._host = HostState()
        try:
            self._process = subprocess.Popen(
                program_command(["join", "--hosted", *arguments]),
                stdin=subprocess.PIPE,
                env=program_environment(),
                # Ctrl-C in the terminal is for the program that has started it.
                start_new_session=sys.platform != "win32",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise NegoError(f"The window cannot be started ({error.strerror or error}).") from None
        self._write(start)

    @property
    def exit_code(self) -> int | None:
        """The exit code; None: it runs."""
        return self._process.poll()

    def tell(self, **changes: Any) -> None:
        """Tell the window what has changed about the host; without effect if it is the same as before."""
        told = self._host.model_copy(update=changes)
        if told != self._host:
            self._host = told
            self._write(told)

    def stop(self) -> None:
        """Close the window, and wait until it has ended; end it if it does not."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _write(self, line: StrictModel) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # it has been closed
            self._process.stdin.write(line.model_dump_json().encode() + b"\n")
            self._process.stdin.flush()


def window_arguments(
    data_dir: Path, appearance: Mapping[str, Any], *, announce: bool, reset: bool
) -> list[str]:
    """Return the arguments of ``negoplatform join`` about the window itself.

    Args:
        data_dir: The user's folder.
        appearance: Fields of the appearance that differ for this start only, by name, as the command line
            has them.
        announce: Whether to report to UI tests what is shown.
        reset: Whether to reset the appearance first.
    """
    arguments = ["--data-dir", str(data_dir)]
    arguments += ["--announce"] * announce + ["--reset-appearance"] * reset
    for name, value in appearance.items():
        if name == "text_size":
            value = f"{value * 100:.0f}"
        elif name == "theme":
            value = value.replace("_", "-")
        arguments += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return arguments
