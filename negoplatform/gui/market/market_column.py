"""Right column of a market: order book, ticket and own orders, or the form of a phase with decisions."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.market.decision_form import DecisionActions, DecisionForm
from negoplatform.gui.market.number_field import SteppedNumberField
from negoplatform.gui.market.order_book_panel import OrderBookPanel
from negoplatform.gui.market.own_orders_panel import OwnOrdersPanel
from negoplatform.gui.market.ticket_panel import TicketActions, TicketPanel
from negoplatform.gui.table.keyboard_to_message_field import NUMBER_SIGNS
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.market.market_presenter import MarketPanelsView
from negoplatform.presentation.market.order_book_view import BookRow

WIDTH = 384
"""Width of the column, for 96 dpi."""

PADDING = 12

ROOM = WIDTH - 2 * PADDING - 20
"""Width of wrapped texts, for 96 dpi."""

WIDE, LOW = 560, 500
"""From this width on, and below this height, the ticket is at the side of the book; for 96 dpi."""


class MarketColumn:
    """The column.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        ticket: Callbacks of the ticket.
        decision: Callbacks of the form.
        on_pick: Called with the row of the book whose price was picked.
        on_book: Called with the number of the book that was chosen.
        on_cancel: Called with the id of the order to cancel.
        on_hidden_key: Called with a character of a number, or an empty text for Backspace, that is typed
            while nothing is asked and the ticket is hidden.
        most_orders: The most orders that the participant can have.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        ticket: TicketActions,
        decision: DecisionActions,
        on_pick: Callable[[BookRow], object],
        on_book: Callable[[int], object],
        on_cancel: Callable[[int], object],
        on_hidden_key: Callable[[str], object],
        most_orders: int,
    ) -> None:
        self._theme = theme
        self._is_deciding: bool | None = None
        self._is_wide: bool | None = None
        self.frame = theme.card(parent, PADDING)
        self.frame.configure(width=theme.px(WIDTH))
        self.frame.grid_propagate(False)
        # In visual order, which is the order of Tab.
        self.book = OrderBookPanel(self.frame, theme, on_pick=on_pick, on_book=on_book, on_cancel=on_cancel)
        self._work = ScrolledFrame(self.frame, theme, width=ROOM, height=2000)
        self.ticket = TicketPanel(self._work.inside, theme, ticket, room=ROOM)
        self._rule = theme.rule(self._work.inside)
        self.orders = OwnOrdersPanel(self._work.inside, theme, on_cancel=on_cancel, most=most_orders)
        for widget in (self.ticket.frame, self._rule, self.orders.frame):
            widget.pack(fill="x", pady=(theme.px(6), 0))
        self._work.bind_scrolling(self._work.inside)
        # After the scrolling, which has another use for the arrow keys.
        self.ticket.bind_keys()
        self.form = DecisionForm(self.frame, theme, decision)
        self._on_hidden_key = on_hidden_key
        self.frame.bind("<Key>", self._typed)
        self.frame.bind("<Configure>", lambda event: self._resized(event.width, event.height))

    def show(self, view: MarketPanelsView) -> None:
        """Show the market, or the phase with decisions."""
        deciding = view.decision is not None
        if deciding != self._is_deciding:
            self._switch(deciding=deciding)
        if view.decision is not None:
            self.form.show(view.decision)
            return
        self.book.show(view.book)
        self.ticket.show(view.ticket)
        self.orders.show(view.account)
        self._work.bind_scrolling(self.orders.frame)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name: those of what is shown."""
        if self._is_deciding:
            return self.form.widgets()
        return {**self.book.widgets(), **self.ticket.widgets(), **self.orders.widgets()}

    def focus_first(self) -> None:
        """Focus the price, or the first field of the form."""
        if not self._is_deciding:
            self.ticket.focus_price()
        elif not self.form.focus_first():
            self.frame.focus_set()

    def _typed(self, event: tk.Event[tk.Misc]) -> str | None:
        """Pass a number that is typed in a break on; everything else is for the window."""
        if not self._is_deciding or not self.form.is_break:
            return None
        if event.keysym == "BackSpace":
            self._on_hidden_key("")
            return "break"
        if len(event.char) != 1 or not (event.char.isdigit() or event.char in NUMBER_SIGNS):
            return None
        self._on_hidden_key(event.char)
        return "break"

    def take_focus_from(self, widget: tk.Misc) -> bool:
        """Focus the column if a widget has the focus, and the column is shown; return whether it was done.

        From there, digits go to the price, and letters to the chat.
        """
        last = str(self.frame.tk.call("focus", "-lastfor", "."))
        if last != str(widget) or not self.frame.winfo_viewable():
            return False
        self.frame.focus_set()
        return True

    def select_price(self) -> None:
        """Select the price, if it has the focus."""
        if str(self.frame.tk.call("focus")) == str(self.ticket.price.entry):
            self.ticket.price.select()

    def click_home(self) -> tk.Misc:
        """Return the field that gets the focus after a click in the column; the column, if there is none."""
        path = str(self.frame.tk.call("focus"))
        for field in self._number_fields():
            if str(field.entry) == path:
                return field.entry
        if not self._is_deciding and self.ticket.can_edit:
            self.ticket.price.select()
            return self.ticket.price.entry
        return self.frame

    def _number_fields(self) -> tuple[SteppedNumberField, ...]:
        if self._is_deciding:
            return self.form.number_fields()
        return (self.ticket.price, self.ticket.quantity) if self.ticket.can_edit else ()

    def _switch(self, *, deciding: bool) -> None:
        """Show the form in place of the market, or the other way round; the focus stays in the column."""
        path = str(self.frame.tk.call("focus"))
        # A control that was removed while it had the focus has left it to the window itself.
        here = path in ("", ".", str(self.frame)) or path.startswith(f"{self.frame}.")
        had_focus = self._is_deciding is not None and here
        self._is_deciding, self._is_wide = deciding, None
        for widget in (self.book.frame, self._work.frame, self.form.frame):
            widget.grid_forget()
        self._arrange(self.frame.winfo_width(), self.frame.winfo_height())
        if had_focus:
            self.frame.after_idle(self.focus_first)

    def _resized(self, width: int, height: int) -> None:
        self._arrange(width, height)

    def _arrange(self, width: int, height: int) -> None:
        theme, frame = self._theme, self.frame
        wide = width >= theme.px(WIDE) and 1 < height < theme.px(LOW)
        if wide == self._is_wide or self._is_deciding is None:
            return
        self._is_wide = wide
        for index in (0, 1):
            frame.rowconfigure(index, weight=0, minsize=0)
            frame.columnconfigure(index, weight=0, minsize=0)
        if self._is_deciding:
            frame.rowconfigure(0, weight=1)
            frame.columnconfigure(0, weight=1)
            self.form.frame.grid(row=0, column=0, sticky="nsew")
            return
        book, work = self.book.frame, self._work.frame
        if wide:
            first, second = theme.column(0, 2), theme.column(1, 2)
            frame.rowconfigure(0, weight=1)
            frame.columnconfigure(first, weight=1)
            frame.columnconfigure(second, minsize=theme.px(ROOM + 16))
            book.grid(row=0, column=first, sticky="nsew", padx=theme.padx(0, 12))
            work.grid(row=0, column=second, sticky="nsew")
            return
        # The book gets what is left, and gives way first.
        frame.rowconfigure(0, weight=1000, minsize=self.book.least_height())
        frame.rowconfigure(1, weight=1)
        frame.columnconfigure(0, weight=1)
        book.grid(row=0, column=0, sticky="nsew")
        work.grid(row=1, column=0, sticky="nsew")
