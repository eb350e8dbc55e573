"""Atomic writing of derived files: they are complete and on the disk, or not there at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from uuid import uuid4

from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.disk_calls import DISK
from negoplatform.eventlog.held_files import HELD_TIMEOUT, retry_while_held


def atomic_write(
    path: Path,
    data: bytes,
    *,
    private: bool = False,
    replace: bool = False,
    held_timeout: float = HELD_TIMEOUT,
) -> None:
    """Write a file under another name first, so that no reader ever finds half of it.

    Args:
        path: The file.
        data: Its content.
        private: Whether only its owner may read it, as a log: that holds all preferences.
        replace: Whether an existing file is replaced.
        held_timeout: Seconds to try for while another program has the file open, on Windows.

    Raises:
        NegoError: If the file exists already, or cannot be written.
    """
    # A short separate name: the file's may already be as long as a name can be.
    half = path.parent / f".{uuid4().hex}.part"
    try:
        with os.fdopen(_open(half, private=private), "wb") as file:
            file.write(data)
            file.flush()
            DISK.fsync(file.fileno())
        if replace:
            retry_while_held(lambda: half.replace(path), timeout=held_timeout)
        else:
            _link_into_place(half, path)
        with contextlib.suppress(PermissionError):  # a folder may be write-only
            DISK.sync_folder(path.parent)
    except FileExistsError:
        raise NegoError(f"{path} is there already; name a new file.") from None
    except OSError as error:
        raise NegoError(f"{path} cannot be written ({error.strerror}).") from None
    finally:
        with contextlib.suppress(OSError):
            retry_while_held(lambda: half.unlink(missing_ok=True), timeout=held_timeout)


def _open(path: Path, *, private: bool) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    if private:
        return DISK.open(path, flags)
    return os.open(path, flags | getattr(os, "O_BINARY", 0), 0o666)


def _link_into_place(half: Path, path: Path) -> None:
    """Give a finished file its name, unless that name is taken."""
    try:
        # A link does not replace an existing file; renaming does, on most systems.
        path.hardlink_to(half)
    except FileExistsError:
        raise
    except OSError:
        if path.exists() or path.is_symlink():
            raise FileExistsError from None
        retry_while_held(lambda: half.rename(path))
