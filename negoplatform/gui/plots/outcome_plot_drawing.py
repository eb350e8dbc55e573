"""Plot of every deal that a game allows, the best ones, and the path of the offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import hypot

from negoplatform.app.playback.offer_metrics import RecordedOffer, UtilityScale
from negoplatform.app.playback.outcome_space import OutcomePoints, OutcomeSpace
from negoplatform.gui.plots.plot_drawing_builder import AxisScale, LegendEntry, PlotDrawingBuilder, PlotStyle
from negoplatform.gui.plots.utility_plot_drawing import NO_DEAL_DASH
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.plots.axis_ticks import ticks
from negoplatform.presentation.plots.drawing import Drawing, DrawingItem, Marker, Point, Polyline, TextLabel
from negoplatform.presentation.plots.offer_description import offer_description
from negoplatform.presentation.plots.seat_styles import SeatStyle
from negoplatform.presentation.time_and_points_text import format_number

MAX_NUMBERED_OFFERS = 15
"""Number of offers of a side up to which each has a number; of more, only the first and the last have."""

MARKED_FRONTIER = 60
"""Number of points of a frontier up to which each has a mark; a longer frontier is only a line."""

RING = 8.0

Label = tuple[Point, str, str]
"""Point, text and colour of a label."""


def outcomes_plot(
    style: PlotStyle,
    space: OutcomeSpace,
    offers: Sequence[RecordedOffer],
    sides: Sequence[SeatStyle],
    pair: tuple[int, int] = (0, 1),
) -> Drawing:
    """Return a plot of every deal by two sides' points, the frontier, the solutions and the offers.

    Args:
        style: The style and size of the plot.
        space: The game's outcomes.
        offers: The session's offers.
        sides: The styles of the seats, in the game's order.
        pair: The indices of the seats on the horizontal and the vertical axis.
    """
    translate = style.translate
    shown = [offer for offer in offers if offer.proposal_points is not None]
    figure = PlotDrawingBuilder(style, translate("Possible deals and the offers made"))
    makers = [side for side in sides if any(offer.seat == side.seat for offer in shown)]
    figure.add_legend([*_offer_entries(style, makers), *space_entries(style, space)])
    _put_notes(figure, space, len(offers) - len(shown))
    point = draw_space(figure, space, (sides[pair[0]].name, sides[pair[1]].name), pair)
    labels: list[Label] = []
    for side in sides:
        own = [
            (offer, point(offer.proposal_points))
            for offer in shown
            if offer.seat == side.seat and offer.proposal_points
        ]
        labels += _put_offers(figure, side, own, sides)
    for at, text, colour in [*draw_solutions(figure, space, point), *labels]:
        figure.add_label(at, text, colour, off=RING + 4)
    return figure.drawing()


def draw_space(
    figure: PlotDrawingBuilder, space: OutcomeSpace, names: tuple[str, str], pair: tuple[int, int] = (0, 1)
) -> Callable[[OutcomePoints], Point]:
    """Draw axes, no deal, outcomes and frontier; return the function from points to positions.

    Args:
        figure: The plot, after its legend and notes.
        space: The game's outcomes.
        names: The names of the sides on the two axes.
        pair: The indices of their seats.
    """
    style, translate = figure.style, figure.style.translate
    scales = space.scales[pair[0]], space.scales[pair[1]]
    titles = [translate("Points of {name}", name=name) for name in names]
    axes = figure.draw_axes(
        _points_scaling(scales[0], titles[0], style.width / 60, translate),
        _points_scaling(scales[1], titles[1], style.height / 45, translate),
    )

    def point(place: OutcomePoints) -> Point:
        return axes.x(place[pair[0]]), axes.y(place[pair[1]])

    _put_no_deal(figure, *scales)
    _put_dots(figure, list(dict.fromkeys(map(point, space.dots))))
    frontier = [point(place) for place in space.frontier]
    _put_frontier(figure, frontier, _frontier_colour(style.colours, space), joined=len(space.scales) == 2)
    return point


def offer_ring(
    drawing: Drawing, position: OutcomePoints | None, colour: str, pair: tuple[int, int] = (0, 1)
) -> tuple[DrawingItem, ...]:
    """Return a ring around an offer, separate from the drawing; nothing if the offer has no position."""
    if position is None:
        return ()
    axes = drawing.axes
    return (
        Marker(
            axes.x(position[pair[0]]), axes.y(position[pair[1]]), "circle", RING + 4, edge=colour, width=2.5
        ),
    )


def _offer_entries(style: PlotStyle, sides: Sequence[SeatStyle]) -> Iterator[LegendEntry]:
    """Yield the legend of the sides that made offers."""
    for side in sides:
        mark = Marker(0, 0, side.shape, 5, style.colours.card, side.colour, 1.5)
        words = style.translate("{name}’s offers", name=side.name)
        yield LegendEntry(words, Polyline((), side.colour, 1.2), mark)


def space_entries(style: PlotStyle, space: OutcomeSpace) -> Iterator[LegendEntry]:
    """Yield the legend of a game's outcomes: everything that has no label in the plot."""
    translate, colours = style.translate, style.colours
    yield LegendEntry(translate("possible deal"), marker=Marker(0, 0, "circle", 3, colours.edge))
    if space.frontier:
        colour, joined = _frontier_colour(colours, space), len(space.scales) == 2
        line = Polyline((), colour, 2) if joined else None
        dot = None if joined else Marker(0, 0, "circle", 3, colour)
        yield LegendEntry(translate("Pareto frontier"), line, dot)
    yield LegendEntry(translate("no deal"), Polyline((), colours.muted, 1.5, NO_DEAL_DASH))


def _put_notes(figure: PlotDrawingBuilder, space: OutcomeSpace, left_out: int) -> None:
    translate = figure.style.translate
    if space.sample_size < space.total:
        drawn, total = f"{space.sample_size:,}", f"{space.total:,}"
        figure.add_note(
            translate("{n} of {total} possible deals are shown, chosen at random.", n=drawn, total=total)
        )
    if left_out:
        figure.add_note(
            translate.plural(
                "{n} incomplete offer isn’t shown here.",
                "{n} incomplete offers aren’t shown here.",
                left_out,
            )
        )
    if space.frontier_error:
        figure.add_note(space.frontier_error)


def _points_scaling(scale: UtilityScale, title: str, most: float, translate: Language) -> AxisScale:
    low, high = float(scale.low), float(scale.high)
    reach = high - low or 1.0
    # A no-deal value outside all outcomes is shown if it is near them, and omitted if it is not.
    if low - reach / 2 <= scale.reservation <= high + reach / 2:
        low, high = min(low, scale.reservation), max(high, scale.reservation)
    pad = 0.05 * (high - low or 1.0)
    at = ticks(low - pad, high + pad, max(3, round(most)))
    return AxisScale((low - pad, high + pad), at, [format_number(value, translate) for value in at], title)


def _put_no_deal(figure: PlotDrawingBuilder, x_scale: UtilityScale, y_scale: UtilityScale) -> None:
    axes, colour = figure.axes, figure.style.colours.muted
    if axes.horizontal[0] <= x_scale.reservation <= axes.horizontal[1]:
        x = axes.x(x_scale.reservation)
        figure.add_items(Polyline(((x, axes.top), (x, axes.bottom)), colour, 1.5, NO_DEAL_DASH))
    if axes.vertical[0] <= y_scale.reservation <= axes.vertical[1]:
        y = axes.y(y_scale.reservation)
        figure.add_items(Polyline(((axes.left, y), (axes.right, y)), colour, 1.5, NO_DEAL_DASH))


def _put_dots(figure: PlotDrawingBuilder, points: Sequence[Point]) -> None:
    radius = 3.0 if len(points) <= 300 else 2.0 if len(points) <= 1500 else 1.5
    for x, y in points:
        figure.add_items(Marker(x, y, "circle", radius, figure.style.colours.edge))
        if len(points) <= 300:
            figure.reserve(x, y, radius)


def _frontier_colour(colours: Palette, space: OutcomeSpace) -> str:
    # With more than two seats, the usual colour is that of the third one.
    return colours.accept if len(space.scales) == 2 else colours.ink


def _put_frontier(figure: PlotDrawingBuilder, points: Sequence[Point], colour: str, *, joined: bool) -> None:
    kept = _thin_out(points)
    if joined and len(kept) > 1:
        figure.add_items(Polyline(tuple(kept), colour, 2))
        for (x, y), (x_end, y_end) in pairwise(kept):
            pieces = max(1, round(hypot(x_end - x, y_end - y) / 8))
            for i in range(pieces + 1):
                figure.reserve(x + (x_end - x) * i / pieces, y + (y_end - y) * i / pieces, 3)
    if len(kept) <= MARKED_FRONTIER or not joined:
        figure.add_items(*(Marker(x, y, "circle", 3, colour) for x, y in kept))


def _thin_out(points: Sequence[Point]) -> list[Point]:
    """Return the points without those less than a pixel from their predecessor."""
    kept: list[Point] = []
    for x, y in points:
        if not kept or hypot(x - kept[-1][0], y - kept[-1][1]) >= 1:
            kept.append((x, y))
    return kept


def _put_offers(
    figure: PlotDrawingBuilder,
    side: SeatStyle,
    offers: Sequence[tuple[RecordedOffer, Point]],
    sides: Sequence[SeatStyle],
) -> list[Label]:
    """Draw the path of one side's offers, a line and marks with numbers; return the labels to add."""
    card, translate = figure.style.colours.card, figure.style.translate
    numbered = len(offers) <= MAX_NUMBERED_OFFERS
    radius = RING if numbered else 3.5
    labels: list[Label] = []
    if len(offers) > 1:
        figure.add_items(Polyline(tuple(point for _, point in offers), side.colour, 1.2 if numbered else 0.8))
    for i, (offer, (x, y)) in enumerate(offers):
        fill = side.colour if offer.deal or not numbered else card
        tip = offer_description(offer, sides, translate)
        figure.add_items(Marker(x, y, side.shape, radius, fill, side.colour, 1.5, tip, offer.position))
        figure.reserve(x, y, radius + 1)
        covered = any(hypot(x - a, y - b) < radius * 1.6 for _, (a, b) in offers[i + 1 :])
        if numbered and not covered:
            ink = card if offer.deal else side.text_colour
            figure.add_items(TextLabel(x, y, str(offer.number), ink, 10, bold=True, anchor="middle"))
        elif not numbered and i in (0, len(offers) - 1):
            labels.append(((x, y), str(offer.number), side.text_colour))
        if offer.deal:
            labels.append(((x, y), translate("deal"), side.text_colour))
    return labels


def draw_solutions(
    figure: PlotDrawingBuilder, space: OutcomeSpace, point: Callable[[OutcomePoints], Point]
) -> list[Label]:
    """Draw the solutions, each with its shape, and return their labels."""
    colours, translate = figure.style.colours, figure.style.translate
    nash, kalai = translate("Nash"), translate("Kalai–Smorodinsky")
    for place in space.nash:
        x, y = point(place)
        figure.add_items(Marker(x, y, "diamond", 6, colours.accept, colours.ink, 1.5, nash))
        figure.reserve(x, y, 8)
    for place in space.kalai_smorodinsky:
        x, y = point(place)
        # Smaller, so that a diamond below it stays visible.
        figure.add_items(Marker(x, y, "triangle", 4, colours.card, colours.ink, 1.5, kalai))
        figure.reserve(x, y, 6)
    if space.nash and space.nash[0] in space.kalai_smorodinsky:
        return [(point(space.nash[0]), f"{nash}, {kalai}", colours.ink)]
    named = ((space.nash[:1], nash), (space.kalai_smorodinsky[:1], kalai))
    return [(point(place), name, colours.ink) for places, name in named for place in places]
