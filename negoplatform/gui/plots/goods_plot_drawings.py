"""Plots of a recorded session of goods and money: prices, and what accounts are worth, over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from negoplatform.app.playback.standings import StandingStep
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.plots.plot_drawing_builder import AxisScale, LegendEntry, PlotDrawingBuilder, PlotStyle
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.plots.axis_ticks import ticks, time_text, time_ticks
from negoplatform.presentation.plots.drawing import Axes, Drawing, Marker, Polyline, TextLabel
from negoplatform.presentation.plots.seat_styles import SeatStyle
from negoplatform.presentation.replay.goods_history import RecordedTrade, TradingPeriod
from negoplatform.presentation.time_and_points_text import format_number

BOUNDARY_DASH = (3.0, 3.0)

FEW = 60
"""Number of marks up to which they are large."""


def prices_plot(
    style: PlotStyle,
    trades: Sequence[RecordedTrade],
    periods: Sequence[TradingPeriod],
    amounts: Amounts,
    *,
    seconds: float,
    position: int,
) -> Drawing:
    """Return a plot of the prices of a book; its axes are those of the whole session at every position.

    Args:
        style: The style and size of the plot.
        trades: All trades of the book, oldest first.
        periods: The phases with trade, oldest first.
        amounts: The texts of prices.
        seconds: The session time of the last event.
        position: The position of the replay; later trades are pale.
    """
    c, translate = style.colours, style.translate
    figure = PlotDrawingBuilder(style, translate("Prices of the trades"))
    past, later = _mark(c.primary, c.primary), _mark(c.card, c.edge)
    figure.add_legend(
        [
            LegendEntry(translate("so far"), Polyline((), c.muted, 1.5), past),
            LegendEntry(translate("later"), marker=later),
        ]
    )
    axes = figure.draw_axes(_time_axis(style, seconds), _price_axis(style, trades, amounts))
    _add_periods(figure, axes, periods)
    shown = [trade for trade in trades if trade.position <= position]
    for period in periods:
        # Joined within a period: the market is another one in the next.
        within = [trade for trade in shown if period.start <= trade.t <= period.end]
        for before, after in pairwise(within):
            points = ((axes.x(before.t), axes.y(before.price)), (axes.x(after.t), axes.y(after.price)))
            figure.add_items(Polyline(points, c.muted, 1.5))
    radius = 4.0 if len(trades) <= FEW else 3.0
    for trade in trades:
        fill, edge = (c.primary, c.primary) if trade.position <= position else (c.card, c.edge)
        tip = translate("{time}  {what}", time=time_text(trade.t), what=trade.text)
        figure.add_items(
            Marker(
                axes.x(trade.t),
                axes.y(trade.price),
                "circle",
                radius,
                fill,
                edge,
                tooltip=tip,
                position=trade.position,
            )
        )
    return figure.drawing()


def standings_plot(
    style: PlotStyle,
    title: str,
    standings: Mapping[Seat, Sequence[StandingStep]],
    sides: Sequence[SeatStyle],
    *,
    seconds: float,
) -> Drawing:
    """Return a plot of what each seat's account is worth.

    Args:
        style: The style and size of the plot.
        title: The title.
        standings: The steps of each seat, oldest first.
        sides: The styles of the seats.
        seconds: The session time of the last event.
    """
    figure = PlotDrawingBuilder(style, title)
    shown = [side for side in sides if standings.get(side.seat)]
    figure.add_legend(
        LegendEntry(side.name, Polyline((), side.colour, 2), _mark(side.colour, side.colour, side))
        for side in shown
    )
    if not shown:
        figure.add_note(style.translate("This log does not say what the accounts are worth."))
    axes = figure.draw_axes(_time_axis(style, seconds), _points_axis(style, standings))
    for side in shown:
        steps = standings[side.seat]
        ends = [*(step.t for step in steps[1:]), seconds]
        for step, end in zip(steps, ends, strict=True):
            y = axes.y(float(step.points))
            figure.add_items(Polyline(((axes.x(step.t), y), (axes.x(end), y)), side.colour, 2))
        for before, after in pairwise(steps):
            x = axes.x(after.t)
            across = ((x, axes.y(float(before.points))), (x, axes.y(float(after.points))))
            figure.add_items(Polyline(across, side.colour, 1))
    for side in shown:
        _add_step_marks(figure, axes, side, standings[side.seat])
    return figure.drawing()


def _add_step_marks(
    figure: PlotDrawingBuilder, axes: Axes, side: SeatStyle, steps: Sequence[StandingStep]
) -> None:
    translate = figure.style.translate
    radius = 3.5 if len(steps) <= FEW else 2.5
    for step in steps:
        tip = translate(
            "{time}  {who}: {what}",
            time=time_text(step.t),
            who=side.name,
            what=format_number(step.points, translate),
        )
        x, y = axes.x(step.t), axes.y(float(step.points))
        figure.add_items(
            Marker(x, y, side.shape, radius, side.colour, side.colour, tooltip=tip, position=step.position)
        )


def _add_periods(figure: PlotDrawingBuilder, axes: Axes, periods: Sequence[TradingPeriod]) -> None:
    """Add a line at the start of each period but a first one at time 0, and the names where they fit."""
    c = figure.style.colours
    for number, period in enumerate(periods, start=1):
        for t in (period.start, period.end):
            if axes.horizontal[0] < t < axes.horizontal[1]:
                line = ((axes.x(t), axes.top), (axes.x(t), axes.bottom))
                figure.add_items(Polyline(line, c.edge, 1, BOUNDARY_DASH))
        if len(periods) > 1:
            middle = (axes.x(period.start) + axes.x(period.end)) / 2
            figure.add_items(TextLabel(middle, axes.top - 7, str(number), c.muted, 11, anchor="middle"))


def _mark(fill: str, edge: str, side: SeatStyle | None = None) -> Marker:
    return Marker(0, 0, "circle" if side is None else side.shape, 3.5, fill, edge)


def _time_axis(style: PlotStyle, seconds: float) -> AxisScale:
    end = max(1.0, seconds)
    at = time_ticks(end, max(2, round(style.width / 75)))
    return AxisScale((0.0, end), at, [time_text(t) for t in at], style.translate("Time"))


def _price_axis(style: PlotStyle, trades: Sequence[RecordedTrade], amounts: Amounts) -> AxisScale:
    prices = [trade.price for trade in trades]
    low, high = (min(prices), max(prices)) if prices else (0, 100)
    margin = max(1, round((high - low) * 0.12)) if high > low else max(1, round(abs(high) * 0.1))
    low, high = max(0, low - margin), high + margin
    at = ticks(low, high, 4 if style.height < 260 else 6)
    return AxisScale((low, high), at, [amounts.text(price) for price in at], "")


def _points_axis(style: PlotStyle, standings: Mapping[Seat, Sequence[StandingStep]]) -> AxisScale:
    values = [float(step.points) for steps in standings.values() for step in steps] or [0.0, 1.0]
    low, high = min(values), max(values)
    margin = (high - low) * 0.06 or max(1.0, abs(high) * 0.06)
    at = ticks(low - margin, high + margin, 4 if style.height < 260 else 6)
    return AxisScale(
        (low - margin, high + margin), at, [format_number(value, style.translate) for value in at], ""
    )
