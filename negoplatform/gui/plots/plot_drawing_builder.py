"""Builder of a plot as a drawing: title, legend, notes, and axes with round values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist

from negoplatform.gui.plots.plot_fonts import shorten_text, text_width
from negoplatform.presentation.bidi import wrap_lines
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.plots.drawing import (
    Anchor,
    Axes,
    Drawing,
    DrawingItem,
    FilledRectangle,
    Marker,
    Point,
    Polyline,
    TextLabel,
)

MARGIN = 10.0
ROW = 18.0
SMALL = 11.0
SWATCH_WIDTH = 20.0
WIDEST_NAME = 200.0

Bounds = tuple[float, float, float, float]
"""Left, top, right and bottom."""


@dataclass(frozen=True, slots=True)
class PlotStyle:
    """Style and size of a plot.

    Args:
        colours: The window's colours.
        translate: The window's language.
        width: The width in pixels at 96 dpi.
        height: The height in pixels at 96 dpi.
    """

    colours: Palette
    translate: Language
    width: float = 560
    height: float = 340


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """Entry of a legend: a text, and its line or mark, drawn at the point (0, 0)."""

    text: str
    line: Polyline | None = None
    marker: Marker | None = None


@dataclass(frozen=True, slots=True)
class AxisScale:
    """Axis with the values at its ends, and the round ones between them with their labels."""

    ends: tuple[float, float]
    ticks: Sequence[float]
    labels: Sequence[str]
    title: str


class PlotDrawingBuilder:
    """Builder of a plot, from the top down: title, legend, notes, and then the axes.

    Args:
        style: The style and size of the plot.
        title: The title.
    """

    def __init__(self, style: PlotStyle, title: str) -> None:
        self.style = style
        self._title = title
        self._rtl = style.translate.rtl
        self._items: list[DrawingItem] = []
        self._reserved: list[Bounds] = []
        self._y = MARGIN + 8
        self._axes = Axes(0, 0, 1, 1, (0, 1), (0, 1))
        self.add_items(self._text_label(title, size=13, bold=True, colour=style.colours.ink))
        self._y += 12

    @property
    def axes(self) -> Axes:
        """Plot area; valid after :meth:`draw_axes`."""
        return self._axes

    def add_items(self, *items: DrawingItem) -> None:
        """Add items on top of all others."""
        self._items += items

    def add_legend(self, entries: Iterable[LegendEntry]) -> None:
        """Add the legend, row by row."""
        across, most = 0.0, self.style.width - 2 * MARGIN
        self._y += ROW / 2
        for entry in entries:
            text = shorten_text(entry.text, SMALL, WIDEST_NAME)
            needed = SWATCH_WIDTH + 6 + text_width(text, SMALL)
            if across and across + needed > most:
                across = 0.0
                self._y += ROW
            self._add_legend_entry(entry, text, across)
            across += needed + 16
        self._y += ROW / 2

    def add_note(self, text: str) -> None:
        """Add a sentence under the title, wrapped into lines."""
        most = self.style.width - 2 * MARGIN
        for line in wrap_lines(text, most, lambda words: text_width(words, SMALL)):
            self._y += ROW / 2
            self.add_items(self._text_label(line, size=SMALL, colour=self.style.colours.muted))
            self._y += ROW / 2

    def draw_axes(self, across: AxisScale, up: AxisScale) -> Axes:
        """Draw the axes into the remaining space and return the plot area."""
        colours, style = self.style.colours, self.style
        room = max(text_width(label, SMALL) for label in up.labels) if up.labels else 0.0
        self._y += 12
        self.add_items(TextLabel(MARGIN, self._y, up.title, colours.muted, SMALL))
        self._axes = axes = Axes(
            left=MARGIN + room + 8,
            top=self._y + 14,
            right=style.width - MARGIN - 8,
            bottom=style.height - 42,
            horizontal=across.ends,
            vertical=up.ends,
        )
        for value, label in zip(up.ticks, up.labels, strict=True):
            y = axes.y(value)
            self.add_items(Polyline(((axes.left, y), (axes.right, y)), colours.track, 1))
            self.add_items(TextLabel(axes.left - 8, y, label, colours.muted, SMALL, anchor="end"))
        for value, label in zip(across.ticks, across.labels, strict=True):
            x = axes.x(value)
            self.add_items(Polyline(((x, axes.bottom), (x, axes.bottom + 4)), colours.edge, 1))
            self.add_items(TextLabel(x, axes.bottom + 14, label, colours.muted, SMALL, anchor="middle"))
        self.add_items(Polyline(((axes.left, axes.bottom), (axes.right, axes.bottom)), colours.edge, 1))
        self.add_items(Polyline(((axes.left, axes.top), (axes.left, axes.bottom)), colours.edge, 1))
        self.add_items(
            TextLabel(axes.right, axes.bottom + 31, across.title, colours.muted, SMALL, anchor="end")
        )
        return axes

    def reserve(self, x: float, y: float, radius: float) -> None:
        """Keep labels out of a circle."""
        self._reserved.append((x - radius, y - radius, x + radius, y + radius))

    def add_label(self, point: Point, text: str, colour: str, *, off: float) -> None:
        """Add a label near a point where nothing else is drawn, with a line to the point if it is far."""
        wide = text_width(text, SMALL, bold=True)
        places = [(_label_bounds(place, wide), *place) for place in _label_positions(point, off)]
        # Where no place is free, an overlap is better than a label that is cut off at the edge.
        inside = [place for place in places if self._is_inside(place[0])]
        free = (place for place in inside if self._is_free(place[0]))
        box, x, y, anchor = next(free, (inside or places)[0])
        self._reserved.append(box)
        left, top, right, bottom = box
        nearest = min(max(point[0], left), right), min(max(point[1], top), bottom)
        if dist(point, nearest) > off * 1.5:
            share = off * 0.6 / dist(point, nearest)
            start = tuple(a + (b - a) * share for a, b in zip(point, nearest, strict=True))
            self.add_items(Polyline(((start[0], start[1]), nearest), colour, 1))
        self.add_items(FilledRectangle(left, top, right - left, bottom - top, self.style.colours.card))
        self.add_items(TextLabel(x, y, text, colour, SMALL, bold=True, anchor=anchor))

    def drawing(self) -> Drawing:
        """Return the finished plot."""
        style = self.style
        return Drawing(
            style.width,
            style.height,
            style.colours.card,
            self._title,
            tuple(self._items),
            self._axes,
            self._rtl,
        )

    def _text_label(self, text: str, *, size: float, colour: str, bold: bool = False) -> TextLabel:
        x, anchor = self._from_start(0)
        text = shorten_text(text, size, self.style.width - 2 * MARGIN, bold)
        return TextLabel(x, self._y, text, colour, size, bold, anchor)

    def _from_start(self, across: float) -> tuple[float, Anchor]:
        """Return the position at a distance from the side where reading starts, and the text's anchor."""
        if self._rtl:
            return self.style.width - MARGIN - across, "end"
        return MARGIN + across, "start"

    def _add_legend_entry(self, entry: LegendEntry, text: str, across: float) -> None:
        x, anchor = self._from_start(across)
        middle = x - SWATCH_WIDTH / 2 if self._rtl else x + SWATCH_WIDTH / 2
        if entry.line is not None:
            points = ((middle - SWATCH_WIDTH / 2, self._y), (middle + SWATCH_WIDTH / 2, self._y))
            self.add_items(replace(entry.line, points=points))
        if entry.marker is not None:
            self.add_items(replace(entry.marker, x=middle, y=self._y, tooltip=""))
        words = x - SWATCH_WIDTH - 6 if self._rtl else x + SWATCH_WIDTH + 6
        self.add_items(TextLabel(words, self._y, text, self.style.colours.ink, SMALL, anchor=anchor))

    def _is_inside(self, box: Bounds) -> bool:
        left, top, right, bottom = box
        axes = self._axes
        return (
            left >= axes.left + 2
            and right <= axes.right
            and top >= axes.top - 4
            and bottom <= axes.bottom - 2
        )

    def _is_free(self, box: Bounds) -> bool:
        left, top, right, bottom = box
        return not any(
            left < other[2] and right > other[0] and top < other[3] and bottom > other[1]
            for other in self._reserved
        )


def _label_positions(point: Point, off: float) -> list[tuple[float, float, Anchor]]:
    """Return possible positions of a label for a point, the best first."""
    x, y = point
    places: list[tuple[float, float, Anchor]] = []
    for far in (off, off * 2, off * 3.5):
        slant = far * 0.7
        places += [
            (x + far, y, "start"),
            (x + slant, y - slant - 4, "start"),
            (x, y - far - 6, "middle"),
            (x + slant, y + slant + 4, "start"),
            (x - slant, y - slant - 4, "end"),
            (x - far, y, "end"),
            (x, y + far + 6, "middle"),
            (x - slant, y + slant + 4, "end"),
        ]
    return places


def _label_bounds(place: tuple[float, float, Anchor], wide: float) -> Bounds:
    x, y, anchor = place
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
    return left - 2, y - 7, left + wide + 2, y + 7
