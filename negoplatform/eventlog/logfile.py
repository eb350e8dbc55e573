"""A log's file: raw appends that are whole or not there at all, under a lock."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from negoplatform.domain.errors import LogFailed
from negoplatform.eventlog.disk import (
    LOG_NAME,
    MOVED_NAME,
    Disk,
    is_for_temporary_files,
    is_ours,
    open_regular,
)
from negoplatform.eventlog.file_lock import give_back, take_lock

_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
_OLD = os.O_RDWR | os.O_APPEND
_NOTE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)

_ODD_BYTES = "surrogateescape"
"""How Python names bytes of a path that are no UTF-8, which a path may hold on POSIX."""

LONGEST_NOTE = 10_000
"""Bytes of a note about where a log goes on; no path is longer."""


class LogFile:
    """An open log; nobody else writes it.

    Args:
        path: The file.
        file: Its descriptor, locked.
        disk: The system's calls.
    """

    def __init__(self, path: Path, file: int, disk: Disk) -> None:
        self.path = path
        self.length = 0
        self.lost = False
        self._file = file
        self._disk = disk
        self._open = True
        self._overhang = False

    @classmethod
    def create(cls, folder: Path, first: bytes, *, durable: bool, disk: Disk) -> LogFile:
        """A log in a new folder; on return its first bytes, and its name too, are on the disk if durable.

        Raises:
            LogFailed: If the folder exists or cannot be written; then nothing of it stays.
        """
        missing = _make(folder)
        path = folder / LOG_NAME
        made: LogFile | None = None
        try:
            made = cls(path, disk.open(path, _NEW), disk)
            take_lock(made._file, path)
            made.append(first)
            if made.contents() != first:
                raise LogFailed(f"{path} does not hold what was written there.")
            if durable:
                made.flush()
                _sync_names(folder, missing, disk)
        except (OSError, LogFailed) as error:
            _unmake(folder, made)
            cause = error.__cause__ if isinstance(error, LogFailed) else error
            if not isinstance(cause, OSError):
                raise
            raise LogFailed(f"The session cannot be recorded in {folder} ({cause.strerror}).") from error
        return made

    @classmethod
    def open(cls, path: Path, *, disk: Disk) -> LogFile:
        """A log that is there already.

        Raises:
            LogFailed: If it cannot be opened, or is being written.
        """
        try:
            opened = cls(path, disk.open(path, _OLD), disk)
        except OSError as error:
            raise LogFailed(f"{path} cannot be opened for writing ({error.strerror}).") from error
        try:
            take_lock(opened._file, path)
        except BaseException:
            opened.close()
            raise
        opened.length = os.fstat(opened._file).st_size
        return opened

    def append(self, data: bytes) -> None:
        """Appends bytes: all of them, or nothing.

        Raises:
            LogFailed: If they could not be written.
        """
        written = 0
        try:
            if self._overhang:
                self._cut_overhang()
            while written < len(data):
                written += self._disk.write(self._file, data[written:])
        except OSError as error:
            # Half a line would make the next reader stop here; what is whole stays. If not even this can
            # be done, it is tried again before anything else is written, and the reader names the cut line.
            self._overhang = True
            with contextlib.suppress(OSError):
                self._cut_overhang()
            kept = "; everything before is kept" if self.length else ""
            raise LogFailed(f"{self.path} cannot be written ({error.strerror}){kept}.") from error
        self.length += written

    def take_back(self, count: int) -> None:
        """Cuts the last bytes off again, now or, where that fails, before anything else is written."""
        self.length -= count
        self._overhang = True
        with contextlib.suppress(OSError):
            self._cut_overhang()

    def flush(self) -> None:
        """Returns when all is on the disk.

        Raises:
            LogFailed: If the system cannot promise that.
        """
        try:
            self._disk.fsync(self._file)
        except OSError as error:
            self.check()
            raise LogFailed(f"{self.path} may not be safe on the disk ({error.strerror}).") from error
        self.check()

    def check(self) -> None:
        """Returns if the file is still the one that its path names, and as long as what was written.

        Raises:
            LogFailed: If somebody deleted, replaced, moved or cut it; then it is lost.
        """
        if why := self._what_became_of_it():
            self.lost = True
            raise LogFailed(f"{self.path} {why} while the session was running.")

    def _what_became_of_it(self) -> str:
        try:
            mine = os.fstat(self._file)
        except OSError as error:
            return f"can no longer be reached ({error.strerror})"
        if mine.st_nlink == 0:
            return "was deleted"
        try:
            named = self.path.stat()
        except OSError:
            return "was moved away or deleted"
        if (named.st_dev, named.st_ino) != (mine.st_dev, mine.st_ino):
            return "was replaced by another file"
        if mine.st_size < self.length or (mine.st_size > self.length and not self._overhang):
            return "was changed by another program"
        return ""

    def cut(self, length: int) -> None:
        """Cuts the file off and returns when that is on the disk.

        Raises:
            LogFailed: If it cannot be done.
        """
        try:
            self._disk.ftruncate(self._file, length)
        except OSError as error:
            raise LogFailed(f"{self.path} cannot be cut off ({error.strerror}).") from error
        self.length = length
        self.flush()

    def reading(self) -> BinaryIO:
        """The file for reading from its beginning; closing it leaves the log open."""
        found = open(self._file, "rb", closefd=False)  # noqa: SIM115 - a descriptor; the caller closes
        found.seek(0)
        return found

    def contents(self, start: int = 0) -> bytes:
        """The bytes from a place on.

        Raises:
            LogFailed: If they cannot be read.
        """
        try:
            with self.reading() as file:
                file.seek(start)
                return file.read(self.length - start)
        except OSError as error:
            raise LogFailed(f"{self.path} cannot be read ({error.strerror}).") from error

    def close(self) -> None:
        """Closes the file, which gives its lock back; a second time does nothing."""
        if self._open:
            self._open = False
            with contextlib.suppress(OSError):
                self._cut_overhang()
            with contextlib.suppress(OSError):
                give_back(self._file)
            # What has to last was synced before, so an error as late as this one takes nothing away.
            with contextlib.suppress(OSError):
                os.close(self._file)

    def remove(self) -> None:
        """Closes the file, and takes it and its folder away as far as its disk allows it."""
        _unmake(self.path.parent, self)

    def _cut_overhang(self) -> None:
        if self._overhang:
            # A file that somebody else has cut shorter is not filled up with zeros.
            if os.fstat(self._file).st_size > self.length:
                self._disk.ftruncate(self._file, self.length)
            self._overhang = False


@dataclass(frozen=True, slots=True)
class MovedNote:
    """The note beside a log that goes on elsewhere.

    Args:
        target: Where it goes on; None if the note does not say it, as one on a full disk.
    """

    target: Path | None


def leave_a_note(old: Path, new: Path) -> None:
    """Makes known beside a log that it goes on elsewhere, as far as its disk still allows it.

    On a full disk the note may stay empty: then it says at least that this log is not the last word.
    """
    if old.absolute() == new.absolute():
        return  # the old folder was deleted, and the log is where it was
    text = f"The log of this session goes on in\n{new.absolute()}\n"
    # A ValueError is a path that cannot be written down; then the note stays empty too.
    with contextlib.suppress(OSError, ValueError):
        file = os.open(old.with_name(MOVED_NAME), _NOTE, 0o600)
        with open(file, "wb") as note:  # noqa: PTH123 - a descriptor
            note.write(text.encode("utf-8", _ODD_BYTES))


def moved_note(path: Path) -> MovedNote | None:
    """The note beside a log; None if there is none."""
    try:
        with open_regular(path.with_name(MOVED_NAME)) as note:
            lines = note.read(LONGEST_NOTE + 1).decode("utf-8", _ODD_BYTES).splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        return MovedNote(None)
    target = Path(lines[1]) if len(lines) > 1 else None
    sound = target is not None and target.is_absolute() and "\0" not in str(target)
    return MovedNote(target if sound and len(str(target)) < LONGEST_NOTE else None)


def noted_move(path: Path) -> Path | None:
    """Where a log goes on, as the note beside it says; None if there is no note that can be read."""
    note = moved_note(path)
    return None if note is None else note.target


def _sync_names(folder: Path, missing: list[Path], disk: Disk) -> None:
    """Returns when the names of a new folder and of those above it are on the disk."""
    made = [folder, folder.parent, *(ancestor.parent for ancestor in missing)]
    for place in dict.fromkeys(made):
        disk.sync_folder(place)
    # The data folder may be as new, though somebody else made it, but not everything above is ours to open.
    for place in folder.absolute().parents[1:3]:
        if place not in made:
            with contextlib.suppress(OSError):
                disk.sync_folder(place)


def _make(folder: Path) -> list[Path]:
    """Makes a session's folder; the folders above it that were missing."""
    try:
        missing = [ancestor for ancestor in folder.parents if not ancestor.exists()]
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_for_temporary_files(folder.parent.parent):
            if not is_ours(folder.parent):
                raise LogFailed(f"{folder.parent} belongs to somebody else, so nothing is recorded there.")
            folder.parent.chmod(0o700)
        folder.mkdir(mode=0o700)
    except OSError as error:
        if isinstance(error, FileExistsError) and folder.exists():
            raise LogFailed(f"{folder} is there already; every session has a folder of its own.") from None
        raise LogFailed(f"The session cannot be recorded in {folder} ({error.strerror}).") from error
    return missing


def _unmake(folder: Path, made: LogFile | None) -> None:
    """Takes away a folder that this program has just made, so that the same name can be tried again."""
    with contextlib.suppress(OSError):
        if made is not None:
            _close_and_unlink(made)
        folder.rmdir()


def _close_and_unlink(made: LogFile) -> None:
    if os.name == "posix":
        try:
            # While its lock is held: nobody else can begin to write what is taken away.
            made.path.unlink()
        finally:
            made.close()
    else:
        made.close()  # an open file cannot be taken away there
        made.path.unlink()
