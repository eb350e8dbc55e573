"""List of the trades, the newest first."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.gui.market.row_canvas import CanvasRow, RowCanvas, RowCell, RowColumn
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.market.trades_view import TapeRow

COLUMNS = (RowColumn(46), RowColumn(62, "end"), RowColumn(40), RowColumn())
"""Time, price, quantity, and who."""


class TapePanel:
    """The trades of the book that is shown; those of the participant are marked.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        rows: Rows for which there is room; further ones scroll.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, rows: int) -> None:
        self._theme = theme
        self._shown: tuple[TapeRow, ...] | None = None
        self.frame = theme.frame(parent)
        self._canvas = RowCanvas(self.frame, theme, COLUMNS, row_height=20)
        self._canvas.widget.configure(height=rows * self._canvas.row_height)
        self._canvas.widget.pack(fill="both", expand=True)

    def show(self, rows: Sequence[TapeRow]) -> None:
        """Show the trades."""
        if tuple(rows) == self._shown:
            return
        self._shown = tuple(rows)
        c = self._theme.colours
        if not rows:
            nothing = self._theme.translate("No trades yet")
            self._canvas.show([CanvasRow((RowCell(""), RowCell(""), RowCell(""), RowCell(nothing, c.muted)))])
            return
        self._canvas.show([self._row(row) for row in rows])

    def _row(self, row: TapeRow) -> CanvasRow:
        c, own = self._theme.colours, row.own is not None
        mark = {OrderSide.BID: c.accept, OrderSide.ASK: c.danger, None: c.ink}[row.own]
        return CanvasRow(
            (
                RowCell(row.time, c.muted),
                RowCell(row.price, mark, "small_bold"),
                RowCell(row.quantity, c.muted),
                RowCell(row.text, c.ink if own else c.muted, "small_bold" if own else "small"),
            ),
            ground=c.mine_soft if own else "",
        )
