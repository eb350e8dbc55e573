"""A sentence that is said at one press: a wide button whose words are set like text, and wrapped."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Any

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.bidi import wrap_lines
from negoplatform.presentation.formatting import displayable

PHRASE, GROUP, CHOSEN_GROUP = "Phrase.Toggle.TButton", "Group.Quiet.TButton", "Group.Chosen.Toggle.TButton"
"""Styles of buttons in a list: their words start where reading starts."""

BASE_STYLES = {PHRASE: "Toggle.TButton", GROUP: "Small.Quiet.TButton", CHOSEN_GROUP: "Chosen.Toggle.TButton"}
FONTS = {PHRASE: "body", GROUP: "body", CHOSEN_GROUP: "bold"}

LEAST_WRAP = 80
"""Lines never break at less than this, for 96 dpi: what is being laid out has no width yet."""


def make_list_styles(theme: Theme) -> None:
    """Makes the styles of buttons in a list, in the looks that are worn now."""
    style = ttk.Style(theme.root)
    for name, face in BASE_STYLES.items():
        words: Any = ("Button.label", {"sticky": theme.west})
        padding: Any = ("Button.padding", {"sticky": "nsew", "children": [words]})
        style.layout(name, [(f"{face}.face", {"sticky": "nsew", "children": [padding]})])
        style.configure(
            name,
            font=theme.font(FONTS[name]),
            padding=(theme.px(6), theme.px(3)),
            foreground=theme.colours.ink,
            justify=theme.justify,
            anchor=theme.west,
        )


class PhraseButton:
    """The button; ``button`` is to be placed.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_press: Is called at a press.
        fills: Whether it fills a width and breaks its words there; else it is as wide as its words, and
            :meth:`fit` says how wide that may be.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, on_press: Callable[[], object], *, fills: bool = True
    ) -> None:
        self._theme = theme
        self._text = ""
        self._wrap = 0
        self.button = ttk.Button(parent, style=PHRASE, command=on_press)
        if fills:
            self.button.bind("<Configure>", lambda event: self.fit(event.width))

    def write(self, text: str) -> None:
        """What it says."""
        if text != self._text:
            self._text = text
            self._wrap_text()

    def enable(self, can_press: bool) -> None:
        """Whether it can be pressed."""
        state = "normal" if can_press else "disabled"
        if str(self.button.cget("state")) != state:
            self.button.configure(state=state)

    def fit(self, width: int) -> None:
        """Break the words for a button of a width in pixels."""
        # As wide as it is drawn, without its edges and the room beside its words.
        wrap = max(self._theme.px(LEAST_WRAP), width - self._theme.px(26))
        if wrap != self._wrap:
            self._wrap = wrap
            self._wrap_text()

    def _wrap_text(self) -> None:
        # Broken here and not by Tk, which would break Hebrew in drawing order.
        text = displayable(self._text)
        lines = wrap_lines(text, self._wrap, self._theme.font("body").measure) if self._wrap else [text]
        self.button.configure(text="\n".join(self._theme.visual_order(line) for line in lines))
