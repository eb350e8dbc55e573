"""A plot of what the offers of a session were worth, over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from negoplatform.app.playback.offer_metrics import PlayedOffer, Scale, utility_steps
from negoplatform.gui.plots.figure import Entry, Paper, Scaling, Sheet
from negoplatform.presentation.formatting import figure
from negoplatform.presentation.plots.axis_ticks import ticks, time_text, time_ticks
from negoplatform.presentation.plots.drawing import Axes, Dot, Drawing, Item, Line
from negoplatform.presentation.plots.labels import Side, offer_words

NO_DEAL_DASH = (5.0, 4.0)


def utilities_plot(
    paper: Paper,
    offers: Sequence[PlayedOffer],
    scales: Iterable[Scale],
    sides: Sequence[Side],
    *,
    seconds: float,
    ended_at: float | None = None,
) -> Drawing:
    """What was on the table was worth to each side, 0 its worst outcome to 1 its best.

    Args:
        paper: What it is drawn with and on.
        offers: The offers, as whoever looks may know them.
        scales: What points mean to each seat whose preferences they may see.
        sides: How the seats look.
        seconds: The session time of the last event.
        ended_at: When the game ended; None: it has not.
    """
    say = paper.say
    known = {scale.seat: scale for scale in scales}
    shown = [side for side in sides if side.seat in known]
    no_deal = {side.seat: known[side.seat].share(known[side.seat].reservation) for side in shown}
    sheet = Sheet(paper, say("What the offers were worth"))
    sheet.legend(
        [
            *(
                Entry(say("to {name}", name=side.name), Line((), side.colour, 2), _mark(side))
                for side in shown
            ),
            Entry(say("no deal"), Line((), paper.colours.muted, 1.5, NO_DEAL_DASH)),
        ]
    )
    sheet.note(say("Filled mark: this side made the offer."))
    axes = sheet.scale(_time_scaling(paper, seconds), _share_scaling(paper, no_deal.values()))
    for side in shown:
        share = no_deal[side.seat]
        if axes.up[0] <= share <= axes.up[1]:
            spots = ((axes.left, axes.y(share)), (axes.right, axes.y(share)))
            sheet.put(Line(spots, side.colour, 1.5, NO_DEAL_DASH))
    if ended_at is not None:
        _put_end(sheet, axes.x(ended_at), deal=any(offer.deal for offer in offers))
    for side in shown:
        sheet.put(*_steps(side, offers, axes, ended_at))
    _put_marks(sheet, offers, shown, sides)
    return sheet.drawing()


def time_cursor(drawing: Drawing, t: float, colour: str) -> tuple[Item, ...]:
    """The line at a session time, which is not part of the drawing, so that nothing else moves with it."""
    axes = drawing.axes
    x = axes.x(min(axes.across[1], max(axes.across[0], t)))
    return (
        Line(((x, axes.top), (x, axes.bottom)), colour, 2),
        Dot(x, axes.top, "diamond", 4, fill=colour),
    )


def _steps(side: Side, offers: Sequence[PlayedOffer], axes: Axes, ended_at: float | None) -> Iterator[Line]:
    """The line of one side: every worth stays until the next offer, the last one until the end."""
    end = axes.right if ended_at is None else axes.x(ended_at)
    spots = [(axes.x(t), axes.y(share)) for t, share in utility_steps(offers, side.seat)]
    for (x, y), (x_next, y_next) in pairwise([*spots, *((end, y) for _, y in spots[-1:])]):
        yield Line(((x, y), (x_next, y)), side.colour, 2)
        if y_next != y:
            # Thin, as both sides' lines go up and down at the same times.
            yield Line(((x_next, y), (x_next, y_next)), side.colour, 1)


def _put_end(sheet: Sheet, x: float, *, deal: bool) -> None:
    axes, colours, say = sheet.axes, sheet.paper.colours, sheet.paper.say
    sheet.put(Line(((x, axes.top), (x, axes.bottom)), colours.edge, 1, (2, 3)))
    sheet.label((x, axes.top + 6), say("deal") if deal else say("end"), colours.ink, off=6)


def _put_marks(
    sheet: Sheet, offers: Sequence[PlayedOffer], shown: Sequence[Side], sides: Sequence[Side]
) -> None:
    """A mark for every offer on every side's line, which tells the whole offer."""
    axes, paper = sheet.axes, sheet.paper
    radius = 4.5 if len(offers) <= 40 else 3.0 if len(offers) <= 150 else 2.0
    for offer in offers:
        tip = offer_words(offer, sides, paper.say)
        for side in shown:
            mark = _mark(side, side.colour if side.seat == offer.seat else paper.colours.card, radius)
            x, y = axes.x(offer.t), axes.y(offer.shares[side.seat])
            sheet.put(replace(mark, x=x, y=y, tip=tip, position=offer.position))


def _mark(side: Side, fill: str = "", radius: float = 4.0) -> Dot:
    return Dot(0, 0, side.form, radius, fill or side.colour, side.colour, 1.5)


def _time_scaling(paper: Paper, seconds: float) -> Scaling:
    end = max(1.0, seconds)
    at = time_ticks(end, max(2, round(paper.width / 75)))
    title = paper.say("Time")
    return Scaling((0.0, end), at, [time_text(t) for t in at], title)


def _share_scaling(paper: Paper, no_deal: Iterable[float]) -> Scaling:
    # A worth of no deal beyond every outcome is shown where it is near, and left out where it is not.
    near = [share for share in no_deal if -0.5 <= share <= 1.5]
    low, high = min([0.0, *near]), max([1.0, *near])
    pad = 0.04 * (high - low)
    at = ticks(low, high, 7)
    return Scaling(
        (low - pad, high + pad),
        at,
        [figure(value, paper.say) for value in at],
        paper.say("Utility: 0 worst, 1 best"),
    )
