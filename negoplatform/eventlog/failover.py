"""A session goes on in another folder if its log cannot be written where it is, and never without a log."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from negoplatform.core.events import Event, EventType
from negoplatform.domain.errors import LogFailed, NegoError
from negoplatform.eventlog.logfile import leave_a_note, noted_move
from negoplatform.eventlog.writer import LogWriter

LEAST_FREE = 50_000_000
"""Bytes that have to be free before a session starts; its log takes a hundredth of that."""

NAMES_TRIED = 9
"""Names of a session's folder that are tried in each place: its own, then with a number behind it."""


@dataclass(frozen=True, slots=True)
class Move:
    """A log went on elsewhere.

    Args:
        old: The file that could not be written.
        new: The file in which the log goes on, from its first line.
        reason: Why, as a sentence.
    """

    old: Path
    new: Path
    reason: str


class GuardedLog:
    """The log of a session that must not stop for a full disk.

    When a line cannot be written or synced, the whole log is copied to a new folder in the first fallback
    that takes it, or, last, where it has been before. If none does, ``on_stuck`` is asked, which may wait as
    long as it likes; then all of them are tried again.

    Args:
        writer: The log as it stands.
        fallbacks: Folders in which a folder for this session may be made, in the order to try.
        on_stuck: Is told why nothing can be written; whether to try again. May be set later.
        on_close: Is called once the log is closed. May be set later.
    """

    def __init__(
        self,
        writer: LogWriter,
        *,
        fallbacks: Sequence[Path] = (),
        on_stuck: Callable[[LogFailed], bool] = lambda _: False,
        on_close: Callable[[], object] = lambda: None,
    ) -> None:
        self.on_stuck = on_stuck
        self.on_close = on_close
        self.ended = False
        self.moves: list[Move] = []
        self._writer = writer
        # Where it was before, there may be room again.
        self._parents = tuple(dict.fromkeys([*fallbacks, writer.path.parent.parent]))
        self._name = writer.path.parent.name
        self._given_up = False
        self._closed = False
        self._left: list[tuple[Path, Path]] = []

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
        self._see_to(lambda: self._writer.write(event))
        self.ended = self.ended or event.type == EventType.GAME_END

    def sync(self) -> None:
        """Brings to the disk what was written, here or elsewhere.

        Raises:
            LogFailed: If ``on_stuck`` gave up.
        """
        self._see_to(lambda: self._writer.sync())

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
                    self._say_again_where()
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

    def take_moves(self) -> list[Move]:
        """The moves that were not taken before, so that each is noted once."""
        moves, self.moves = self.moves, []
        return moves

    def _see_to(self, act: Callable[[], None]) -> None:
        try:
            act()
            return
        except LogFailed as first:
            error = first
        try:
            self._see_to_elsewhere(act, error)
        except NegoError:
            raise
        except Exception as unexpected:
            # The line may be kept and its session not know it: one line more would take the same number.
            self._given_up = True
            raise LogFailed(
                f"{self.path} cannot be written any more because of an error in the program "
                f"({type(unexpected).__name__})."
            ) from unexpected

    def _see_to_elsewhere(self, act: Callable[[], None], error: LogFailed) -> None:
        while not self._given_up:
            failed = self._elsewhere(act, error)
            if failed is None:
                return
            error = failed
            if not self.on_stuck(error):
                self._given_up = True
                break
            try:
                act()
                return
            except LogFailed as again:
                # What a sync that failed left behind says only that it failed; why is known already.
                error = error if self._writer.failed else again
        raise error

    def _elsewhere(self, act: Callable[[], None], error: LogFailed) -> LogFailed | None:
        """Does something in the first other place that takes it; if none does, why not here."""
        for folder in self._places():
            try:
                copy = self._writer.copied_to(folder)
            except LogFailed:
                continue
            left, self._writer = self._writer, copy
            try:
                act()
            except LogFailed as failed:
                if copy.failed or not left.failed:
                    # Room for what there is and for no more: another copy would be of no use.
                    copy.discard()
                    self._writer = left
                    continue
                # The copy is on the disk in full, and nobody knows that of the file that was left.
                self._moved(left, copy, error)
                error = failed
                continue
            self._moved(left, copy, error)
            return None
        return error

    def _moved(self, left: LogWriter, copy: LogWriter, error: LogFailed) -> None:
        self.moves.append(Move(left.path, copy.path, str(error)))
        self._left.append((left.path, copy.path))
        left.leave_to(copy)

    def _say_again_where(self) -> None:
        """Writes the notes that a full disk has left empty: it may have room by now."""
        for old, new in self._left:
            if noted_move(old) is None:
                leave_a_note(old, new)

    def _places(self) -> Iterator[Path]:
        here = self._writer.path.parent.parent
        parents = [parent for parent in self._parents if parent != here]
        if self._writer.failed:
            # The disk may be as good as ever, but the file is not: a new one beside it will do. Of a file
            # that somebody took away this is sure.
            parents.insert(0 if self._writer.lost else len(parents), here)
        for parent in parents:
            folders = (parent / name for name in names_elsewhere(self._name))
            free = next((folder for folder in folders if not _is_there(folder)), None)
            if free is not None:
                yield free


def _is_there(folder: Path) -> bool:
    try:
        return folder.exists()
    except OSError:
        return True  # nobody can look, so nobody can write


def names_elsewhere(name: str) -> list[str]:
    """What the folder of a session may be called where its log went on."""
    return [name, *(f"{name}-{number}" for number in range(2, NAMES_TRIED + 1))]


def name_before(name: str) -> str:
    """What the folder of a session was called where its log began; the name itself if it has no number."""
    before, _, number = name.rpartition("-")
    return before if number in map(str, range(2, NAMES_TRIED + 1)) else name


def check_free_space(folder: Path, least: int = LEAST_FREE) -> None:
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
