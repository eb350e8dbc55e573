"""Lock of a log: one program at a time writes it. The system lifts the lock if a program dies.

The lock is on the log itself, not on a separate file: a killed program leaves no lock file to tidy up.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from pathlib import Path

from negoplatform.domain.errors import LogWriteError
from negoplatform.eventlog.disk_calls import LOG_NAME

LOCK_TIMEOUT = 0.25
"""Seconds to try for: a program that checks whether a log is being written holds its lock for a moment."""

_LOCKED_ERRNOS = {errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK}

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _LOCK_OFFSET = 0x7FFF_0000
    """Position of the locked byte: beyond any log, since other programs cannot read a locked byte there."""

    _FAIL_IMMEDIATELY, _EXCLUSIVE = 1, 2

    class _FilePosition(ctypes.Structure):
        """OVERLAPPED of the Windows API."""

        _fields_ = (
            ("internal", ctypes.c_size_t),
            ("internal_high", ctypes.c_size_t),
            ("offset", wintypes.DWORD),
            ("offset_high", wintypes.DWORD),
            ("event", wintypes.HANDLE),
        )

    # The C library's function has no shared locks, and Wine's does not say why it has failed.
    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.LockFileEx.argtypes = (
        wintypes.HANDLE,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.DWORD,
        ctypes.POINTER(_FilePosition),
    )
    _kernel.UnlockFileEx.argtypes = (
        wintypes.HANDLE,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.DWORD,
        ctypes.POINTER(_FilePosition),
    )

    def _try_lock(file: int, *, shared: bool) -> None:
        flags = _FAIL_IMMEDIATELY | (0 if shared else _EXCLUSIVE)
        at = _FilePosition(offset=_LOCK_OFFSET)
        if not _kernel.LockFileEx(msvcrt.get_osfhandle(file), flags, 0, 1, 0, ctypes.byref(at)):
            raise ctypes.WinError(ctypes.get_last_error())

    def release_lock(file: int) -> None:
        """Release a lock, before its file is closed."""
        at = _FilePosition(offset=_LOCK_OFFSET)
        if not _kernel.UnlockFileEx(msvcrt.get_osfhandle(file), 0, 1, 0, ctypes.byref(at)):
            raise ctypes.WinError(ctypes.get_last_error())

else:
    import fcntl

    def _try_lock(file: int, *, shared: bool) -> None:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)

    def release_lock(file: int) -> None:
        """Release a lock, before its file is closed."""
        fcntl.flock(file, fcntl.LOCK_UN)


def acquire_lock(file: int, path: Path) -> None:
    """Take the lock of an open log; it is released before the file is closed, or by the system.

    Raises:
        LogWriteError: If another program, or this one, is writing the log, or its disk has no locks.
    """
    until = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            _try_lock(file, shared=False)
            return
        except OSError as error:
            if error.errno not in _LOCKED_ERRNOS:
                raise LogWriteError(
                    f"{path} is on a disk that cannot keep two programs from writing one session "
                    f"({error.strerror}); choose a data folder on another disk."
                ) from None
        if time.monotonic() > until:
            raise LogWriteError(f"{path} is being written by another NegoPlatform; close that session first.")
        time.sleep(0.01)


def is_being_written(path: Path) -> bool:
    """Return whether a running program is writing a session's log, without disturbing it.

    Args:
        path: The log, or its session's folder.
    """
    if path.is_dir():
        path = path / LOG_NAME
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return False
    try:
        _try_lock(file, shared=True)
        release_lock(file)
    except OSError as error:
        return error.errno in _LOCKED_ERRNOS
    finally:
        os.close(file)
    return False
