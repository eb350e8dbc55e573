"""A screen with a sentence, and perhaps a button."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence

from negoplatform.gui.theming.theme import Theme


class MessageScreen:
    """Says something in the middle of the window.

    It is the first thing that anybody sees, so it imports nothing that takes long.

    Args:
        theme: Its looks.
        text: The sentence, fit to be drawn.
        button: The words on its button; no button if empty.
        details: Paragraphs under the sentence, fit to be drawn.
    """

    def __init__(self, theme: Theme, text: str, button: str = "", *, details: Sequence[str] = ()) -> None:
        self.frame = theme.frame(theme.root, theme.colours.ground)
        card = theme.card(self.frame, 34)
        card.place(relx=0.5, rely=0.45, anchor="center")
        words = theme.label(card, text, "heading", wrap=520)
        words.configure(justify="center")
        words.pack()
        for detail in details:
            more = theme.label(card, detail, colour=theme.colours.muted, wrap=520)
            more.pack(anchor=theme.west if len(details) > 1 else "center", pady=(theme.px(14), 0))
        self._on_press: Callable[[], None] = lambda: None
        # A button that is not there needs no style, which the first window has not got yet.
        self.button: tk.Misc = card
        if button:
            shown = theme.button(card, button, "Plain.TButton", self._press)
            shown.pack(pady=(theme.px(22), 0))
            self.button = shown

    def on_press(self, call: Callable[[], None]) -> None:
        """What the button does."""
        self._on_press = call

    def _press(self) -> None:
        self._on_press()
