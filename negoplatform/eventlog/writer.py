"""Writing a session's log: one folder per session, one raw write per event."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from negoplatform.core.events import Event
from negoplatform.domain.errors import LogFailed
from negoplatform.formats.events import encode_event
from negoplatform.formats.header import Header, encode_header

LOG_NAME = "events.jsonl"


class EventSink(Protocol):
    """Where a session's events go."""

    def write(self, event: Event) -> None:
        """Keeps one event; once this returns, it is written.

        Raises:
            LogFailed: If it could not be kept; then nothing of it stays.
        """
        ...

    def close(self) -> None:
        """Nothing more will come."""
        ...


class NoLog:
    """Keeps nothing: for simulations of which only the results count."""

    def write(self, event: Event) -> None:
        """Forgets the event."""

    def close(self) -> None:
        """Does nothing."""


def wall_clock() -> str:
    """The time of day for people: ISO 8601, UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class LogWriter:
    """The log of one session, in a folder of its own that must not exist yet.

    Raw writes: a buffered one reports success on a full disk.

    Args:
        folder: The session's folder; it is created exclusively.
        header: The first line.
        at: The time of day, written for people and used for nothing else.

    Raises:
        LogFailed: If the folder exists or cannot be written.
    """

    def __init__(self, folder: Path, header: Header, *, at: Callable[[], str] = wall_clock) -> None:
        self.path = folder / LOG_NAME
        self._at = at
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir()
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        except OSError as error:
            if isinstance(error, FileExistsError) and folder.exists():
                raise LogFailed(
                    f"{folder} is there already; every session has a folder of its own."
                ) from None
            raise LogFailed(f"The session cannot be recorded in {folder} ({error.strerror}).") from error
        self._length = 0
        self._open = True
        try:
            self._append(encode_header(header))
        except LogFailed:
            self._open = False
            os.close(self._file)
            raise

    def write(self, event: Event) -> None:
        """Appends one line."""
        self._append(encode_event(event, self._at()))

    def close(self) -> None:
        """Syncs and closes the file; a second time does nothing."""
        if not self._open:
            return
        self._open = False
        try:
            os.fsync(self._file)
        except OSError as error:
            raise LogFailed(f"{self.path} may not be safe on the disk ({error.strerror}).") from error
        finally:
            os.close(self._file)

    def _append(self, line: bytes) -> None:
        written = 0
        try:
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            # Half a line would make the next reader stop here; what is whole stays. If not even this can
            # be done, the reader names the cut line.
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._length)
            raise LogFailed(
                f"{self.path} cannot be written ({error.strerror}); everything before is kept."
            ) from error
        self._length += written
