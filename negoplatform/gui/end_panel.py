"""The end: the deal, and the participant's own points."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

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
        self._heading = theme.label(self.frame, "", "big", INK)
        self._heading.configure(wraplength=theme.px(340), justify="left")
        self._heading.pack(anchor="w")
        self._points = theme.label(self.frame, "", "heading", BLUE)
        self._points.pack(anchor="w", pady=theme.px(10))
        self._rows = theme.frame(self.frame)
        self._rows.pack(fill="x")
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
        for child in self._rows.winfo_children():
            child.destroy()
        for issue, terms in view.rows:
            row = self._theme.frame(self._rows)
            row.pack(fill="x", pady=self._theme.px(2))
            self._theme.label(row, issue, "bold").pack(side="left")
            self._theme.label(row, terms).pack(side="right")
        return True
