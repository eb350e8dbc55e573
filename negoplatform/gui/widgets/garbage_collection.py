"""Garbage collection on the thread of Tk only."""

from __future__ import annotations

import gc
import tkinter as tk

COLLECT_MS = 2000
"""Interval of garbage collection, in milliseconds."""


def collect_garbage_here(root: tk.Misc) -> None:
    """Collect garbage only on this thread: freeing a Tk object on another one crashes the process."""
    gc.disable()
    gc.collect()
    gc.freeze()

    timer = ""

    def collect() -> None:
        nonlocal timer
        gc.collect()
        timer = root.after(COLLECT_MS, collect)

    def stop(event: tk.Event[tk.Misc]) -> None:
        # A window for an error may follow, in whose event loop the timer would still fire, and fail.
        if event.widget is root:
            root.after_cancel(timer)

    timer = root.after(COLLECT_MS, collect)
    root.bind("<Destroy>", stop, add="+")
