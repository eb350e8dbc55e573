"""Notices when somebody comes back to the window from another program."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable


def on_window_refocus(root: tk.Tk, call: Callable[[], object]) -> None:
    """Calls whenever the window gets the keyboard that another program, or a dialog, had."""
    away = False

    def left(event: tk.Event[tk.Misc]) -> None:
        nonlocal away
        # From one field to the next the window itself keeps it.
        away = away or event.widget is root

    def came(event: tk.Event[tk.Misc]) -> None:
        nonlocal away
        if away and event.widget is root:
            away = False
            call()

    root.bind("<FocusOut>", left, add="+")
    root.bind("<FocusIn>", came, add="+")
