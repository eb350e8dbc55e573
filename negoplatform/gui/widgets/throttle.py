"""Throttle for frequent calls."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable


class Throttle:
    """Wrapper that calls at once, then at most once per interval; the last request is never lost.

    Args:
        root: Widget whose timer is used.
        interval_ms: Minimum time between two calls, in milliseconds.
        call: Function to call.
    """

    def __init__(self, root: tk.Misc, interval_ms: int, call: Callable[[], None]) -> None:
        self._root = root
        self._interval = interval_ms / 1000
        self._call = call
        self._last = float("-inf")
        self._waiting: str | None = None

    def __call__(self) -> None:
        """Request a call."""
        if self._waiting is not None:
            return
        wait = self._last + self._interval - time.monotonic()
        if wait <= 0:
            self._run()
        else:
            self._waiting = self._root.after(max(1, round(wait * 1000)), self._run)

    def cancel(self) -> None:
        """Cancel a pending request."""
        if self._waiting is not None:
            self._root.after_cancel(self._waiting)
            self._waiting = None

    def _run(self) -> None:
        self._waiting = None
        self._last = time.monotonic()
        self._call()
