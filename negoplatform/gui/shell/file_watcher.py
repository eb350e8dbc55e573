"""Notices when a file is saved."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from pathlib import Path

from negoplatform.app.support.file_stamps import Mark, mark_of

LOOK_MS = 250
"""How often the files are looked at; asking the system for one costs some microseconds."""


class SavedFiles:
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
        self._known = self._last = self._now()
        root.after(LOOK_MS, self._look)

    def forget(self) -> None:
        """What is there now is known."""
        self._known = self._last = self._now()

    def _now(self) -> tuple[Mark | None, ...]:
        return tuple(map(mark_of, self._files))

    def _look(self) -> None:
        # First of all: an error below must not be the end of looking.
        self._root.after(LOOK_MS, self._look)
        now, before = self._now(), self._last
        self._last = now
        if now != before or now == self._known or now[0] is None:
            return
        saved = next(
            file for file, mark, known in zip(self._files, now, self._known, strict=True) if mark != known
        )
        self._known = now
        self._on_saved(saved)
