"""Builder of a statement of the points without a deal, true or not."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.core.events import Message
from negoplatform.gui.chat.phrase_list_button import PhraseButton
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.widget_bound_callbacks import on_text_change
from negoplatform.presentation.chat.preference_and_batna_statements import (
    ParsedPoints,
    batna_message,
    parse_points,
    points_entry_text,
)


class BatnaStatementBuilder:
    """Field for the stated points, and a button with the resulting sentence.

    Args:
        parent: The parent of the builder.
        theme: The window's theme.
        on_send: Called with the message.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, on_send: Callable[[Message], None]) -> None:
        self._theme = theme
        self._on_send = on_send
        self._own: float | None = None
        self._can_talk = True
        self.frame = theme.frame(parent)
        row = theme.frame(self.frame)
        row.pack(fill="x", pady=(0, theme.px(4)))
        theme.label(row, theme.translate("Points to state")).pack(side=theme.start, padx=theme.padx(3, 8))
        self._text = tk.StringVar(theme.root)
        self.entry = ttk.Entry(row, textvariable=self._text, width=10, font=theme.font("bold"))
        self.entry.configure(justify="center")
        self.entry.pack(side=theme.start)
        self.entry.bind("<Return>", lambda _event: self._send())
        self._note = theme.label(self.frame, "", "small", theme.colours.muted, wrap=360)
        self._note.pack(anchor=theme.west, padx=theme.px(3), pady=(0, theme.px(4)))
        self._send_button = PhraseButton(self.frame, theme, self._send)
        self._send_button.button.pack(fill="x", pady=theme.px(1))
        on_text_change(self._text, self.entry, self._update_button)
        self._update_button()

    def show(self, own: float | None, can_talk: bool) -> None:
        """Update the true points and whether messages can be sent; a number that was typed stays."""
        if (own, can_talk) == (self._own, self._can_talk):
            return
        untouched = self._text.get() == self._own_text()
        self._own, self._can_talk = own, can_talk
        self.entry.configure(state="normal" if can_talk else "disabled")
        if untouched:
            self._text.set(self._own_text())
        self._update_button()

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name, in reading order."""
        return {"no_deal.points": self.entry, "no_deal.tell": self._send_button.button}

    def _own_text(self) -> str:
        return "" if self._own is None else points_entry_text(self._own)

    def _read(self) -> ParsedPoints:
        return parse_points(self._text.get(), self._own, self._theme.translate)

    def _update_button(self) -> None:
        theme, stated = self._theme, self._read()
        if stated.problem:
            self._note.write(stated.problem, theme.colours.warning)
        elif self._own is not None:
            true = theme.translate.plural(
                "In truth, no deal gives you {n} point. What you say is up to you.",
                "In truth, no deal gives you {n} points. What you say is up to you.",
                self._own,
                n=self._own_text(),
            )
            self._note.write(true, theme.colours.muted)
        else:
            self._note.write(theme.translate("Enter the points you want to state."), theme.colours.muted)
        if stated.points is None:
            self._send_button.write(theme.translate("Without a deal I get … points."))
        else:
            self._send_button.write(batna_message(stated.points, theme.translate).text)
        self._send_button.enable(self._can_talk and stated.points is not None)

    def _send(self) -> str:
        stated = self._read()
        if self._can_talk and stated.points is not None:
            self._on_send(batna_message(stated.points, self._theme.translate))
        return "break"
