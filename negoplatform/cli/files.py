"""Files that a command writes: always new ones."""

from __future__ import annotations

from pathlib import Path

from negoplatform.domain.errors import NegoError


def check_new(path: Path) -> None:
    """Raises NegoError if a file cannot be new, for commands that work long before they write."""
    if path.exists() or path.is_symlink():
        raise _there_already(path)
    if not path.parent.is_dir():
        raise NegoError(f"{path} cannot be written: there is no folder {path.parent}.")


def write_new(path: Path, data: bytes) -> None:
    """Writes a new file.

    Raises:
        NegoError: If it is there already, or cannot be written.
    """
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise _there_already(path) from None
    except OSError as error:
        raise NegoError(f"{path} cannot be written ({error.strerror}).") from None


def _there_already(path: Path) -> NegoError:
    return NegoError(f"{path} is there already; name a new file.")
