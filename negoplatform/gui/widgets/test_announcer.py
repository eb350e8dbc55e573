"""Tells tests what the window shows and where: lines of JSON on stdout."""

from __future__ import annotations

import json
import sys
import tkinter as tk
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

STEP_MS = 20
"""How often it is looked whether the window is ready."""


class Announcer:
    """Prints one line per happening, with the place of every named widget; silent unless it is wanted.

    Args:
        root: The window.
        active: Whether anything is printed.
    """

    def __init__(self, root: tk.Misc, active: bool) -> None:
        self._root = root
        self._active = active
        self._patience = 2000
        self._out = sys.stdout
        self._widgets: dict[str, tk.Misc] = {}
        self._asked: tuple[tk.Misc, Callable[[], Mapping[str, tk.Misc]]] | None = None
        self._untold: deque[tuple[str, dict[str, Any], tk.Misc]] = deque()
        if active:
            # A list takes keys only once it is there, and it isn't there long enough to be named.
            root.bind_class("PopupList", "<FocusIn>", lambda _event: self.tell("list_open"), add="+")

    def name(self, name: str, widget: tk.Misc) -> None:
        """From now on the widget's place is told under a name."""
        if self._active and self._widgets.get(name) is not widget:
            widget.bind("<FocusIn>", lambda _event: self.tell("focus", widget=name), add="+")
        self._widgets[name] = widget

    def ask(self, screen: tk.Misc, widgets: Callable[[], Mapping[str, tk.Misc]]) -> None:
        """As long as a screen is there, it is asked for its widgets whenever places are told."""
        self._asked = screen, widgets

    def tell(self, happening: str, *, once_drawn: tk.Misc | None = None, **data: Any) -> None:
        """Prints a happening once the window is drawn, or a part of it that is drawn later than the rest."""
        if not self._active:
            return
        self._untold.append((happening, data, once_drawn or self._root))
        if len(self._untold) == 1:
            self._root.after_idle(self._tell_next)

    def _tell_next(self) -> None:
        """One after another: drawing can bring the next happening before this one is printed."""
        self._root.update_idletasks()
        happening, data, part = self._untold[0]
        if (part.winfo_exists() and not part.winfo_viewable()) or self._waits_for_keys():
            self._root.after(STEP_MS, self._tell_next)
            return
        self._print(happening, data)
        self._untold.popleft()
        if self._untold:
            self._root.after_idle(self._tell_next)

    def _waits_for_keys(self) -> bool:
        """Whether keys would still get lost: a new window has them only once its manager says so."""
        if self._patience > 0 and not self._root.tk.call("focus", "-displayof", self._root):
            self._patience -= STEP_MS
            return True
        self._patience = 0
        return False

    def _print(self, happening: str, data: dict[str, Any]) -> None:
        if self._asked is not None and self._asked[0].winfo_exists():
            for name, widget in self._asked[1]().items():
                self.name(name, widget)
        places = {}
        for name, widget in list(self._widgets.items()):
            if not widget.winfo_exists():
                del self._widgets[name]
            elif widget.winfo_viewable():
                x = widget.winfo_rootx() + widget.winfo_width() // 2
                y = widget.winfo_rooty() + widget.winfo_height() // 2
                places[name] = [x, y]
        print(json.dumps({"ev": happening, **data, "widgets": places}), file=self._out, flush=True)
