"""Something that is done again and again, for as long as a widget is there."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable


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

    def again(self, ms: int) -> None:
        """Calls after so many milliseconds; whatever was waited for before is dropped."""
        self.stop()
        self._waiting = str(self._tk.call("after", ms, self._command))

    def stop(self) -> None:
        """Calls no more until it is asked to."""
        if self._waiting:
            self._tk.call("after", "cancel", self._waiting)
            self._waiting = ""
