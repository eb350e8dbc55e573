"""Anti-aliased drawing: curves, and a pen that draws in the picture's own units. Pillow, no Tk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import ceil, cos, floor, radians, sin

from PIL import Image, ImageDraw

Point = tuple[float, float]
Colour = str | tuple[int, ...]


class Pen:
    """Pen that draws on a picture in arbitrary units.

    Args:
        image: The picture to draw on; larger than the one shown, which smooths the edges.
        scale: Pixels of ``image`` per unit.
        origin: The coordinates, in units, of the picture's top left corner.
    """

    def __init__(self, image: Image.Image, scale: float, origin: Point = (0.0, 0.0)) -> None:
        self.image = image
        self.scale = scale
        self.origin = origin
        self._draw = ImageDraw.Draw(image)

    def to_pixels(self, points: Sequence[Point]) -> list[Point]:
        """Return points in pixels of the picture."""
        left, top = self.origin
        return [((x - left) * self.scale, (y - top) * self.scale) for x, y in points]

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """Draw a filled polygon."""
        self._draw.polygon(self.to_pixels(points), fill=fill)

    def ellipse(self, x: float, y: float, across: float, down: float, fill: Colour) -> None:
        """Draw a filled ellipse, given its centre and its two radii."""
        self._draw.ellipse([*self.to_pixels([(x - across, y - down), (x + across, y + down)])], fill=fill)

    def ellipse_outline(
        self, x: float, y: float, across: float, down: float, width: float, fill: Colour
    ) -> None:
        """Draw the outline of an ellipse; half of ``width`` is inside and half outside."""
        half = width / 2
        box = self.to_pixels([(x - across - half, y - down - half), (x + across + half, y + down + half)])
        self._draw.ellipse([*box], outline=fill, width=self._line_width(width))

    def arc(self, x: float, y: float, radius: float, span: Point, width: float, fill: Colour) -> None:
        """Draw an arc with round ends between two angles in degrees, clockwise from the right."""
        start, end = span
        steps = max(8, int(abs(end - start) / 6))
        angles = [radians(start + (end - start) * step / steps) for step in range(steps + 1)]
        self.line([(x + radius * cos(a), y + radius * sin(a)) for a in angles], width, fill)

    def rounded_rectangle(
        self, left: float, top: float, right: float, bottom: float, radius: float, fill: Colour
    ) -> None:
        """Draw a filled rectangle with rounded corners."""
        corners = [*self.to_pixels([(left, top), (right, bottom)])]
        self._draw.rounded_rectangle(corners, radius * self.scale, fill=fill)

    def line(self, points: Sequence[Point], width: float, fill: Colour) -> None:
        """Draw a line with round ends and joints."""
        placed, thick = self.to_pixels(points), self._line_width(width)
        self._draw.line(placed, fill=fill, width=thick, joint="curve")
        half = thick / 2
        for x, y in (placed[0], placed[-1]):
            self._draw.ellipse((x - half, y - half, x + half, y + half), fill=fill)

    def clip_to(self, shape: Sequence[Point], paint: Callable[[Pen], object]) -> None:
        """Call ``paint`` with a pen whose drawing is clipped to a shape."""
        placed = self.to_pixels(shape)
        xs, ys = [x for x, _ in placed], [y for _, y in placed]
        left, top = max(0, floor(min(xs))), max(0, floor(min(ys)))
        right, bottom = min(self.image.width, ceil(max(xs)) + 1), min(self.image.height, ceil(max(ys)) + 1)
        if left >= right or top >= bottom:
            return
        mask = Image.new("L", (right - left, bottom - top))
        ImageDraw.Draw(mask).polygon([(x - left, y - top) for x, y in placed], fill=255)
        inside = self.image.crop((left, top, right, bottom))
        origin = self.origin[0] + left / self.scale, self.origin[1] + top / self.scale
        paint(Pen(inside, self.scale, origin))
        self.image.paste(inside, (left, top), mask)

    def glow(self, x: float, y: float, across: float, down: float, fill: Colour, share: float) -> None:
        """Draw a soft elliptical spot of opacity ``share``, 0 to 1, at its centre and 0 at its edge."""
        (left, top), (right, bottom) = self.to_pixels([(x - across, y - down), (x + across, y + down)])
        size = max(1, round(right - left)), max(1, round(bottom - top))
        self.image.paste(
            fill, (round(left), round(top)), _glow_mask(size).point(lambda value: round(value * share))
        )

    def _line_width(self, width: float) -> int:
        return max(1, round(width * self.scale))


def quadratic_curve(start: Point, pull: Point, end: Point, steps: int = 16) -> list[Point]:
    """Return the points of a quadratic Bézier curve."""
    return [
        (
            (1 - t) ** 2 * start[0] + 2 * (1 - t) * t * pull[0] + t * t * end[0],
            (1 - t) ** 2 * start[1] + 2 * (1 - t) * t * pull[1] + t * t * end[1],
        )
        for t in (step / steps for step in range(steps + 1))
    ]


def cubic_curve(start: Point, first: Point, second: Point, end: Point, steps: int = 18) -> list[Point]:
    """Return the points of a cubic Bézier curve."""
    shares = (step / steps for step in range(steps + 1))
    weights = (((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3) for t in shares)
    return [
        (
            a * start[0] + b * first[0] + c * second[0] + d * end[0],
            a * start[1] + b * first[1] + c * second[1] + d * end[1],
        )
        for a, b, c, d in weights
    ]


def spline(points: Sequence[Point], *, closed: bool = False, steps: int = 8) -> list[Point]:
    """Return the points of a smooth curve through the given points (Catmull-Rom)."""
    count = len(points)
    around = [points[-1], *points, *points[:2]] if closed else [points[0], *points, points[-1]]
    curve = [
        (
            _between(p0[0], p1[0], p2[0], p3[0], step / steps),
            _between(p0[1], p1[1], p2[1], p3[1], step / steps),
        )
        for p0, p1, p2, p3 in (around[index : index + 4] for index in range(count if closed else count - 1))
        for step in range(steps)
    ]
    return curve if closed else [*curve, points[-1]]


def mirrored(points: Sequence[Point], middle: float = 0.5) -> list[Point]:
    """Return a curve followed by its mirror image: the whole of which ``points`` are the left half."""
    return [*points, *((2 * middle - x, y) for x, y in reversed(points))]


@lru_cache(maxsize=8)
def _glow_mask(size: tuple[int, int]) -> Image.Image:
    """Return a mask that is white in the middle and fades to black at the edge."""
    rings = Image.radial_gradient("L").point(lambda far: round(255 * max(0.0, 1 - far / 180) ** 1.5))
    return rings.resize(size)


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
