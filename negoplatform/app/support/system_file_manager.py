"""The system's file manager."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from negoplatform.domain.errors import NegoError
from negoplatform.plugins.program_and_user_folders import system_environment

TIMEOUT_SECONDS = 5.0
"""Seconds in which a file manager reports a failure; one that still runs has opened its window."""


def make_folder(folder: Path) -> None:
    """Create a folder, unless it exists.

    Raises:
        NegoError: If it cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NegoError(f"{folder}: this folder cannot be made ({error.strerror or error}).") from None


def show_folder(folder: Path) -> bool:
    """Open a folder in the file manager; return whether that worked, after up to 5 s."""
    if sys.platform == "win32":
        try:
            os.startfile(folder)  # nothing but the folder's own path
        except OSError:
            return False
        return True
    opener = "open" if sys.platform == "darwin" else "xdg-open"
    try:
        process = subprocess.Popen(
            [opener, str(folder.absolute())],
            env=system_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # It must survive the end of this program.
            start_new_session=True,
        )
    except OSError:
        return False
    try:
        return process.wait(TIMEOUT_SECONDS) == 0
    except subprocess.TimeoutExpired:
        return True
