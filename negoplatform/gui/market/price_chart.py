"""Chart of the trades of a book over time, with what the next unit is worth to the participant."""

from __future__ import annotations

import tkinter as tk

from negoplatform.gui.plots.plot_canvas import PlotCanvas
from negoplatform.gui.plots.plot_drawing_builder import AxisScale, LegendEntry, PlotDrawingBuilder, PlotStyle
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Throttle
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.trades_view import PriceChartView
from negoplatform.presentation.plots.axis_ticks import ticks, time_text, time_ticks
from negoplatform.presentation.plots.drawing import Drawing, Marker, Polyline

REDRAW_MS = 300
"""Least time between two drawings, in milliseconds: a busy market has many trades a second."""

LEAST = (180, 110)
"""Least width and height of a chart, for 96 dpi."""


class PriceChart:
    """The chart, drawn again at most a few times a second.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        height: Its height, for 96 dpi.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, height: int) -> None:
        self._theme, self._height, self._width = theme, height, 0
        self._shown: tuple[PriceChartView, int] | None = None
        self._view: PriceChartView | None = None
        self._amounts: Amounts | None = None
        self.frame = theme.frame(parent)
        self.frame.configure(height=theme.px(height))
        self.frame.pack_propagate(False)
        self._plot = PlotCanvas(self.frame, theme)
        self._plot.widget.pack(fill="both", expand=True)
        self._redraw_soon = Throttle(self.frame, REDRAW_MS, self._redraw)
        self.frame.bind("<Configure>", lambda event: self._resized(event.width))

    def show(self, view: PriceChartView, amounts: Amounts) -> None:
        """Show trades; ``amounts``: the texts of prices."""
        self._amounts = amounts
        if view != self._view:
            self._view = view
            self._redraw_soon()

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the chart by its name."""
        return {"chart": self._plot.widget}

    def _resized(self, width: int) -> None:
        across = round(width / self._theme.scale)
        if across != self._width:
            self._width = across
            self._redraw_soon()

    def _redraw(self) -> None:
        if self._view is None or self._amounts is None or self._width < LEAST[0]:
            return
        if not self.frame.winfo_exists() or self._shown == (self._view, self._width):
            return
        self._shown = self._view, self._width
        style = PlotStyle(self._theme.colours, self._theme.translate, self._width - 4, self._height - 4)
        self._plot.show(price_chart_drawing(self._view, self._amounts, style))


def price_chart_drawing(view: PriceChartView, amounts: Amounts, style: PlotStyle) -> Drawing:
    """Return the chart of trades: a line through the prices, own trades as filled marks."""
    c, translate = style.colours, style.translate
    builder = PlotDrawingBuilder(style, translate("Prices of the trades"))
    line = Polyline(((0, 0), (1, 0)), c.muted, 1.5)
    entries = [LegendEntry(translate("Trades"), line, Marker(0, 0, radius=3, fill=c.card, edge=c.muted))]
    entries.append(LegendEntry(translate("Yours"), marker=Marker(0, 0, "square", 4, c.mine)))
    dashed = Polyline(((0, 0), (1, 0)), c.primary, 1.5, (4, 3))
    if view.next_worth is not None:
        entries.append(
            LegendEntry(translate("next unit: {worth}", worth=amounts.text(view.next_worth)), dashed)
        )
    builder.add_legend(entries)
    axes = builder.draw_axes(_time_axis(view, translate), _price_axis(view, amounts, style))
    starts = _starts(view)
    for number, start in starts.items():
        if number > 1:
            x = axes.x(start)
            builder.add_items(Polyline(((x, axes.top), (x, axes.bottom)), c.line, 1))
    if view.next_worth is not None:
        y = axes.y(view.next_worth)
        builder.add_items(Polyline(((axes.left, y), (axes.right, y)), c.primary, 1.5, (4, 3)))
    for number in starts:
        points = [(axes.x(starts[number] + p.t), axes.y(p.price)) for p in view.points if p.period == number]
        if len(points) > 1:
            builder.add_items(Polyline(tuple(points), c.muted, 1.5))
    for point in view.points:
        x, y = axes.x(starts.get(point.period, 0.0) + point.t), axes.y(point.price)
        if point.own:
            builder.add_items(Marker(x, y, "square", 4, c.mine, tooltip=point.text))
        else:
            builder.add_items(Marker(x, y, radius=3, fill=c.card, edge=c.muted, tooltip=point.text))
    return builder.drawing()


def _starts(view: PriceChartView) -> dict[int, float]:
    """Return where each period begins on the time axis, in seconds of trading."""
    starts, total = {}, 0.0
    for number, seconds in view.periods:
        starts[number] = total
        total += seconds
    return starts


def _time_axis(view: PriceChartView, translate: Language) -> AxisScale:
    total = sum(seconds for _, seconds in view.periods) or 1.0
    if len(view.periods) > 1:
        starts = _starts(view)
        middles = [starts[number] + seconds / 2 for number, seconds in view.periods]
        labels = [translate("Period {n}", n=number) for number, _ in view.periods]
        return AxisScale((0, total), middles, labels, "")
    times = time_ticks(total, 6)
    return AxisScale((0, total), times, [time_text(t) for t in times], "")


def _price_axis(view: PriceChartView, amounts: Amounts, style: PlotStyle) -> AxisScale:
    """Return an axis that holds the trades, the best orders and the worth of the next unit."""
    wanted = [point.price for point in view.points]
    wanted += [price for price in (view.next_worth, view.best_bid, view.best_ask) if price is not None]
    low, high = (min(wanted), max(wanted)) if wanted else (0, 100)
    margin = max(1, round((high - low) * 0.12)) if high > low else max(1, round(abs(high) * 0.1))
    low, high = max(0, low - margin), high + margin
    found = ticks(low, high, 4 if style.height < 220 else 6)
    # No trade has a price between two steps.
    steps = [value for value in found if value % view.tick == 0] or found
    return AxisScale((low, high), steps, [amounts.text(step) for step in steps], "")
