"""A log's file: raw appends that are whole or not there at all, under a lock."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import BinaryIO

from negoplatform.domain.errors import LogFailed
from negoplatform.eventlog.disk import LOG_NAME, MOVED_NAME, Disk
from negoplatform.eventlog.lock import give_back, take_lock

_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
_OLD = os.O_RDWR | os.O_APPEND


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
                for place in (folder, folder.parent, *(ancestor.parent for ancestor in missing)):
                    disk.sync_folder(place)
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
            raise LogFailed(f"{self.path} may not be safe on the disk ({error.strerror}).") from error

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
            os.close(self._file)

    def _cut_overhang(self) -> None:
        if self._overhang:
            self._disk.ftruncate(self._file, self.length)
            self._overhang = False


def leave_a_note(old: Path, new: Path) -> None:
    """Makes known beside a log that it goes on elsewhere, as far as its disk still allows it.

    On a full disk the note may stay empty: then it says at least that this log is not the last word.
    """
    text = f"The log of this session goes on in\n{new.absolute()}\n"
    with contextlib.suppress(OSError):
        old.with_name(MOVED_NAME).write_text(text, encoding="utf-8")


def noted_move(path: Path) -> Path | None:
    """Where a log goes on, as the note beside it says; None if there is no note that can be read."""
    try:
        lines = path.with_name(MOVED_NAME).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    return Path(lines[1]) if len(lines) > 1 else None


def _make(folder: Path) -> list[Path]:
    """Makes a session's folder; the folders above it that were missing."""
    missing = [ancestor for ancestor in folder.parents if not ancestor.exists()]
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    except OSError as error:
        if isinstance(error, FileExistsError) and folder.exists():
            raise LogFailed(f"{folder} is there already; every session has a folder of its own.") from None
        raise LogFailed(f"The session cannot be recorded in {folder} ({error.strerror}).") from error
    return missing


def _unmake(folder: Path, made: LogFile | None) -> None:
    """Takes away a folder that this program has just made, so that the same name can be tried again."""
    if made is not None:
        made.close()
    with contextlib.suppress(OSError):
        if made is not None:
            made.path.unlink()
        folder.rmdir()
