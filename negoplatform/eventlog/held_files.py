"""Retry of changes to files that another program has open for a moment.

Windows neither replaces, renames nor deletes a file that another program has open, unless that program allows
it, which few do: virus scanners, indexers and programs that copy files hold new files for a moment.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

HELD_TIMEOUT = 1.0
"""Seconds to try for."""

WINDOW_HELD_TIMEOUT = 0.2
"""Seconds to try for where the window waits meanwhile, and what was not written is written again later."""

_FIRST_PAUSE = 0.01

_HELD_ERRNOS = frozenset({errno.EACCES, errno.ENOTEMPTY} if os.name == "nt" else ())
"""Errors for a file that may be held, and for a folder with a file that is deleted as soon as it is closed.

Windows has no other error for a file that may not be changed at all; that one is reported a moment later.
"""


def retry_while_held(act: Callable[[], T], *, timeout: float = HELD_TIMEOUT) -> T:
    """Call a function; while it fails because another program may have a file open, call it again.

    Args:
        act: The function; it changes a file or a folder.
        timeout: Seconds to try for.

    Raises:
        OSError: The error of the last call, at once where the system does not hold files.
    """
    until = time.monotonic() + timeout
    pause = _FIRST_PAUSE
    while True:
        try:
            return act()
        except OSError as error:
            if error.errno not in _HELD_ERRNOS or time.monotonic() >= until:
                raise
        time.sleep(pause)
        pause = min(2 * pause, 0.1)
