"""File of a log: raw appends that are complete or not there at all, under a lock.

The bytes written are kept in memory, and the file is compared with them whenever it is synced, since another
program may edit it meanwhile. A comparison reads at most ``COMPARED_BYTES``, the next part of the file each
time, and the whole file only where its times have changed without a write of this program, and at the close.
The times alone do not suffice: Windows has none that cannot be set back, and elsewhere two changes within a
tick of the system's clock (some milliseconds) have the same.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import BinaryIO

from negoplatform.domain.errors import LogWriteError
from negoplatform.eventlog.disk_calls import (
    LOG_NAME,
    MOVED_NAME,
    Disk,
    creation_failure,
    is_for_temporary_files,
    is_owned_by_user,
    open_regular,
    write_failure,
)
from negoplatform.eventlog.file_lock import acquire_lock, release_lock
from negoplatform.eventlog.held_files import retry_while_held

_CREATE_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
_APPEND_FLAGS = os.O_RDWR | os.O_APPEND
_REDIRECT_FLAGS = (
    os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
)

_PATH_ENCODING_ERRORS = "surrogateescape"
"""Python's notation for bytes of a path that are not UTF-8, as POSIX allows."""

LONGEST_REDIRECT = 10_000
"""Bytes of a redirect; no path is longer."""

COMPARED_BYTES = 250_000
"""Bytes of a file, at most, that a sync reads back if nothing points to a change; most logs are shorter."""

LARGEST_CONTINUED_LOG = 1_000_000_000
"""Bytes of the largest log that is continued: it is held in memory."""


class LogFile:
    """An open log, locked against other writers.

    Args:
        path: The file.
        file: Its descriptor, locked.
        disk: The system calls.
    """

    def __init__(self, path: Path, file: int, disk: Disk) -> None:
        self.path = path
        self.lost = False
        self._content = bytearray()
        self._compared = 0
        self._file = file
        self._disk = disk
        self._open = True
        self._has_excess_bytes = False
        self._is_link = path.is_symlink()
        self._is_recognizable = _is_recognizable(path, file)
        self._times = self._current_times()

    @classmethod
    def create(
        cls, folder: Path, first: bytes, *, durable: bool, disk: Disk, name: str = LOG_NAME
    ) -> LogFile:
        """Create a log in a new folder; if durable, its first bytes and its name are on the disk on return.

        Raises:
            LogWriteError: If the folder exists or cannot be written; then no part of it stays.
        """
        missing = _create_folder(folder)
        path = folder / name
        made: LogFile | None = None
        try:
            made = cls(path, disk.open(path, _CREATE_FLAGS), disk)
            acquire_lock(made._file, path)
            made.append(first)
            made.check(whole=True)
            if durable:
                made.flush()
                _sync_folders(folder, missing, disk)
        except (OSError, LogWriteError) as error:
            _remove_folder(folder, made)
            cause = error.__cause__ if isinstance(error, LogWriteError) else error
            if not isinstance(cause, OSError):
                raise
            raise LogWriteError(
                f"The session cannot be recorded in {folder} ({creation_failure(cause, folder)})."
            ) from error
        return made

    @classmethod
    def open(cls, path: Path, *, disk: Disk) -> LogFile:
        """Open an existing log and read it.

        Raises:
            LogWriteError: If it cannot be opened or read, or is being written.
        """
        try:
            opened = cls(path, retry_while_held(lambda: disk.open(path, _APPEND_FLAGS)), disk)
        except OSError as error:
            raise LogWriteError(f"{path} cannot be opened for writing ({error.strerror}).") from error
        try:
            acquire_lock(opened._file, path)
            opened._content += opened._read_all()
        except BaseException:
            opened.close()
            raise
        return opened

    @property
    def length(self) -> int:
        """Number of bytes written."""
        return len(self._content)

    def recreate(self) -> LogFile:
        """Write all bytes to a new file of the same name; the lost one becomes NAME.damaged-1.

        Raises:
            LogWriteError: If that fails; then the lost file has its name, and is the one to be written.
        """
        if os.name != "posix":
            self.close()  # an open file cannot be renamed there
        aside = next(path for path in _damaged_names(self.path) if not os.path.lexists(path))
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if has_old := os.path.lexists(self.path):
                retry_while_held(lambda: self.path.rename(aside))
        except OSError as error:
            raise LogWriteError(
                f"{self.path} does not hold what was written, and cannot be renamed ({error.strerror})."
            ) from error
        made: LogFile | None = None
        try:
            made = LogFile(self.path, self._disk.open(self.path, _CREATE_FLAGS), self._disk)
            acquire_lock(made._file, self.path)
            made.append(self.contents())
            made.flush(whole=True)
            self._disk.sync_folder(self.path.parent)
        except (OSError, LogWriteError) as error:
            with contextlib.suppress(OSError):
                if made is not None:
                    _close_and_unlink(made)
                if has_old:
                    aside.rename(self.path)
            raise LogWriteError(f"{self.path} cannot be written again ({error}).") from error
        self.close()
        return made

    def append(self, data: bytes) -> None:
        """Append bytes: all of them, or none.

        Raises:
            LogWriteError: If they could not be written.
        """
        written = 0
        try:
            if self._has_excess_bytes:
                self._truncate_excess()
            with self._own_change():
                while written < len(data):
                    written += self._disk.write(self._file, data[written:])
        except OSError as error:
            # Half a line would stop the next reader here; complete lines stay. If not even this can
            # be done, it is tried again before anything else is written, and the reader names the cut line.
            self._has_excess_bytes = True
            with contextlib.suppress(OSError):
                self._truncate_excess()
            kept = "; everything before is kept" if self.length else ""
            raise LogWriteError(f"{self.path} cannot be written ({write_failure(error)}){kept}.") from error
        self._content += data

    def undo_append(self, count: int) -> None:
        """Cut off the last bytes, now or, if that fails, before the next write.

        A lost file that another program has made longer or shorter stays as it is, for inspection.
        """
        is_foreign = self.lost and self._size_on_disk() != self.length
        del self._content[self.length - count :]
        if is_foreign:
            return
        self._has_excess_bytes = True
        with contextlib.suppress(OSError):
            self._truncate_excess()

    def flush(self, *, whole: bool = False) -> None:
        """Wait until all bytes are on the disk.

        Args:
            whole: Whether all of the file is compared with the bytes written.

        Raises:
            LogWriteError: If the system cannot promise that.
        """
        try:
            self._disk.fsync(self._file)
        except OSError as error:
            self.check()
            raise LogWriteError(f"{self.path} may not be safe on the disk ({error.strerror}).") from error
        self.check(whole=whole)

    def check(self, *, whole: bool = False) -> None:
        """Check that the file is still the one that its path names, and holds the bytes written.

        Args:
            whole: Whether all of it is compared, and not only the next part; where its times or its length
                point to a change, all of it always is.

        Raises:
            LogWriteError: If it was deleted, replaced, moved, truncated or edited; then it is lost.
        """
        if why := self._describe_change() or self._describe_edit(whole=whole):
            self.lost = True
            raise LogWriteError(f"{self.path} {why} while the session was running.")

    def _describe_change(self) -> str:
        try:
            mine = os.fstat(self._file)
        except OSError as error:
            return f"can no longer be reached ({error.strerror})"
        if mine.st_nlink == 0:
            return "was deleted"
        try:
            # A link that was put in the place of the file is not the file, although it leads there.
            named = self.path.stat(follow_symlinks=self._is_link)
        except OSError:
            return "was moved away or deleted"
        if self._is_recognizable and _identity(named) != _identity(mine):
            return "was replaced by another file"
        if mine.st_size < self.length or (mine.st_size > self.length and not self._has_excess_bytes):
            return "was changed by another program"
        return ""

    def _describe_edit(self, *, whole: bool) -> str:
        # The times before the bytes: an edit in between is found by the next comparison.
        times = self._current_times()
        whole = whole or times != self._times or self.length <= COMPARED_BYTES
        start = 0 if whole else min(self._compared, self.length)
        end = self.length if whole else min(start + COMPARED_BYTES, self.length)
        rest = 0 if whole else COMPARED_BYTES - (end - start)
        try:
            equal = self._holds_written(start, end) and self._holds_written(0, rest)
        except OSError as error:
            return f"can no longer be read ({error.strerror})"
        if not equal:
            return "was changed by another program"
        self._times = times
        self._compared = rest or end
        return ""

    def _holds_written(self, start: int, end: int) -> bool:
        with self._open_for_reading() as file:
            file.seek(start)
            while start < end:
                part = min(end - start, COMPARED_BYTES)
                if file.read(part) != self._content[start : start + part]:
                    return False
                start += part
        return True

    @contextlib.contextmanager
    def _own_change(self) -> Iterator[None]:
        """Note the times that a change by this program leaves, unless another program has edited the file."""
        is_untouched = self._current_times() == self._times
        try:
            yield
        finally:
            if is_untouched:
                self._times = self._current_times()

    def _current_times(self) -> tuple[int, int]:
        try:
            found = os.fstat(self._file)
        except OSError:
            return -1, -1  # the next check says why
        # Of the two only the second cannot be set back, and only on POSIX.
        return found.st_mtime_ns, found.st_ctime_ns

    def _size_on_disk(self) -> int:
        try:
            return os.fstat(self._file).st_size
        except OSError:
            return -1

    def truncate(self, length: int) -> None:
        """Truncate the file and wait until that is on the disk.

        Raises:
            LogWriteError: If that fails.
        """
        try:
            with self._own_change():
                self._disk.ftruncate(self._file, length)
        except OSError as error:
            raise LogWriteError(f"{self.path} cannot be cut off ({error.strerror}).") from error
        del self._content[length:]
        self.flush()

    def contents(self, start: int = 0, end: int | None = None) -> bytes:
        """Return bytes that were written, or read when the file was opened; the disk is not read again."""
        return bytes(self._content[start:end])

    def _open_for_reading(self) -> BinaryIO:
        return open(self._file, "rb", closefd=False)

    def _read_all(self) -> bytes:
        try:
            with self._open_for_reading() as file:
                data = file.read(LARGEST_CONTINUED_LOG + 1)
        except OSError as error:
            raise LogWriteError(f"{self.path} cannot be read ({error.strerror}).") from error
        if len(data) > LARGEST_CONTINUED_LOG:
            raise LogWriteError(f"{self.path} is too large to be continued.")
        return data

    def close(self) -> None:
        """Close the file, which releases its lock; a second call does nothing."""
        if self._open:
            self._open = False
            with contextlib.suppress(OSError):
                self._truncate_excess()
            with contextlib.suppress(OSError):
                release_lock(self._file)
            # All that has to last was synced before, so an error as late as this one loses nothing.
            with contextlib.suppress(OSError):
                os.close(self._file)

    def remove(self) -> None:
        """Close the file, and remove it and its folder as far as the disk allows it."""
        _remove_folder(self.path.parent, self)

    def _truncate_excess(self) -> None:
        if self._has_excess_bytes:
            # A file that another program has cut shorter is not padded with zeros.
            if os.fstat(self._file).st_size > self.length:
                with self._own_change():
                    self._disk.ftruncate(self._file, self.length)
            self._has_excess_bytes = False


@dataclass(frozen=True, slots=True)
class LogRedirect:
    """Redirect of a log that continues elsewhere.

    Args:
        target: The file in which it continues; None if the redirect is empty, as on a full disk.
    """

    target: Path | None


def write_redirect(old: Path, new: Path) -> None:
    """Write the redirect of a log that continues elsewhere, as far as the disk still allows it.

    On a full disk the redirect may stay empty: even that shows that this log is not complete.
    """
    if old.absolute() == new.absolute():
        return  # the old folder was deleted, and the log still has its old place
    text = f"The log of this session goes on in\n{new.absolute()}\n"
    # A ValueError is a path that cannot be encoded; then the redirect stays empty too.
    with contextlib.suppress(OSError, ValueError):
        file = os.open(old.with_name(MOVED_NAME), _REDIRECT_FLAGS, 0o600)
        with open(file, "wb") as note:  # noqa: PTH123 - a descriptor
            note.write(text.encode("utf-8", _PATH_ENCODING_ERRORS))


def read_redirect(path: Path) -> LogRedirect | None:
    """Return the redirect of a log; None if it has none."""
    try:
        with open_regular(path.with_name(MOVED_NAME)) as note:
            lines = note.read(LONGEST_REDIRECT + 1).decode("utf-8", _PATH_ENCODING_ERRORS).splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        return LogRedirect(None)
    target = Path(lines[1]) if len(lines) > 1 else None
    sound = target is not None and target.is_absolute() and "\0" not in str(target)
    return LogRedirect(target if sound and len(str(target)) < LONGEST_REDIRECT else None)


def redirect_target(path: Path) -> Path | None:
    """Return the file in which a log continues; None if it has no readable redirect."""
    note = read_redirect(path)
    return None if note is None else note.target


def _damaged_names(path: Path) -> Iterator[Path]:
    return (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _is_recognizable(path: Path, file: int) -> bool:
    """Return whether the system says of a path and of the file opened there that they are the same.

    On Windows some network drives and memory sticks do not; but there an open file is not replaced.
    """
    if os.name == "posix":
        return True
    try:
        return _identity(path.stat()) == _identity(os.fstat(file))
    except OSError:
        return False


def _sync_folders(folder: Path, missing: list[Path], disk: Disk) -> None:
    """Wait until the names of a new folder and of those above it are on the disk."""
    made = [folder, folder.parent, *(ancestor.parent for ancestor in missing)]
    for place in dict.fromkeys(made):
        disk.sync_folder(place)
    # The data folder may be as new although another program made it, but not all above is ours to open.
    for place in folder.absolute().parents[1:3]:
        if place not in made:
            with contextlib.suppress(OSError):
                disk.sync_folder(place)


def _create_folder(folder: Path) -> list[Path]:
    """Create a session's folder; return the folders above it that were missing."""
    try:
        missing = [ancestor for ancestor in folder.parents if not ancestor.exists()]
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_for_temporary_files(folder.parent.parent):
            if not is_owned_by_user(folder.parent):
                raise LogWriteError(
                    f"{folder.parent} belongs to somebody else, so nothing is recorded there."
                )
            folder.parent.chmod(0o700)
        folder.mkdir(mode=0o700)
    except OSError as error:
        if isinstance(error, FileExistsError) and folder.exists():
            raise LogWriteError(
                f"{folder} is there already; every session has a folder of its own."
            ) from None
        reason = creation_failure(error, folder)
        raise LogWriteError(f"The session cannot be recorded in {folder} ({reason}).") from error
    return missing


def _remove_folder(folder: Path, made: LogFile | None) -> None:
    """Remove a folder that this program has just made, so that the same name can be tried again."""
    with contextlib.suppress(OSError):
        if made is not None:
            _close_and_unlink(made)
        folder.rmdir()


def _close_and_unlink(made: LogFile) -> None:
    if os.name == "posix":
        try:
            # While its lock is held: no other program can begin to write the file that is removed.
            made.path.unlink()
        finally:
            made.close()
    else:
        made.close()  # an open file cannot be removed there
        retry_while_held(made.path.unlink)
