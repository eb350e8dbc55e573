"""A drawing as plain values: lines, dots, areas and words, in pixels at 96 dpi from the top left."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Literal

Point = tuple[float, float]
"""Across and down, in pixels at 96 dpi."""

Anchor = Literal["start", "middle", "end"]
"""Which part of a text stands at its spot: its left end, its middle or its right end."""

MarkerShape = Literal["circle", "square", "diamond", "triangle"]

FAMILY = "Inter"
PICK_DISTANCE = 9.0
"""Pixels from a dot within which it is meant."""


@dataclass(frozen=True, slots=True)
class Polyline:
    """A line from spot to spot.

    Args:
        points: Two or more.
        dash: How long its pieces and the gaps between them are; None: unbroken.
    """

    points: tuple[Point, ...]
    colour: str
    width: float = 1.5
    dash: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Marker:
    """A mark.

    Args:
        x: Across, of its middle.
        y: Down, of its middle.
        shape: Its form.
        radius: From the middle to its edge, a square's to its side.
        fill: Its colour; empty: one looks through it.
        edge: The colour of its edge; empty: none.
        width: Of the edge.
        tooltip: What is told about it where somebody points at it.
        position: Where in the log it belongs; None: nowhere.
    """

    x: float
    y: float
    shape: MarkerShape = "circle"
    radius: float = 4.0
    fill: str = ""
    edge: str = ""
    width: float = 1.5
    tooltip: str = ""
    position: int | None = None

    @property
    def corners(self) -> tuple[Point, ...]:
        """The corners of a square, a diamond or a triangle."""
        x, y, r = self.x, self.y, self.radius
        match self.shape:
            case "diamond":
                return (x, y - r * 1.25), (x + r * 1.25, y), (x, y + r * 1.25), (x - r * 1.25, y)
            case "triangle":
                return (x, y - r * 1.25), (x + r * 1.15, y + r * 0.9), (x - r * 1.15, y + r * 0.9)
            case _:
                return (x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)


@dataclass(frozen=True, slots=True)
class FilledRectangle:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True, slots=True)
class TextLabel:
    """One line of words, in reading order; ``y`` is its middle."""

    x: float
    y: float
    text: str
    colour: str
    size: float = 11
    bold: bool = False
    anchor: Anchor = "start"


DrawingItem = Polyline | Marker | FilledRectangle | TextLabel


@dataclass(frozen=True, slots=True)
class Axes:
    """The part of a drawing in which values have places.

    Args:
        left: Its edges in pixels.
        top: Likewise.
        right: Likewise.
        bottom: Likewise.
        horizontal: The values at its left and at its right edge.
        vertical: The values at its bottom and at its top.
    """

    left: float
    top: float
    right: float
    bottom: float
    horizontal: tuple[float, float]
    vertical: tuple[float, float]

    def x(self, value: float) -> float:
        """Where a value is, from left to right."""
        low, high = self.horizontal
        return self.left + (self.right - self.left) * (value - low) / (high - low)

    def y(self, value: float) -> float:
        """Where a value is, from top to bottom."""
        low, high = self.vertical
        return self.bottom - (self.bottom - self.top) * (value - low) / (high - low)

    def value_at(self, x: float) -> float:
        """The value from left to right at a place, within the axes."""
        low, high = self.horizontal
        share = (x - self.left) / (self.right - self.left)
        return low + (high - low) * min(1.0, max(0.0, share))


@dataclass(frozen=True, slots=True)
class Drawing:
    """A finished drawing.

    Args:
        width: In pixels at 96 dpi.
        height: Likewise.
        ground: Its ground.
        title: What it shows, for those who cannot see it.
        items: What is on it, the later ones above the earlier.
        axes: Where values are.
        rtl: Whether its words are read from right to left.
    """

    width: float
    height: float
    ground: str
    title: str
    items: tuple[DrawingItem, ...]
    axes: Axes
    rtl: bool = False

    def log_markers(self) -> tuple[Marker, ...]:
        """The dots that belong somewhere in the log, each place once, in its order."""
        told = {
            i.position: i
            for i in self.items
            if isinstance(i, Marker) and i.tooltip and i.position is not None
        }
        return tuple(told[position] for position in sorted(told))

    def nearest_marker(self, x: float, y: float) -> Marker | None:
        """The dot with something to tell that is nearest to a place; None if none is near."""
        told = [item for item in self.items if isinstance(item, Marker) and item.tooltip]
        # The last drawn of several at one place, as that is the one that is seen.
        nearest = min(reversed(told), key=lambda dot: hypot(dot.x - x, dot.y - y), default=None)
        if nearest is None or hypot(nearest.x - x, nearest.y - y) > max(PICK_DISTANCE, nearest.radius + 2):
            return None
        return nearest
