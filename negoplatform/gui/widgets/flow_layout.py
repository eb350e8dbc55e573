"""Things that follow each other like words, in as many rows as they need."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.gui.theming.theme import Theme


def flow_positions(widths: Sequence[int], room: int, gap: int) -> list[tuple[int, int]]:
    """Return the row and the distance from the starting side of things that follow each other like words.

    Args:
        widths: Of the things, in pixels.
        room: The width of a row in pixels; a thing that is wider has a row to itself.
        gap: Between two things of a row, in pixels.
    """
    places, row, x = [], 0, 0
    for width in widths:
        if x and x + width > room:
            row, x = row + 1, 0
        places.append((row, x))
        x += width + gap
    return places


class FlowLayout:
    """An area whose widgets follow each other like words; it takes the width that it is given.

    Args:
        parent: Where it is put.
        theme: Its looks.
        gap: Between two widgets and between two rows, for 96 dpi.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, gap: float) -> None:
        self._theme, self._gap = theme, theme.px(gap)
        self._width = 0
        self.frame = theme.frame(parent)
        self.frame.bind("<Configure>", lambda event: self._resized(event.width))

    def lay_out(self, room: int) -> None:
        """Put the area's widgets in rows of a width in pixels, and ask for as much room as they need."""
        self._width = room
        widgets = [widget for widget in self.frame.winfo_children() if isinstance(widget, tk.Widget)]
        if room <= 1 or not widgets:
            return
        sizes = [(min(widget.winfo_reqwidth(), room), widget.winfo_reqheight()) for widget in widgets]
        places = flow_positions([width for width, _ in sizes], room, self._gap)
        heights = [0] * (places[-1][0] + 1)
        for (row, _), (_, height) in zip(places, sizes, strict=True):
            heights[row] = max(heights[row], height)
        for widget, (width, _), (row, x) in zip(widgets, sizes, places, strict=True):
            left = room - x - width if self._theme.rtl else x
            widget.place(x=left, y=sum(heights[:row]) + row * self._gap, width=width)
        self.frame.configure(width=room, height=sum(heights) + (len(heights) - 1) * self._gap)

    def _resized(self, width: int) -> None:
        if width > 1 and width != self._width:
            self.lay_out(width)
