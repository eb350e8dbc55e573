"""Timers: repeated calls for as long as a widget exists, and frequent calls that are slowed down."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable

POLL_MS = 16
QUIET_POLL_MS = 33
"""Interval while no response is expected: half the wakeups, and still below a noticeable delay."""

WAITING_SECONDS = 3.0
"""Seconds after an action during which a response is expected."""


class Ticker:
    """Timer for one callback that is scheduled again and again.

    Tk's own ``after`` creates and deletes a command for every call, which costs more than most callbacks do;
    here one command is reused.

    Args:
        widget: Widget whose destruction stops the timer.
        call: Callback; it schedules the next call itself.
    """

    def __init__(self, widget: tk.Misc, call: Callable[[], object]) -> None:
        self._tk = widget.tk
        self._command = widget.register(call)
        self._waiting = ""
        widget.bind("<Destroy>", lambda event: self.stop() if event.widget is widget else None, add="+")

    def schedule(self, ms: int) -> None:
        """Call after a number of milliseconds; this replaces a pending call."""
        self.stop()
        self._waiting = str(self._tk.call("after", ms, self._command))

    def stop(self) -> None:
        """Cancel the pending call."""
        if self._waiting:
            self._tk.call("after", "cancel", self._waiting)
            self._waiting = ""


class Poller:
    """Timer for polling, which is faster for a time after an action of the participant.

    Args:
        widget: Widget whose destruction stops polling.
        call: Polling callback; it schedules the next poll itself.
    """

    def __init__(self, widget: tk.Misc, call: Callable[[], object]) -> None:
        self._ticker = Ticker(widget, call)
        self._acted_at = float("-inf")

    def schedule(self) -> None:
        """Schedule the next poll."""
        waiting = time.monotonic() - self._acted_at < WAITING_SECONDS
        self._ticker.schedule(POLL_MS if waiting else QUIET_POLL_MS)

    def poll_soon(self) -> None:
        """Poll fast for a time, because an action makes a response likely."""
        self._acted_at = time.monotonic()
        self.schedule()


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
