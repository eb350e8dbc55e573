"""Output files of commands, which never replace existing files."""

from __future__ import annotations

from pathlib import Path

from negoplatform.domain.errors import NegoError


def ensure_new_file(path: Path) -> None:
    """Raise NegoError if a file exists or its folder does not, for commands that write only at their end."""
    if path.exists() or path.is_symlink():
        raise NegoError(f"{path} is there already; name a new file.")
    if not path.parent.is_dir():
        raise NegoError(f"{path} cannot be written: there is no folder {path.parent}.")
