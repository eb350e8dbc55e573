"""Drawing as plain values: lines, marks, areas and texts, in pixels at 96 dpi from the top left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, hypot, pi, sin, sqrt
from typing import Literal

Point = tuple[float, float]
"""Horizontal and vertical position, in pixels at 96 dpi."""

Anchor = Literal["start", "middle", "end"]
"""Part of a text that is at its position: the left end, the middle or the right end."""

MarkerShape = Literal["circle", "square", "diamond", "triangle", "star", "triangle_down", "cross", "plus"]

_ARM = 0.42
"""Half of the width of the arms of a plus, as a share of its radius."""

_PLUS: tuple[Point, ...] = tuple(
    (x * sx, y * sy)
    for sx, sy, corners in (
        (1, -1, ((_ARM, 1.2), (_ARM, _ARM), (1.2, _ARM))),
        (1, 1, ((1.2, _ARM), (_ARM, _ARM), (_ARM, 1.2))),
        (-1, 1, ((_ARM, 1.2), (_ARM, _ARM), (1.2, _ARM))),
        (-1, -1, ((1.2, _ARM), (_ARM, _ARM), (_ARM, 1.2))),
    )
    for x, y in corners
)

CORNERS: Mapping[str, tuple[Point, ...]] = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "triangle": ((0, -1.25), (1.15, 0.9), (-1.15, 0.9)),
    "triangle_down": ((0, 1.25), (-1.15, -0.9), (1.15, -0.9)),
    "star": tuple(
        (reach * sin(angle * pi / 5), -reach * cos(angle * pi / 5))
        for angle, reach in ((point, 0.55 if point % 2 else 1.3) for point in range(10))
    ),
    "plus": _PLUS,
    "cross": tuple(((x - y) * sqrt(0.5), (x + y) * sqrt(0.5)) for x, y in _PLUS),
}
"""Corners of each shape but the circle, for a radius of 1 around the origin."""

FAMILY = "Inter"
PICK_DISTANCE = 9.0
"""Maximum distance in pixels from the pointer to the mark that it selects."""


@dataclass(frozen=True, slots=True)
class Polyline:
    """Line through several points.

    Args:
        points: Two or more points.
        dash: The lengths of the dashes and of the gaps; None for a solid line.
    """

    points: tuple[Point, ...]
    colour: str
    width: float = 1.5
    dash: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Marker:
    """Mark at a point.

    Args:
        x: The horizontal position of its middle.
        y: The vertical position of its middle.
        shape: The shape.
        radius: The distance from the middle to the edge; of a square, to its sides.
        fill: The fill colour; empty for none.
        edge: The colour of the edge; empty for none.
        width: The width of the edge.
        tooltip: The text shown when the pointer is on the mark.
        position: The position in the log that the mark belongs to; None for none.
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
        """Corners of every shape but a circle; those of an unknown one are a square's."""
        corners = CORNERS.get(self.shape, CORNERS["square"])
        return tuple((self.x + x * self.radius, self.y + y * self.radius) for x, y in corners)


@dataclass(frozen=True, slots=True)
class FilledRectangle:
    """Filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True, slots=True)
class FilledArea:
    """Filled area without an edge.

    Args:
        points: Its corners, three or more.
        fill: The colour.
    """

    points: tuple[Point, ...]
    fill: str


@dataclass(frozen=True, slots=True)
class TextLabel:
    """Single line of text, in reading order; ``y`` is its vertical middle."""

    x: float
    y: float
    text: str
    colour: str
    size: float = 11
    bold: bool = False
    anchor: Anchor = "start"


DrawingItem = Polyline | Marker | FilledRectangle | FilledArea | TextLabel


@dataclass(frozen=True, slots=True)
class Axes:
    """Plot area, which maps values to positions.

    Args:
        left: The left edge in pixels.
        top: The top edge.
        right: The right edge.
        bottom: The bottom edge.
        horizontal: The values at the left and at the right edge.
        vertical: The values at the bottom and at the top.
    """

    left: float
    top: float
    right: float
    bottom: float
    horizontal: tuple[float, float]
    vertical: tuple[float, float]

    def x(self, value: float) -> float:
        """Return the horizontal position of a value."""
        low, high = self.horizontal
        return self.left + (self.right - self.left) * (value - low) / (high - low)

    def y(self, value: float) -> float:
        """Return the vertical position of a value."""
        low, high = self.vertical
        return self.bottom - (self.bottom - self.top) * (value - low) / (high - low)

    def value_at(self, x: float) -> float:
        """Return the value at a horizontal position, limited to the axis."""
        low, high = self.horizontal
        share = (x - self.left) / (self.right - self.left)
        return low + (high - low) * min(1.0, max(0.0, share))


@dataclass(frozen=True, slots=True)
class Drawing:
    """Finished drawing.

    Args:
        width: The width in pixels at 96 dpi.
        height: The height in pixels at 96 dpi.
        ground: The background colour.
        title: A description of the drawing, for screen readers.
        items: The items, later ones on top of earlier ones.
        axes: The plot area.
        rtl: Whether the texts are read from right to left.
    """

    width: float
    height: float
    ground: str
    title: str
    items: tuple[DrawingItem, ...]
    axes: Axes
    rtl: bool = False

    def log_markers(self) -> tuple[Marker, ...]:
        """Return the marks that belong to a position in the log, one for each position, in order."""
        labelled = {
            i.position: i
            for i in self.items
            if isinstance(i, Marker) and i.tooltip and i.position is not None
        }
        return tuple(labelled[position] for position in sorted(labelled))

    def nearest_marker(self, x: float, y: float) -> Marker | None:
        """Return the mark with a tooltip that is nearest to a point; None if none is near."""
        labelled = [item for item in self.items if isinstance(item, Marker) and item.tooltip]
        # The last drawn of several at one point: it is the visible one.
        nearest = min(reversed(labelled), key=lambda dot: hypot(dot.x - x, dot.y - y), default=None)
        if nearest is None or hypot(nearest.x - x, nearest.y - y) > max(PICK_DISTANCE, nearest.radius + 2):
            return None
        return nearest
