"""Disks for tests: some fail on request, and all lose unsynced bytes at a power cut."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from negoplatform.eventlog.disk_calls import Disk


class Way(StrEnum):
    """Ways out when nothing can be written."""

    FALLBACK = "another disk"
    ROOM_AGAIN = "room again after a while"
    GIVEN_UP = "nothing, and somebody gives up"


class PowerCut(BaseException):
    """Power cut, after which nothing in the computer runs any more."""


class TestDisk(Disk):
    """Real disk with a record of the synced bytes, and with calls that fail.

    A file is there after a power cut if its name in its folder was synced, and the folder's in the one above.
    As on real disks, a failed sync loses the bytes that it could not write, and later ones do not report it.

    Args:
        fails: Whether a call fails, given its number (1, 2, 3 …), its name, and the file; it may raise
            PowerCut.
    """

    __test__ = False

    def __init__(self, fails: Callable[[int, str, Path], bool] = lambda *_: False) -> None:
        self.fails = fails
        self.calls = 0
        self.synced: dict[Path, bytes] = {}
        self._open: dict[int, tuple[Path, int]] = {}
        self._named: set[Path] = set()
        self._lying: set[Path] = set()

    def open(self, path: Path, flags: int) -> int:
        """Open a file; an existing one is on the disk with its content."""
        self._call("open", path)
        is_new = not path.exists()
        file = super().open(path, flags)
        self._open[file] = (path, os.fstat(file).st_ino)
        if is_new:
            self.synced[path] = b""
            self._named.discard(path)
            self._lying.discard(path)
        elif path not in self.synced:
            self.synced[path] = path.read_bytes()
            self._named |= {path, *path.parents}
        return file

    def write(self, file: int, data: bytes) -> int:
        """Write; a call that fails, or in which the power is cut, may have written half of the bytes."""
        path, _ = self._open[file]
        try:
            self._call("write", path)
        except (OSError, PowerCut):
            super().write(file, data[: len(data) // 2])
            raise
        return super().write(file, data)

    def ftruncate(self, file: int, length: int) -> None:
        """Truncate a file."""
        path, _ = self._open[file]
        self._call("ftruncate", path)
        super().ftruncate(file, length)

    def fsync(self, file: int) -> None:
        """Remember the content that is on the disk from now on."""
        path, _ = self._open[file]
        try:
            self._call("fsync", path)
        except OSError:
            self._lying.add(path)
            raise
        if path not in self._lying:
            self.synced[path] = path.read_bytes()

    def sync_folder(self, folder: Path) -> None:
        """Remember the names that are in a folder from now on."""
        self._call("sync_folder", folder)
        self._named |= set(folder.iterdir())

    def cut_power(self, left: Callable[[bytes], bytes] = lambda _: b"") -> None:
        """Drop all unsynced bytes but those that ``left`` returns."""
        for path, data in self.synced.items():
            if not {path, path.parent} <= self._named:
                path.unlink(missing_ok=True)
            elif path.exists():
                written = path.read_bytes()
                unsynced = written[len(data) :] if written.startswith(data) else b""
                path.write_bytes(data + left(unsynced))

    def end_program(self) -> None:
        """Close all open files, as the end of a program does."""
        for file, (_, number) in self._open.items():
            with contextlib.suppress(OSError):
                if os.fstat(file).st_ino == number:
                    os.close(file)
        self._open.clear()

    def _call(self, name: str, path: Path) -> None:
        self.calls += 1
        if self.fails(self.calls, name, path):
            raise OSError(errno.EIO if name == "fsync" else errno.ENOSPC, os.strerror(errno.ENOSPC))
