"""Detection of saved files by polling."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from pathlib import Path

from negoplatform.app.support.file_stamps import FileStamp, file_stamp

POLL_INTERVAL_MS = 250
"""Milliseconds between two polls; a query of the file system takes a few microseconds per file."""


class FileWatcher:
    """Watcher of a few files for the lifetime of the window.

    A change counts as saved once the file is the same in two successive polls: many editors write a file in
    pieces, or replace it by another one. While the first file is missing, no change is reported.

    Args:
        root: The window.
        files: The files; all but the first may be missing.
        on_saved: Called with a file that was saved.
    """

    def __init__(self, root: tk.Misc, files: Sequence[Path], on_saved: Callable[[Path], None]) -> None:
        self._root = root
        self._files = tuple(files)
        self._on_saved = on_saved
        self._reported = self._last = self._current_stamps()
        root.after(POLL_INTERVAL_MS, self._poll)

    def reset(self) -> None:
        """Treat the present state of the files as known."""
        self._reported = self._last = self._current_stamps()

    def _current_stamps(self) -> tuple[FileStamp | None, ...]:
        return tuple(map(file_stamp, self._files))

    def _poll(self) -> None:
        # First of all: an error below must not stop the polling.
        self._root.after(POLL_INTERVAL_MS, self._poll)
        now, before = self._current_stamps(), self._last
        self._last = now
        if now != before or now == self._reported or now[0] is None:
            return
        saved = next(
            file
            for file, stamp, reported in zip(self._files, now, self._reported, strict=True)
            if stamp != reported
        )
        self._reported = now
        self._on_saved(saved)
