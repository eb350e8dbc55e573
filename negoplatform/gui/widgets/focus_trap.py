"""Keeps the keyboard among the widgets of an area that lies over the rest of the window."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from negoplatform.gui.widgets.garbage_collection import bind_tag


class FocusTrap:
    """Tab goes round within an area, and keys do nothing outside of it.

    Args:
        area: What lies over the rest.
    """

    def __init__(self, area: tk.Misc) -> None:
        self._area = area
        self._tag = f"Loop{area}"
        self.bind("<<NextWindow>>", lambda _event: self._move_focus(1))
        self.bind("<<PrevWindow>>", lambda _event: self._move_focus(-1))

    def bind(self, sequence: str, call: Callable[[tk.Event[tk.Misc]], Any]) -> None:
        """Bind an event at everything in the area, before anything else hears of it."""
        bind_tag(self._area, self._tag, sequence, call)

    def add_widgets(self) -> None:
        """Take in all the widgets that are in the area by now."""
        self._add_widget(self._area)

    def _add_widget(self, widget: tk.Misc) -> None:
        root = str(widget.winfo_toplevel())
        # Without the root: what its keys do is done to what lies below.
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
        """What takes the keyboard, in the order of stacking, which is that of reading."""
        found: list[tk.Misc] = []
        for path in widget.tk.splitlist(widget.tk.call("winfo", "children", widget)):
            child = widget.nametowidget(path)
            if self._area.tk.getboolean(self._area.tk.call("tk::FocusOK", path)):
                found.append(child)
            found += self._focusable_widgets(child)
        return found
