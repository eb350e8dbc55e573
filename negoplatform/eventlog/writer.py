"""Writer of a session's log: one folder per session, one raw write per event, decisions synced at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.registry import is_fact
from negoplatform.domain.errors import InputFileError, LogWriteError, Refused
from negoplatform.eventlog.disk_calls import DISK, Disk
from negoplatform.eventlog.hash_chain import RollingHash, add_hash, extract_hash
from negoplatform.eventlog.log_file_io import LogFile, write_redirect
from negoplatform.eventlog.reader import LONGEST_HEADER, LONGEST_LINE, SessionLog, is_readable
from negoplatform.eventlog.recovery import recover
from negoplatform.formats.events import encode_event
from negoplatform.formats.log_header import Header, decode_header, encode_header

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
"""Types of events that are published at once and synced a moment later; a power cut in between may lose them.

All others are synced before they are published: offers, acceptances, a mechanism's acts, quits, the start and
the end; announcements, since this list cannot know what they decide; and RESUMED, because a disk that has
just been through a crash has to show that it keeps data before the session builds on it. Of a mechanism's
facts the first that time causes is synced too, and with it the events before it. The facts behind it, and
those behind a synced act, follow from what is synced and happen at the same session time: a log that lost
them yields them again, so they wait for the next sync.
"""

SYNC_DELAY = 0.05
"""Seconds after which unsynced lines are due to be synced: half of the promised time."""


class EventSink(Protocol):
    """Destination of a session's events."""

    def write(self, event: Event) -> None:
        """Write one event before returning.

        Raises:
            LogWriteError: If it could not be written; then no part of it stays.
        """
        ...

    def close(self) -> None:
        """Close the sink; no further event follows."""
        ...


class NoLog:
    """Sink that drops all events, for simulations of which only the results count."""

    def write(self, event: Event) -> None:
        """Drop the event."""

    def close(self) -> None:
        """Do nothing."""


def wall_clock() -> str:
    """Return the time of day for people: ISO 8601, UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class LogWriter:
    """Writer of the log of one session, in a new folder.

    Raw writes: a buffered one reports success on a full disk. No two writers have one log, in this program
    or in two. One thread at a time may use it, whichever that is.

    Args:
        folder: The session's folder; it is created exclusively.
        header: The first line.
        at: Returns the time of day, which is written for people only.
        durable: Whether to sync during the session, and not only at its end.
        disk: The system calls.

    Raises:
        LogWriteError: If the folder exists or cannot be written.
    """

    failed: bool
    """Whether a sync has failed, or the file does not hold what was written.

    After a failed sync the system may have dropped the bytes that it could not write, and a later sync that
    succeeds proves nothing: only a new file can be trusted.
    """

    events: int
    """Number of events in the log."""
    last_hash: str
    """The hash of the last line, which proves all lines above it."""

    _file: LogFile
    _running: RollingHash
    _sync_due: float | None
    _derivable_at: float | None
    """Session time (s) at which a fact follows from what is synced; None: at no time."""
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
        self._configure(at, durable, disk)
        encoded = encode_header(header)
        line, running = add_hash(encoded, sha256())
        if len(line) > LONGEST_HEADER:
            raise LogWriteError(f"The game is too large to be recorded ({len(line):,} bytes).")
        _check_header(encoded)
        self._attach(LogFile.create(folder, line, durable=durable, disk=disk), 0, extract_hash(line), running)

    @classmethod
    def reopen(
        cls, path: Path, *, at: Callable[[], str] = wall_clock, durable: bool = True, disk: Disk = DISK
    ) -> ReopenedLog:
        """Open a complete log again, to continue it after a crash.

        A cut-off last line is moved to a new file in the same folder.

        Args:
            path: The log, or its session's folder.
            at: Returns the time of day.
            durable: Whether to sync during the session.
            disk: The system calls.

        Raises:
            InputFileError: If any other part of it is not sound; then it is not changed.
            LogWriteError: If it is being written, or cannot be.
        """
        found = recover(path, disk=disk)
        part = found.part
        writer = cls.__new__(cls)
        writer._configure(at, durable, disk)
        writer._attach(found.file, len(part.events), part.last_hash, sha256(found.file.contents()))
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
    def sync_due(self) -> float | None:
        """The ``time.monotonic()`` by which :meth:`sync` has to be called; None if all is synced."""
        return self._sync_due

    def write(self, event: Event) -> None:
        """Append one line; a decision, and all lines before it, is on the disk on return.

        Raises:
            LogWriteError: If that fails; then no part of the line stays.
            Refused: If the event is too large for a line.
        """
        # The event is checked first, so that its faults never show up in the middle of a move.
        encoded = encode_event(event, self._at())
        line, running = add_hash(encoded, self._running)
        if len(line) > LONGEST_LINE or not is_readable(encoded):
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
            # The line may or may not be in the file: no line may be written behind it.
            self.failed = True
            self._file.undo_append(self._file.length - before)
            raise LogWriteError(
                f"{self.path} cannot be written because of an error in the program ({type(error).__name__})."
            ) from error
        self._running = running
        self.events += 1
        self.last_hash = extract_hash(line)

    def _sync_or_defer(self, event: Event) -> None:
        """Sync a decision now, and a fact that does not follow from synced lines; the others soon."""
        if not self._durable:
            return
        follows = is_fact(event.type) and event.t == self._derivable_at
        if event.type not in DEFERRED_SYNC_TYPES and not follows:
            self._flush()
            self._derivable_at = event.t
            return
        if not follows:
            self._derivable_at = None
        if self._sync_due is None:
            self._sync_due = time.monotonic() + SYNC_DELAY

    def sync(self, *, whole: bool = False) -> None:
        """Sync all lines to the disk.

        Args:
            whole: Whether every byte of the file is compared with what was written; at any other time only
                a part is, unless the file's times or its length point to a change.

        Raises:
            LogWriteError: If that cannot be promised, or the file does not hold them. The events did happen,
                so their lines stay.
        """
        self._check_not_failed()
        if not self._closed:
            self._flush(only_if_due=True, whole=whole)

    def close(self) -> None:
        """Sync, compare and close the file; a second call does nothing.

        Raises:
            LogWriteError: If the last lines may not be on the disk, or the file does not hold all lines.
        """
        if self._closed:
            return
        self._closed = True
        try:
            if not self.failed:
                self._flush(only_if_due=self._durable, whole=True)
        finally:
            self._file.close()

    @property
    def lost(self) -> bool:
        """Whether the file was deleted, replaced, truncated or edited; the disk itself may be sound."""
        return self._file.lost

    def copy_to(self, folder: Path) -> LogWriter:
        """Return a writer that continues the same log in a new folder, where it is all on the disk already.

        Nothing is read from the old place: all lines are kept in memory until the log is closed, so a drive
        that was pulled out, or a file that was edited, costs nothing. Only one of the two may continue: see
        :meth:`close_with_redirect` and :meth:`discard`.

        Raises:
            LogWriteError: If it cannot be written there; then no part of it stays there.
        """
        copy = LogWriter.__new__(LogWriter)
        copy._configure(self._at, self._durable, self._disk)
        file = LogFile.create(folder, self._file.contents(), durable=True, disk=self._disk)
        copy._attach(file, self.events, self.last_hash, self._running)
        return copy

    def close_with_redirect(self, copy: LogWriter) -> None:
        """Close the file and write its redirect, if the disk still allows that."""
        self._closed = True
        # The redirect first: closing releases the lock, and a program that waits for that has to find it.
        write_redirect(self.path, copy.path)
        self._file.close()

    def discard(self) -> None:
        """Remove a log that is not needed: a copy that cannot be continued, or one without events."""
        self._closed = True
        self._file.remove()

    def _configure(self, at: Callable[[], str], durable: bool, disk: Disk) -> None:
        self._at = at
        self._durable = durable
        self._disk = disk

    def _attach(self, file: LogFile, events: int, last_hash: str, running: RollingHash) -> None:
        self._file = file
        self.events = events
        self.last_hash = last_hash
        self._running = running
        self._sync_due = None
        self._derivable_at = None
        self._closed = False
        self.failed = False

    def _flush(self, *, only_if_due: bool = False, whole: bool = False) -> None:
        try:
            if only_if_due and self._sync_due is None:
                self._file.check(whole=whole)
            else:
                self._file.flush(whole=whole)
        except LogWriteError:
            self.failed = True
            raise
        self._sync_due = None

    def _check_not_failed(self) -> None:
        if self.failed:
            if self.lost:
                raise LogWriteError(f"{self.path} does not hold what was written, so it is not continued.")
            raise LogWriteError(f"{self.path} can no longer be trusted, because syncing it has failed.")


def _check_header(line: bytes) -> None:
    """Check that a log with this first line could be read again.

    Raises:
        LogWriteError: If it could not.
    """
    try:
        decode_header(line, "the header")
    except InputFileError as problem:
        about = problem.where.removeprefix("line 1").removeprefix(", ")
        place = f"; {about}" if about else ""
        raise LogWriteError(
            f"This session cannot be recorded, because its log could not be read again{place}: "
            f"{problem.reason}."
        ) from None


@dataclass(frozen=True, slots=True)
class ReopenedLog:
    """A log that was opened again.

    Args:
        writer: The writer that continues it.
        log: Its content.
        torn_bytes: Bytes of a cut-off last line that were set aside.
        torn_file: The file with them; None if there were none.
    """

    writer: LogWriter
    log: SessionLog
    torn_bytes: int
    torn_file: Path | None
