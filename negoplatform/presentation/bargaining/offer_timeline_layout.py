"""Positions of all offers on a strip, in order, at the height of their worth to the participant. No Tk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from negoplatform.presentation.color_palette import Palette, mix_colours
from negoplatform.presentation.plots.drawing import Axes, Drawing, DrawingItem, Marker, Polyline
from negoplatform.presentation.plots.seat_styles import OTHERS_MARKS, OWN_MARK, SeatMark
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

HEIGHT, PAD = 46.0, 9.0
"""Height of the strip, and padding above and below, in pixels at 96 dpi."""

WIDEST_STEP, PICK_DISTANCE = 34.0, 12.0
"""Maximum distance between offers, and maximum distance of the pointer from a mark, in pixels at 96 dpi."""

RADIUS, NEWEST = 4.0, 5.5
"""Radius of a mark, and of the newest offer's mark, in pixels at 96 dpi."""


@dataclass(frozen=True, slots=True)
class TimelineMark:
    """Mark of an offer on the strip, in pixels at 96 dpi from the top left.

    Args:
        line: The offer.
        x: Horizontal position.
        low: Vertical position of the worst completion.
        high: Vertical position of the best completion; equal to ``low`` if nothing is undecided.
    """

    line: TranscriptEntry
    x: float
    low: float
    high: float

    @property
    def y(self) -> float:
        """Vertical position of the middle."""
        return (self.low + self.high) / 2


def place_marks(
    offers: Sequence[TranscriptEntry], width: float, *, end: float = 0.0, rtl: bool = False
) -> tuple[TimelineMark, ...]:
    """Return the marks of all offers on a strip, in reading order.

    Args:
        offers: The offers.
        width: Width of the strip, in pixels at 96 dpi.
        end: Width that is kept free at the side where reading ends.
        rtl: Whether reading starts at the right.
    """
    step = min(WIDEST_STEP, (width - end - 2 * PAD) / max(1, len(offers)))
    marks = []
    for index, line in enumerate(offers):
        x = PAD + (index + 0.5) * step
        low, high = (mark_height(share) for share in line.share_range)
        marks.append(TimelineMark(line, width - x if rtl else x, low, high))
    return tuple(marks)


def mark_height(share: float) -> float:
    """Return the vertical position of a share of the participant's best outcome."""
    return HEIGHT - PAD - share * (HEIGHT - 2 * PAD)


def nearest_mark(marks: Sequence[TimelineMark], x: float) -> int | None:
    """Return the index of the mark near a horizontal position; the newest of equally near ones."""
    near = [(abs(mark.x - x), -index) for index, mark in enumerate(marks) if abs(mark.x - x) <= PICK_DISTANCE]
    return -min(near)[1] if near else None


def timeline_drawing(
    marks: Sequence[TimelineMark],
    width: float,
    *,
    no_deal: float,
    chosen: int | None,
    colours: Palette,
    title: str,
    end: float = 0.0,
    rtl: bool = False,
) -> Drawing:
    """Draw the strip: own offers as discs, others' as squares, or as the marks of several others' seats.

    Ranges are bars, and no deal is a line.

    Args:
        marks: Marks of the offers.
        width: Width of the strip, in pixels at 96 dpi.
        no_deal: Value of no deal, as a share of the participant's best outcome.
        chosen: Index of the selected mark; None if none is.
        colours: Palette of the window.
        title: Description of the drawing.
        end: Width that is kept free at the side where reading ends.
        rtl: Whether reading starts at the right.
    """
    c, level = colours, mark_height(no_deal)
    left, right = (end + PAD, width - PAD) if rtl else (PAD, width - end - PAD)
    items: list[DrawingItem] = [Polyline(((left, level), (right, level)), c.muted, 1.0, dash=(3, 3))]
    for seat in (OWN_MARK, *{_seat_mark(mark): None for mark in marks if not mark.line.is_mine}):
        own = [mark for mark in marks if _seat_mark(mark) == seat]
        pale = mix_colours(getattr(c, seat.colour), c.card, 0.6)
        for before, after in pairwise(own):
            items.append(Polyline(((before.x, before.y), (after.x, after.y)), pale, 1.5))
    for index, mark in enumerate(marks):
        seat = _seat_mark(mark)
        colour: str = getattr(c, seat.colour)
        if mark.low != mark.high:
            items.append(
                Polyline(((mark.x, mark.low), (mark.x, mark.high)), mix_colours(colour, c.card, 0.35), 3.0)
            )
        form, radius = seat.shape, NEWEST if index == len(marks) - 1 else RADIUS
        if index == chosen:
            items.append(Marker(mark.x, mark.y, form, radius + 3, c.card, c.focus, 2.0))
        fill = colour if mark.low == mark.high else c.card
        items.append(
            Marker(mark.x, mark.y, form, radius if form == "circle" else radius - 0.5, fill, colour, 1.5)
        )
    axes = Axes(0, 0, width, HEIGHT, (0, 1), (0, 1))
    return Drawing(width, HEIGHT, c.card, title, tuple(items), axes)


def _seat_mark(mark: TimelineMark) -> SeatMark:
    return OWN_MARK if mark.line.is_mine else mark.line.mark or OTHERS_MARKS[0]
