"""What an agent prints in its process: at the end of a file beside the log, or nowhere."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
from typing import Any


class _LossyOutputFile(io.FileIO):
    """What is printed; what finds no room any more is dropped, and is no failure of the agent's."""

    def write(self, printed: Any) -> int:
        """Writes, or does not."""
        try:
            return super().write(printed) or 0
        except OSError:
            return len(printed)


def _opened(output: str | None) -> int:
    """The descriptor of the file; that of nothing where there is none, or where a link or a device stands."""
    if output is not None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        for name in ("O_NOFOLLOW", "O_NONBLOCK"):  # whoever opens a named pipe may wait for ever
            flags |= getattr(os, name, 0)
        with contextlib.suppress(OSError):
            file = os.open(output, flags, 0o600)
            if stat.S_ISREG(os.fstat(file).st_mode):
                return file
            os.close(file)
    return os.open(os.devnull, os.O_WRONLY)


def redirect_output(output: str | None) -> None:
    """Sends what this process prints to a file, also by code that is no Python.

    Args:
        output: The file, at whose end it goes; None, and where a link or a device stands: nowhere.
    """
    file = _opened(output)
    for descriptor in (1, 2):
        os.dup2(file, descriptor)
    os.close(file)
    # Nothing is held back, because the process may be ended at any moment.
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(
            _LossyOutputFile(descriptor, "w", closefd=False),  # unbuffered, as ``python -u`` does it
            encoding="utf-8",
            errors="backslashreplace",
            write_through=True,
        )
        for descriptor in (1, 2)
    )
