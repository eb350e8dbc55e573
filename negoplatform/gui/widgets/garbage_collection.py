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

    def collect() -> None:
        gc.collect()
        root.after(COLLECT_MS, collect)

    root.after(COLLECT_MS, collect)
