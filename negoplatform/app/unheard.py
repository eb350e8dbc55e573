"""What is printed where nobody listens: a window that Windows opens without a terminal has no streams."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NAME = "output.txt"


def keep_output(folder: Path) -> None:
    """Lets what is printed go to a file, begun anew at each start, wherever there is no stream for it.

    Args:
        folder: Where the file goes, beside the crash files; where none can be, nothing is kept.
    """
    if sys.stdout is not None and sys.stderr is not None:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = str(folder / NAME)
        kept = open(place, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115, PTH123
    except OSError:
        kept = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - open as long as the program runs
    sys.stdout = sys.stdout or kept
    sys.stderr = sys.stderr or kept
