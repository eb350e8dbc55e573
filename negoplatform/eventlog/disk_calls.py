"""System calls that a log needs, in one narrow object, so that tests can make each of them fail."""

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
"""The name of the redirect of a log: the file next to it with the place where it continues."""

LONGEST_FOLDER = 246
"""Characters of a session's folder on Windows: a file in it may have 259, unless long paths are enabled."""

_IS_WINDOWS = os.name == "nt"

_UNSUPPORTED_ERRNOS = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}


class Disk:
    """The real disk; a test passes one that fails, or that forgets unsynced bytes."""

    def open(self, path: Path, flags: int) -> int:
        """Return a file descriptor; only its owner may read a new file."""
        return os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)

    def write(self, file: int, data: bytes) -> int:
        """Append some bytes, perhaps fewer than given; return how many."""
        return os.write(file, data)

    def ftruncate(self, file: int, length: int) -> None:
        """Truncate a file."""
        os.ftruncate(file, length)

    def fsync(self, file: int) -> None:
        """Wait until the bytes of a file are on the disk, as far as system and drive tell the truth."""
        _sync(file)

    def sync_folder(self, folder: Path) -> None:
        """Wait until a folder's entries are on the disk; return at once on a system without such a call."""
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
        # On macOS fsync hands the bytes to the drive, which may keep them in its cache for long.
        with contextlib.suppress(OSError):
            fcntl.fcntl(file, fcntl.F_FULLFSYNC)
            return
    os.fsync(file)


def write_failure(error: OSError) -> str:
    """Return the reason why bytes could not be written.

    In the C library of Windows a used-up quota is an invalid argument.
    """
    if _IS_WINDOWS and error.errno == errno.EINVAL:
        return "the disk or the quota may be full"
    return error.strerror or str(error)


def creation_failure(error: OSError, folder: Path) -> str:
    """Return the reason why a folder or a file in it could not be created.

    For Windows a path that is too long leads to nothing that exists.
    """
    length = len(str(folder.absolute()))
    if _IS_WINDOWS and error.errno in (errno.ENOENT, errno.ENAMETOOLONG) and length > LONGEST_FOLDER:
        return (
            f"its path has {length} characters, and Windows may allow {LONGEST_FOLDER} only; choose a data "
            "folder with a shorter path"
        )
    return write_failure(error)


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading: a pipe or a device has no end, or none yet.

    Raises:
        OSError: If it cannot be opened, or is not a regular file.
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
    """Return whether a folder does not exist yet, or is not a link and belongs to this user.

    In a world-writable folder another user could have created it.
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
    """Return whether a folder is shared like /tmp: all users may write there, but delete only their files."""
    wanted = stat.S_IWOTH | stat.S_ISVTX
    return os.name == "posix" and folder.is_dir() and folder.stat().st_mode & wanted == wanted


DISK = Disk()
