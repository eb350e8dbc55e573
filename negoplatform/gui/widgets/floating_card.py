"""Card with rounded corners that is placed over other cards."""

from __future__ import annotations

import tkinter as tk

from PIL import ImageTk

from negoplatform.gui.theming.rounded_shapes import rounded, stretched
from negoplatform.gui.theming.theme import Theme

RADIUS, CORNER = 10, 12
"""Radius of the corners, and size of the corner part of the picture, in pixels at 96 dpi."""


class FloatingCard:
    """Card to be placed over others; its contents go into ``inside``.

    Its corners have the colour of a card, because nearly all of the ground below is a card.

    Args:
        parent: Widget over which the card is placed.
        theme: Theme of the window.
        padding: Padding in pixels at 96 dpi.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, padding: float = 12) -> None:
        self._theme = theme
        self._picture: ImageTk.PhotoImage | None = None
        self._size = 0, 0
        self.frame = theme.frame(parent)
        self._background_label = tk.Label(self.frame, bd=0, bg=theme.colours.card)
        self._background_label.place(x=0, y=0, relwidth=1, relheight=1)
        self.inside = theme.frame(self.frame)
        self.inside.pack(fill="both", expand=True, padx=theme.px(padding), pady=theme.px(padding))
        self._background_label.bind("<Configure>", lambda event: self._draw(event.width, event.height))

    def _draw(self, width: int, height: int) -> None:
        theme, c = self._theme, self._theme.colours
        n = theme.px(CORNER)
        if (width, height) == self._size or width <= 2 * n or height <= 2 * n:
            return
        self._size = width, height
        small = rounded(
            (2 * n + 1, 2 * n + 1),  # one pixel between the corners, which is stretched
            theme.px(RADIUS),
            face=c.card,
            edge=c.edge,
            width=max(1, theme.px(1)),
            ground=c.card,
        )
        self._picture = theme.picture(stretched(small, n, (width - 2 * n, height - 2 * n)))
        self._background_label.configure(image=self._picture)
