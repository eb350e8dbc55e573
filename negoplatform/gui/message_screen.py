"""A screen with a sentence, and perhaps a button."""

from __future__ import annotations

from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.texts import drawable
from negoplatform.gui.theme import BACKGROUND, Theme


class MessageScreen:
    """Says something in the middle of the window.

    Args:
        theme: Its looks.
        text: The sentence.
        button: The words on its button; no button if empty.
    """

    def __init__(self, theme: Theme, text: str, button: str = "") -> None:
        self.frame = theme.frame(theme.root, BACKGROUND)
        card = theme.card(self.frame, 30)
        card.place(relx=0.5, rely=0.45, anchor="center")
        words = theme.label(card, drawable(text), "heading")
        words.configure(wraplength=theme.px(520), justify="center")
        words.pack()
        self.button = ttk.Button(card, text=button, style="Plain.TButton")
        if button:
            self.button.pack(pady=(theme.px(20), 0))

    def on_press(self, call: Callable[[], None]) -> None:
        """What the button does."""
        self.button.configure(command=call)
