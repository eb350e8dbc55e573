"""A plot of every deal that a game allows, with the best ones and the way that the offers took."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import hypot

from negoplatform.app.playback.offer_metrics import RecordedOffer, UtilityScale
from negoplatform.app.playback.outcome_space import OutcomePoints, OutcomeSpace
from negoplatform.gui.plots.figure import AxisScale, FigureBuilder, LegendEntry, PlotStyle
from negoplatform.gui.plots.utility_plot import NO_DEAL_DASH
from negoplatform.presentation.formatting import format_number
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.plots.axis_ticks import ticks
from negoplatform.presentation.plots.drawing import Drawing, DrawingItem, Marker, Point, Polyline, TextLabel
from negoplatform.presentation.plots.labels import SeatStyle, offer_description

MAX_NUMBERED_OFFERS = 15
"""Offers of a side that have a number each; of more, the first and the last have."""

MARKED_FRONTIER = 60
"""Points of a frontier that have a mark each; longer ones are lines alone."""

RING = 8.0

Label = tuple[Point, str, str]
"""Words beside a spot, and their colour."""


def outcomes_plot(
    style: PlotStyle,
    space: OutcomeSpace,
    offers: Sequence[RecordedOffer],
    sides: Sequence[SeatStyle],
    pair: tuple[int, int] = (0, 1),
) -> Drawing:
    """Every deal by what it is worth to two sides, the frontier, the named points and each side's offers.

    Args:
        style: What it is drawn with and on.
        space: The game's outcomes.
        offers: The session's offers.
        sides: How the seats look, in the game's order.
        pair: The seats whose points go from left to right and from bottom to top, by number.
    """
    translate = style.translate
    shown = [offer for offer in offers if offer.proposal_points is not None]
    sheet = FigureBuilder(style, translate("Possible deals and the offers made"))
    sheet.add_legend(_entries(style, space, [s for s in sides if any(o.seat == s.seat for o in shown)]))
    _put_notes(sheet, space, len(offers) - len(shown))
    x_scale, y_scale = space.scales[pair[0]], space.scales[pair[1]]
    x_side, y_side = sides[pair[0]], sides[pair[1]]
    axes = sheet.draw_axes(
        _points_scaling(
            x_scale, translate("Points of {name}", name=x_side.name), style.width / 60, translate
        ),
        _points_scaling(
            y_scale, translate("Points of {name}", name=y_side.name), style.height / 45, translate
        ),
    )

    def spot(place: OutcomePoints) -> Point:
        return axes.x(place[pair[0]]), axes.y(place[pair[1]])

    _put_no_deal(sheet, x_scale, y_scale)
    _put_dots(sheet, list(dict.fromkeys(map(spot, space.dots))))
    _put_frontier(sheet, [spot(place) for place in space.frontier], joined=len(space.scales) == 2)
    labels: list[Label] = []
    for side in sides:
        own = [
            (offer, spot(offer.proposal_points))
            for offer in shown
            if offer.seat == side.seat and offer.proposal_points
        ]
        labels += _put_offers(sheet, side, own, sides)
    for at, text, colour in [*_put_named(sheet, space, spot), *labels]:
        sheet.add_label(at, text, colour, off=RING + 4)
    return sheet.drawing()


def offer_ring(
    drawing: Drawing, position: OutcomePoints | None, colour: str, pair: tuple[int, int] = (0, 1)
) -> tuple[DrawingItem, ...]:
    """A ring around where an offer lies, which is not part of the drawing; nothing without a place."""
    if position is None:
        return ()
    axes = drawing.axes
    return (
        Marker(
            axes.x(position[pair[0]]), axes.y(position[pair[1]]), "circle", RING + 4, edge=colour, width=2.5
        ),
    )


def _entries(style: PlotStyle, space: OutcomeSpace, sides: Sequence[SeatStyle]) -> Iterator[LegendEntry]:
    """The legend: the sides that made offers, and what else is shown without its name."""
    translate, colours = style.translate, style.colours
    for side in sides:
        mark = Marker(0, 0, side.shape, 5, colours.card, side.colour, 1.5)
        yield LegendEntry(translate("{name}’s offers", name=side.name), Polyline((), side.colour, 1.2), mark)
    yield LegendEntry(translate("possible deal"), marker=Marker(0, 0, "circle", 3, colours.edge))
    if space.frontier:
        yield LegendEntry(translate("Pareto frontier"), Polyline((), colours.accept, 2))
    yield LegendEntry(translate("no deal"), Polyline((), colours.muted, 1.5, NO_DEAL_DASH))


def _put_notes(sheet: FigureBuilder, space: OutcomeSpace, left_out: int) -> None:
    translate = sheet.style.translate
    if space.sample_size < space.total:
        drawn, total = f"{space.sample_size:,}", f"{space.total:,}"
        sheet.add_note(
            translate("{n} of {total} possible deals are shown, chosen at random.", n=drawn, total=total)
        )
    if left_out:
        sheet.add_note(
            translate.plural(
                "{n} incomplete offer isn’t shown here.",
                "{n} incomplete offers aren’t shown here.",
                left_out,
            )
        )
    if space.frontier_error:
        sheet.add_note(space.frontier_error)


def _points_scaling(scale: UtilityScale, title: str, most: float, translate: Language) -> AxisScale:
    low, high = float(scale.low), float(scale.high)
    reach = high - low or 1.0
    # A worth of no deal beyond every outcome is shown where it is near, and left out where it is not.
    if low - reach / 2 <= scale.reservation <= high + reach / 2:
        low, high = min(low, scale.reservation), max(high, scale.reservation)
    pad = 0.05 * (high - low or 1.0)
    at = ticks(low - pad, high + pad, max(3, round(most)))
    return AxisScale((low - pad, high + pad), at, [format_number(value, translate) for value in at], title)


def _put_no_deal(sheet: FigureBuilder, x_scale: UtilityScale, y_scale: UtilityScale) -> None:
    axes, colour = sheet.axes, sheet.style.colours.muted
    if axes.horizontal[0] <= x_scale.reservation <= axes.horizontal[1]:
        x = axes.x(x_scale.reservation)
        sheet.add_items(Polyline(((x, axes.top), (x, axes.bottom)), colour, 1.5, NO_DEAL_DASH))
    if axes.vertical[0] <= y_scale.reservation <= axes.vertical[1]:
        y = axes.y(y_scale.reservation)
        sheet.add_items(Polyline(((axes.left, y), (axes.right, y)), colour, 1.5, NO_DEAL_DASH))


def _put_dots(sheet: FigureBuilder, spots: Sequence[Point]) -> None:
    radius = 3.0 if len(spots) <= 300 else 2.0 if len(spots) <= 1500 else 1.5
    for x, y in spots:
        sheet.add_items(Marker(x, y, "circle", radius, sheet.style.colours.edge))
        if len(spots) <= 300:
            sheet.reserve(x, y, radius)


def _put_frontier(sheet: FigureBuilder, spots: Sequence[Point], *, joined: bool) -> None:
    colour = sheet.style.colours.accept
    kept = _thin_out(spots)
    if joined and len(kept) > 1:
        sheet.add_items(Polyline(tuple(kept), colour, 2))
        for (x, y), (x_end, y_end) in pairwise(kept):
            pieces = max(1, round(hypot(x_end - x, y_end - y) / 8))
            for i in range(pieces + 1):
                sheet.reserve(x + (x_end - x) * i / pieces, y + (y_end - y) * i / pieces, 3)
    if len(kept) <= MARKED_FRONTIER or not joined:
        sheet.add_items(*(Marker(x, y, "circle", 3, colour) for x, y in kept))


def _thin_out(spots: Sequence[Point]) -> list[Point]:
    """Spots without those that are nearer than a pixel to the one before."""
    kept: list[Point] = []
    for x, y in spots:
        if not kept or hypot(x - kept[-1][0], y - kept[-1][1]) >= 1:
            kept.append((x, y))
    return kept


def _put_offers(
    sheet: FigureBuilder,
    side: SeatStyle,
    offers: Sequence[tuple[RecordedOffer, Point]],
    sides: Sequence[SeatStyle],
) -> list[Label]:
    """The way that one side's offers took: a line, and marks with numbers; gives what is still to be told."""
    card, translate = sheet.style.colours.card, sheet.style.translate
    numbered = len(offers) <= MAX_NUMBERED_OFFERS
    radius = RING if numbered else 3.5
    labels: list[Label] = []
    if len(offers) > 1:
        sheet.add_items(Polyline(tuple(spot for _, spot in offers), side.colour, 1.2 if numbered else 0.8))
    for i, (offer, (x, y)) in enumerate(offers):
        fill = side.colour if offer.deal or not numbered else card
        tip = offer_description(offer, sides, translate)
        sheet.add_items(Marker(x, y, side.shape, radius, fill, side.colour, 1.5, tip, offer.position))
        sheet.reserve(x, y, radius + 1)
        covered = any(hypot(x - a, y - b) < radius * 1.6 for _, (a, b) in offers[i + 1 :])
        if numbered and not covered:
            ink = card if offer.deal else side.text_colour
            sheet.add_items(TextLabel(x, y, str(offer.number), ink, 10, bold=True, anchor="middle"))
        elif not numbered and i in (0, len(offers) - 1):
            labels.append(((x, y), str(offer.number), side.text_colour))
        if offer.deal:
            labels.append(((x, y), translate("deal"), side.text_colour))
    return labels


def _put_named(
    sheet: FigureBuilder, space: OutcomeSpace, spot: Callable[[OutcomePoints], Point]
) -> list[Label]:
    """The points with names, each with its form; gives the names."""
    colours, translate = sheet.style.colours, sheet.style.translate
    nash, kalai = translate("Nash"), translate("Kalai–Smorodinsky")
    for place in space.nash:
        x, y = spot(place)
        sheet.add_items(Marker(x, y, "diamond", 6, colours.accept, colours.ink, 1.5, nash))
        sheet.reserve(x, y, 8)
    for place in space.kalai_smorodinsky:
        x, y = spot(place)
        # Smaller, so that a diamond under it is still seen.
        sheet.add_items(Marker(x, y, "triangle", 4, colours.card, colours.ink, 1.5, kalai))
        sheet.reserve(x, y, 6)
    if space.nash and space.nash[0] in space.kalai_smorodinsky:
        return [(spot(space.nash[0]), f"{nash}, {kalai}", colours.ink)]
    named = ((space.nash[:1], nash), (space.kalai_smorodinsky[:1], kalai))
    return [(spot(place), name, colours.ink) for places, name in named for place in places]
