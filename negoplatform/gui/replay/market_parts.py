"""Parts of the replay of a market: prices with trades, order book, accounts with gains."""

from __future__ import annotations

import tkinter as tk
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from tkinter import ttk

from negoplatform.app.playback.playback import Playback
from negoplatform.core.mechanisms.double_auction_state import double_auction_state
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.gui.market.order_book_panel import OrderBookPanel
from negoplatform.gui.plots.goods_plot_drawings import prices_plot
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.replay.goods_parts import GoodsReplayParts
from negoplatform.gui.replay.goods_tabs import REDRAW_MS, TimePlot, TradeRows
from negoplatform.gui.replay.recorded_session import FigureKind
from negoplatform.gui.replay.replay_parts import TabCallbacks, TabEntry
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Throttle
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.order_book_view import (
    BookRow,
    OrderBookView,
    localized_book_name,
    order_book_view,
)
from negoplatform.presentation.market.trades_view import is_trading
from negoplatform.presentation.plots.drawing import Drawing
from negoplatform.presentation.replay.goods_accounts import SeatAccountView, market_accounts
from negoplatform.presentation.replay.goods_history import (
    RecordedTrade,
    market_trades,
    trading_periods,
    up_to,
)
from negoplatform.presentation.replay.market_words import MarketWords
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames


class MarketReplayParts(GoodsReplayParts):
    """Parts of the replay of a market; its sections show one book, of which the choice is common to them."""

    def __init__(self, playback: Playback, participants: SeatOccupantNames) -> None:
        super().__init__(playback, participants)
        counts = Counter(trade.book for trade in self._trades(ENGLISH))
        self.book = max(counts, key=lambda book: counts[book], default=0)
        """The number of the book that is shown: at first the one with most trades."""

    def tabs(self, theme: Theme) -> Mapping[str, TabEntry]:
        """Return the sections by name, in reading order."""
        translate = theme.translate
        return {
            "prices": TabEntry(
                translate("Prices"),
                lambda parent, theme, on: PricesTab(parent, theme, self, on),
                FigureKind.PRICES,
                uses_arrow_keys=True,
            ),
            "book": self._book_entry(theme),
            "accounts": TabEntry(
                translate("Accounts"), self.make_accounts_tab, FigureKind.SCORES, uses_arrow_keys=True
            ),
            "event": TabEntry(translate("Event"), self.make_event_tab),
        }

    def live_tabs(self, theme: Theme) -> Mapping[str, TabEntry]:
        """Return the sections, by name in reading order, that follow a session in progress."""
        return {"book": self._book_entry(theme), **super().live_tabs(theme)}

    def _book_entry(self, theme: Theme) -> TabEntry:
        return TabEntry(
            theme.translate("Order book"),
            lambda parent, theme, on: OrderBookTab(parent, theme, self, on.on_position),
        )

    def scores_title(self, translate: Language) -> str:
        """Return the title of the plot of gains."""
        return translate("Gains")

    def accounts_at(self, state: State, t: float, translate: Language) -> Sequence[SeatAccountView]:  # noqa: ARG002 - as in trading
        """Return the accounts in a state."""
        return market_accounts(state, self.session.participants.names, translate)

    def export_drawing(self, which: FigureKind, style: PlotStyle) -> Drawing:
        """Return a picture to be saved."""
        if which is FigureKind.PRICES:
            return self.prices(style, len(self.session.playback.events))
        return super().export_drawing(which, style)

    def prices(self, style: PlotStyle, position: int) -> Drawing:
        """Return the plot of the prices of the book at a position."""
        session, translate = self.session, self.game_language(style.translate)
        return prices_plot(
            style,
            self.trades(style.translate),
            trading_periods(session.playback, session.observer, translate),
            self.amounts(style.translate),
            seconds=session.playback.seconds,
            position=position,
        )

    def trades(self, translate: Language) -> tuple[RecordedTrade, ...]:
        """Return all trades of the book, oldest first."""
        return tuple(trade for trade in self._trades(translate) if trade.book == self.book)

    def amounts(self, translate: Language) -> Amounts:
        """Return the texts of amounts."""
        return Amounts(economy_of(self.session.game).currency, self.game_language(translate))

    def book_names(self, translate: Language) -> tuple[str, ...]:
        """Return the names of all books, by number."""
        count = len(double_auction_state(self.state_at(0)).books)
        translate = self.game_language(translate)
        return tuple(localized_book_name(self.session.game, number, translate) for number in range(count))

    def book_view(self, position: int, translate: Language) -> OrderBookView:
        """Return the view of the book at a position, with the owners of the orders."""
        state = self.state_at(position)
        return order_book_view(
            state,
            None,
            self.session.participants.names,
            self.book,
            self.amounts(translate),
            self.game_language(translate),
            is_open=is_trading(state),
        )

    def order_position(self, position: int, row: BookRow) -> int | None:
        """Return the position at which the first order of a row of the book was placed; None: not known."""
        book = double_auction_state(self.state_at(position)).books[self.book]
        order = next((order for order in book.queue(row.side) if order.price == row.amount), None)
        if order is None:
            return None
        moments, seq = self.session.playback.observed_events(self.session.observer), order.order_id
        at = bisect_left(moments, seq, key=lambda moment: moment.event.seq)
        return moments[at].position if at < len(moments) and moments[at].event.seq == seq else None

    def _trades(self, translate: Language) -> tuple[RecordedTrade, ...]:
        if self._translated is None or self._translated[0] is not translate:
            session = self.session
            words = MarketWords(
                self.observed_events(),
                session.game,
                session.participants.names,
                self.game_language(translate),
            )
            self._translated = translate, market_trades(session.playback, session.observer, words)
        return self._translated[1]

    _translated: tuple[Language, tuple[RecordedTrade, ...]] | None = None


class BookButtons:
    """Buttons to choose a book, where there are several.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        parts: The parts of the replay, which hold the choice.
        on_choice: Called after another book was chosen.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, parts: MarketReplayParts, on_choice: Callable[[], None]
    ) -> None:
        self._parts, self._on_choice = parts, on_choice
        self.frame = theme.frame(parent)
        names = parts.book_names(theme.translate)
        self._buttons: dict[int, ttk.Button] = {}
        if len(names) > 1:
            for number, name in enumerate(names):
                button = theme.button(
                    self.frame,
                    name,
                    "Small.Toggle.TButton",
                    lambda number=number: self._choose(number),  # type: ignore[misc]
                )
                button.pack(side=theme.start, padx=theme.padx(0, 4), pady=(0, theme.px(4)))
                self._buttons[number] = button

    def show(self) -> None:
        """Mark the chosen book."""
        for number, button in self._buttons.items():
            chosen = number == self._parts.book
            button.configure(style="Chosen.Small.Toggle.TButton" if chosen else "Small.Toggle.TButton")

    def _choose(self, number: int) -> None:
        self._parts.book = number
        self._on_choice()


class PricesTab:
    """Plot of the prices over the session, and the trades so far.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        parts: The parts of the replay.
        on: What is called when a trade or a time is picked.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, parts: MarketReplayParts, on: TabCallbacks) -> None:
        self._theme, self._parts = theme, parts
        self._at = (0, 0.0)
        self._drawn = (-1, -1)
        self.frame = theme.frame(parent)
        self._books = BookButtons(self.frame, theme, parts, lambda: self.show(*self._at))
        self._books.frame.pack(fill="x")
        self._plot = TimePlot(self.frame, theme, on, parts.prices)
        self._plot.frame.pack(fill="x")
        self.frame.bind("<Configure>", lambda event: self._plot.fit(event.height), add="+")
        self._rows = TradeRows(self.frame, theme, on.on_position)
        self._rows.frame.pack(fill="both", expand=True, pady=(theme.px(6), 0))

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus."""
        return self._plot.plot.widget

    def show(self, position: int, t: float) -> None:
        """Show the prices up to a position."""
        self._at = position, t
        trades = self._parts.trades(self._theme.translate)
        drawn = self._parts.book, len(up_to(trades, position))
        self._plot.show(position, t, redraw=drawn != self._drawn)
        self._drawn = drawn
        self._books.show()
        self._rows.show(trades, position)


class OrderBookTab:
    """The order book at the position of the replay; picking a price goes to its first order.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        parts: The parts of the replay.
        on_position: Called with the position of an order that was picked.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, parts: MarketReplayParts, on_position: Callable[[int], None]
    ) -> None:
        self._theme, self._parts, self._on_position = theme, parts, on_position
        self._position = 0
        self.frame = theme.frame(parent)
        self._panel = OrderBookPanel(self.frame, theme, on_pick=self._picked, on_book=self._choose)
        self._panel.frame.pack(fill="both", expand=True)
        self._write_soon = Throttle(self.frame, REDRAW_MS, self._write)
        self.frame.bind("<Destroy>", lambda _event: self._write_soon.cancel(), add="+")

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus."""
        return self._panel.canvas

    def show(self, position: int, t: float) -> None:  # noqa: ARG002 - the same for every section
        """Show the book at a position."""
        self._position = position
        self._write_soon()

    def _write(self) -> None:
        self._panel.show(self._parts.book_view(self._position, self._theme.translate))

    def _choose(self, number: int) -> None:
        self._parts.book = number
        self._write()

    def _picked(self, row: BookRow) -> None:
        position = self._parts.order_position(self._position, row)
        if position is not None:
            self._on_position(position)
