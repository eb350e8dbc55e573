"""Wide button that sends a phrase; its text is wrapped and aligned like running text."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Any

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.bidi import wrap_lines
from negoplatform.presentation.localized_names import displayable

PHRASE, GROUP, CHOSEN_GROUP = "Phrase.Toggle.TButton", "Group.Quiet.TButton", "Group.Chosen.Toggle.TButton"
"""Styles of buttons in a list, whose texts are aligned to the starting side."""

BASE_STYLES = {PHRASE: "Toggle.TButton", GROUP: "Small.Quiet.TButton", CHOSEN_GROUP: "Chosen.Toggle.TButton"}
FONTS = {PHRASE: "body", GROUP: "body", CHOSEN_GROUP: "bold"}

LEAST_WRAP = 80
"""Least width at which lines wrap, for 96 dpi: a button that is being laid out has no width yet."""


def make_list_styles(theme: Theme) -> None:
    """Make the styles of buttons in a list for the theme's present appearance."""
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
    """A phrase's button; place its ``button``.

    Args:
        parent: The parent of the button.
        theme: The window's theme.
        on_press: Called when the button is pressed.
        fills: Whether the button fills a given width, at which its text wraps; else it is as wide as its
            text, up to the width passed to :meth:`fit`.
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
        """Set the text."""
        if text != self._text:
            self._text = text
            self._wrap_text()

    def enable(self, can_press: bool) -> None:
        """Set whether the button can be pressed."""
        state = "normal" if can_press else "disabled"
        if str(self.button.cget("state")) != state:
            self.button.configure(state=state)

    def fit(self, width: int) -> None:
        """Wrap the text for a button of this width in pixels."""
        # The width without the edges and the padding.
        wrap = max(self._theme.px(LEAST_WRAP), width - self._theme.px(26))
        if wrap != self._wrap:
            self._wrap = wrap
            self._wrap_text()

    def _wrap_text(self) -> None:
        # Wrapped here, as Tk would wrap Hebrew in visual order.
        text = displayable(self._text)
        lines = wrap_lines(text, self._wrap, self._theme.font("body").measure) if self._wrap else [text]
        self.button.configure(text="\n".join(self._theme.visual_order(line) for line in lines))
