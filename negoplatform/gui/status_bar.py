"""The bar at the top: the game, the time, and what the offers are worth."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.theme import BLUE, CARD, GREEN, INK, LINE, MUTED, RED, Theme
from negoplatform.gui.view import StatusView


class StatusBar:
    """Time left, own points of the offer on the table and of the draft, no deal, and walking away.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_walk_away: Is called when the button is pressed.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, on_walk_away: Callable[[], None]) -> None:
        px = theme.px
        self._shown: StatusView | None = None
        self.frame = tk.Frame(parent, bg=CARD, highlightthickness=px(1), highlightbackground=LINE)
        self.frame.columnconfigure(1, weight=1)
        names = theme.frame(self.frame)
        names.grid(row=0, column=0, sticky="w", padx=px(18), pady=px(8))
        self._title = theme.label(names, "", "heading")
        self._title.configure(wraplength=px(430), justify="left")
        self._title.pack(anchor="w")
        self._subtitle = theme.label(names, "", "small", MUTED)
        self._subtitle.configure(wraplength=px(430), justify="left")
        self._subtitle.pack(anchor="w")
        self._clock, self._clock_words = self._figure(theme, 2, INK)
        self._table_points, self._table_words = self._figure(theme, 3, GREEN)
        self._draft_points, self._draft_words = self._figure(theme, 4, BLUE)
        self._no_deal, self._no_deal_words = self._figure(theme, 5, INK)
        self._draft_words.configure(text="your draft, for you")
        self._no_deal_words.configure(text="without a deal")
        self.walk_away = ttk.Button(self.frame, text="Walk away", style="Plain.TButton", command=on_walk_away)
        self.walk_away.grid(row=0, column=6, padx=px(16))

    def show(self, view: StatusView) -> None:
        """Shows a view."""
        if view == self._shown:
            return
        self._shown = view
        for label, text in (
            (self._title, view.title),
            (self._subtitle, view.subtitle),
            (self._clock, view.clock),
            (self._clock_words, view.clock_words),
            (self._table_points, view.table_points),
            (self._table_words, view.table_words),
            (self._draft_points, view.draft_points),
            (self._no_deal, view.no_deal),
        ):
            if label.cget("text") != text:
                label.configure(text=text)
        self._table_points.configure(fg=RED if view.worse else GREEN)
        self._clock.configure(fg=RED if view.urgent else INK)
        self.walk_away.configure(state="normal" if view.can_walk_away else "disabled")

    def _figure(self, theme: Theme, column: int, colour: str) -> tuple[tk.Label, tk.Label]:
        box = theme.frame(self.frame)
        box.grid(row=0, column=column, padx=theme.px(14))
        figure = theme.label(box, "", "heading", colour)
        figure.pack(anchor="w")
        words = theme.label(box, "", "small", MUTED)
        words.pack(anchor="w")
        return figure, words
