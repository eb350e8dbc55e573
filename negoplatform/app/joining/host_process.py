"""Host of a session in a process of its own, for a window that holds only what its seat may see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from negoplatform.domain.errors import NegoError
from negoplatform.hosting.child_process import module_search_path

END_REQUEST = b"q"
"""Byte on the standard input of a host that ends it, with everything saved."""

END_SECONDS = 10.0
"""Seconds that a host has for ending by itself, once its session is over or its end was requested."""


@dataclass(frozen=True, slots=True)
class HostedSession:
    """Session of a host that windows can join.

    Args:
        place: The address as ``negoplatform join`` takes it.
        address: The address.
        port: The TCP port.
        first: The role of the first participant, by its name.
        codes: The codes of the roles by name.
        log: The session's log.
    """

    place: str
    address: str
    port: int
    first: str
    codes: Mapping[str, str]
    log: Path

    def join_command(self, role: str) -> str:
        """Return the command with which another window joins in a role."""
        return f"negoplatform join {self.place} --code {self.codes[role]}"


def program_command(arguments: Sequence[str]) -> list[str]:
    """Return the command that starts the program itself, frozen or not, with some arguments."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    return [sys.executable, "-P", "-X", "utf8", "-m", "negoplatform", *arguments]


def program_environment() -> dict[str, str]:
    """Return the environment in which that command finds the program."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(module_search_path())}


def become_join_window(data_dir: Path, *, announce: bool) -> None:
    """Replace this program by the one that asks for an address and a code, and joins that session.

    It is another process, because this one has the games with the preferences of all seats. Where the system
    cannot replace a process, the other one is started, and this one has to end.

    Args:
        data_dir: The user's folder.
        announce: Whether it reports to UI tests what is shown.

    Raises:
        NegoError: If it cannot be started.
    """
    command = program_command(["join", "--data-dir", str(data_dir), *(["--announce"] if announce else [])])
    try:
        if sys.platform == "win32":
            subprocess.Popen(command, stdin=subprocess.DEVNULL, env=program_environment())
        else:
            os.execve(command[0], command, program_environment())
    except OSError as error:
        raise NegoError(f"The window cannot be opened ({error.strerror or error}).") from None


class HostProcess:
    """Process of a host, which ends a minute after this one unless a person's window stays there.

    Args:
        arguments: The arguments of ``negoplatform host``.
        on_line: Called on other threads with each report of the host (``cli/host_output.py``), and with what
            it prints as an error as ``{"ev": "error", "text": …}``.
    """

    def __init__(
        self, arguments: Sequence[str], on_line: Callable[[Mapping[str, Any]], object] = lambda _line: None
    ) -> None:
        self._on_line = on_line
        self._lines: SimpleQueue[Mapping[str, Any] | None] = SimpleQueue()
        self.log: Path | None = None
        """The session's log, once it is known; it may move to another folder."""
        self.is_log_over = False
        """Whether the host has closed the log of a session that is over."""
        try:
            self._process = subprocess.Popen(
                program_command(["host", "--announce", *arguments]),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=program_environment(),
                # Ctrl-C in the terminal is for the window, which then ends the host.
                start_new_session=sys.platform != "win32",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise NegoError(
                f"The host of the session cannot be started ({error.strerror or error})."
            ) from None
        out, errors = self._process.stdout, self._process.stderr
        assert out is not None
        assert errors is not None
        self._readers = (
            Thread(target=self._read, args=(out,), name="host", daemon=True),
            Thread(target=self._read_errors, args=(errors,), name="host's errors", daemon=True),
        )
        for reader in self._readers:
            reader.start()

    def await_session(self) -> HostedSession:
        """Wait until windows can join.

        Raises:
            NegoError: If the options cannot be satisfied, or the process has ended; a sentence.
        """
        while (line := self._lines.get()) is not None:
            match line:
                case {"ev": "refused", "text": str(sentence)}:
                    self.await_end()
                    raise NegoError(sentence)
                case {"ev": "hosting"}:
                    return HostedSession(
                        str(line["place"]),
                        str(line["address"]),
                        int(line["port"]),
                        str(line["first"]),
                        {str(name): str(code) for name, code in line["codes"].items()},
                        Path(line["log"]),
                    )
        self.await_end()
        code = self._process.returncode
        raise NegoError(f"The host of the session ended with exit code {code} before windows could join it.")

    @property
    def is_running(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Ask the host to end with everything saved, and wait until it has; ends it if it does not."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # it has ended
            self._process.stdin.write(END_REQUEST)
            self._process.stdin.flush()
        self.await_end()

    def await_end(self, seconds: float = END_SECONDS) -> None:
        """Wait until the host has ended by itself; end it if it does not."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        for reader in self._readers:
            reader.join(1.0)

    def _read(self, reports: IO[bytes]) -> None:
        with reports:
            for line in reports:
                with suppress(ValueError):
                    said = json.loads(line)
                    if isinstance(said, dict):
                        self._take(said)
        self._lines.put(None)

    def _read_errors(self, errors: IO[bytes]) -> None:
        with errors:
            for line in errors:
                self._on_line({"ev": "error", "text": line.decode("utf-8", "replace").strip()})

    def _take(self, said: dict[str, Any]) -> None:
        if isinstance(said.get("log"), str):
            self.log = Path(said["log"])
        if said.get("ev") == "log":
            self.is_log_over = bool(said.get("over"))
        if said.get("ev") in ("hosting", "refused"):
            self._lines.put(said)
        self._on_line(said)
