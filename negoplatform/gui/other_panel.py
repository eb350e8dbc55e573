"""Who sits opposite: a face, its expression in words, and what they are doing."""

from __future__ import annotations

import tkinter as tk

from PIL import Image

from negoplatform.core.events import Expression
from negoplatform.gui.avatars import Avatar
from negoplatform.gui.paint import rounded
from negoplatform.gui.portrait import Portrait
from negoplatform.gui.theme import Theme
from negoplatform.gui.view import OtherView

FACE_SIZE = 116

SMALL_FACE_SIZE = 84
"""Where the window is too low for the larger one."""

PANEL_WIDTH = 206
"""Width of the words in the left column, for 96 dpi."""


class OtherPanel:
    """A card with the other side's face.

    Args:
        parent: Where it is put.
        theme: Its looks.
        avatar: Whose face it is.
        small: Whether there is little room.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, avatar: Avatar, *, small: bool) -> None:
        self._theme = theme
        self._shown: OtherView | None = None
        px, c = theme.px, theme.colours
        self.frame = theme.card(parent, 12)
        self.frame.columnconfigure(0, minsize=px(PANEL_WIDTH))
        self._portrait = Portrait(
            self.frame, theme, SMALL_FACE_SIZE if small else FACE_SIZE, character=avatar.character
        )
        if avatar.pictures:
            self._portrait.use(avatar.pictures)
        self._portrait.frame.grid(row=0, column=0)
        self._name = theme.label(self.frame, "", "heading", wrap=PANEL_WIDTH)
        self._name.grid(row=1, column=0, pady=(px(4), px(3)))
        self._looks = tk.Label(
            self.frame,
            bg=c.card,
            bd=0,
            padx=0,
            pady=0,
            compound="center",
            font=theme.font("small_bold"),
            fg=c.ink,
        )
        self._looks.grid(row=2, column=0)
        # One line is kept free for it, so that nothing moves when it comes and goes.
        self._doing = theme.label(self.frame, " ", "small", c.muted, wrap=PANEL_WIDTH)
        self._doing.grid(row=3, column=0, pady=(px(4), 0))
        self._pill = theme.picture(Image.new("RGB", (1, 1)))

    def show(self, view: OtherView) -> None:
        """Shows a view."""
        if view == self._shown:
            return
        before, self._shown = self._shown, view
        self._portrait.show(view.expression)
        self._name.write(view.name)
        if before is None or before.looks != view.looks:
            self._show_looks(view)
        self._doing.write(view.doing or " ")

    def _show_looks(self, view: OtherView) -> None:
        theme, c = self._theme, self._theme.colours
        words = theme.drawn(f"● {view.looks}" if view.expression is not Expression.NEUTRAL else view.looks)
        width = theme.font("small_bold").measure(words) + theme.px(22)
        height = theme.font("small_bold").metrics("linespace") + theme.px(8)
        face = c.mine_soft if view.expression is not Expression.NEUTRAL else c.soft
        self._pill = theme.picture(rounded((width, height), height / 2, face=face, ground=c.card))
        self._looks.configure(text=words, image=self._pill)
