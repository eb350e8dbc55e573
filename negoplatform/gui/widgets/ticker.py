"""Something that is done again and again, for as long as a widget is there."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable

POLL_MS = 16
QUIET_POLL_MS = 33
"""While nobody waits for an answer to what they did: half the wakeups, and still before anybody notices."""

WAITING_SECONDS = 3.0
"""For so long after something was done an answer is waited for."""


class Ticker:
    """Calls after a while, and then whenever it is asked to.

    Tk's own ``after`` makes a new command for each call and throws it away again, which costs more than
    what most calls do; here there is one.

    Args:
        widget: Nothing is called any more once it is gone.
        call: What is done; it says when it is to be done again.
    """

    def __init__(self, widget: tk.Misc, call: Callable[[], object]) -> None:
        self._tk = widget.tk
        self._command = widget.register(call)
        self._waiting = ""
        widget.bind("<Destroy>", lambda event: self.stop() if event.widget is widget else None, add="+")

    def schedule(self, ms: int) -> None:
        """Calls after so many milliseconds; whatever was waited for before is dropped."""
        self.stop()
        self._waiting = str(self._tk.call("after", ms, self._command))

    def stop(self) -> None:
        """Calls no more until it is asked to."""
        if self._waiting:
            self._tk.call("after", "cancel", self._waiting)
            self._waiting = ""


class Poller:
    """Looks for what has arrived: more often while somebody waits for what comes of what they did.

    Args:
        widget: Nothing is called any more once it is gone.
        call: Looks; it says that it wants to look again.
    """

    def __init__(self, widget: tk.Misc, call: Callable[[], object]) -> None:
        self._ticker = Ticker(widget, call)
        self._acted_at = float("-inf")

    def schedule(self) -> None:
        """Looks once more, after a while."""
        waiting = time.monotonic() - self._acted_at < WAITING_SECONDS
        self._ticker.schedule(POLL_MS if waiting else QUIET_POLL_MS)

    def poll_soon(self) -> None:
        """Something was done: what comes of it is waited for."""
        self._acted_at = time.monotonic()
        self.schedule()
