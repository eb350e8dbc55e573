"""Private file system of one process. Linux, and only as root."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

from tests.torture.forks import fork, reap

_CLONE_NEWNS = 0x0002_0000


def can_mount() -> bool:
    """Return whether a process may have a private file system here."""
    return sys.platform == "linux" and os.geteuid() == 0 and reap(fork(_unshare)) == 0


def mount(folder: Path, *, megabytes: int) -> None:
    """Mount a new, small file system on a folder; it disappears with this process, which has to be a child.

    Args:
        folder: The mount point.
        megabytes: The size.
    """
    _unshare()
    _run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder))


def _unshare() -> None:
    """Restrict mounts to this process from now on."""
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNS):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    _run("mount", "--make-rprivate", "/")


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
