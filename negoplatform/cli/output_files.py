"""Files that a command writes: always new ones."""

from __future__ import annotations

from pathlib import Path

from negoplatform.domain.errors import NegoError


def ensure_new_file(path: Path) -> None:
    """Raises NegoError if a file cannot be new, for commands that work long before they write."""
    if path.exists() or path.is_symlink():
        raise NegoError(f"{path} is there already; name a new file.")
    if not path.parent.is_dir():
        raise NegoError(f"{path} cannot be written: there is no folder {path.parent}.")
