"""The system's calls that a log needs, in one narrow object, so that each of them can be made to fail."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO

if sys.platform == "darwin":
    import fcntl

LOG_NAME = "events.jsonl"
"""The name of the log in a session's folder."""

MOVED_NAME = "moved.txt"
"""The file beside a log that goes on elsewhere; it says where."""

_UNSUPPORTED_ERRNOS = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}


class Disk:
    """The disk as it is; a test gives one that fails, or that forgets what was not synced."""

    def open(self, path: Path, flags: int) -> int:
        """A file descriptor; a new file is for its owner alone."""
        return os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)

    def write(self, file: int, data: bytes) -> int:
        """Writes some bytes at the end, perhaps fewer than given; how many."""
        return os.write(file, data)

    def ftruncate(self, file: int, length: int) -> None:
        """Cuts a file off."""
        os.ftruncate(file, length)

    def fsync(self, file: int) -> None:
        """Returns when the bytes of a file are on the disk, as far as system and drive tell the truth."""
        _sync(file)

    def sync_folder(self, folder: Path) -> None:
        """Returns when a folder's entries are on the disk; where a system has no such call, at once."""
        if os.name != "posix":
            return
        file = os.open(folder, os.O_RDONLY)
        try:
            _sync(file)
        except OSError as error:
            if error.errno not in _UNSUPPORTED_ERRNOS:
                raise
        finally:
            os.close(file)


def _sync(file: int) -> None:
    if sys.platform == "darwin":
        # There fsync hands the bytes to the drive, which may keep them in its cache for long.
        with contextlib.suppress(OSError):
            fcntl.fcntl(file, fcntl.F_FULLFSYNC)
            return
    os.fsync(file)


def open_regular(path: Path) -> BinaryIO:
    """A file for reading, if it is one: a pipe or a device has no end, or none yet.

    Raises:
        OSError: If it cannot be opened, or is something else.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.open(path, flags)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        return open(file, "rb")  # noqa: PTH123 - a descriptor
    except BaseException:
        os.close(file)
        raise


def is_owned_by_user(folder: Path) -> bool:
    """Whether a folder is not there yet, or is no link and belongs to this user.

    In a folder in which everybody may write, somebody else could have put it there.
    """
    if os.name != "posix":
        return True
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


def is_for_temporary_files(folder: Path) -> bool:
    """Whether a folder is one of those in which everybody may write, and delete only what is theirs."""
    wanted = stat.S_IWOTH | stat.S_ISVTX
    return os.name == "posix" and folder.is_dir() and folder.stat().st_mode & wanted == wanted


DISK = Disk()
