"""Something that may be wanted often and is done seldom."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable


class Throttle:
    """Calls at once, then at most once per interval; the last wish is never lost.

    Args:
        root: Whose timer is used.
        interval_ms: The least time between two calls.
        call: What is done.
    """

    def __init__(self, root: tk.Misc, interval_ms: int, call: Callable[[], None]) -> None:
        self._root = root
        self._interval = interval_ms / 1000
        self._call = call
        self._last = float("-inf")
        self._waiting = False

    def __call__(self) -> None:
        """Wishes for a call."""
        if self._waiting:
            return
        wait = self._last + self._interval - time.monotonic()
        if wait <= 0:
            self._do()
        else:
            self._waiting = True
            self._root.after(max(1, round(wait * 1000)), self._do)

    def _do(self) -> None:
        self._waiting = False
        self._last = time.monotonic()
        self._call()
