"""Page with the whole state of a session, over the table of a wizard who has opened it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.selectable_text import SelectableText

SUMMARY_SHARE = 0.36
"""Share of the page's height for the state of all sides."""


class WholeStatePage:
    """Read-only page: the state of all sides, and all events.

    Args:
        parent: The widget that the page covers.
        theme: The window's theme.
        on_close: Called when the page is to be closed.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, on_close: Callable[[], object]) -> None:
        px, translate = theme.px, theme.translate
        self._shown: object = None
        self.frame = theme.frame(parent, theme.colours.ground)
        card = theme.card(self.frame, 12)
        card.pack(fill="both", expand=True, padx=px(12), pady=px(12))
        head = theme.frame(card)
        head.pack(fill="x")
        theme.label(head, translate("The whole state"), "heading").pack(side=theme.start)
        self.close_button: ttk.Button = theme.button(head, translate("Close"), "Plain.TButton", on_close)
        self.close_button.pack(side=theme.end)
        note = translate("Read only. The log has a note that it was opened.")
        theme.label(card, note, "small", theme.colours.muted).pack(anchor=theme.west)
        self._summary = SelectableText(card, theme, on_close=on_close)
        self._events = SelectableText(card, theme, on_close=on_close)
        place = theme.frame(card)
        place.pack(fill="both", expand=True, pady=(px(6), 0))
        self._summary.frame.place(in_=place, relwidth=1, relheight=SUMMARY_SHARE)
        self._events.frame.place(in_=place, rely=SUMMARY_SHARE, relwidth=1, relheight=1 - SUMMARY_SHARE)
        for text in (self._summary, self._events):
            text.frame.tkraise()
        self.frame.place(relwidth=1, relheight=1)
        self._events.text.focus_set()

    def show(self, summary: Sequence[str], events: Sequence[str]) -> None:
        """Show a state, and add new events at the end."""
        if summary != self._shown:
            self._shown = summary
            top = self._summary.text.yview()[0]
            self._summary.show(summary)
            self._summary.text.yview_moveto(top)
        if events:
            self._events.append(events)

    def close(self) -> None:
        """Destroy the page; the caller sets the focus."""
        self.frame.destroy()
