"""Disks for tests: some fail when told, and all forget at a power cut what was not synced."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

from negoplatform.eventlog.disk import Disk


class PowerCut(BaseException):
    """The computer is off; nothing in it does anything any more."""


class TestDisk(Disk):
    """The real disk, with a memory of what was synced, and calls that fail.

    As real ones do it, a sync that failed loses what it could not write, and later ones say nothing of it.

    Args:
        fails: Whether a call fails, given its number (1, 2, 3 …), its name, and the file.
    """

    __test__ = False

    def __init__(self, fails: Callable[[int, str, Path], bool] = lambda *_: False) -> None:
        self.fails = fails
        self.calls = 0
        self.synced: dict[Path, bytes] = {}
        self._names: dict[int, Path] = {}
        self._lying: set[Path] = set()

    def open(self, path: Path, flags: int) -> int:
        """Opens a file; what an old one holds is on the disk."""
        self._call("open", path)
        file = super().open(path, flags)
        self._names[file] = path
        self._lying.discard(path)
        self.synced[path] = path.read_bytes()
        return file

    def write(self, file: int, data: bytes) -> int:
        """Writes; a call that fails may have written the half before."""
        path = self._names[file]
        try:
            self._call("write", path)
        except OSError:
            super().write(file, data[: len(data) // 2])
            raise
        return super().write(file, data)

    def ftruncate(self, file: int, length: int) -> None:
        """Cuts off."""
        self._call("ftruncate", self._names[file])
        super().ftruncate(file, length)

    def fsync(self, file: int) -> None:
        """Remembers what is on the disk from now on."""
        path = self._names[file]
        try:
            self._call("fsync", path)
        except OSError:
            self._lying.add(path)
            raise
        if path not in self._lying:
            self.synced[path] = path.read_bytes()

    def sync_folder(self, folder: Path) -> None:
        """Syncs nothing more here, but may fail."""
        self._call("sync_folder", folder)

    def cut_power(self, left: Callable[[bytes], bytes] = lambda _: b"") -> None:
        """What was not synced is gone, or what is left of it says how much."""
        for path, data in self.synced.items():
            if path.exists():
                unsynced = path.read_bytes()[len(data) :]
                path.write_bytes(data + left(unsynced))

    def _call(self, name: str, path: Path) -> None:
        self.calls += 1
        if self.fails(self.calls, name, path):
            raise OSError(errno.EIO if name == "fsync" else errno.ENOSPC, os.strerror(errno.ENOSPC))
