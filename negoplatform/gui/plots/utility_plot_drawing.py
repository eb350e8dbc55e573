"""Plot of the offers' utilities over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from negoplatform.app.playback.offer_metrics import RecordedOffer, UtilityScale, utility_steps
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.plots.plot_drawing_builder import AxisScale, LegendEntry, PlotDrawingBuilder, PlotStyle
from negoplatform.presentation.plots.axis_ticks import ticks, time_text, time_ticks
from negoplatform.presentation.plots.drawing import Axes, Drawing, DrawingItem, Marker, Polyline
from negoplatform.presentation.plots.offer_description import offer_description
from negoplatform.presentation.plots.seat_styles import SeatStyle
from negoplatform.presentation.time_and_points_text import format_number

NO_DEAL_DASH = (5.0, 4.0)

MANY = 4
"""Number of sides from which each has a row of its own, because that many lines would cover each other."""

ROW_GAP = 10.0
"""Space between two rows, in pixels at 96 dpi."""


def utilities_plot(
    style: PlotStyle,
    offers: Sequence[RecordedOffer],
    scales: Iterable[UtilityScale],
    sides: Sequence[SeatStyle],
    *,
    seconds: float,
    ended_at: float | None = None,
) -> Drawing:
    """Return a plot of each side's utility of the offer on the table, 0 its worst outcome and 1 its best.

    Args:
        style: The style and size of the plot.
        offers: The offers, as far as the observer may know them.
        scales: The range of points of each seat whose preferences the observer may see.
        sides: The styles of the seats.
        seconds: The session time of the last event.
        ended_at: The session time (s) at which the game ended; None if it has not.
    """
    translate = style.translate
    known = {scale.seat: scale for scale in scales}
    shown = [side for side in sides if side.seat in known]
    no_deal = {side.seat: known[side.seat].share(known[side.seat].reservation) for side in shown}
    figure = PlotDrawingBuilder(style, translate("What the offers were worth"))
    figure.add_legend(
        [
            *(
                LegendEntry(
                    translate("to {name}", name=side.name), Polyline((), side.colour, 2), _marker(side)
                )
                for side in shown
            ),
            LegendEntry(translate("no deal"), Polyline((), style.colours.muted, 1.5, NO_DEAL_DASH)),
        ]
    )
    figure.add_note(translate("Filled mark: this side made the offer."))
    many = len(shown) >= MANY
    unscaled = AxisScale((0.0, 1.0), (), (), _share_title(style))
    up = unscaled if many else _share_scaling(style, no_deal.values())
    axes = figure.draw_axes(_time_scaling(style, seconds), up)
    places = _rows(figure, shown) if many else {side.seat: axes for side in shown}
    for side in shown:
        place, share = places[side.seat], no_deal[side.seat]
        if place.vertical[0] <= share <= place.vertical[1]:
            points = ((place.left, place.y(share)), (place.right, place.y(share)))
            figure.add_items(Polyline(points, side.colour, 1.5, NO_DEAL_DASH))
    if ended_at is not None:
        _add_end_line(figure, axes.x(ended_at), deal=any(offer.deal for offer in offers))
    for side in shown:
        figure.add_items(*_steps(side, offers, places[side.seat], ended_at))
    _add_markers(figure, offers, places, shown, sides)
    return figure.drawing()


def time_cursor(drawing: Drawing, t: float, colour: str) -> tuple[DrawingItem, ...]:
    """Return a line at a session time, separate from the drawing, so that it can move alone."""
    axes = drawing.axes
    x = axes.x(min(axes.horizontal[1], max(axes.horizontal[0], t)))
    return (
        Polyline(((x, axes.top), (x, axes.bottom)), colour, 2),
        Marker(x, axes.top, "diamond", 4, fill=colour),
    )


def _steps(
    side: SeatStyle, offers: Sequence[RecordedOffer], axes: Axes, ended_at: float | None
) -> Iterator[Polyline]:
    """Yield the line of one side: each value lasts until the next offer, the last one until the end."""
    end = axes.right if ended_at is None else axes.x(ended_at)
    points = [(axes.x(t), axes.y(share)) for t, share in utility_steps(offers, side.seat)]
    for (x, y), (x_next, y_next) in pairwise([*points, *((end, y) for _, y in points[-1:])]):
        yield Polyline(((x, y), (x_next, y)), side.colour, 2)
        if y_next != y:
            # Thin, because both sides' lines change at the same times.
            yield Polyline(((x_next, y), (x_next, y_next)), side.colour, 1)


def _add_end_line(figure: PlotDrawingBuilder, x: float, *, deal: bool) -> None:
    axes, colours, translate = figure.axes, figure.style.colours, figure.style.translate
    figure.add_items(Polyline(((x, axes.top), (x, axes.bottom)), colours.edge, 1, (2, 3)))
    figure.add_label((x, axes.top + 6), translate("deal") if deal else translate("end"), colours.ink, off=6)


def _add_markers(
    figure: PlotDrawingBuilder,
    offers: Sequence[RecordedOffer],
    places: Mapping[Seat, Axes],
    shown: Sequence[SeatStyle],
    sides: Sequence[SeatStyle],
) -> None:
    """Add a mark for every offer on every side's line, with the whole offer as its tooltip."""
    style = figure.style
    radius = 4.5 if len(offers) <= 40 else 3.0 if len(offers) <= 150 else 2.0
    radius = min(radius, 3.0) if len(shown) >= MANY else radius
    for offer in offers:
        tip = offer_description(offer, sides, style.translate)
        for side in shown:
            mark = _marker(side, side.colour if side.seat == offer.seat else style.colours.card, radius)
            x, y = places[side.seat].x(offer.t), places[side.seat].y(offer.shares[side.seat])
            figure.add_items(replace(mark, x=x, y=y, tooltip=tip, position=offer.position))


def _rows(figure: PlotDrawingBuilder, shown: Sequence[SeatStyle]) -> dict[Seat, Axes]:
    """Divide the plot area into a row for each side; draw the lines of its worst and best outcome."""
    axes, colours = figure.axes, figure.style.colours
    height = (axes.bottom - axes.top) / len(shown)
    gap = min(ROW_GAP, height / 4)
    places = {}
    for index, side in enumerate(shown):
        top = axes.top + index * height
        place = replace(axes, top=top + gap / 2, bottom=top + height - gap / 2)
        places[side.seat] = place
        for share in (0.0, 1.0):
            y = place.y(share)
            figure.add_items(Polyline(((axes.left, y), (axes.right, y)), colours.track, 1))
        mark = replace(_marker(side, radius=3.5), x=axes.left - 9, y=(place.top + place.bottom) / 2)
        figure.add_items(mark)
    return places


def _marker(side: SeatStyle, fill: str = "", radius: float = 4.0) -> Marker:
    return Marker(0, 0, side.shape, radius, fill or side.colour, side.colour, 1.5)


def _time_scaling(style: PlotStyle, seconds: float) -> AxisScale:
    end = max(1.0, seconds)
    at = time_ticks(end, max(2, round(style.width / 75)))
    title = style.translate("Time")
    return AxisScale((0.0, end), at, [time_text(t) for t in at], title)


def _share_scaling(style: PlotStyle, no_deal: Iterable[float]) -> AxisScale:
    # A no-deal value outside all outcomes is shown if it is near them, and omitted if it is not.
    near = [share for share in no_deal if -0.5 <= share <= 1.5]
    low, high = min([0.0, *near]), max([1.0, *near])
    pad = 0.04 * (high - low)
    at = ticks(low, high, 7)
    return AxisScale(
        (low - pad, high + pad),
        at,
        [format_number(value, style.translate) for value in at],
        _share_title(style),
    )


def _share_title(style: PlotStyle) -> str:
    return style.translate("Utility: 0 worst, 1 best")
