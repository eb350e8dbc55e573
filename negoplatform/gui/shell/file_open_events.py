"""Log files opened by a double click on macOS, which sends an event instead of passing an argument."""

from __future__ import annotations

import sys
import tkinter as tk
from collections.abc import Callable
from pathlib import Path


class FileOpenEvents:
    """Receiver of macOS events to open a file; it holds the last log until it is taken.

    Args:
        root: The window. Create this object early: events before that are lost.
    """

    def __init__(self, root: tk.Misc) -> None:
        self._log: Path | None = None
        self.on_log: Callable[[], object] = lambda: None
        """Called when a log has arrived."""
        if sys.platform == "darwin":
            root.createcommand("::tk::mac::OpenDocument", self._on_open_document)

    def pop(self) -> Path | None:
        """Return the pending log, if any, and clear it."""
        log, self._log = self._log, None
        return log

    def _on_open_document(self, *files: str) -> None:
        if files:
            self._log = Path(files[-1])
            self.on_log()
