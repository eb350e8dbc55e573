"""Logs that are double-clicked on a Mac, where the program is told of them and gets no argument."""

from __future__ import annotations

import sys
import tkinter as tk
from collections.abc import Callable
from pathlib import Path


class FileOpenEvents:
    """Hears of the logs, and keeps the last one until somebody takes it.

    Args:
        root: The window. What comes before anybody has asked this is lost, so it is asked at once.
    """

    def __init__(self, root: tk.Misc) -> None:
        self._log: Path | None = None
        self.on_log: Callable[[], object] = lambda: None
        """Is called when a log has come."""
        if sys.platform == "darwin":
            root.createcommand("::tk::mac::OpenDocument", self._on_open_document)

    def pop(self) -> Path | None:
        """The log that waits, if any; it waits no longer."""
        log, self._log = self._log, None
        return log

    def _on_open_document(self, *files: str) -> None:
        if files:
            self._log = Path(files[-1])
            self.on_log()
