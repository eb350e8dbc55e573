"""Crash files: full traces of errors that the user sees as one sentence."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path

import negoplatform

MOST_FILES = 20
"""Files written per run of the program; an agent that fails at everything would fill the disk."""


class CrashFolder:
    """Folder with one file per error, for the first ``MOST_FILES`` errors, readable by the user alone.

    Args:
        folder: The folder; created with the first file. If that fails, the system's folder for
            temporary files is used; None: only that is used.
    """

    def __init__(self, folder: Path | None) -> None:
        elsewhere = Path(tempfile.gettempdir()) / "NegoPlatform-crashes"
        self._folders = [elsewhere] if folder is None else [folder, elsewhere]
        self._written = 0
        self.last: Path | None = None

    def write(self, error: BaseException) -> Path | None:
        """Write an error with its trace; return the file, or None if it could not be written."""
        if self._written >= MOST_FILES:
            return None
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        trace = "".join(traceback.format_exception(error))
        about = f"NegoPlatform {negoplatform.__version__}, Python {sys.version}, {platform.platform()}"
        for folder in self._folders:
            path = folder / f"crash-{stamp}.txt"
            if not _write_private(path, f"{about}\n\n{trace}"):
                continue
            self._written += 1
            self.last = path
            return path
        return None


def _write_private(path: Path, text: str) -> bool:
    """Write a new file that only its owner may read, in a folder of that kind; return whether that worked."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(OSError):
            path.parent.chmod(0o700)
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError:
        return False
    try:
        with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)  # the empty file that a full disk leaves
        return False
    return True
