"""Detection of the moment when the user comes back to the window from another program."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable


def on_window_refocus(root: tk.Tk, call: Callable[[], object]) -> None:
    """Call a function whenever the window regains the focus from another program or from a dialog."""
    away = False

    def on_focus_out(event: tk.Event[tk.Misc]) -> None:
        nonlocal away
        # Moves from field to field are ignored: then the event is not the root's own.
        away = away or event.widget is root

    def on_focus_in(event: tk.Event[tk.Misc]) -> None:
        nonlocal away
        if away and event.widget is root:
            away = False
            call()

    root.bind("<FocusOut>", on_focus_out, add="+")
    root.bind("<FocusIn>", on_focus_in, add="+")
