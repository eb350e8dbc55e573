"""Failover of a log: if it cannot be written, the session goes on with a copy of it in another folder."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from negoplatform.core.events import Event, EventType
from negoplatform.domain.errors import LogWriteError, NegoError
from negoplatform.eventlog.log_file_io import redirect_target, write_redirect
from negoplatform.eventlog.writer import EventSink, LogWriter

MIN_FREE_BYTES = 50_000_000
"""Bytes that have to be free before a session starts; its log takes a hundredth of that."""

NAMES_TRIED = 9
"""Names of a session's folder that are tried in each place: the original one, then with a number appended."""


@dataclass(frozen=True, slots=True)
class LogRelocation:
    """A move of a log to another folder.

    Args:
        old: The file that could not be written.
        new: The file in which the log continues, from its first line.
        reason: The reason, as a sentence.
    """

    old: Path
    new: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} The log goes on in {self.new}."


class LiveLog(EventSink, Protocol):
    """Log that may have to move to another folder, and reports when it cannot be written anywhere."""

    on_unwritable: Callable[[LogWriteError], bool]

    @property
    def sync_due(self) -> float | None:
        """The ``time.monotonic()`` by which :meth:`sync` has to be called; None if nothing waits."""

    def sync(self) -> None:
        """Sync to the disk what was written."""

    def take_relocations(self) -> list[LogRelocation]:
        """Return the moves since the last call."""


class FailoverLog:
    """The log of a session that must not stop for a full disk.

    When a line cannot be written or synced, or the file no longer holds what was written, the whole log is
    copied to a new folder in the first fallback that works, or, last, in the place where the log began. If
    none does, ``on_unwritable`` is called, which may wait as long as it likes; then all of them are tried
    again.

    Args:
        writer: The writer of the log so far.
        fallbacks: Folders in which a folder for this session may be made, in the order to try.
        on_unwritable: Called with the error when no place works; returns whether to try again. May be set
            later.
        on_close: Called once the log is closed. May be set later.
    """

    def __init__(
        self,
        writer: LogWriter,
        *,
        fallbacks: Sequence[Path] = (),
        on_unwritable: Callable[[LogWriteError], bool] = lambda _: False,
        on_close: Callable[[], object] = lambda: None,
    ) -> None:
        self.on_unwritable = on_unwritable
        self.on_close = on_close
        self.ended = False
        self.relocations: list[LogRelocation] = []
        self._writer = writer
        # The original place may have room again.
        self._parents = tuple(dict.fromkeys([*fallbacks, writer.path.parent.parent]))
        self._name = writer.path.parent.name
        self._given_up = False
        self._closed = False
        self._relocated: list[tuple[Path, Path]] = []

    @property
    def path(self) -> Path:
        """The file that is being written now."""
        return self._writer.path

    @property
    def last_hash(self) -> str:
        """The hash of the last line."""
        return self._writer.last_hash

    @property
    def events(self) -> int:
        """Number of events in the log."""
        return self._writer.events

    @property
    def sync_due(self) -> float | None:
        """The ``time.monotonic()`` by which :meth:`sync` has to be called; None if all is synced."""
        return self._writer.sync_due

    def write(self, event: Event) -> None:
        """Write one event, here or elsewhere.

        Raises:
            LogWriteError: If ``on_unwritable`` gave up; then no part of the event stays.
        """
        self._with_failover(lambda: self._writer.write(event))
        self.ended = self.ended or event.type == EventType.GAME_END

    def sync(self) -> None:
        """Sync all lines to the disk, here or elsewhere.

        Raises:
            LogWriteError: If ``on_unwritable`` gave up.
        """
        self._with_failover(lambda: self._writer.sync())

    def close(self) -> None:
        """Sync the log, compare all of it with what was written, and close it.

        Once it was given up, no other place is tried.

        Raises:
            LogWriteError: If its last lines may not be on the disk.
        """
        try:
            if not self._given_up:
                self._with_failover(lambda: self._writer.sync(whole=True))
        finally:
            try:
                self._writer.close()
            finally:
                if not self._closed:
                    self._closed = True
                    self._complete_redirects()
                    # The callback may fail at a disk or a window; the log is closed all the same.
                    with contextlib.suppress(OSError, ValueError):
                        self.on_close()

    def discard(self) -> None:
        """Remove a log without events."""
        self._closed = True
        self._writer.discard()

    @property
    def closed(self) -> bool:
        """Whether the log is closed."""
        return self._closed

    def take_relocations(self) -> list[LogRelocation]:
        """Return the moves since the last call, so that each is noted once."""
        moves, self.relocations = self.relocations, []
        return moves

    def _with_failover(self, act: Callable[[], None]) -> None:
        try:
            act()
            return
        except LogWriteError as first:
            error = first
        try:
            self._fail_over(act, error)
        except NegoError:
            raise
        except Exception as unexpected:
            # The line may be written without the session's knowing: the next line would take the same number.
            self._given_up = True
            raise LogWriteError(
                f"{self.path} cannot be written any more because of an error in the program "
                f"({type(unexpected).__name__})."
            ) from unexpected

    def _fail_over(self, act: Callable[[], None], error: LogWriteError) -> None:
        while not self._given_up:
            failed = self._try_fallbacks(act, error)
            if failed is None:
                return
            error = failed
            if not self.on_unwritable(error):
                self._given_up = True
                break
            try:
                act()
                return
            except LogWriteError as again:
                # After a failed sync the new error says only that; the first one has the reason.
                error = error if self._writer.failed else again
        raise error

    def _try_fallbacks(self, act: Callable[[], None], error: LogWriteError) -> LogWriteError | None:
        """Act in the first other place that works; return None, or the error here if none does."""
        for folder in self._candidate_folders():
            try:
                copy = self._writer.copy_to(folder)
            except LogWriteError:
                continue
            left, self._writer = self._writer, copy
            try:
                act()
            except LogWriteError as failed:
                if copy.failed or not left.failed:
                    # Room for the log so far and no more: another copy would be of no use.
                    copy.discard()
                    self._writer = left
                    continue
                # The copy is on the disk in full; of the file that was left that is uncertain.
                self._record_relocation(left, copy, error)
                error = failed
                continue
            self._record_relocation(left, copy, error)
            return None
        return error

    def _record_relocation(self, left: LogWriter, copy: LogWriter, error: LogWriteError) -> None:
        self.relocations.append(LogRelocation(left.path, copy.path, str(error)))
        self._relocated.append((left.path, copy.path))
        left.close_with_redirect(copy)

    def _complete_redirects(self) -> None:
        """Write the redirects that a full disk has left empty: it may have room by now."""
        for old, new in self._relocated:
            if redirect_target(old) is None:
                write_redirect(old, new)

    def _candidate_folders(self) -> Iterator[Path]:
        here = self._writer.path.parent.parent
        parents = [parent for parent in self._parents if parent != here]
        if self._writer.failed:
            # The disk may be sound although the file is not: a new file on it will do. For a file
            # that was removed this is certain.
            parents.insert(0 if self._writer.lost else len(parents), here)
        for parent in parents:
            folders = (parent / name for name in relocated_names(self._name))
            free = next((folder for folder in folders if not _may_exist(folder)), None)
            if free is not None:
                yield free


def _may_exist(folder: Path) -> bool:
    try:
        return folder.exists()
    except OSError:
        return True  # a place that cannot be read cannot be written


def relocated_names(name: str) -> list[str]:
    """Return the names that the folder of a session may have where its log continues."""
    return [name, *(f"{name}-{number}" for number in range(2, NAMES_TRIED + 1))]


def original_name(name: str) -> str:
    """Return the name of the folder in which a session's log began: the name without its number, if any."""
    before, _, number = name.rpartition("-")
    return before if number in map(str, range(2, NAMES_TRIED + 1)) else name


def check_free_space(folder: Path, least: int = MIN_FREE_BYTES) -> None:
    """Check that a disk has room for a session.

    Args:
        folder: The folder in which sessions are recorded; it need not exist yet.
        least: Bytes that have to be free.

    Raises:
        NegoError: If the disk has less room.
    """
    places = (folder.absolute(), *folder.absolute().parents)
    try:
        there = next((place for place in places if place.exists()), None)
        if there is None:  # a drive of Windows may be gone altogether
            raise NegoError(
                f"There is no drive {folder.absolute().drive} for {folder}; connect it, or choose another "
                "data folder with --data-dir."
            )
        free = shutil.disk_usage(there).free
    except OSError as error:
        raise NegoError(f"The free space of {folder} cannot be found out ({error.strerror}).") from None
    if free < least:
        raise NegoError(
            f"Only {free / 1e6:.0f} MB are free where sessions are recorded ({folder}), and "
            f"{least / 1e6:.0f} MB are needed; make room or choose another data folder with --data-dir."
        )
