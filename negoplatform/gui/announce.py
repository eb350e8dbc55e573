"""Tells tests what the window shows and where: lines of JSON on stdout."""

from __future__ import annotations

import json
import sys
import tkinter as tk
from typing import Any


class Announcer:
    """Prints one line per happening, with the place of every named widget; silent unless it is wanted.

    Args:
        root: The window.
        active: Whether anything is printed.
    """

    def __init__(self, root: tk.Misc, active: bool) -> None:
        self._root = root
        self._active = active
        self._out = sys.stdout
        self._widgets: dict[str, tk.Misc] = {}

    def name(self, name: str, widget: tk.Misc) -> None:
        """From now on the widget's place is told under a name."""
        if self._active and self._widgets.get(name) is not widget:
            widget.bind("<FocusIn>", lambda _event: self.say("focus", widget=name), add="+")
        self._widgets[name] = widget

    def say(self, happening: str, **data: Any) -> None:
        """Prints a happening once the window is drawn."""
        if self._active:
            self._root.after_idle(self._print, happening, data)

    def _print(self, happening: str, data: dict[str, Any]) -> None:
        self._root.update_idletasks()
        if not self._root.winfo_viewable():
            self._root.after(20, self._print, happening, data)
            return
        places = {}
        for name, widget in list(self._widgets.items()):
            if not widget.winfo_exists():
                del self._widgets[name]
            elif widget.winfo_viewable():
                x = widget.winfo_rootx() + widget.winfo_width() // 2
                y = widget.winfo_rooty() + widget.winfo_height() // 2
                places[name] = [x, y]
        print(json.dumps({"ev": happening, **data, "widgets": places}), file=self._out, flush=True)
