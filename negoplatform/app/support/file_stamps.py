"""Stamps that show whether files have changed, without opening them. No Tk."""

from __future__ import annotations

from pathlib import Path

FileStamp = tuple[str, int, int, int]
"""State of a file: its path, its time of change (ns), its size in bytes, and its inode."""


def file_stamp(file: Path) -> FileStamp | None:
    """Return the stamp of a file; None if there is none, or it cannot be examined."""
    try:
        found = file.stat()
    except OSError:
        return None
    return str(file), found.st_mtime_ns, found.st_size, found.st_ino
