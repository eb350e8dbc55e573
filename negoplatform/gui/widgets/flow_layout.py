"""Flow layout: widgets in reading order, in as many rows as they need."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.gui.theming.theme import Theme


def flow_positions(widths: Sequence[int], room: int, gap: int) -> list[tuple[int, int]]:
    """Return the row, and the distance from the starting side in pixels, of each item of a flow layout.

    Args:
        widths: Widths of the items in pixels.
        room: Width of a row in pixels; a wider item gets a row to itself.
        gap: Gap between two items of a row, in pixels.
    """
    places, row, x = [], 0, 0
    for width in widths:
        if x and x + width > room:
            row, x = row + 1, 0
        places.append((row, x))
        x += width + gap
    return places


class FlowLayout:
    """Frame that lays its widgets out in rows; it fills the width that it gets.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        gap: Gap between widgets and between rows, in pixels at 96 dpi.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, gap: float) -> None:
        self._theme, self._gap = theme, theme.px(gap)
        self._width = 0
        self.at_end: tk.Widget | None = None
        """Widget that is placed at the ending side of its row; None: all follow each other."""
        self.frame = theme.frame(parent)
        self.frame.bind("<Configure>", lambda event: self._resized(event.width))

    def lay_out(self, room: int) -> None:
        """Lay the widgets out in rows of a width in pixels, and request the size that they need."""
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
            if widget is self.at_end:
                x = room - width
            left = room - x - width if self._theme.rtl else x
            widget.place(x=left, y=sum(heights[:row]) + row * self._gap, width=width)
        self.frame.configure(width=room, height=sum(heights) + (len(heights) - 1) * self._gap)

    def _resized(self, width: int) -> None:
        if width > 1 and width != self._width:
            self.lay_out(width)
