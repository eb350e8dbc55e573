"""Focus trap for an area over the rest of the window."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from negoplatform.gui.widgets.garbage_collection import bind_tag


class FocusTrap:
    """Focus trap: Tab cycles within an area, and keys have no effect outside it.

    Args:
        area: Area that keeps the focus.
    """

    def __init__(self, area: tk.Misc) -> None:
        self._area = area
        self._tag = f"Loop{area}"
        self.bind("<<NextWindow>>", lambda _event: self._move_focus(1))
        self.bind("<<PrevWindow>>", lambda _event: self._move_focus(-1))

    def bind(self, sequence: str, call: Callable[[tk.Event[tk.Misc]], Any]) -> None:
        """Bind an event at all widgets of the area, ahead of all other bindings."""
        bind_tag(self._area, self._tag, sequence, call)

    def add_widgets(self) -> None:
        """Add all current widgets of the area."""
        self._add_widget(self._area)

    def _add_widget(self, widget: tk.Misc) -> None:
        root = str(widget.winfo_toplevel())
        # Without the root: its key bindings act on what is below the area.
        tags = [tag for tag in widget.bindtags() if tag not in (root, self._tag)]
        widget.bindtags((self._tag, *tags))
        for child in widget.winfo_children():
            self._add_widget(child)

    def _move_focus(self, step: int) -> str:
        stops = self._focusable_widgets(self._area)
        if stops:
            now = str(self._area.tk.call("focus"))
            at = next((index for index, stop in enumerate(stops) if str(stop) == now), -1 if step > 0 else 0)
            stops[(at + step) % len(stops)].focus_set()
        return "break"

    def _focusable_widgets(self, widget: tk.Misc) -> list[tk.Misc]:
        """Return the widgets that take the focus, in stacking order, which is the reading order."""
        found: list[tk.Misc] = []
        for path in widget.tk.splitlist(widget.tk.call("winfo", "children", widget)):
            child = widget.nametowidget(path)
            if self._area.tk.getboolean(self._area.tk.call("tk::FocusOK", path)):
                found.append(child)
            found += self._focusable_widgets(child)
        return found
