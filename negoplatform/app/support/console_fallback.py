"""Standard streams for a program without a terminal.

A window that Windows opens has no standard streams, and what is redirected there has an encoding without most
letters.
"""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

import negoplatform
from negoplatform.domain.errors import NegoError

OUTPUT_FILE = "output.txt"

LARGEST = 1_000_000
"""Bytes after which the file is emptied."""


def ensure_stdio(folder: Callable[[], Path]) -> None:
    """Send output to a file wherever a standard stream is missing.

    Args:
        folder: Returns the folder of the file, next to the crash files; it may raise NegoError. Called when
            something is printed: by then the command line, which may set the folder, has been read. If there
            can be no file, output is dropped.
    """
    if sys.stdout is not None and sys.stderr is not None:
        return
    kept = io.TextIOWrapper(
        cast("BinaryIO", _LazyOutputFile(folder)),
        encoding="utf-8",
        errors="backslashreplace",
        write_through=True,
    )
    sys.stdout = sys.stdout or kept
    sys.stderr = sys.stderr or kept


def write_utf8(*streams: TextIO | None) -> None:
    """Write UTF-8 to files and pipes, for ``negoplatform list games > games.txt`` on Windows.

    Python would write them in the system's legacy code page there, which fails for an arrow. Terminals show
    every letter anyway, and an encoding that the user has set (``PYTHONIOENCODING``) is kept.
    """
    if "PYTHONIOENCODING" in os.environ:
        return
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


class _LazyOutputFile(io.RawIOBase):
    """Output file that is created by the first write; output that cannot be written is dropped."""

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder
        self._file: io.FileIO | None = None

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, printed: Any) -> int:
        """Write output, if possible."""
        with suppress(OSError):
            if self._file is None and printed:
                self._file = _opened(self._folder)
            if self._file is not None:
                self._file.write(printed)
        return len(printed)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
        super().close()


def _opened(folder: Callable[[], Path]) -> io.FileIO:
    """Open the file for appending: other windows may be open and print there too."""
    try:
        path = folder() / OUTPUT_FILE
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > LARGEST:
            os.truncate(path, 0)
        file = io.FileIO(str(path), "a")
    except (NegoError, OSError):
        return io.FileIO(os.devnull, "w")
    begun = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    file.write(f"NegoPlatform {negoplatform.__version__}, {begun} UTC:\n".encode())
    return file
