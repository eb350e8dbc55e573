"""What is printed where nobody listens: a window that Windows opens without a terminal has no streams."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

import negoplatform
from negoplatform.domain.errors import NegoError

OUTPUT_FILE = "output.txt"

LARGEST = 1_000_000
"""Bytes after which the file is begun anew."""


def ensure_stdio(folder: Callable[[], Path]) -> None:
    """Lets what is printed go to a file wherever there is no stream for it.

    Args:
        folder: Where the file goes, beside the crash files; it may raise NegoError. Asked when something is
            printed: the command line, which says where, has been read by then. Where no file can be, nothing
            is kept.
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


class _LazyOutputFile(io.RawIOBase):
    """The file, which is there once something is printed; what finds no room in it is dropped."""

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder
        self._file: io.FileIO | None = None

    def writable(self) -> bool:
        """Always."""
        return True

    def write(self, printed: Any) -> int:
        """Keeps what is printed, if it can be kept."""
        with suppress(OSError):
            if self._file is None and printed:
                self._file = _opened(self._folder)
            if self._file is not None:
                self._file.write(printed)
        return len(printed)

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
        super().close()


def _opened(folder: Callable[[], Path]) -> io.FileIO:
    """The file, for lines at its end: other windows may be open and print there too."""
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
