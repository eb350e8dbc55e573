"""All offers in their order, each as high as it is worth to the participant: where they stand. No Tk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from negoplatform.presentation.color_palette import Palette, mix_colours
from negoplatform.presentation.plots.drawing import Axes, Drawing, DrawingItem, Marker, MarkerShape, Polyline
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

HEIGHT, PAD = 46.0, 9.0
"""Of the strip, and above and below what is drawn on it; for 96 dpi."""

WIDEST_STEP, PICK_DISTANCE = 34.0, 12.0
"""From one offer to the next at most, and how near to one a pointer has to be; for 96 dpi."""

RADIUS, NEWEST = 4.0, 5.5
"""Of a mark, and of that of the newest offer; for 96 dpi."""


@dataclass(frozen=True, slots=True)
class TimelineMark:
    """An offer on the strip.

    Args:
        line: The offer.
        x: Across, from the left.
        low: Down, where the least that it can come to stands.
        high: Down, where the most stands; the same where nothing is left to decide.
    """

    line: TranscriptEntry
    x: float
    low: float
    high: float

    @property
    def y(self) -> float:
        """Down, of its middle."""
        return (self.low + self.high) / 2


def place_marks(
    offers: Sequence[TranscriptEntry], width: float, *, rtl: bool = False
) -> tuple[TimelineMark, ...]:
    """Place offers on a strip of a width (for 96 dpi), from where reading starts, however many there are."""
    step = min(WIDEST_STEP, (width - 2 * PAD) / max(1, len(offers)))
    marks = []
    for index, line in enumerate(offers):
        x = PAD + (index + 0.5) * step
        low, high = (mark_height(share) for share in line.share_range)
        marks.append(TimelineMark(line, width - x if rtl else x, low, high))
    return tuple(marks)


def mark_height(share: float) -> float:
    """Where a share of the best that one can get stands, from the top."""
    return HEIGHT - PAD - share * (HEIGHT - 2 * PAD)


def nearest_mark(marks: Sequence[TimelineMark], x: float) -> int | None:
    """The index of the offer at a place across; the newest of those that are equally near."""
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
) -> Drawing:
    """Draw the strip: own offers as discs, the other side's as squares, ranges as bars, no deal as a line.

    Args:
        marks: The offers.
        width: Of the strip, for 96 dpi.
        no_deal: What no deal gives, as a share of the best that one can get.
        chosen: The index of the offer that was pressed; None: none.
        colours: Its colours.
        title: What it shows, in words.
    """
    c, level = colours, mark_height(no_deal)
    items: list[DrawingItem] = [Polyline(((PAD, level), (width - PAD, level)), c.muted, 1.0, dash=(3, 3))]
    for mine, colour in ((True, c.mine), (False, c.theirs)):
        own = [mark for mark in marks if mark.line.is_mine is mine]
        for before, after in pairwise(own):
            items.append(
                Polyline(((before.x, before.y), (after.x, after.y)), mix_colours(colour, c.card, 0.6), 1.5)
            )
    for index, mark in enumerate(marks):
        colour = c.mine if mark.line.is_mine else c.theirs
        if mark.low != mark.high:
            items.append(
                Polyline(((mark.x, mark.low), (mark.x, mark.high)), mix_colours(colour, c.card, 0.35), 3.0)
            )
        form: MarkerShape = "circle" if mark.line.is_mine else "square"
        radius = NEWEST if index == len(marks) - 1 else RADIUS
        if index == chosen:
            items.append(Marker(mark.x, mark.y, form, radius + 3, c.card, c.focus, 2.0))
        fill = colour if mark.low == mark.high else c.card
        items.append(
            Marker(mark.x, mark.y, form, radius if form == "circle" else radius - 0.5, fill, colour, 1.5)
        )
    axes = Axes(0, 0, width, HEIGHT, (0, 1), (0, 1))
    return Drawing(width, HEIGHT, c.card, title, tuple(items), axes)
