"""Pictures of issues, drawn with Pillow at any size. No Tk.

All pictures are flat, in a few tones, with a dark edge: the edge stands out on light grounds, the tones on
dark ones. A picture never stands for itself; it is always shown with words and numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import cos, radians, sin

from PIL import Image

from negoplatform.gui.theming.antialiased_pen import Pen, Point, cubic_curve, quadratic_curve
from negoplatform.presentation.color_palette import mix_colours

GRID = 32
"""Width and height of a picture in units."""

EDGE = 1.7
"""Thickness of an edge in units."""

FADED = 0.6
"""Opacity of pictures for undecided units."""

RED, ORANGE, YELLOW, GREEN = "#e0534a", "#e98a3a", "#f3c63f", "#58a65c"
BLUE, SKY, PURPLE, PINK = "#4a8fd4", "#8fc7ee", "#9a76c9", "#ee9ab0"
BROWN, TAN, GREY, WHITE = "#b57f4d", "#e2bd86", "#9aa6b8", "#fbf8f0"
RUBBER = "#6d7789"
INK = "#1b2230"


@lru_cache(maxsize=256)
def picture(name: str, size: int, *, faded: bool = False) -> Image.Image:
    """Return a picture of ``size`` × ``size`` pixels on transparency; cached, not to be modified.

    Args:
        name: Key of :data:`PICTURES`.
        size: Side in pixels.
        faded: Whether to fade the picture, for undecided units.

    Raises:
        KeyError: If there is no picture of that name.
    """
    draw = PICTURES[name]
    times = max(4, 160 // size)
    image = Image.new("RGBA", (size * times, size * times))
    draw(Brush(Pen(image, size * times / GRID)))
    # Premultiplied alpha: mixing with an empty ground would darken the edges.
    small = image.convert("RGBa").resize((size, size), Image.Resampling.LANCZOS).convert("RGBA")
    return fade(small) if faded else small


def fade(image: Image.Image) -> Image.Image:
    """Return a grey, half-transparent picture of the same shape."""
    grey = image.convert("LA").convert("RGBA")
    grey.putalpha(image.getchannel("A").point(lambda alpha: round(alpha * FADED)))
    return grey


class Brush:
    """Drawing tool for shapes with a dark edge.

    Args:
        pen: Pen that draws on the image.
    """

    def __init__(self, pen: Pen) -> None:
        self._pen = pen

    def shape(self, points: Sequence[Point], fill: str) -> None:
        """Draw a filled shape."""
        self._pen.line([*points, points[0], points[1]], EDGE, edge_colour(fill))
        for x, y in points:
            self._pen.ellipse(x, y, EDGE / 2, EDGE / 2, edge_colour(fill))
        self._inner(points, fill)

    def disc(self, x: float, y: float, across: float, fill: str, down: float = 0) -> None:
        """Draw a filled circle or ellipse."""
        half, high = EDGE / 2, down or across
        self._pen.ellipse(x, y, across + half, high + half, edge_colour(fill))
        self._pen.ellipse(x, y, across - half, high - half, fill)

    def box(self, left: float, top: float, right: float, bottom: float, fill: str, radius: float = 2) -> None:
        """Draw a filled rectangle with rounded corners."""
        half = EDGE / 2
        self._pen.rounded_rectangle(
            left - half, top - half, right + half, bottom + half, radius + half, edge_colour(fill)
        )
        self._pen.rounded_rectangle(
            left + half, top + half, right - half, bottom - half, max(0.1, radius - half), fill
        )

    def line(self, points: Sequence[Point], fill: str, width: float = EDGE) -> None:
        """Draw a line without an edge."""
        self._pen.line(points, width, fill)

    def bar(self, points: Sequence[Point], fill: str, width: float) -> None:
        """Draw a thick line with an edge."""
        self._pen.line(points, width + EDGE, edge_colour(fill))
        self._pen.line(points, width - EDGE, fill)

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        """Draw a circle without an edge."""
        self._pen.ellipse(x, y, radius, radius, fill)

    def ring(self, x: float, y: float, radius: float, fill: str, width: float) -> None:
        """Draw a thick circle with an edge on both sides."""
        self._pen.ellipse_outline(x, y, radius, radius, width + EDGE, edge_colour(fill))
        self._pen.ellipse_outline(x, y, radius, radius, width - EDGE, fill)

    def _inner(self, points: Sequence[Point], fill: str) -> None:
        self._pen.polygon(points, fill)
        # Half of the edge is inside the shape.
        self._pen.line([*points, points[0], points[1]], EDGE * 0.9, edge_colour(fill))


def edge_colour(fill: str) -> str:
    """Return the dark edge colour for a fill colour."""
    return mix_colours(fill, INK, 0.62)


def _point_on_circle(x: float, y: float, radius: float, angle: float) -> Point:
    """Return a point on a circle, by its angle in degrees clockwise from the top."""
    return x + radius * sin(radians(angle)), y - radius * cos(radians(angle))


def _star(x: float, y: float, outer: float, inner: float, points: int = 5) -> list[Point]:
    turn = 180 / points
    return [_point_on_circle(x, y, inner if step % 2 else outer, step * turn) for step in range(2 * points)]


# Food and drink


def _apple(brush: Brush) -> None:
    left = cubic_curve((16, 9.5), (11, 5), (3.5, 9), (4.5, 17.5))
    below = cubic_curve((4.5, 17.5), (5.5, 25.5), (11.5, 31), (16, 28))
    half = [*left, *below[1:]]
    brush.shape([*half, *((32 - x, y) for x, y in reversed(half[1:-1]))], RED)
    brush.line(quadratic_curve((16, 10), (16, 5.5), (18.5, 3.2)), edge_colour(BROWN), 2.2)
    brush.shape(
        [
            *quadratic_curve((18, 7.5), (19.5, 2.8), (26, 3.4)),
            *quadratic_curve((26, 3.4), (24.5, 8.6), (18, 7.5))[1:],
        ],
        GREEN,
    )
    brush.line(quadratic_curve((8.6, 17.5), (8.4, 14), (10.6, 12.4)), WHITE, 1.6)


def _banana(brush: Brush) -> None:
    outer = cubic_curve((6.5, 5), (4.5, 17), (12, 28.5), (27.2, 26.2))
    inner = cubic_curve((27.2, 26.2), (20, 23), (13.2, 17), (10.6, 4.4))
    brush.shape([*outer, *inner[1:]], YELLOW)
    brush.line([(8.2, 5.4), (8, 2.8)], edge_colour(BROWN), 3)
    brush.dot(27, 26.2, 1.5, edge_colour(BROWN))
    brush.line(
        cubic_curve((9.6, 9.5), (10.6, 17), (15, 22.6), (21.5, 24.6)), mix_colours(YELLOW, BROWN, 0.6), 1.1
    )


def _bread(brush: Brush) -> None:
    crust = [*cubic_curve((5, 15), (0.5, 6), (31.5, 6), (27, 15)), (26, 26), (6, 26)]
    brush.shape(crust, TAN)
    for x in (10.5, 16, 21.5):
        brush.line([(x - 1.2, 16.5), (x + 1.2, 11.5)], edge_colour(BROWN), 1.6)


def _grain(brush: Brush) -> None:
    brush.line(quadratic_curve((15, 30), (15.5, 20), (17, 8)), edge_colour(TAN), 2)
    for step, (x, y) in enumerate(((15.6, 23.5), (15.9, 18.4), (16.4, 13.3))):
        lean = 6.6 - step * 0.5
        for side in (-1, 1):
            tip = (x + side * lean, y - 5.6)
            out = quadratic_curve((x, y), (x + side * lean * 1.15, y - 0.4), tip)
            back = quadratic_curve(tip, (x + side * 0.6, y - 5.8), (x, y))
            brush.shape([*out, *back[1:-1]], YELLOW)
    brush.shape(
        [
            *quadratic_curve((16.8, 9.6), (12.6, 6), (17.8, 1.8)),
            *quadratic_curve((17.8, 1.8), (21.4, 6.6), (16.8, 9.6))[1:-1],
        ],
        YELLOW,
    )


def _spice(brush: Brush) -> None:
    body = [*quadratic_curve((8, 13), (5.5, 28), (12, 29)), *quadratic_curve((20, 29), (26.5, 28), (24, 13))]
    brush.shape(body, RED)
    brush.box(8.2, 3.6, 23.8, 12.4, GREY, 3)
    for x, y in ((12.4, 7), (16, 6.2), (19.6, 7), (14.2, 9.6), (17.8, 9.6)):
        brush.dot(x, y, 0.95, INK)
    brush.box(11, 17.4, 21, 24.4, WHITE, 1.5)


def _food(brush: Brush) -> None:
    brush.disc(16, 17, 12.6, WHITE)
    brush.disc(16, 17, 8, GREEN)
    brush.disc(13.6, 18.6, 3.8, ORANGE)
    brush.disc(19, 15, 3, RED)


def _fish(brush: Brush) -> None:
    brush.shape([(22, 16), (30, 9.5), (28, 16), (30, 22.5)], BLUE)
    brush.shape(
        [
            *cubic_curve((3, 16), (8, 6), (18, 6.5), (24, 16)),
            *cubic_curve((24, 16), (18, 25.5), (8, 26), (3, 16))[1:-1],
        ],
        BLUE,
    )
    brush.dot(9, 14.6, 1.5, INK)
    brush.line(quadratic_curve((13.4, 11.2), (16, 16), (13.4, 20.8)), edge_colour(BLUE), 1.4)


def _cup(brush: Brush) -> None:
    brush.ring(23.4, 16.4, 4.4, WHITE, 2.9)
    brush.shape(
        [
            (5.6, 9.6),
            (23.4, 9.6),
            *quadratic_curve((23, 18), (22, 26.4), (18, 26.4), 6),
            *quadratic_curve((11, 26.4), (7, 26.4), (6, 18), 6),
        ],
        WHITE,
    )
    brush.disc(14.5, 9.8, 8.9, BROWN, 2.4)


def _water(brush: Brush) -> None:
    bottle = [
        *((12.6, 5.6), (12.6, 9)),
        *quadratic_curve((12.6, 9), (7.6, 12.4), (7.6, 17), 8)[1:],
        *((7.6, 28.6), (24.4, 28.6)),
        *quadratic_curve((24.4, 17), (24.4, 12.4), (19.4, 9), 8),
        (19.4, 5.6),
    ]
    brush.shape(bottle, SKY)
    brush.box(11.6, 2.4, 20.4, 6.6, BLUE, 1.4)
    brush.box(7.6, 16.6, 24.4, 23.6, WHITE, 0.4)
    drop = [
        (16, 17.4),
        *quadratic_curve((16, 17.4), (19.6, 20.6), (16, 22.6), 8)[1:],
        *quadratic_curve((16, 22.6), (12.4, 20.6), (16, 17.4), 8)[1:-1],
    ]
    brush.line([*drop, drop[0]], BLUE, 1.2)


# Outdoors


def _wood(brush: Brush) -> None:
    brush.shape([(9, 8.6), (27, 8.6), (27, 23.4), (9, 23.4)], BROWN)
    brush.disc(26.4, 16, 3.6, BROWN, 7.4)
    for y in (13.2, 18.8):
        brush.line([(14, y), (22.6, y)], edge_colour(BROWN), 1.3)
    brush.disc(8.2, 16, 4.6, TAN, 7.4)
    brush.disc(8.2, 16, 1.7, TAN, 3)


def _firewood(brush: Brush) -> None:
    flame = [
        *cubic_curve((16, 23), (7, 23), (7.4, 14.6), (13, 10.6)),
        *quadratic_curve((13, 10.6), (15.6, 8), (15.2, 2.6))[1:],
        *cubic_curve((15.2, 2.6), (22, 6), (25.8, 14), (22.6, 19.4))[1:],
        *quadratic_curve((22.6, 19.4), (20.4, 23), (16, 23))[1:-1],
    ]
    brush.shape(flame, ORANGE)
    inner = [
        *cubic_curve((16, 23), (11.6, 22.6), (12.4, 17.4), (16.6, 13.6)),
        *cubic_curve((16.6, 13.6), (20.6, 17.4), (20.6, 22.6), (16, 23))[1:-1],
    ]
    brush.shape(inner, YELLOW)
    brush.bar([(5.6, 29), (26.4, 23.6)], BROWN, 4.6)
    brush.bar([(5.6, 23.6), (26.4, 29)], BROWN, 4.6)


def _tree(brush: Brush) -> None:
    brush.box(13.6, 20, 18.4, 29.4, BROWN, 1)
    crown = [*_lobes(16, 12.6, 8.4, 4.2, 7)]
    brush.shape(crown, GREEN)


def _lobes(x: float, y: float, radius: float, lobe: float, count: int) -> list[Point]:
    """Return a disc with bulges, such as a crown of leaves."""
    points: list[Point] = []
    for step in range(count):
        centre = _point_on_circle(x, y, radius, step * 360 / count)
        points += [_point_on_circle(*centre, lobe, step * 360 / count + turn) for turn in range(-75, 76, 15)]
    return points


def _land(brush: Brush) -> None:
    brush.shape([(16, 8), (30, 16.4), (16, 25.6), (2, 16.4)], GREEN)
    for first, last in (((9, 12.2), (23, 21)), ((23, 12.2), (9, 21))):
        brush.line([first, last], edge_colour(GREEN), 1.1)
    brush.line([(16, 17), (16, 3.4)], edge_colour(BROWN), 2)
    brush.shape([(16.4, 3.2), (25, 6.2), (16.4, 9.4)], RED)


def _house(brush: Brush) -> None:
    brush.shape([(6.4, 15), (25.6, 15), (25.6, 28.4), (6.4, 28.4)], WHITE)
    brush.shape([(16, 3.6), (29.6, 15.4), (2.4, 15.4)], RED)
    brush.shape([(13, 28.4), (13, 20), (19, 20), (19, 28.4)], BROWN)


def _tent(brush: Brush) -> None:
    brush.shape([(16, 4.6), (30.2, 27.6), (1.8, 27.6)], ORANGE)
    brush.shape([(16, 11.6), (21.4, 27.6), (10.6, 27.6)], edge_colour(ORANGE))


def _car(brush: Brush) -> None:
    brush.shape(
        [
            *quadratic_curve((6.6, 16), (9, 7), (13, 7), 6),
            *quadratic_curve((20, 7), (23.4, 7), (26.4, 16), 6),
        ],
        SKY,
    )
    brush.line([(16.4, 8), (16.4, 15.4)], edge_colour(SKY), 1.5)
    brush.shape([(2.6, 18.6), (5, 15.4), (27.4, 15.4), (29.6, 18.6), (29.6, 24), (2.6, 24)], BLUE)
    for x in (9, 23.2):
        brush.disc(x, 24.2, 3.9, GREY)
        brush.dot(x, 24.2, 1.2, INK)


def _tyre(brush: Brush) -> None:
    brush.disc(16, 16, 13, RUBBER)
    brush.disc(16, 16, 7.2, WHITE)
    brush.dot(16, 16, 1.7, edge_colour(GREY))
    for angle in range(0, 360, 72):
        brush.dot(*_point_on_circle(16, 16, 4.6, angle), 1, edge_colour(GREY))


# Things


def _broom(brush: Brush) -> None:
    brush.bar([(25.6, 4.4), (16.4, 15.6)], BROWN, 3.6)
    brush.shape([(11.6, 13), (19.4, 19.6), (14.4, 28.8), (3.4, 19.6)], YELLOW)
    for start, end in (((9.4, 18.4), (6.4, 21.4)), ((12.4, 20.8), (9.4, 24.2)), ((15.2, 23.2), (12.4, 26.6))):
        brush.line([start, end], edge_colour(YELLOW), 1.3)


def _book(brush: Brush) -> None:
    brush.box(5.4, 3.6, 26.6, 28.6, PURPLE, 2.4)
    brush.box(8.6, 23.6, 26.6, 27.2, WHITE, 0.6)
    brush.line([(9.4, 4.6), (9.4, 23)], edge_colour(PURPLE), 1.5)
    brush.line([(13.6, 9.4), (22.4, 9.4)], WHITE, 1.9)
    brush.line([(13.6, 13.6), (19.6, 13.6)], WHITE, 1.9)


def _ball(brush: Brush) -> None:
    brush.disc(16, 16, 12.8, WHITE)
    brush.shape([_point_on_circle(16, 16, 5, step * 72) for step in range(5)], edge_colour(GREY))
    for step in range(5):
        brush.line(
            [_point_on_circle(16, 16, 5, step * 72), _point_on_circle(16, 16, 12.2, step * 72)],
            edge_colour(GREY),
            1.5,
        )


def _hat(brush: Brush) -> None:
    brush.disc(16, 23.4, 13.6, PURPLE, 4.2)
    brush.shape(
        [
            *cubic_curve((7.8, 22), (9, 3.6), (12.4, 5.2), (16, 7)),
            *cubic_curve((16, 7), (19.6, 5.2), (23, 3.6), (24.2, 22))[1:],
            *quadratic_curve((24.2, 22), (16, 25.6), (7.8, 22))[1:-1],
        ],
        PURPLE,
    )
    brush.line(quadratic_curve((8.4, 19.4), (16, 22.8), (23.6, 19.4)), YELLOW, 2.6)


def _gift(brush: Brush) -> None:
    for side in (-1, 1):
        loop = [
            *quadratic_curve((16, 10), (16 + side * 10, 9.6), (16 + side * 8, 4)),
            *quadratic_curve((16 + side * 8, 4), (16 + side * 3, 2.4), (16, 10))[1:-1],
        ]
        brush.shape(loop, RED)
    brush.box(5.4, 15, 26.6, 28.6, YELLOW, 1.4)
    brush.box(3.6, 9.8, 28.4, 15.6, YELLOW, 1.4)
    brush.box(13.8, 9.8, 18.2, 28.6, RED, 0.4)


def _key(brush: Brush) -> None:
    brush.bar([(13, 17), (27.6, 17)], YELLOW, 3.8)
    for x, far in ((22.2, 22.6), (26.8, 22)):
        brush.bar([(x, 18), (x, far)], YELLOW, 3.6)
    brush.line([(13, 17), (27.6, 17)], YELLOW, 1.6)
    brush.ring(9.2, 16, 5.2, YELLOW, 4)


def _coin(brush: Brush) -> None:
    brush.disc(16, 16, 12.8, YELLOW)
    brush.ring(16, 16, 8.6, YELLOW, 1.75)
    brush.line([(16, 12), (16, 20)], edge_colour(YELLOW), 2.6)


def _money(brush: Brush) -> None:
    brush.box(5.6, 5.6, 30, 19.4, GREEN, 1.8)
    brush.box(2.4, 11, 26.8, 25.6, GREEN, 1.8)
    brush.disc(14.6, 18.3, 4.2, mix_colours(GREEN, WHITE, 0.65))
    for x in (6, 23.2):
        brush.dot(x, 18.3, 1.3, edge_colour(GREEN))


def _pension(brush: Brush) -> None:
    for x in (10, 20.6):
        brush.box(x - 2.2, 22, x + 2.2, 28.6, PINK, 1)
    brush.disc(15.4, 17.6, 11.2, PINK, 8.4)
    brush.shape([(18.4, 8.6), (24, 5.2), (23.8, 12.4)], PINK)
    brush.disc(26.8, 17.8, 2.9, PINK, 3.6)
    brush.dot(21.4, 14.8, 1.3, INK)
    brush.line([(11.4, 12.2), (17, 11.4)], edge_colour(PINK), 2)
    brush.disc(14.2, 5.4, 3.6, YELLOW)


def _briefcase(brush: Brush) -> None:
    brush.line([(11.4, 10), (11.4, 5.2), (20.6, 5.2), (20.6, 10)], edge_colour(BROWN), 2.6)
    brush.box(2.8, 9.4, 29.2, 27.4, BROWN, 2.6)
    brush.line([(3.4, 17.4), (28.6, 17.4)], edge_colour(BROWN), 1.7)
    brush.box(13.4, 15, 18.6, 20.2, YELLOW, 1)


def _promotion(brush: Brush) -> None:
    for left, top in ((3, 22.6), (10.4, 17.8), (17.8, 13)):
        brush.shape([(left, top), (left + 7.4, top), (left + 7.4, 29), (left, 29)], SKY)
    brush.bar([(4.6, 16.4), (20.6, 6.4)], GREEN, 3.8)
    brush.shape([(26.6, 2.6), (23.6, 11), (18, 3.8)], GREEN)
    brush.line([(15, 9.9), (20, 6.8)], GREEN, 1.8)


def _calendar(brush: Brush) -> None:
    brush.box(4, 6, 28, 28.4, WHITE, 2.6)
    brush.box(4, 6, 28, 13, RED, 2.6)
    for x in (10.4, 21.6):
        brush.line([(x, 3.4), (x, 8)], INK, 2.4)
    for y in (17.4, 23):
        for x in (9.8, 16, 22.2):
            brush.dot(x, y, 1.6, edge_colour(GREY))


def _clock(brush: Brush) -> None:
    brush.disc(16, 16, 12.8, WHITE)
    for hour in range(0, 360, 90):
        brush.dot(*_point_on_circle(16, 16, 9.6, hour), 1.1, edge_colour(GREY))
    brush.line([(16, 8.8), (16, 16), (21.4, 19)], edge_colour(BLUE), 2.5)


def _medicine(brush: Brush) -> None:
    brush.box(4, 7.6, 28, 27.4, WHITE, 3)
    brush.line([(11, 7), (11, 3.8), (21, 3.8), (21, 7)], edge_colour(GREY), 2.4)
    cross = [(13.4, 11.4), (18.6, 11.4), (18.6, 15), (22.2, 15), (22.2, 20.2), (18.6, 20.2)]
    brush.shape([*cross, (18.6, 23.8), (13.4, 23.8), (13.4, 20.2), (9.8, 20.2), (9.8, 15), (13.4, 15)], RED)


def _phone(brush: Brush) -> None:
    brush.box(8.4, 2.6, 23.6, 29.4, edge_colour(GREY), 3)
    brush.box(10.6, 6.4, 21.4, 24, SKY, 0.8)
    brush.dot(16, 26.9, 1.2, WHITE)


# Generic shapes


def _circle(brush: Brush) -> None:
    brush.disc(16, 16, 12.4, BLUE)


def _square(brush: Brush) -> None:
    brush.box(4.6, 4.6, 27.4, 27.4, ORANGE, 2.4)


def _triangle(brush: Brush) -> None:
    brush.shape([(16, 4), (29.4, 27), (2.6, 27)], GREEN)


def _diamond(brush: Brush) -> None:
    brush.shape([(16, 2.8), (28, 16), (16, 29.2), (4, 16)], PURPLE)


def _star_shape(brush: Brush) -> None:
    brush.shape(_star(16, 17.2, 14, 6.2), YELLOW)


def _heart(brush: Brush) -> None:
    half = [
        *cubic_curve((16, 10), (13, 2.6), (3, 4), (3.4, 12.4)),
        *cubic_curve((3.4, 12.4), (4, 19), (11, 23.6), (16, 28.4))[1:],
    ]
    brush.shape([*half, *((32 - x, y) for x, y in reversed(half[1:-1]))], RED)


PICTURES: Mapping[str, Callable[[Brush], None]] = {
    "apple": _apple,
    "banana": _banana,
    "bread": _bread,
    "grain": _grain,
    "spice": _spice,
    "food": _food,
    "fish": _fish,
    "cup": _cup,
    "water": _water,
    "wood": _wood,
    "firewood": _firewood,
    "tree": _tree,
    "land": _land,
    "house": _house,
    "tent": _tent,
    "car": _car,
    "tyre": _tyre,
    "broom": _broom,
    "book": _book,
    "ball": _ball,
    "hat": _hat,
    "gift": _gift,
    "key": _key,
    "coin": _coin,
    "money": _money,
    "pension": _pension,
    "briefcase": _briefcase,
    "promotion": _promotion,
    "calendar": _calendar,
    "clock": _clock,
    "medicine": _medicine,
    "phone": _phone,
    "circle": _circle,
    "square": _square,
    "triangle": _triangle,
    "diamond": _diamond,
    "star": _star_shape,
    "heart": _heart,
}
"""Drawing functions by picture name."""
