"""Panel of the participant's own orders, each with a button that cancels it at once."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.market.account_view import AccountView, OwnOrderRow

ROW_HEIGHT, MOST_ROWS = 34, 3
"""Height of a row, for 96 dpi, and the rows for which there is room; further ones scroll."""

MOVED_SECONDS = 0.6
"""Seconds after a row has gone within which a press was meant for the row that was in its place."""

TEXT = 210
"""Width of the text of an order, for 96 dpi; what is longer has two lines."""


class OwnOrdersPanel:
    """A row for each own order.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        on_cancel: Called with the id of the order to cancel.
        most: The most orders that the participant can have.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, *, on_cancel: Callable[[int], object], most: int
    ) -> None:
        self._theme, self._on_cancel = theme, on_cancel
        self._shown: tuple[tuple[OwnOrderRow, ...], bool] | None = None
        self._rows: dict[int, tuple[tk.Frame, BidiLabel, ttk.Button]] = {}
        self._moved_at = float("-inf")
        self.frame = theme.frame(parent)
        theme.label(self.frame, theme.translate("Your orders"), "bold").pack(anchor=theme.west)
        # Always as high, so that nothing above moves when an order comes or goes.
        self._area = theme.frame(self.frame)
        self._area.configure(height=theme.px(min(most, MOST_ROWS) * ROW_HEIGHT + 4))
        self._area.pack_propagate(False)
        self._area.pack(fill="x")
        self._none = theme.label(
            self._area, theme.translate("You have no order in the book."), "small", theme.colours.muted
        )
        self._none.pack(anchor=theme.west)
        self._list = ScrolledFrame(self._area, theme, width=340, height=MOST_ROWS * ROW_HEIGHT)

    def show(self, view: AccountView) -> None:
        """Show the orders; a row stays the same widget as long as its order is in the book."""
        shown = view.orders, view.can_cancel
        if shown == self._shown:
            return
        self._shown = shown
        wanted = {row.order_id for row in view.orders}
        for order_id in [order_id for order_id in self._rows if order_id not in wanted]:
            self._rows.pop(order_id)[0].destroy()
            self._moved_at = time.monotonic()
        for row in view.orders:
            if row.order_id not in self._rows:
                self._rows[row.order_id] = self._make_row(row)
            _, label, button = self._rows[row.order_id]
            text = " · ".join(filter(None, (row.text, row.book, row.warning)))
            label.write(text, self._theme.colours.danger if row.warning else self._theme.colours.ink)
            state = "normal" if view.can_cancel else "disabled"
            if str(button.cget("state")) != state:
                button.configure(state=state)
        if self._rows:
            self._none.pack_forget()
            self._list.frame.pack(fill="x")
        else:
            self._list.frame.pack_forget()
            self._none.pack(anchor=self._theme.west)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the buttons by the places of their orders, from 1."""
        return {f"cancel.{place}": row[2] for place, row in enumerate(self._rows.values(), start=1)}

    def _make_row(self, row: OwnOrderRow) -> tuple[tk.Frame, BidiLabel, ttk.Button]:
        theme = self._theme
        frame = theme.frame(self._list.inside)
        frame.pack(fill="x", pady=theme.px(1))
        label = theme.label(frame, "", "small", wrap=TEXT)
        label.pack(side=theme.start)
        button = theme.button(
            frame,
            theme.translate("Cancel order"),
            "Small.Quiet.TButton",
            lambda: self._cancel(row.order_id),
            icon="clear",
        )
        button.bind("<Delete>", lambda _event: button.invoke())
        button.pack(side=theme.end)
        self._list.bind_scrolling(frame)
        return frame, label, button

    def _cancel(self, order_id: int) -> None:
        """Cancel an order, unless the rows have just moved: the second click of a double click."""
        if time.monotonic() - self._moved_at >= MOVED_SECONDS:
            self._on_cancel(order_id)
