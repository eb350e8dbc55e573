"""Screen with a sentence and an optional button."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence

from negoplatform.gui.theming.theme import Theme


class MessageScreen:
    """Screen with a message in the middle of the window.

    This is the first screen of the program, so the module imports nothing that is slow.

    Args:
        theme: Theme of the window.
        text: Sentence, ready to be drawn.
        button: Label of the button; no button if empty.
        details: Paragraphs below the sentence, ready to be drawn.
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
        # Without a button no style is needed; the first window has none yet.
        self.button: tk.Misc = card
        if button:
            shown = theme.button(card, button, "Plain.TButton", self._press)
            shown.pack(pady=(theme.px(22), 0))
            self.button = shown

    def on_press(self, call: Callable[[], None]) -> None:
        """Set the button's callback."""
        self._on_press = call

    def _press(self) -> None:
        self._on_press()
