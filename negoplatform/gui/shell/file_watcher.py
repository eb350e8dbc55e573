"""Notices when a file is saved."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from pathlib import Path

from negoplatform.app.support.file_stamps import FileStamp, file_stamp

POLL_INTERVAL_MS = 250
"""How often the files are looked at; asking the system for one costs some microseconds."""


class FileWatcher:
    """Looks at a few files, for as long as the window is there.

    A file counts as saved once it stays as it is from one look to the next: many an editor writes it in
    pieces, or puts another one in its place. While the first of them is missing, nothing is said.

    Args:
        root: The window.
        files: The files; all but the first may be missing.
        on_saved: Is given the one that was saved.
    """

    def __init__(self, root: tk.Misc, files: Sequence[Path], on_saved: Callable[[Path], None]) -> None:
        self._root = root
        self._files = tuple(files)
        self._on_saved = on_saved
        self._reported = self._last = self._current_stamps()
        root.after(POLL_INTERVAL_MS, self._poll)

    def reset(self) -> None:
        """What is there now is known."""
        self._reported = self._last = self._current_stamps()

    def _current_stamps(self) -> tuple[FileStamp | None, ...]:
        return tuple(map(file_stamp, self._files))

    def _poll(self) -> None:
        # First of all: an error below must not be the end of looking.
        self._root.after(POLL_INTERVAL_MS, self._poll)
        now, before = self._current_stamps(), self._last
        self._last = now
        if now != before or now == self._reported or now[0] is None:
            return
        saved = next(
            file for file, mark, known in zip(self._files, now, self._reported, strict=True) if mark != known
        )
        self._reported = now
        self._on_saved(saved)
