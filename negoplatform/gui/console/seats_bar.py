"""Bar with who sits where, and which connections are lost."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.flow_layout import FlowLayout
from negoplatform.presentation.console.console_presenter import OccupantRow
from negoplatform.presentation.plots.seat_styles import SeatStyle


class SeatsBar:
    """Line with the occupant of every seat, in as many rows as it needs.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        styles: The seats' colours.
        rows: The occupants at first.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, styles: Sequence[SeatStyle], rows: Sequence[OccupantRow]
    ) -> None:
        self._theme = theme
        self._shown: tuple[OccupantRow, ...] = ()
        self._flow = FlowLayout(parent, theme, gap=14)
        self.frame = self._flow.frame
        colours = {style.seat: style.text_colour for style in styles}
        self._labels: dict[str, tuple[BidiLabel, BidiLabel]] = {}
        for row in rows:
            place = theme.frame(self.frame)
            name = theme.label(place, row.name, "small_bold", colours.get(row.seat, theme.colours.ink))
            name.pack(side=theme.start)
            words = theme.label(place, "", "small", theme.colours.muted)
            words.pack(side=theme.start, padx=theme.padx(6, 0))
            self._labels[row.seat] = name, words
        self.show(tuple(rows))

    def show(self, rows: tuple[OccupantRow, ...]) -> None:
        """Show the occupants; what has not changed costs nothing."""
        if rows == self._shown:
            return
        self._shown = rows
        c = self._theme.colours
        for row in rows:
            name, words = self._labels[row.seat]
            name.write(row.name)
            words.write(row.words, c.warning if row.is_lost else c.muted)
        self.frame.update_idletasks()
        self._flow.lay_out(self.frame.winfo_width())
