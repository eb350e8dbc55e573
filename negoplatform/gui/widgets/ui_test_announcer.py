"""Announcer for window tests: what the window shows, and where, as JSON lines on stdout."""

from __future__ import annotations

import json
import sys
import tkinter as tk
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

POLL_MS = 20
"""Interval at which the window's readiness is checked, in milliseconds."""


class UiTestAnnouncer:
    """Printer of one line per window event, with the positions of all named widgets; silent if not active.

    Args:
        root: Root window.
        active: Whether to print anything.
    """

    def __init__(self, root: tk.Misc, active: bool) -> None:
        self._root = root
        self._active = active
        self._focus_wait_ms = 2000
        self._out = sys.stdout
        self._widgets: dict[str, tk.Misc] = {}
        self._screen_widgets: tuple[tk.Misc, Callable[[], Mapping[str, tk.Misc]]] | None = None
        self._pending: deque[tuple[str, dict[str, Any], tk.Misc]] = deque()
        if active:
            # A list takes keys only once it is open, and is not open long enough to be named.
            root.bind_class("PopupList", "<FocusIn>", lambda _event: self.announce("list_open"), add="+")

    @property
    def is_active(self) -> bool:
        """Whether anything is printed."""
        return self._active

    def register(self, name: str, widget: tk.Misc) -> None:
        """Include a widget's position under a name in all further lines."""
        if self._active and self._widgets.get(name) is not widget:
            widget.bind("<FocusIn>", lambda _event: self.announce("focus", widget=name), add="+")
        self._widgets[name] = widget

    def set_screen_widgets(self, screen: tk.Misc, widgets: Callable[[], Mapping[str, tk.Misc]]) -> None:
        """Set the function that returns a screen's widgets; it is used as long as the screen exists."""
        self._screen_widgets = screen, widgets

    def announce(self, event_name: str, *, after_drawn: tk.Misc | None = None, **data: Any) -> None:
        """Print an event once the window, or a given part that is drawn later, has been drawn."""
        if not self._active:
            return
        self._pending.append((event_name, data, after_drawn or self._root))
        if len(self._pending) == 1:
            self._root.after_idle(self._print_next)

    def _print_next(self) -> None:
        """Print one event at a time: drawing may cause the next one before this one is printed."""
        self._root.update_idletasks()
        event_name, data, part = self._pending[0]
        if (part.winfo_exists() and not part.winfo_viewable()) or self._awaits_focus():
            self._root.after(POLL_MS, self._print_next)
            return
        self._print(event_name, data)
        self._pending.popleft()
        if self._pending:
            self._root.after_idle(self._print_next)

    def _awaits_focus(self) -> bool:
        """Return whether keys would still be lost: the window manager gives a new window the focus later."""
        if self._focus_wait_ms > 0 and not self._root.tk.call("focus", "-displayof", self._root):
            self._focus_wait_ms -= POLL_MS
            return True
        self._focus_wait_ms = 0
        return False

    def _print(self, event_name: str, data: dict[str, Any]) -> None:
        if self._screen_widgets is not None and self._screen_widgets[0].winfo_exists():
            for name, widget in self._screen_widgets[1]().items():
                self.register(name, widget)
        places = {}
        for name, widget in list(self._widgets.items()):
            if not widget.winfo_exists():
                del self._widgets[name]
            elif widget.winfo_viewable():
                x = widget.winfo_rootx() + widget.winfo_width() // 2
                y = widget.winfo_rooty() + widget.winfo_height() // 2
                places[name] = [x, y]
        line = json.dumps({"ev": event_name, **data, "widgets": places})
        # In one piece with its line break: other threads print too.
        print(f"{line}\n", end="", file=self._out, flush=True)
