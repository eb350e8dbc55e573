"""Whether files have changed: their names, sizes and times, without opening any of them. No Tk."""

from __future__ import annotations

from pathlib import Path

FileStamp = tuple[str, int, int, int]
"""A file at a moment: its path, when it was changed (ns), its size in bytes, and which one it is."""


def file_stamp(file: Path) -> FileStamp | None:
    """A file as it is now; None if there is none, or none that can be looked at."""
    try:
        found = file.stat()
    except OSError:
        return None
    return str(file), found.st_mtime_ns, found.st_size, found.st_ino
