"""Timeline as plain values: a row per kind of event, a mark per event, and their positions. No Tk."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from negoplatform.app.playback.playback import ObservedEvent, TimelineMarkKind
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.plots.axis_ticks import time_text, time_ticks
from negoplatform.presentation.plots.drawing import (
    Axes,
    Drawing,
    DrawingItem,
    FilledRectangle,
    Marker,
    Polyline,
)
from negoplatform.presentation.plots.seat_styles import SeatStyle

ROW = 15.0
"""Height of a row, in pixels at 96 dpi like all lengths below."""

TOP, BOTTOM = 5.0, 21.0
"""Space above the rows, and below them for the times."""

RADIUS = 3.4
PICK_DISTANCE = 7.0
"""Maximum distance from the pointer to the mark that it selects."""

ROWS: tuple[tuple[str, frozenset[TimelineMarkKind]], ...] = (
    (gettext_noop("Messages"), frozenset({TimelineMarkKind.MESSAGE, TimelineMarkKind.ANNOUNCEMENT})),
    (gettext_noop("Offers"), frozenset({TimelineMarkKind.OFFER})),
    (gettext_noop("Acts"), frozenset({TimelineMarkKind.ACT})),
    (gettext_noop("Trades"), frozenset({TimelineMarkKind.TRADE})),
    (gettext_noop("Expressions"), frozenset({TimelineMarkKind.EXPRESSION})),
    (
        gettext_noop("Decisions"),
        frozenset(
            {TimelineMarkKind.START, TimelineMarkKind.ACCEPT, TimelineMarkKind.QUIT, TimelineMarkKind.END}
        ),
    ),
    (gettext_noop("Commands"), frozenset({TimelineMarkKind.COMMAND})),
    (gettext_noop("Advice"), frozenset({TimelineMarkKind.ADVICE})),
    (gettext_noop("Assistants"), frozenset({TimelineMarkKind.ASSISTANT})),
    (
        gettext_noop("Platform"),
        frozenset(
            {
                TimelineMarkKind.REFUSAL,
                TimelineMarkKind.PROPOSAL,
                TimelineMarkKind.FAILURE,
                TimelineMarkKind.RESUMED,
                TimelineMarkKind.NOTE,
            }
        ),
    ),
)
"""Kinds of event in each row, by the row's name."""

WARNING_MARKS = frozenset({TimelineMarkKind.REFUSAL, TimelineMarkKind.FAILURE})


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """Row of a timeline: its name, and its events in order."""

    name: str
    moments: tuple[ObservedEvent, ...]


def timeline_rows(moments: Sequence[ObservedEvent], translate: Language) -> tuple[TimelineRow, ...]:
    """Return the rows that have any events."""
    tracks = [
        TimelineRow(translate(name), tuple(moment for moment in moments if moment.mark in marks))
        for name, marks in ROWS
    ]
    return tuple(track for track in tracks if track.moments)


class TimelineLayout:
    """Positions of everything on a timeline.

    Args:
        rows: The rows.
        seconds: The session time at the end.
        width: The width in pixels at 96 dpi.
        indent: The space for the names of the rows, on the side where reading starts.
        rtl: Whether time runs from right to left.
    """

    def __init__(
        self, rows: Sequence[TimelineRow], seconds: float, *, width: float, indent: float, rtl: bool
    ) -> None:
        self.rows = tuple(rows)
        self.width, self.rtl = width, rtl
        self.height = timeline_height(len(rows))
        self.seconds = max(1.0, seconds)
        start, end = indent, width - 12
        left, right = (width - end, width - start) if rtl else (start, end)
        across = (self.seconds, 0.0) if rtl else (0.0, self.seconds)
        self.axes = Axes(left, TOP, right, self.height - BOTTOM, across, (0.0, 1.0))
        self._times = [[moment.event.t for moment in track.moments] for track in self.rows]

    def x(self, t: float) -> float:
        """Return the horizontal position of a session time."""
        return self.axes.x(min(self.seconds, max(0.0, t)))

    def time_at(self, x: float) -> float:
        """Return the session time at a horizontal position, limited to the session."""
        return self.axes.value_at(x)

    def y(self, row: int) -> float:
        """Return the vertical middle of a row."""
        return TOP + (row + 0.5) * ROW

    def moment_at(self, x: float, y: float) -> ObservedEvent | None:
        """Return the event whose mark is at a position; the latest of several."""
        row = int((y - TOP) // ROW)
        if not 0 <= row < len(self.rows) or y < TOP:
            return None
        t, times, moments = self.time_at(x), self._times[row], self.rows[row].moments
        at = bisect_left(times, t)
        near = [i for i in (at - 1, at) if 0 <= i < len(times)]
        # The last of several at one time is drawn on top.
        nearest = min(reversed(near), key=lambda i: abs(self.x(times[i]) - x), default=None)
        if nearest is None or abs(self.x(times[nearest]) - x) > PICK_DISTANCE:
            return None
        while nearest + 1 < len(times) and times[nearest + 1] == times[nearest]:
            nearest += 1
        return moments[nearest]

    def mark_position(self, moment: ObservedEvent) -> tuple[float, float]:
        """Return the position of an event's mark, or the middle of all rows for an event without one."""
        for row, track in enumerate(self.rows):
            times = self._times[row]
            at = bisect_left(times, moment.event.t)
            while at < len(times) and times[at] == moment.event.t:
                if track.moments[at].position == moment.position:
                    return self.x(moment.event.t), self.y(row)
                at += 1
        return self.x(moment.event.t), (self.axes.top + self.axes.bottom) / 2

    def ticks(self, most: int) -> tuple[tuple[float, str], ...]:
        """Return round times for the axis: position and text."""
        return tuple((self.x(t), time_text(t)) for t in time_ticks(self.seconds, max(2, most)))

    def drawing(self, sides: Mapping[Seat, SeatStyle], colours: Palette) -> Drawing:
        """Return all fixed parts of the timeline except its texts."""
        axes = self.axes
        items: list[DrawingItem] = []
        for row in range(len(self.rows)):
            y = self.y(row)
            items.append(Polyline(((axes.left, y), (axes.right, y)), colours.track, 1))
        items.append(FilledRectangle(axes.left, axes.bottom + 2, axes.right - axes.left, 3, colours.track))
        for row, track in enumerate(self.rows):
            items += self._dots(row, track, sides, colours).values()
        return Drawing(self.width, self.height, colours.card, "", tuple(items), axes, self.rtl)

    def _dots(
        self, row: int, track: TimelineRow, sides: Mapping[Seat, SeatStyle], colours: Palette
    ) -> dict[tuple[int, str], Marker]:
        """Return the marks of a row, one for all marks of a side that would cover each other."""
        dots: dict[tuple[int, str], Marker] = {}
        y = self.y(row)
        for moment in track.moments:
            x, side = self.x(moment.event.t), sides.get(moment.event.sender)
            key = round(x * 2), moment.event.sender
            if side is not None:
                dots[key] = Marker(x, y, side.shape, RADIUS, side.colour, side.colour, 1)
            else:
                alarming = moment.mark in WARNING_MARKS
                colour = colours.warning if alarming else colours.muted
                dots[key] = Marker(
                    x, y, "triangle", RADIUS, colour if alarming else colours.card, colour, 1.2
                )
        return dots


def timeline_height(rows: int) -> float:
    """Return the height of a timeline with that many rows."""
    return TOP + rows * ROW + BOTTOM
