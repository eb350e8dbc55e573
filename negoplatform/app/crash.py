"""Crash files: the full trace of what a user is told in one sentence."""

from __future__ import annotations

import contextlib
import platform
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path

import negoplatform

MOST_FILES = 20
"""Files that one run of the program writes; an agent that fails at everything would fill the disk."""


class CrashFolder:
    """Writes one file per error, the first twenty of them.

    Args:
        folder: Where the files go; created when the first is written. If it cannot be, the system's
            folder for temporary files takes its place.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written = 0
        self.last: Path | None = None

    def write(self, error: BaseException) -> Path | None:
        """Keeps an error with its trace; the file, or None if it was kept nowhere."""
        if self._written >= MOST_FILES:
            return None
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        trace = "".join(traceback.format_exception(error))
        about = f"NegoPlatform {negoplatform.__version__}, Python {sys.version}, {platform.platform()}"
        for folder in (self._folder, Path(tempfile.gettempdir()) / "NegoPlatform-crashes"):
            path = folder / f"crash-{stamp}.txt"
            try:
                folder.mkdir(parents=True, exist_ok=True)
                path.write_text(f"{about}\n\n{trace}", encoding="utf-8", errors="backslashreplace")
            except OSError:
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)  # the empty file that a full disk leaves
                continue
            self._written += 1
            self.last = path
            return path
        return None
