"""A frame that scrolls once there is more in it than room."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk

from negoplatform.gui.theme import CARD, Theme


class ScrolledFrame:
    """Put things into ``inside``; put ``frame`` where it belongs.

    The wheel works over everything inside, and what gets the focus by Tab is scrolled into view.

    Args:
        parent: Where it is put.
        theme: Its looks.
        width: Its width, for 96 dpi.
        height: The most height that it asks for, for 96 dpi; it asks for less if less is inside.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, width: int, height: int) -> None:
        self._most, self._gap = theme.px(height), theme.px(6)
        self.frame = theme.frame(parent)
        self.frame.rowconfigure(0, weight=1)
        self.frame.columnconfigure(0, weight=1)
        self._canvas = tk.Canvas(self.frame, bg=CARD, highlightthickness=0, width=theme.px(width), height=1)
        self._canvas.grid(row=0, column=0, sticky="nsew")
        self._bar = ttk.Scrollbar(self.frame, orient="vertical", command=self._canvas.yview)
        self._canvas.configure(yscrollcommand=self._bar.set)
        self.inside = theme.frame(self._canvas)
        self._item = self._canvas.create_window(0, 0, anchor="nw", window=self.inside)
        self.inside.bind("<Configure>", lambda _event: self._fit())
        self._canvas.bind("<Configure>", lambda _event: self._fit())
        self._tag = f"Scrolled{self._canvas}"
        bind = self._canvas.bind_class
        bind(self._tag, "<Button-4>", lambda _event: self._wheel(-2))
        bind(self._tag, "<Button-5>", lambda _event: self._wheel(2))
        bind(self._tag, "<MouseWheel>", lambda event: self._wheel(-1 if event.delta > 0 else 1))
        bind(self._tag, "<FocusIn>", self._follow_focus)
        self.watch(self._canvas)
        self.watch(self.inside)

    def watch(self, widget: tk.Misc) -> None:
        """The wheel over a widget and all that is in it scrolls; the focus in it is kept in view."""
        # A tag of its own: bound to the widget itself, <FocusIn> would make every label a stop of Tab.
        if self._tag not in widget.bindtags():
            widget.bindtags((self._tag, *widget.bindtags()))
        for child in widget.winfo_children():
            self.watch(child)

    def _fit(self) -> None:
        needed = self.inside.winfo_reqheight()
        self._canvas.configure(scrollregion=(0, 0, self.inside.winfo_reqwidth(), needed))
        self._canvas.itemconfigure(self._item, width=self._canvas.winfo_width())
        wanted = max(1, min(needed, self._most))
        if int(str(self._canvas.cget("height"))) != wanted:
            self._canvas.configure(height=wanted)
        if needed > self._canvas.winfo_height() > 1:
            self._bar.grid(row=0, column=1, sticky="ns", padx=(self._gap, 0))
        else:
            self._bar.grid_remove()
            self._canvas.yview_moveto(0)

    def _wheel(self, step: int) -> None:
        if self.inside.winfo_reqheight() > self._canvas.winfo_height():
            self._canvas.yview_scroll(step, "units")

    def _follow_focus(self, event: tk.Event[tk.Misc]) -> None:
        widget, needed = event.widget, max(1, self.inside.winfo_reqheight())
        if widget in (self._canvas, self.inside):
            return
        top = widget.winfo_rooty() - self.inside.winfo_rooty()
        low, high = (edge * needed for edge in self._canvas.yview())
        if top < low or top + widget.winfo_height() > high:
            self._canvas.yview_moveto(max(0, top - self._canvas.winfo_height() // 3) / needed)


def no_wheel(box: ttk.Combobox) -> None:
    """The wheel over a closed box must not change what is chosen, unseen."""
    for wheel in ("<MouseWheel>", "<Button-4>", "<Button-5>"):
        box.bind(wheel, lambda _event: "break")
