"""Line icons, drawn with Pillow at any size and colour."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import acos, atan2, cos, degrees, hypot, radians, sin

from PIL import Image

from negoplatform.gui.theming.antialiased_pen import Pen, Point, cubic_curve, quadratic_curve, spline

GRID = 16
"""The number of units across and down on which icons are drawn."""

STROKE = 1.5
"""The thickness of every line, in units."""


@lru_cache(maxsize=128)
def icon(name: str, size: int, colour: str) -> Image.Image:
    """Return an icon of ``size`` × ``size`` pixels on a transparent ground; it is cached, do not modify it.

    Raises:
        KeyError: If ``name`` is not in :data:`ICONS`.
    """
    draw = ICONS[name]
    times = max(3, 160 // size)
    # Only the coverage is drawn: the colour is the same everywhere, which keeps the edges from turning grey.
    cover = Image.new("L", (size * times, size * times))
    draw(_IconPen(Pen(cover, size * times / GRID)))
    drawn = Image.new("RGBA", (size, size), colour)
    drawn.putalpha(cover.reduce(times))
    return drawn


class _IconPen:
    """Pen with a single line thickness."""

    def __init__(self, pen: Pen) -> None:
        self._pen = pen

    def line(self, *points: Point) -> None:
        self._pen.line(points, STROKE, (255,))
        for x, y in points[1:-1]:
            self.dot(x, y, STROKE / 2)

    def curve(self, points: Sequence[Point]) -> None:
        self._pen.line(points, STROKE, (255,))

    def closed(self, *points: Point) -> None:
        self.line(*points, points[0], points[1])

    def ring(self, x: float, y: float, radius: float, down: float = 0) -> None:
        self._pen.ellipse_outline(x, y, radius, down or radius, STROKE, (255,))

    def arc(self, x: float, y: float, radius: float, start: float, end: float) -> None:
        self._pen.arc(x, y, radius, (start, end), STROKE, (255,))

    def dot(self, x: float, y: float, radius: float) -> None:
        self._pen.ellipse(x, y, radius, radius, (255,))

    def frame(self, left: float, top: float, right: float, bottom: float, radius: float) -> None:
        """Draw the outline of a rectangle with rounded corners."""
        points: list[Point] = []
        for x, y, start in (
            (right - radius, top + radius, -90),
            (right - radius, bottom - radius, 0),
            (left + radius, bottom - radius, 90),
            (left + radius, top + radius, 180),
        ):
            points += [_point_on_circle(x, y, radius, start + turn) for turn in range(0, 91, 15)]
        self.curve([*points, points[0], points[1]])


def _point_on_circle(x: float, y: float, radius: float, angle: float) -> Point:
    """Return a point on a circle, given its angle in degrees, clockwise from the right."""
    return x + radius * cos(radians(angle)), y + radius * sin(radians(angle))


def _help(pen: _IconPen) -> None:
    pen.ring(8, 8, 6.5)
    pen.curve(
        spline([(6.1, 6.5), (6.5, 5.1), (8, 4.5), (9.5, 5.1), (9.85, 6.5), (8.9, 7.7), (8.1, 8.4), (8, 9.2)])
    )
    pen.dot(8, 11.4, 0.95)


def _leave(pen: _IconPen) -> None:
    pen.line((8.6, 2.2), (2.4, 2.2), (2.4, 13.8), (8.6, 13.8))
    pen.line((6.2, 8), (13.9, 8))
    pen.line((11, 5.1), (13.9, 8), (11, 10.9))


def _send(pen: _IconPen) -> None:
    pen.closed((14.2, 1.8), (9.5, 14.2), (7.1, 8.9), (1.8, 6.5))
    pen.line((14.2, 1.8), (7.1, 8.9))


def _phrases(pen: _IconPen) -> None:
    pen.closed((2.0, 2.4), (14.0, 2.4), (14.0, 11.2), (7.6, 11.2), (4.6, 14.2), (4.6, 11.2), (2.0, 11.2))
    pen.line((4.9, 5.4), (11.1, 5.4))
    pen.line((4.9, 8.2), (9.2, 8.2))


def _offer(pen: _IconPen) -> None:
    pen.ring(8, 8, 6.5)
    pen.line((8, 11.2), (8, 4.9))
    pen.line((5.3, 7.5), (8, 4.8), (10.7, 7.5))


def _check(pen: _IconPen) -> None:
    pen.ring(8, 8, 6.5)
    pen.line((5.0, 8.3), (7.1, 10.4), (11.0, 6.1))


def _tick(pen: _IconPen) -> None:
    pen.line((3.2, 8.4), (6.6, 11.8), (12.8, 4.8))


def _undo(pen: _IconPen) -> None:
    pen.line((5.4, 2.5), (2.2, 5.7), (5.4, 8.9))
    pen.line((2.2, 5.7), (9.8, 5.7))
    pen.arc(9.8, 9.6, 3.9, -90, 90)
    pen.line((9.8, 13.5), (6.0, 13.5))


def _clear(pen: _IconPen) -> None:
    pen.line((3.4, 3.4), (12.6, 12.6))
    pen.line((12.6, 3.4), (3.4, 12.6))


def _compare(pen: _IconPen) -> None:
    pen.frame(1.8, 2.4, 14.2, 13.6, 1.5)
    pen.line((8, 2.4), (8, 13.6))
    pen.line((1.8, 6.2), (14.2, 6.2))


def _play(pen: _IconPen) -> None:
    pen.closed((4.4, 2.4), (13.4, 8), (4.4, 13.6))


def _pause(pen: _IconPen) -> None:
    for left in (3.3, 9.5):
        pen.frame(left, 2.5, left + 3.2, 13.5, 0.8)


def _step_forward(pen: _IconPen) -> None:
    pen.closed((3.0, 2.9), (10.6, 8), (3.0, 13.1))
    pen.line((13.2, 2.9), (13.2, 13.1))


def _step_back(pen: _IconPen) -> None:
    pen.closed((13.0, 2.9), (5.4, 8), (13.0, 13.1))
    pen.line((2.8, 2.9), (2.8, 13.1))


def _next(pen: _IconPen) -> None:
    pen.closed((1.9, 3.4), (7.5, 8), (1.9, 12.6))
    pen.closed((8.5, 3.4), (14.1, 8), (8.5, 12.6))


def _gear(pen: _IconPen) -> None:
    points = []
    for tooth in range(8):
        for turn, radius in ((-13, 5.0), (-9, 6.6), (9, 6.6), (13, 5.0)):
            points.append(_point_on_circle(8, 8, radius, tooth * 45 + turn))
    pen.closed(*points)
    pen.ring(8, 8, 2.1)


def _folder(pen: _IconPen) -> None:
    pen.closed((1.8, 3.0), (6.2, 3.0), (7.9, 5.1), (14.2, 5.1), (14.2, 13.0), (1.8, 13.0))


def _again(pen: _IconPen) -> None:
    pen.arc(8, 8.4, 5.6, -20, 255)
    pen.line((13.9, 2.6), (13.4, 6.5), (9.6, 5.9))


def _warning(pen: _IconPen) -> None:
    pen.closed((8, 2.2), (14.6, 13.6), (1.4, 13.6))
    pen.line((8, 6.6), (8, 9.4))
    pen.dot(8, 11.5, 0.9)


def _image(pen: _IconPen) -> None:
    pen.frame(1.8, 2.6, 14.2, 13.4, 1.6)
    pen.ring(5.5, 6.1, 0.85)
    pen.line((2.4, 12.6), (6.2, 9.4), (8.2, 11.1), (10.8, 8.1), (13.9, 11.3))


def _lock(pen: _IconPen) -> None:
    pen.frame(2.9, 7.0, 13.1, 14.0, 1.5)
    pen.curve(
        [(5.0, 7.0), *(_point_on_circle(8, 5.0, 3.0, angle) for angle in range(180, 361, 10)), (11.0, 7.0)]
    )
    pen.dot(8, 10.5, 1.1)


def _globe(pen: _IconPen) -> None:
    pen.ring(8, 8, 6.5)
    pen.ring(8, 8, 2.9, 6.5)
    pen.line((1.7, 8), (14.3, 8))


def _sun(pen: _IconPen) -> None:
    pen.ring(8, 8, 3.0)
    for angle in range(0, 360, 45):
        pen.line(_point_on_circle(8, 8, 5.4, angle), _point_on_circle(8, 8, 6.8, angle))


def _moon(pen: _IconPen) -> None:
    """Draw a disc minus another disc: two arcs between the points where their edges intersect."""
    (x1, y1, r1), (x2, y2, r2) = (7.6, 8.4, 6.0), (12.0, 4.0, 5.2)
    apart, towards = hypot(x2 - x1, y2 - y1), degrees(atan2(y2 - y1, x2 - x1))
    half = degrees(acos((r1**2 + apart**2 - r2**2) / (2 * r1 * apart)))
    hollow = degrees(acos((r2**2 + apart**2 - r1**2) / (2 * r2 * apart)))
    steps = [step / 30 for step in range(31)]
    outside = [_point_on_circle(x1, y1, r1, towards + half + (360 - 2 * half) * step) for step in steps]
    inside = [_point_on_circle(x2, y2, r2, towards + 180 + hollow - 2 * hollow * step) for step in steps]
    pen.closed(*outside, *reversed(inside))


def _plus(pen: _IconPen) -> None:
    pen.line((8, 2.8), (8, 13.2))
    pen.line((2.8, 8), (13.2, 8))


def _minus(pen: _IconPen) -> None:
    pen.line((2.8, 8), (13.2, 8))


def _chevron_down(pen: _IconPen) -> None:
    pen.line((3.4, 5.7), (8, 10.3), (12.6, 5.7))


def _chevron_up(pen: _IconPen) -> None:
    pen.line((3.4, 10.3), (8, 5.7), (12.6, 10.3))


def _copy(pen: _IconPen) -> None:
    pen.frame(5.6, 5.6, 14.0, 14.0, 1.5)
    pen.curve([(10.4, 2.0), (3.5, 2.0), *quadratic_curve((3.5, 2.0), (2.0, 2.0), (2.0, 3.5), 6), (2.0, 10.4)])


def _text(pen: _IconPen) -> None:
    pen.line((2.9, 5.2), (2.9, 2.8), (13.1, 2.8), (13.1, 5.2))
    pen.line((8, 2.8), (8, 13.2))
    pen.line((6.0, 13.2), (10.0, 13.2))


def _clock(pen: _IconPen) -> None:
    pen.ring(8, 8, 6.5)
    pen.line((8, 4.3), (8, 8.1), (10.7, 9.7))


def _swap(pen: _IconPen) -> None:
    pen.line((2.4, 5.2), (13.6, 5.2))
    pen.line((10.8, 2.4), (13.6, 5.2), (10.8, 8.0))
    pen.line((13.6, 11.2), (2.4, 11.2))
    pen.line((5.2, 8.4), (2.4, 11.2), (5.2, 14.0))


def _person(pen: _IconPen) -> None:
    pen.ring(8, 4.9, 2.9)
    pen.curve(cubic_curve((2.5, 14.0), (2.7, 9.3), (13.3, 9.3), (13.5, 14.0)))


ICONS: Mapping[str, Callable[[_IconPen], None]] = {
    "help": _help,
    "leave": _leave,
    "send": _send,
    "phrases": _phrases,
    "offer": _offer,
    "check": _check,
    "tick": _tick,
    "undo": _undo,
    "clear": _clear,
    "compare": _compare,
    "play": _play,
    "pause": _pause,
    "step_forward": _step_forward,
    "step_back": _step_back,
    "next": _next,
    "gear": _gear,
    "folder": _folder,
    "again": _again,
    "warning": _warning,
    "image": _image,
    "lock": _lock,
    "globe": _globe,
    "sun": _sun,
    "moon": _moon,
    "plus": _plus,
    "minus": _minus,
    "chevron_down": _chevron_down,
    "chevron_up": _chevron_up,
    "copy": _copy,
    "text": _text,
    "clock": _clock,
    "person": _person,
    "swap": _swap,
}
"""The drawing function of every icon, by its name."""
