"""Output of an agent's process, redirected to a file next to the log, or dropped.

Where the transport passes files, the program opens the file and the process never receives its path.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if sys.platform == "win32":
    from negoplatform.hosting.processes.windows_file import give_standard_handles, open_to_append
else:
    _APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT

    def open_to_append(path: str) -> int:
        """Return a descriptor of a file that may be moved meanwhile; a link is not followed.

        Raises:
            OSError: If it cannot be opened.
        """
        # Without O_NONBLOCK, opening a named pipe may block for ever.
        return os.open(path, _APPEND | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)


class LossyOutputFile(io.FileIO):
    """Output file that drops output which cannot be written: a full disk is no failure of the agent.

    Args:
        descriptor: The descriptor of the file, which stays open.
        longest: Bytes of the file beyond which output is dropped, also where the system has no such limit.
    """

    def __init__(self, descriptor: int, longest: int) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._longest = longest

    def write(self, printed: Any) -> int:
        """Write the output, or drop it."""
        try:
            if os.fstat(self.fileno()).st_size + len(printed) > self._longest:
                return len(printed)
            return super().write(printed) or 0
        except OSError:
            return len(printed)


def open_output(path: str | None) -> int | None:
    """Return a descriptor of the file for an agent's output, to which output is appended.

    Returns:
        None if there is no path, the file cannot be opened, or it is a link or a device.
    """
    if path is not None:
        with contextlib.suppress(OSError, ValueError):
            file = open_to_append(path)
            if stat.S_ISREG(os.fstat(file).st_mode):
                return file
            os.close(file)
    return None


@contextlib.contextmanager
def opened_output(path: Path | None) -> Iterator[int | None]:
    """Open the file for an agent's output, as :func:`open_output` does, and close it at the end."""
    file = open_output(None if path is None else str(path))
    try:
        yield file
    finally:
        if file is not None:
            os.close(file)


def redirect_output(file: int | None, *, longest: int) -> None:
    """Redirect the output of this process, also of code that is not Python, to a file.

    Args:
        file: A descriptor of the file, which is closed; None: output is dropped.
        longest: Bytes of the file beyond which output of Python is dropped.
    """
    file = os.open(os.devnull, os.O_WRONLY) if file is None else file
    for descriptor in (1, 2):
        os.dup2(file, descriptor)
    os.close(file)
    if sys.platform == "win32":
        give_standard_handles()
    # Unbuffered, because the process may be ended at any moment.
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(
            LossyOutputFile(descriptor, longest),  # raw, as with ``python -u``
            encoding="utf-8",
            errors="backslashreplace",
            newline="\n",
            write_through=True,
        )
        for descriptor in (1, 2)
    )
