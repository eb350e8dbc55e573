"""Writing a session's log: one folder per session, one raw write per event, decisions on the disk at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from negoplatform.core.events import Event, EventType
from negoplatform.domain.errors import InputFileError, LogWriteError, Refused
from negoplatform.eventlog.disk import DISK, Disk
from negoplatform.eventlog.hash_chain import RollingHash, add_hash, extract_hash
from negoplatform.eventlog.logfile import LogFile, write_redirect
from negoplatform.eventlog.reader import LONGEST_HEADER, LONGEST_LINE, SessionLog
from negoplatform.eventlog.recovery import recover
from negoplatform.formats.events import encode_event
from negoplatform.formats.log_header import LOG_SCHEMA, Header, decode_header, encode_header
from negoplatform.formats.strict_json import LOG_LIMITS, parse_json

DEFERRED_SYNC_TYPES = frozenset(
    {
        EventType.SEND_MESSAGE,
        EventType.SEND_EXPRESSION,
        EventType.OFFER_IN_PROGRESS,
        EventType.TYPING,
        EventType.TIME,
        EventType.NOTE,
        EventType.ACTION_REFUSED,
        EventType.AGENT_FAILED,
        EventType.STATE_PROPOSED,
    }
)
"""What is published at once and synced a moment later; a power cut in between may cost it.

Everything else is synced before it is published: offers, acceptances, quits, the start and the end, whatever
a game announces or a mechanism registers, since this list cannot know what that decides, and RESUMED, because
a disk that has just been through a crash has to show that it keeps things before anything is built on it.
"""

SYNC_DELAY = 0.05
"""Seconds after which what was written unsynced is due to be synced: half of what is promised."""


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

    Raw writes: a buffered one reports success on a full disk. No two writers have one log, in this program
    or in two. One thread at a time may use it, whichever that is.

    Args:
        folder: The session's folder; it is created exclusively.
        header: The first line.
        at: The time of day, written for people and used for nothing else.
        durable: Whether to sync as the session goes on, and not at its end alone.
        disk: The system's calls.

    Raises:
        LogFailed: If the folder exists or cannot be written.
    """

    failed: bool
    """Whether a sync has failed. Then the system may have thrown away what it could not write, and a later
    sync that succeeds proves nothing: only a new file can be trusted."""

    _file: LogFile
    _lines: list[bytes]
    _running: RollingHash
    _sync_due: float | None
    _closed: bool

    def __init__(
        self,
        folder: Path,
        header: Header,
        *,
        at: Callable[[], str] = wall_clock,
        durable: bool = True,
        disk: Disk = DISK,
    ) -> None:
        self._configure(at, durable, disk, header.schema)
        encoded = encode_header(header)
        line, running = self._line(encoded, sha256())
        if len(line) > LONGEST_HEADER:
            raise LogWriteError(f"The game is too large to be recorded ({len(line):,} bytes).")
        _check_header(encoded)
        self._attach(LogFile.create(folder, line, durable=durable, disk=disk), [line], running)

    @classmethod
    def reopen(
        cls, path: Path, *, at: Callable[[], str] = wall_clock, durable: bool = True, disk: Disk = DISK
    ) -> ReopenedLog:
        """Opens a complete log again, to go on with it after a crash.

        A cut-off last line is set aside in a file beside the log and cut off; a log of the first format is
        gone on with in that format.

        Args:
            path: The log, or its session's folder.
            at: The time of day.
            durable: Whether to sync as the session goes on.
            disk: The system's calls.

        Raises:
            FileProblem: If anything else in it is not sound; then nothing is changed.
            LogFailed: If it is being written, or cannot be.
        """
        found = recover(path, disk=disk)
        part = found.part
        writer = cls.__new__(cls)
        writer._configure(at, durable, disk, part.header.schema)
        try:
            lines = found.file.contents().splitlines(keepends=True)
        except LogWriteError:
            found.file.close()
            raise
        writer._attach(found.file, lines, sha256(b"".join(lines)))
        return ReopenedLog(
            writer,
            SessionLog(part.path, part.header, part.events, part.times),
            part.torn_bytes,
            found.torn_file,
        )

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    @property
    def last_hash(self) -> str:
        """The hash of the last line, which proves all that stands before it; empty in the first format."""
        return extract_hash(self._lines[-1]) if self._schema == LOG_SCHEMA else ""

    @property
    def events(self) -> int:
        """How many events it holds."""
        return len(self._lines) - 1

    @property
    def sync_due(self) -> float | None:
        """The ``time.monotonic()`` by which :meth:`sync` has to be called; None if nothing waits."""
        return self._sync_due

    def write(self, event: Event) -> None:
        """Appends one line; a decision, and what was written before it, is on the disk then.

        Raises:
            LogFailed: If that cannot be done; then nothing of the line stays.
            Refused: If the event is too large for a line.
        """
        # What is wrong with the event comes first, so that it is never found out in the midst of a move.
        encoded = encode_event(event, self._at())
        line, running = self._line(encoded, self._running)
        if len(line) > LONGEST_LINE or not _is_readable(encoded):
            raise Refused("That is too long to be recorded.")
        self._check_not_failed()
        before = self._file.length
        try:
            self._file.append(line)
            self._sync_or_defer(event)
        except LogWriteError:
            if self._file.length > before:
                self._file.undo_append(len(line))
            raise
        except Exception as error:
            # Whether the line is in the file nobody can say: nothing may be written behind it.
            self.failed = True
            self._file.undo_append(self._file.length - before)
            raise LogWriteError(
                f"{self.path} cannot be written because of an error in the program ({type(error).__name__})."
            ) from error
        self._running = running
        self._lines.append(line)

    def _sync_or_defer(self, event: Event) -> None:
        """Syncs a decision now, and sees to it that the rest is synced soon."""
        if not self._durable:
            return
        if event.type not in DEFERRED_SYNC_TYPES:
            self._flush()
        elif self._sync_due is None:
            self._sync_due = time.monotonic() + SYNC_DELAY

    def sync(self) -> None:
        """Brings to the disk what was written.

        Raises:
            LogFailed: If that cannot be promised. What was written did happen, so it stays.
        """
        self._check_not_failed()
        if not self._closed:
            self._flush(only_if_due=True)

    def close(self) -> None:
        """Syncs and closes the file; a second time does nothing.

        Raises:
            LogFailed: If the last lines may not be on the disk.
        """
        if self._closed:
            return
        self._closed = True
        try:
            if not self.failed and (self._sync_due is not None or not self._durable):
                self._flush()
        finally:
            self._file.close()

    @property
    def lost(self) -> bool:
        """Whether somebody deleted, replaced or cut the file: its disk may be as good as ever."""
        return self._file.lost

    def copy_to(self, folder: Path) -> LogWriter:
        """A writer that can go on with the same log in a new folder, where all of it is on the disk already.

        Nothing is read from the old place: what was written is kept in memory until it is closed, so that a
        drive that was pulled out costs nothing. Only one of the two may go on: see :meth:`close_with_redirect` and
        :meth:`discard`.

        Raises:
            LogFailed: If it cannot be kept there; then nothing of it stays there.
        """
        copy = LogWriter.__new__(LogWriter)
        copy._configure(self._at, self._durable, self._disk, self._schema)
        data = b"".join(self._lines)
        copy._attach(LogFile.create(folder, data, durable=True, disk=self._disk), self._lines, self._running)
        return copy

    def close_with_redirect(self, copy: LogWriter) -> None:
        """Closes the file; one beside it says where the log goes on, if its disk still allows that."""
        self._closed = True
        # The note first: closing gives the lock back, and whoever waits for that has to find it.
        write_redirect(self.path, copy.path)
        self._file.close()

    def discard(self) -> None:
        """Takes away a log that nobody needs: a copy that cannot be gone on with, or one without events."""
        self._closed = True
        self._file.remove()

    def _configure(self, at: Callable[[], str], durable: bool, disk: Disk, schema: str) -> None:
        self._at = at
        self._durable = durable
        self._disk = disk
        self._schema = schema

    def _attach(self, file: LogFile, lines: list[bytes], running: RollingHash) -> None:
        self._file = file
        self._lines = lines
        self._running = running
        self._sync_due = None
        self._closed = False
        self.failed = False

    def _line(self, line: bytes, so_far: RollingHash) -> tuple[bytes, RollingHash]:
        """A line as it is written, and the running hash after it."""
        if self._schema == LOG_SCHEMA:
            return add_hash(line, so_far)
        running = so_far.copy()
        running.update(line)
        return line, running

    def _flush(self, *, only_if_due: bool = False) -> None:
        try:
            if only_if_due and self._sync_due is None:
                self._file.check()
            else:
                self._file.flush()
        except LogWriteError:
            self.failed = True
            raise
        self._sync_due = None

    def _check_not_failed(self) -> None:
        if self.failed:
            raise LogWriteError(f"{self.path} can no longer be trusted, because syncing it has failed.")


def _check_header(line: bytes) -> None:
    """Raises LogFailed if a log with this first line could never be read again."""
    try:
        decode_header(line, "the header")
    except InputFileError as problem:
        about = problem.where.removeprefix("line 1").removeprefix(", ")
        place = f"; {about}" if about else ""
        raise LogWriteError(
            f"This session cannot be recorded, because its log could not be read again{place}: "
            f"{problem.reason}."
        ) from None


def _is_readable(line: bytes) -> bool:
    """Whether a reader would take a line, as far as that depends on how much there is in it."""
    nested = line.count(b"{") + line.count(b"[")
    if nested <= LOG_LIMITS.max_depth and len(line) <= LOG_LIMITS.max_keys:
        return True  # nearly always, and found out in no time
    try:
        parse_json(line, "the line", limits=LOG_LIMITS)
    except InputFileError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class ReopenedLog:
    """A log that was opened again.

    Args:
        writer: Goes on with it.
        log: What it holds.
        torn_bytes: How many bytes of a cut-off last line were set aside.
        torn_file: Where they are; None if there were none.
    """

    writer: LogWriter
    log: SessionLog
    torn_bytes: int
    torn_file: Path | None
