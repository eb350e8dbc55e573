"""A plot of every deal that a game allows, with the best ones and the way that the offers took."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import hypot

from negoplatform.app.playback.offer_metrics import PlayedOffer, Scale
from negoplatform.app.playback.outcome_space import OutcomeSpace, Place
from negoplatform.gui.plots.figure import Entry, Paper, Scaling, Sheet
from negoplatform.gui.plots.utility_plot import NO_DEAL_DASH
from negoplatform.presentation.formatting import figure
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.plots.axis_ticks import ticks
from negoplatform.presentation.plots.drawing import Dot, Drawing, Item, Line, Spot, Text
from negoplatform.presentation.plots.labels import Side, offer_words

NUMBERED = 15
"""Offers of a side that have a number each; of more, the first and the last have."""

MARKED_FRONTIER = 60
"""Points of a frontier that have a mark each; longer ones are lines alone."""

RING = 8.0

Label = tuple[Spot, str, str]
"""Words beside a spot, and their colour."""


def outcomes_plot(
    paper: Paper,
    space: OutcomeSpace,
    offers: Sequence[PlayedOffer],
    sides: Sequence[Side],
    pair: tuple[int, int] = (0, 1),
) -> Drawing:
    """Every deal by what it is worth to two sides, the frontier, the named points and each side's offers.

    Args:
        paper: What it is drawn with and on.
        space: The game's outcomes.
        offers: The session's offers.
        sides: How the seats look, in the game's order.
        pair: The seats whose points go from left to right and from bottom to top, by number.
    """
    say = paper.say
    shown = [offer for offer in offers if offer.place is not None]
    sheet = Sheet(paper, say("Possible deals and the offers made"))
    sheet.legend(_entries(paper, space, [s for s in sides if any(o.seat == s.seat for o in shown)]))
    _put_notes(sheet, space, len(offers) - len(shown))
    x_scale, y_scale = space.scales[pair[0]], space.scales[pair[1]]
    x_side, y_side = sides[pair[0]], sides[pair[1]]
    axes = sheet.scale(
        _points_scaling(x_scale, say("Points of {name}", name=x_side.name), paper.width / 60, say),
        _points_scaling(y_scale, say("Points of {name}", name=y_side.name), paper.height / 45, say),
    )

    def spot(place: Place) -> Spot:
        return axes.x(place[pair[0]]), axes.y(place[pair[1]])

    _put_no_deal(sheet, x_scale, y_scale)
    _put_dots(sheet, list(dict.fromkeys(map(spot, space.dots))))
    _put_frontier(sheet, [spot(place) for place in space.frontier], joined=len(space.scales) == 2)
    labels: list[Label] = []
    for side in sides:
        own = [(offer, spot(offer.place)) for offer in shown if offer.seat == side.seat and offer.place]
        labels += _put_offers(sheet, side, own, sides)
    for at, text, colour in [*_put_named(sheet, space, spot), *labels]:
        sheet.label(at, text, colour, off=RING + 4)
    return sheet.drawing()


def place_ring(
    drawing: Drawing, place: Place | None, colour: str, pair: tuple[int, int] = (0, 1)
) -> tuple[Item, ...]:
    """A ring around where an offer lies, which is not part of the drawing; nothing without a place."""
    if place is None:
        return ()
    axes = drawing.axes
    return (Dot(axes.x(place[pair[0]]), axes.y(place[pair[1]]), "circle", RING + 4, edge=colour, width=2.5),)


def _entries(paper: Paper, space: OutcomeSpace, sides: Sequence[Side]) -> Iterator[Entry]:
    """The legend: the sides that made offers, and what else is shown without its name."""
    say, colours = paper.say, paper.colours
    for side in sides:
        mark = Dot(0, 0, side.form, 5, colours.card, side.colour, 1.5)
        yield Entry(say("{name}’s offers", name=side.name), Line((), side.colour, 1.2), mark)
    yield Entry(say("possible deal"), dot=Dot(0, 0, "circle", 3, colours.edge))
    if space.frontier:
        yield Entry(say("Pareto frontier"), Line((), colours.accept, 2))
    yield Entry(say("no deal"), Line((), colours.muted, 1.5, NO_DEAL_DASH))


def _put_notes(sheet: Sheet, space: OutcomeSpace, left_out: int) -> None:
    say = sheet.paper.say
    if space.looked_at < space.total:
        drawn, total = f"{space.looked_at:,}", f"{space.total:,}"
        sheet.note(say("{n} of {total} possible deals are shown, chosen at random.", n=drawn, total=total))
    if left_out:
        sheet.note(
            say.count(
                "{n} incomplete offer isn’t shown here.",
                "{n} incomplete offers aren’t shown here.",
                left_out,
            )
        )
    if space.why_no_frontier:
        sheet.note(space.why_no_frontier)


def _points_scaling(scale: Scale, title: str, most: float, say: Language) -> Scaling:
    low, high = float(scale.low), float(scale.high)
    reach = high - low or 1.0
    # A worth of no deal beyond every outcome is shown where it is near, and left out where it is not.
    if low - reach / 2 <= scale.reservation <= high + reach / 2:
        low, high = min(low, scale.reservation), max(high, scale.reservation)
    pad = 0.05 * (high - low or 1.0)
    at = ticks(low - pad, high + pad, max(3, round(most)))
    return Scaling((low - pad, high + pad), at, [figure(value, say) for value in at], title)


def _put_no_deal(sheet: Sheet, x_scale: Scale, y_scale: Scale) -> None:
    axes, colour = sheet.axes, sheet.paper.colours.muted
    if axes.across[0] <= x_scale.reservation <= axes.across[1]:
        x = axes.x(x_scale.reservation)
        sheet.put(Line(((x, axes.top), (x, axes.bottom)), colour, 1.5, NO_DEAL_DASH))
    if axes.up[0] <= y_scale.reservation <= axes.up[1]:
        y = axes.y(y_scale.reservation)
        sheet.put(Line(((axes.left, y), (axes.right, y)), colour, 1.5, NO_DEAL_DASH))


def _put_dots(sheet: Sheet, spots: Sequence[Spot]) -> None:
    radius = 3.0 if len(spots) <= 300 else 2.0 if len(spots) <= 1500 else 1.5
    for x, y in spots:
        sheet.put(Dot(x, y, "circle", radius, sheet.paper.colours.edge))
        if len(spots) <= 300:
            sheet.keep_free(x, y, radius)


def _put_frontier(sheet: Sheet, spots: Sequence[Spot], *, joined: bool) -> None:
    colour = sheet.paper.colours.accept
    kept = _thinned(spots)
    if joined and len(kept) > 1:
        sheet.put(Line(tuple(kept), colour, 2))
        for (x, y), (x_end, y_end) in pairwise(kept):
            pieces = max(1, round(hypot(x_end - x, y_end - y) / 8))
            for i in range(pieces + 1):
                sheet.keep_free(x + (x_end - x) * i / pieces, y + (y_end - y) * i / pieces, 3)
    if len(kept) <= MARKED_FRONTIER or not joined:
        sheet.put(*(Dot(x, y, "circle", 3, colour) for x, y in kept))


def _thinned(spots: Sequence[Spot]) -> list[Spot]:
    """Spots without those that are nearer than a pixel to the one before."""
    kept: list[Spot] = []
    for x, y in spots:
        if not kept or hypot(x - kept[-1][0], y - kept[-1][1]) >= 1:
            kept.append((x, y))
    return kept


def _put_offers(
    sheet: Sheet, side: Side, offers: Sequence[tuple[PlayedOffer, Spot]], sides: Sequence[Side]
) -> list[Label]:
    """The way that one side's offers took: a line, and marks with numbers; gives what is still to be told."""
    card, say = sheet.paper.colours.card, sheet.paper.say
    numbered = len(offers) <= NUMBERED
    radius = RING if numbered else 3.5
    labels: list[Label] = []
    if len(offers) > 1:
        sheet.put(Line(tuple(spot for _, spot in offers), side.colour, 1.2 if numbered else 0.8))
    for i, (offer, (x, y)) in enumerate(offers):
        fill = side.colour if offer.deal or not numbered else card
        tip = offer_words(offer, sides, say)
        sheet.put(Dot(x, y, side.form, radius, fill, side.colour, 1.5, tip, offer.position))
        sheet.keep_free(x, y, radius + 1)
        covered = any(hypot(x - a, y - b) < radius * 1.6 for _, (a, b) in offers[i + 1 :])
        if numbered and not covered:
            ink = card if offer.deal else side.words
            sheet.put(Text(x, y, str(offer.number), ink, 10, bold=True, anchor="middle"))
        elif not numbered and i in (0, len(offers) - 1):
            labels.append(((x, y), str(offer.number), side.words))
        if offer.deal:
            labels.append(((x, y), say("deal"), side.words))
    return labels


def _put_named(sheet: Sheet, space: OutcomeSpace, spot: Callable[[Place], Spot]) -> list[Label]:
    """The points with names, each with its form; gives the names."""
    colours, say = sheet.paper.colours, sheet.paper.say
    nash, kalai = say("Nash"), say("Kalai–Smorodinsky")
    for place in space.nash:
        x, y = spot(place)
        sheet.put(Dot(x, y, "diamond", 6, colours.accept, colours.ink, 1.5, nash))
        sheet.keep_free(x, y, 8)
    for place in space.kalai_smorodinsky:
        x, y = spot(place)
        # Smaller, so that a diamond under it is still seen.
        sheet.put(Dot(x, y, "triangle", 4, colours.card, colours.ink, 1.5, kalai))
        sheet.keep_free(x, y, 6)
    if space.nash and space.nash[0] in space.kalai_smorodinsky:
        return [(spot(space.nash[0]), f"{nash}, {kalai}", colours.ink)]
    named = ((space.nash[:1], nash), (space.kalai_smorodinsky[:1], kalai))
    return [(spot(place), name, colours.ink) for places, name in named for place in places]
