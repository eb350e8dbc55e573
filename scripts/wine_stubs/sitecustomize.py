"""Start of each Python for Windows under Wine: replacements for what Wine 8 lacks in its own libraries."""

import _winapi
import errno
import msvcrt
import os
import sys

# Wine ends the process for these two.
sys.modules["_wmi"] = None  # type: ignore[assignment]  # platform asks the registry instead
del _winapi.CopyFile2  # shutil copies the bytes instead

_locking = msvcrt.locking


def locking(file: int, mode: int, count: int, /) -> None:
    """Call ``msvcrt.locking`` with the reason of its failure: Wine's ``_locking`` leaves errno at 0."""
    try:
        _locking(file, mode, count)
    except OSError as error:
        if error.errno:
            raise
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES)) from None


msvcrt.locking = locking
