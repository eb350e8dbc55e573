"""Crash files: the full trace of what a user is told in one sentence."""

from __future__ import annotations

import platform
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

import negoplatform


class CrashFolder:
    """Writes one file per error.

    Args:
        folder: Where the files go; created when the first is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.last: Path | None = None

    def write(self, error: BaseException) -> Path | None:
        """Keeps an error with its trace; the file, or None if not even that could be written."""
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        path = self._folder / f"crash-{stamp}.txt"
        trace = "".join(traceback.format_exception(error))
        about = f"NegoPlatform {negoplatform.__version__}, Python {sys.version}, {platform.platform()}\n\n"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_text(about + trace, encoding="utf-8", errors="backslashreplace")
        except OSError:
            print(about + trace, file=sys.stderr)
            return None
        self.last = path
        return path
