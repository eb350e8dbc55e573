"""Removal of widgets that are being replaced, after the events that are still addressed to them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

RETIRED_MS = 100
"""Milliseconds for which widgets that were replaced still exist, hidden."""


def retire_widgets(root: tk.Tk, widgets: Sequence[tk.Misc]) -> None:
    """Hide widgets that are being replaced, and destroy them once their pending events are handled.

    The X server has addressed the keys typed since the click to them; Tk drops an event of a window that has
    been destroyed, but passes on one of a hidden window to what has the focus: the window itself.
    """
    root.focus_set()
    for widget in widgets:
        if manager := widget.winfo_manager():
            widget.tk.call(manager, "forget", widget)

    def destroy() -> None:
        for widget in widgets:
            widget.destroy()

    root.after(RETIRED_MS, destroy)
