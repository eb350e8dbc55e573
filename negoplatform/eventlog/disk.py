"""The system's calls that a log needs, in one narrow object, so that each of them can be made to fail."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

if sys.platform == "darwin":
    import fcntl

LOG_NAME = "events.jsonl"
"""The name of the log in a session's folder."""

MOVED_NAME = "moved.txt"
"""The file beside a log that goes on elsewhere; it says where."""

_NO_SUCH_CALL = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}


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
        if sys.platform == "darwin":
            # There fsync hands the bytes to the drive, which may keep them in its cache for long.
            with contextlib.suppress(OSError):
                fcntl.fcntl(file, fcntl.F_FULLFSYNC)
                return
        os.fsync(file)

    def sync_folder(self, folder: Path) -> None:
        """Returns when a folder's entries are on the disk; where a system has no such call, at once."""
        if os.name != "posix":
            return
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        except OSError as error:
            if error.errno not in _NO_SUCH_CALL:
                raise
        finally:
            os.close(file)


DISK = Disk()
