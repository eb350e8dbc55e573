"""Panel of the order book: asks above, bids below, and a choice of books where there are several."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.gui.market.row_canvas import EMPTY_ROW, CanvasRow, RowCanvas, RowCell, RowColumn
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.color_palette import mix_colours
from negoplatform.presentation.market.order_book_view import BookRow, OrderBookView

COLUMNS = (RowColumn(88), RowColumn(56, "end"), RowColumn(12), RowColumn())
"""Price, quantity, a gap, and who."""

LONGEST_BAR = 0.33
"""Longest bar of depth, as a share of the width: it ends where the names begin."""

LEAST_LEVELS = 2
"""Smallest number of prices of a side for which there is room."""


class OrderBookPanel:
    """Rows of the book, the best prices in the middle.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        on_pick: Called with the row whose price was picked.
        on_book: Called with the number of the book that was chosen.
        on_cancel: Called with the id of an own order that is to be cancelled.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_pick: Callable[[BookRow], object],
        on_book: Callable[[int], object],
        on_cancel: Callable[[int], object] = lambda _order_id: None,
    ) -> None:
        self._theme, self._on_pick, self._on_book = theme, on_pick, on_book
        self._on_cancel = on_cancel
        self._shown: OrderBookView | None = None
        self._shown_rows: list[BookRow | None] = []
        self._levels = self._between_row = 0
        self.frame = theme.frame(parent)
        self.frame.columnconfigure(0, weight=1)
        self.frame.rowconfigure(3, weight=1)
        head = theme.frame(self.frame)
        head.grid(row=0, column=0, sticky="ew")
        theme.label(head, theme.translate("Order book"), "heading").pack(side=theme.start)
        self._title = theme.label(head, "", "body", theme.colours.muted)
        self._title.pack(side=theme.start, padx=theme.px(8))
        self._choices = theme.frame(self.frame)
        self._buttons: dict[int, ttk.Button] = {}
        c = theme.colours
        self._above = theme.label(self.frame, "", "small", c.muted)
        self._above.grid(row=2, column=0, sticky=theme.west, padx=theme.px(6))
        self._canvas = RowCanvas(self.frame, theme, COLUMNS, on_pick=self._picked, on_delete=self._deleted)
        self._canvas.widget.grid(row=3, column=0, sticky="nsew")
        self._below = theme.label(self.frame, "", "small", c.muted)
        self._below.grid(row=4, column=0, sticky=theme.west, padx=theme.px(6))
        self._canvas.widget.bind("<Configure>", lambda event: self._resized(event.height), add="+")

    @property
    def canvas(self) -> tk.Canvas:
        """The canvas with the rows."""
        return self._canvas.widget

    def least_height(self) -> int:
        """Return the height in pixels that a useful book needs."""
        labels = 2 * self._theme.font("small").metrics("linespace")
        return (2 * LEAST_LEVELS + 1) * self._canvas.row_height + labels + self._theme.px(28)

    def show(self, view: OrderBookView) -> None:
        """Show a book."""
        if view == self._shown:
            return
        self._shown = view
        self._title.write("" if view.choices else view.title)
        self._show_choices(view)
        self._draw()

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name."""
        choices: dict[str, tk.Misc] = {f"book.{number}": button for number, button in self._buttons.items()}
        return {"book": self._canvas.widget, **choices}

    def place_of(self, side: OrderSide, index: int) -> tuple[int, int] | None:
        """Return the place of a row in pixels of the screen, counted from the best price; None: not shown."""
        rows = [i for i, row in enumerate(self._shown_rows) if row is not None and row.side is side]
        if side is OrderSide.ASK:
            rows.reverse()
        if index >= len(rows):
            return None
        canvas = self._canvas.widget
        return canvas.winfo_rootx() + canvas.winfo_width() // 2, canvas.winfo_rooty() + self._canvas.place_of(
            rows[index]
        )

    def _show_choices(self, view: OrderBookView) -> None:
        theme = self._theme
        numbers = [choice.number for choice in view.choices]
        if numbers != list(self._buttons):
            for button in self._buttons.values():
                button.destroy()
            self._buttons = {
                number: theme.button(
                    self._choices,
                    "",
                    "Small.Toggle.TButton",
                    lambda number=number: self._on_book(number),  # type: ignore[misc]
                )
                for number in numbers
            }
            for button in self._buttons.values():
                button.pack(side=theme.start, padx=theme.padx(0, 4))
            if numbers:
                self._choices.grid(row=1, column=0, sticky="ew", pady=(theme.px(2), theme.px(4)))
            else:
                self._choices.grid_remove()
        for choice in view.choices:
            button = self._buttons[choice.number]
            theme.set_button_text(button, choice.label)
            style = "Chosen.Small.Toggle.TButton" if choice.chosen else "Small.Toggle.TButton"
            if str(button.cget("style")) != style:
                button.configure(style=style)

    def _resized(self, height: int) -> None:
        levels = max(LEAST_LEVELS, (height // self._canvas.row_height - 1) // 2)
        if levels != self._levels:
            self._levels = levels
            self._draw()

    def _draw(self) -> None:
        view, levels = self._shown, self._levels
        if view is None or not levels:
            return
        # A side that has more prices than fit takes the rows that the other side does not need.
        ask_rows = max(levels, min(len(view.asks), 2 * levels - len(view.bids)))
        bid_rows = max(2 * levels - ask_rows, min(len(view.bids), 2 * levels - len(view.asks)))
        asks, bids = list(view.asks[:ask_rows]), list(view.bids[:bid_rows])
        above: list[BookRow | None] = [None] * (2 * levels - bid_rows - len(asks))
        self._between_row = len(above) + len(asks)
        self._write_headings(view, len(asks), len(bids))
        shown: list[BookRow | None] = [*above, *reversed(asks), None, *bids]
        self._shown_rows = shown
        rows = [EMPTY_ROW if row is None else self._row(row) for row in shown]
        self._canvas.show(rows)
        self._write_between(view.between, self._theme.colours.muted)

    def _write_headings(self, view: OrderBookView, asks: int, bids: int) -> None:
        """Write which side is where, and how many units are at further prices that do not fit."""
        translate = self._theme.translate
        more_asks = view.more_asks + sum(row.quantity for row in view.asks[asks:])
        more_bids = view.more_bids + sum(row.quantity for row in view.bids[bids:])
        above, below = translate("For sale (asks)"), translate("Wanted (bids)")
        if more_asks:
            above += " · " + translate("{n} more at higher prices", n=more_asks)
        if more_bids:
            below += " · " + translate("{n} more at lower prices", n=more_bids)
        self._above.write(above)
        self._below.write(below)

    def _write_between(self, text: str, colour: str) -> None:
        """Write the line between the sides across all columns."""
        canvas, theme = self._canvas.widget, self._theme
        canvas.delete("between")
        x = canvas.winfo_width() - theme.px(6) if theme.rtl else theme.px(6)
        canvas.create_text(
            x,
            self._canvas.place_of(self._between_row),
            text=theme.visual_order(text),
            fill=colour,
            font=theme.font("small"),
            anchor=theme.west,
            tags="between",
        )

    def _row(self, row: BookRow) -> CanvasRow:
        c, translate = self._theme.colours, self._theme.translate
        asks = row.side is OrderSide.ASK
        colour = c.danger if asks else c.accept
        who = row.who
        if row.own and row.own < row.quantity:
            who = translate("{who} ({n} yours)", who=row.who, n=row.own)
        return CanvasRow(
            (
                RowCell(row.price, colour, "bold"),
                RowCell(str(row.quantity)),
                RowCell(""),
                RowCell(who, c.ink if row.own else c.muted, "small_bold" if row.own else "small"),
            ),
            ground=c.mine_soft if row.own else "",
            bar=row.depth * LONGEST_BAR,
            bar_colour=mix_colours(c.card, colour, 0.14),
        )

    def _picked(self, index: int) -> None:
        row = self._shown_rows[index] if index < len(self._shown_rows) else None
        if row is not None:
            self._on_pick(row)

    def _deleted(self, index: int) -> None:
        row = self._shown_rows[index] if index < len(self._shown_rows) else None
        if row is not None and row.own_orders:
            self._on_cancel(row.own_orders[-1])
