"""What every plot has: a title, a legend, notes, and axes with round values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist

from negoplatform.gui.plots.plot_fonts import shortened, width_of
from negoplatform.presentation.bidi import wrapped
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.plots.drawing import Anchor, Area, Axes, Dot, Drawing, Item, Line, Spot, Text

MARGIN = 10.0
ROW = 18.0
SMALL = 11.0
SWATCH = 20.0
WIDEST_NAME = 200.0

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


@dataclass(frozen=True, slots=True)
class Paper:
    """What a plot is drawn with and on.

    Args:
        colours: The window's colours.
        say: The window's words.
        width: In pixels at 96 dpi.
        height: Likewise.
    """

    colours: Palette
    say: Language
    width: float = 560
    height: float = 340


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a legend: words, and what they are about, drawn at the spot (0, 0)."""

    text: str
    line: Line | None = None
    dot: Dot | None = None


@dataclass(frozen=True, slots=True)
class Scaling:
    """One axis: the values at its ends, and the round ones in between with what is written there."""

    ends: tuple[float, float]
    ticks: Sequence[float]
    labels: Sequence[str]
    title: str


class Sheet:
    """A plot in the making, from the top down: title, legend, notes, and then the axes.

    Args:
        paper: What it is drawn with and on.
        title: What it shows.
    """

    def __init__(self, paper: Paper, title: str) -> None:
        self.paper = paper
        self._title = title
        self._rtl = paper.say.rtl
        self._items: list[Item] = []
        self._taken: list[Box] = []
        self._y = MARGIN + 8
        self._axes = Axes(0, 0, 1, 1, (0, 1), (0, 1))
        self.put(self._words(title, size=13, bold=True, colour=paper.colours.ink))
        self._y += 12

    @property
    def axes(self) -> Axes:
        """Where values are, once that is known."""
        return self._axes

    def put(self, *items: Item) -> None:
        """Draws something above all that is there."""
        self._items += items

    def legend(self, entries: Iterable[Entry]) -> None:
        """What lines and marks mean, row by row."""
        across, most = 0.0, self.paper.width - 2 * MARGIN
        self._y += ROW / 2
        for entry in entries:
            text = shortened(entry.text, SMALL, WIDEST_NAME)
            needed = SWATCH + 6 + width_of(text, SMALL)
            if across and across + needed > most:
                across = 0.0
                self._y += ROW
            self._put_entry(entry, text, across)
            across += needed + 16
        self._y += ROW / 2

    def note(self, text: str) -> None:
        """A sentence under the title, in as many lines as it takes."""
        most = self.paper.width - 2 * MARGIN
        for line in wrapped(text, most, lambda words: width_of(words, SMALL)):
            self._y += ROW / 2
            self.put(self._words(line, size=SMALL, colour=self.paper.colours.muted))
            self._y += ROW / 2

    def scale(self, across: Scaling, up: Scaling) -> Axes:
        """Draws the axes into what room is left, and says where values are."""
        colours, paper = self.paper.colours, self.paper
        room = max(width_of(label, SMALL) for label in up.labels) if up.labels else 0.0
        self._y += 12
        self.put(Text(MARGIN, self._y, up.title, colours.muted, SMALL))
        self._axes = axes = Axes(
            left=MARGIN + room + 8,
            top=self._y + 14,
            right=paper.width - MARGIN - 8,
            bottom=paper.height - 42,
            across=across.ends,
            up=up.ends,
        )
        for value, label in zip(up.ticks, up.labels, strict=True):
            y = axes.y(value)
            self.put(Line(((axes.left, y), (axes.right, y)), colours.track, 1))
            self.put(Text(axes.left - 8, y, label, colours.muted, SMALL, anchor="end"))
        for value, label in zip(across.ticks, across.labels, strict=True):
            x = axes.x(value)
            self.put(Line(((x, axes.bottom), (x, axes.bottom + 4)), colours.edge, 1))
            self.put(Text(x, axes.bottom + 14, label, colours.muted, SMALL, anchor="middle"))
        self.put(Line(((axes.left, axes.bottom), (axes.right, axes.bottom)), colours.edge, 1))
        self.put(Line(((axes.left, axes.top), (axes.left, axes.bottom)), colours.edge, 1))
        self.put(Text(axes.right, axes.bottom + 31, across.title, colours.muted, SMALL, anchor="end"))
        return axes

    def keep_free(self, x: float, y: float, radius: float) -> None:
        """Lets no label stand here."""
        self._taken.append((x - radius, y - radius, x + radius, y + radius))

    def label(self, spot: Spot, text: str, colour: str, *, off: float) -> None:
        """Words beside a spot, where nothing else is drawn; a line joins them to it from further off."""
        wide = width_of(text, SMALL, bold=True)
        places = [(_box(place, wide), *place) for place in _places(spot, off)]
        box, x, y, anchor = next((place for place in places if self._is_free(place[0])), places[0])
        self._taken.append(box)
        left, top, right, bottom = box
        nearest = min(max(spot[0], left), right), min(max(spot[1], top), bottom)
        if dist(spot, nearest) > off * 1.5:
            share = off * 0.6 / dist(spot, nearest)
            start = tuple(a + (b - a) * share for a, b in zip(spot, nearest, strict=True))
            self.put(Line(((start[0], start[1]), nearest), colour, 1))
        self.put(Area(left, top, right - left, bottom - top, self.paper.colours.card))
        self.put(Text(x, y, text, colour, SMALL, bold=True, anchor=anchor))

    def drawing(self) -> Drawing:
        """The finished plot."""
        paper = self.paper
        return Drawing(
            paper.width,
            paper.height,
            paper.colours.card,
            self._title,
            tuple(self._items),
            self._axes,
            self._rtl,
        )

    def _words(self, text: str, *, size: float, colour: str, bold: bool = False) -> Text:
        x, anchor = self._from_start(0)
        text = shortened(text, size, self.paper.width - 2 * MARGIN, bold)
        return Text(x, self._y, text, colour, size, bold, anchor)

    def _from_start(self, across: float) -> tuple[float, Anchor]:
        """A place so far from where reading starts, and which end of words stands there."""
        if self._rtl:
            return self.paper.width - MARGIN - across, "end"
        return MARGIN + across, "start"

    def _put_entry(self, entry: Entry, text: str, across: float) -> None:
        x, anchor = self._from_start(across)
        middle = x - SWATCH / 2 if self._rtl else x + SWATCH / 2
        if entry.line is not None:
            spots = ((middle - SWATCH / 2, self._y), (middle + SWATCH / 2, self._y))
            self.put(replace(entry.line, spots=spots))
        if entry.dot is not None:
            self.put(replace(entry.dot, x=middle, y=self._y, tip=""))
        words = x - SWATCH - 6 if self._rtl else x + SWATCH + 6
        self.put(Text(words, self._y, text, self.paper.colours.ink, SMALL, anchor=anchor))

    def _is_free(self, box: Box) -> bool:
        left, top, right, bottom = box
        axes = self._axes
        if left < axes.left + 2 or right > axes.right or top < axes.top - 4 or bottom > axes.bottom - 2:
            return False
        return not any(
            left < other[2] and right > other[0] and top < other[3] and bottom > other[1]
            for other in self._taken
        )


def _places(spot: Spot, off: float) -> list[tuple[float, float, Anchor]]:
    """Where words about a spot may stand, the best place first."""
    x, y = spot
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


def _box(place: tuple[float, float, Anchor], wide: float) -> Box:
    x, y, anchor = place
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
    return left - 2, y - 7, left + wide + 2, y + 7
