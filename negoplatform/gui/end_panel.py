"""The end: the deal, and the participant's own points."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.other_panel import pair_rows
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.theme import BLUE, INK, MUTED, Theme
from negoplatform.gui.view import EndView


class EndPanel:
    """Takes the builder's place when the game is over.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_close: Is called when the participant is done.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, on_close: Callable[[], None]) -> None:
        self._theme = theme
        self._shown: EndView | None = None
        self.frame = theme.card(parent)
        self.frame.configure(width=theme.px(384))
        self.frame.pack_propagate(False)
        self._heading = theme.label(self.frame, "", "big", INK)
        self._heading.configure(wraplength=theme.px(340), justify="left")
        self._heading.pack(anchor="w")
        self._points = theme.label(self.frame, "", "heading", BLUE)
        self._points.pack(anchor="w", pady=theme.px(10))
        self._rows = ScrolledFrame(self.frame, theme, width=340, height=380)
        self._rows.frame.pack(fill="x")
        self._advice = theme.label(self.frame, "", "body", MUTED)
        self._advice.configure(wraplength=theme.px(340), justify="left")
        self._advice.pack(anchor="w", pady=theme.px(14))
        self.done = ttk.Button(self.frame, text="Done", style="Primary.TButton", command=on_close)
        self.done.pack(fill="x")

    def show(self, view: EndView) -> bool:
        """Shows the end; whether there was anything new to show."""
        if view == self._shown:
            return False
        self._shown = view
        self._heading.configure(text=view.heading)
        self._points.configure(text=view.points)
        self._advice.configure(text=view.advice)
        pair_rows(self._theme, self._rows.inside, view.rows, width=340)
        self._rows.watch(self._rows.inside)
        return True
