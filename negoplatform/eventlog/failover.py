"""A session goes on in another folder if its log cannot be written where it is, and never without a log."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from negoplatform.core.events import Event, EventType
from negoplatform.domain.errors import LogWriteError, NegoError
from negoplatform.eventlog.logfile import redirect_target, write_redirect
from negoplatform.eventlog.writer import LogWriter

MIN_FREE_BYTES = 50_000_000
"""Bytes that have to be free before a session starts; its log takes a hundredth of that."""

NAMES_TRIED = 9
"""Names of a session's folder that are tried in each place: its own, then with a number behind it."""


@dataclass(frozen=True, slots=True)
class LogRelocation:
    """A log went on elsewhere.

    Args:
        old: The file that could not be written.
        new: The file in which the log goes on, from its first line.
        reason: Why, as a sentence.
    """

    old: Path
    new: Path
    reason: str


class FailoverLog:
    """The log of a session that must not stop for a full disk.

    When a line cannot be written or synced, the whole log is copied to a new folder in the first fallback
    that takes it, or, last, where it has been before. If none does, ``on_stuck`` is asked, which may wait as
    long as it likes; then all of them are tried again.

    Args:
        writer: The log as it stands.
        fallbacks: Folders in which a folder for this session may be made, in the order to try.
        on_unwritable: Is told why nothing can be written; whether to try again. May be set later.
        on_close: Is called once the log is closed. May be set later.
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
        # Where it was before, there may be room again.
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
        """How many events it holds."""
        return self._writer.events

    @property
    def sync_due(self) -> float | None:
        """The ``time.monotonic()`` by which :meth:`sync` has to be called; None if nothing waits."""
        return self._writer.sync_due

    def write(self, event: Event) -> None:
        """Keeps one event, here or elsewhere.

        Raises:
            LogFailed: If ``on_stuck`` gave up; then nothing of the event stays.
        """
        self._with_failover(lambda: self._writer.write(event))
        self.ended = self.ended or event.type == EventType.GAME_END

    def sync(self) -> None:
        """Brings to the disk what was written, here or elsewhere.

        Raises:
            LogFailed: If ``on_stuck`` gave up.
        """
        self._with_failover(lambda: self._writer.sync())

    def close(self) -> None:
        """Syncs and closes the log; asks nobody once it was given up.

        Raises:
            LogFailed: If its last lines may not be on the disk.
        """
        try:
            if not self._given_up:
                self.sync()
        finally:
            try:
                self._writer.close()
            finally:
                if not self._closed:
                    self._closed = True
                    self._complete_redirects()
                    # Who is told has a disk and a window of its own; the log is closed whatever they do.
                    with contextlib.suppress(OSError, ValueError):
                        self.on_close()

    def discard(self) -> None:
        """Takes away a log in which nothing has happened."""
        self._closed = True
        self._writer.discard()

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed

    def take_relocations(self) -> list[LogRelocation]:
        """The moves that were not taken before, so that each is noted once."""
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
            # The line may be kept and its session not know it: one line more would take the same number.
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
                # What a sync that failed left behind says only that it failed; why is known already.
                error = error if self._writer.failed else again
        raise error

    def _try_fallbacks(self, act: Callable[[], None], error: LogWriteError) -> LogWriteError | None:
        """Does something in the first other place that takes it; if none does, why not here."""
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
                    # Room for what there is and for no more: another copy would be of no use.
                    copy.discard()
                    self._writer = left
                    continue
                # The copy is on the disk in full, and nobody knows that of the file that was left.
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
        """Writes the notes that a full disk has left empty: it may have room by now."""
        for old, new in self._relocated:
            if redirect_target(old) is None:
                write_redirect(old, new)

    def _candidate_folders(self) -> Iterator[Path]:
        here = self._writer.path.parent.parent
        parents = [parent for parent in self._parents if parent != here]
        if self._writer.failed:
            # The disk may be as good as ever, but the file is not: a new one beside it will do. Of a file
            # that somebody took away this is sure.
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
        return True  # nobody can look, so nobody can write


def relocated_names(name: str) -> list[str]:
    """What the folder of a session may be called where its log went on."""
    return [name, *(f"{name}-{number}" for number in range(2, NAMES_TRIED + 1))]


def original_name(name: str) -> str:
    """What the folder of a session was called where its log began; the name itself if it has no number."""
    before, _, number = name.rpartition("-")
    return before if number in map(str, range(2, NAMES_TRIED + 1)) else name


def check_free_space(folder: Path, least: int = MIN_FREE_BYTES) -> None:
    """Raises NegoError if a disk has too little room for a session.

    Args:
        folder: Where sessions are recorded; it need not exist yet.
        least: Bytes that have to be free.
    """
    places = (folder.absolute(), *folder.absolute().parents)
    try:
        there = next(place for place in places if place.exists())
        free = shutil.disk_usage(there).free
    except OSError as error:
        raise NegoError(f"The free space of {folder} cannot be found out ({error.strerror}).") from None
    if free < least:
        raise NegoError(
            f"Only {free / 1e6:.0f} MB are free where sessions are recorded ({folder}), and "
            f"{least / 1e6:.0f} MB are needed; make room or choose another data folder with --data-dir."
        )
