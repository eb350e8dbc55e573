"""Sections of the replay that games of goods and money share: a plot with rows, and the accounts."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence

from negoplatform.gui.market.row_canvas import CanvasRow, RowCanvas, RowCell, RowColumn
from negoplatform.gui.plots.plot_canvas import PlotCanvas
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.plots.utility_plot_drawing import time_cursor
from negoplatform.gui.replay.recorded_session import RecordedSession
from negoplatform.gui.replay.replay_parts import TabCallbacks
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.timers import Throttle
from negoplatform.presentation.plots.axis_ticks import time_text
from negoplatform.presentation.plots.drawing import Drawing
from negoplatform.presentation.replay.goods_accounts import SeatAccountView
from negoplatform.presentation.replay.goods_history import RecordedTrade, up_to

REDRAW_MS = 100
"""Least time between two drawings of a plot, or of rows, in milliseconds."""

PLOT_HEIGHT, LOWEST_PLOT = 230, 165
"""Height of a plot, for 96 dpi: usual, and least in a section that is low."""

PLOT_SHARE = 0.6
"""Largest share of a section's height that its plot takes, as long as it is high enough."""

LEAST_WIDTH = 180

MOST_ROWS = 200
"""Largest number of rows that are listed; the newest are kept."""

ACCOUNTS_WIDTH = 350

TRADE_COLUMNS = (RowColumn(44), RowColumn(66), RowColumn())
"""Time, price, and who has traded what."""


class TimePlot:
    """Plot over session time as wide as its place, with a line at the position of the replay.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        on: What is called when a mark or a time is picked.
        draw: Returns the plot for a style and a position.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        on: TabCallbacks,
        draw: Callable[[PlotStyle, int], Drawing],
    ) -> None:
        self._theme, self._draw = theme, draw
        self._at = (0, 0.0)
        self._width = 0
        self._drawing: Drawing | None = None
        self.frame = theme.frame(parent)
        self._height: float = PLOT_HEIGHT
        self.frame.configure(height=theme.px(PLOT_HEIGHT))
        self.frame.pack_propagate(False)
        self.plot = PlotCanvas(self.frame, theme, on_pick=on.on_position, on_click_at=on.on_time)
        self.plot.widget.pack(fill="both", expand=True)
        self._redraw_soon = Throttle(self.frame, REDRAW_MS, self.redraw)
        self.frame.bind("<Configure>", lambda event: self._resized(event.width))
        self.frame.bind("<Destroy>", lambda _event: self._redraw_soon.cancel(), add="+")

    def show(self, position: int, t: float, *, redraw: bool) -> None:
        """Move the line to a position; with ``redraw``, the plot itself has changed too."""
        self._at = position, t
        if redraw and self._drawing is not None:
            self._redraw_soon()
        self._move_line()

    def fit(self, height: int) -> None:
        """Leave room for the rows below in a section of a height in pixels."""
        share = PLOT_SHARE * height / self._theme.scale
        own = round(min(PLOT_HEIGHT, max(LOWEST_PLOT, share)))
        if own != self._height:
            self._height = own
            self.frame.configure(height=self._theme.px(own))
            self._redraw_soon()

    def redraw(self) -> None:
        """Draw the plot for the available size."""
        if self._width < self._theme.px(LEAST_WIDTH) or not self.frame.winfo_exists():
            return
        edge = 2 * int(self.plot.widget.cget("highlightthickness"))
        style = PlotStyle(
            self._theme.colours,
            self._theme.translate,
            (self._width - edge) / self._theme.scale,
            self._height - edge / self._theme.scale,
        )
        self._drawing = self._draw(style, self._at[0])
        self.plot.show(self._drawing)
        self._move_line()

    def _move_line(self) -> None:
        if self._drawing is not None:
            self.plot.show_overlay(time_cursor(self._drawing, self._at[1], self._theme.colours.ink))

    def _resized(self, width: int) -> None:
        if width != self._width:
            self._width = width
            self._redraw_soon()


class TradeRows:
    """List of the trades so far, the newest first; picking one goes to it.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        on_position: Called with the position of a trade that was picked.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, on_position: Callable[[int], None]) -> None:
        self._theme, self._on_position = theme, on_position
        self._shown: tuple[RecordedTrade, ...] | None = None
        self.frame = theme.frame(parent)
        self._canvas = RowCanvas(self.frame, theme, TRADE_COLUMNS, on_pick=self._picked, row_height=20)
        self._canvas.widget.pack(fill="both", expand=True)

    @property
    def canvas(self) -> tk.Canvas:
        """Widget with the rows."""
        return self._canvas.widget

    def show(self, trades: Sequence[RecordedTrade], position: int) -> None:
        """Show the trades up to a position."""
        rows = tuple(reversed(up_to(trades, position)[-MOST_ROWS:]))
        if rows == self._shown:
            return
        self._shown = rows
        if not rows:
            nothing = RowCell(self._theme.translate("No trades yet"), self._theme.colours.muted)
            self._canvas.show([CanvasRow((RowCell(""), RowCell(""), nothing))])
            return
        self._canvas.show([self._row(trade) for trade in rows])

    def _row(self, trade: RecordedTrade) -> CanvasRow:
        time = RowCell(time_text(trade.t), self._theme.colours.muted)
        return CanvasRow((time, RowCell(trade.price_text, "", "small_bold"), RowCell(trade.who)))

    def _picked(self, index: int) -> None:
        if self._shown:
            self._on_position(self._shown[index].position)


class AccountsList:
    """Every account at the position of the replay.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        session: The session.
        accounts: Returns the accounts at a position and a session time (s).
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        session: RecordedSession,
        accounts: Callable[[int, float], Sequence[SeatAccountView]],
    ) -> None:
        self._theme, self._accounts = theme, accounts
        self._at = (0, 0.0)
        self._rows: dict[str, tuple[BidiLabel, BidiLabel]] = {}
        self._written: dict[str, SeatAccountView] = {}
        self._list = ScrolledFrame(parent, theme, width=ACCOUNTS_WIDTH, height=2000)
        self.frame = self._list.frame
        self._colours = {side.seat: side.text_colour for side in session.seat_styles(theme.colours)}
        self._write_soon = Throttle(self.frame, REDRAW_MS, self._write)
        self.frame.bind("<Destroy>", lambda _event: self._write_soon.cancel(), add="+")

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus."""
        return self._list.canvas

    def show(self, position: int, t: float) -> None:
        """Show the accounts at a position."""
        self._at = position, t
        self._write_soon()

    def _write(self) -> None:
        for account in self._accounts(*self._at):
            if self._written.get(account.seat) == account:
                continue
            self._written[account.seat] = account
            if account.seat not in self._rows:
                self._rows[account.seat] = self._make_row(account)
                self._list.bind_scrolling(self._list.inside)
            worth, lines = self._rows[account.seat]
            worth.write(account.worth)
            lines.write("\n".join(account.lines))

    def _make_row(self, account: SeatAccountView) -> tuple[BidiLabel, BidiLabel]:
        theme = self._theme
        head = theme.frame(self._list.inside)
        head.pack(fill="x", pady=(theme.px(6), 0))
        colour = self._colours.get(account.seat, theme.colours.ink)
        theme.label(head, account.name, "small_bold", colour).pack(side=theme.start)
        worth = theme.label(head, "", "small_bold")
        worth.pack(side=theme.end, padx=theme.px(6))
        lines = theme.label(self._list.inside, "", "small", theme.colours.muted, wrap=ACCOUNTS_WIDTH - 14)
        lines.pack(anchor=theme.west)
        return worth, lines


class AccountsTab:
    """Plot of what the accounts are worth, and every account at the position of the replay.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        session: The session.
        on: What is called when a mark or a time is picked.
        draw: Returns the plot for a style and a position.
        accounts: Returns the accounts at a position and a session time (s).
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        session: RecordedSession,
        on: TabCallbacks,
        *,
        draw: Callable[[PlotStyle, int], Drawing],
        accounts: Callable[[int, float], Sequence[SeatAccountView]],
    ) -> None:
        self.frame = theme.frame(parent)
        self._plot = TimePlot(self.frame, theme, on, draw)
        self._plot.frame.pack(fill="x")
        self.frame.bind("<Configure>", lambda event: self._plot.fit(event.height), add="+")
        self._list = AccountsList(self.frame, theme, session, accounts)
        self._list.frame.pack(fill="both", expand=True, padx=(theme.px(6), 0))

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus."""
        return self._plot.plot.widget

    def show(self, position: int, t: float) -> None:
        """Show the accounts at a position."""
        self._plot.show(position, t, redraw=False)
        self._list.show(position, t)
