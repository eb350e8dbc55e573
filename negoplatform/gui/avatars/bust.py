"""Parts of a character that do not change with the expression: backdrop, clothes, hair, head."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from PIL import Image, ImageDraw

from negoplatform.gui.theming.antialiased_pen import Pen, Point, mirrored, quadratic_curve, spline
from negoplatform.presentation.agent_characters import Character
from negoplatform.presentation.color_palette import mix_colours

HEAD_Y, HEAD_HEIGHT = 0.46, 0.235
"""Centre of the head and half its height, as shares of the picture."""

MOUTH_Y = 0.612


def draw_bust(character: Character, size: int, scale: float, origin: Point, ground: str) -> Image.Image:
    """Return head and shoulders without a face, in a disc.

    Args:
        character: Character to draw.
        size: Size of the picture in pixels.
        scale: Pixels per unit.
        origin: Position of the top left corner, in units.
        ground: Colour around the disc.
    """
    image = _backdrop(character, size)
    pen = Pen(image, scale, origin)
    style = HAIR_STYLES[character.style]
    style.back(pen, character)
    pen.rounded_rectangle(0.428, 0.6, 0.572, 0.86, 0.06, character.shade)
    CLOTHES[character.clothes](pen, character)
    if style.ears:
        _ears(pen, character)
    pen.polygon(_head(character), character.skin)
    if character.beard:
        _beard(pen, character)
    if character.freckles:
        _freckles(pen, character)
    _front_hair(pen, character, style)
    framed = Image.new("RGB", (size, size), ground)
    mask = Image.new("L", (size, size))
    ImageDraw.Draw(mask).ellipse((0, 0, size - 1, size - 1), fill=255)
    framed.paste(image, mask=mask)
    return framed


def _backdrop(character: Character, size: int) -> Image.Image:
    top, bottom = (Image.new("RGB", (size, size), colour) for colour in character.backdrop)
    return Image.composite(bottom, top, Image.linear_gradient("L").resize((size, size)))


def _head(character: Character, larger: float = 0.0, span: Point = (0, 360)) -> list[Point]:
    """Return the outline between two angles in degrees, clockwise from the right; the chin is narrower."""
    points = []
    for step in range(61):
        angle = radians(span[0] + (span[1] - span[0]) * step / 60)
        low = max(0.0, sin(angle))
        across = (character.width + larger) * cos(angle) * (1 + 0.05 * low - character.jaw * 0.3 * low**3)
        points.append((0.5 + across, HEAD_Y + (HEAD_HEIGHT + larger) * sin(angle)))
    return points


def _ears(pen: Pen, character: Character) -> None:
    for side in (-1, 1):
        x = 0.5 + side * (character.width + 0.008)
        pen.ellipse(x, 0.492, 0.034, 0.048, character.skin)
        pen.ellipse(x + side * 0.002, 0.494, 0.018, 0.029, character.shade)
        if character.earrings:
            pen.ellipse(x + side * 0.004, 0.548, 0.013, 0.013, character.earrings)


def _beard(pen: Pen, character: Character) -> None:
    half = character.width
    outer = _head(character, 0.008, (2, 178))
    inner: list[Point] = [
        (0.5 - half * 0.93, 0.49),
        (0.5 - half * 0.8, 0.57),
        (0.5 - half * 0.42, 0.572),
        (0.5, 0.562),
    ]
    pen.polygon([*outer, *spline(mirrored(inner))], character.beard)
    # The mouth moves here and must stay visible.
    pen.ellipse(0.5, MOUTH_Y + 0.004, 0.102, 0.046, character.skin)


def _freckles(pen: Pen, character: Character) -> None:
    for side in (-1, 1):
        for x, y in ((0.085, 0.535), (0.11, 0.548), (0.135, 0.533), (0.1, 0.565), (0.128, 0.563)):
            pen.ellipse(0.5 + side * x, y, 0.005, 0.005, mix_colours(character.skin, character.shade, 0.9))


# Clothes


def _shoulders(pen: Pen, colour: str) -> None:
    left = [
        *quadratic_curve((0.04, 1.06), (0.07, 0.88), (0.24, 0.83)),
        *quadratic_curve((0.24, 0.83), (0.36, 0.795), (0.425, 0.755)),
    ]
    pen.polygon(mirrored(left), colour)


def _v_neck(pen: Pen, character: Character) -> None:
    _shoulders(pen, character.cloth)
    pen.polygon([(0.41, 0.755), (0.59, 0.755), (0.5, 0.935)], character.shade)
    for side in (-1, 1):
        pen.line([(0.5 + side * 0.083, 0.77), (0.5, 0.935)], 0.016, character.trim)
    pen.ellipse(0.5, 0.765, 0.075, 0.03, character.shade)


def _crew(pen: Pen, character: Character) -> None:
    _shoulders(pen, character.cloth)
    pen.ellipse(0.5, 0.775, 0.107, 0.076, character.trim)
    pen.ellipse(0.5, 0.765, 0.09, 0.062, character.shade)


def _turtleneck(pen: Pen, character: Character) -> None:
    _shoulders(pen, character.cloth)
    pen.rounded_rectangle(0.408, 0.705, 0.592, 0.84, 0.03, character.cloth)
    pen.line(quadratic_curve((0.412, 0.815), (0.5, 0.855), (0.588, 0.815)), 0.012, character.trim)


def _cardigan(pen: Pen, character: Character) -> None:
    _shoulders(pen, character.trim)
    pen.ellipse(0.5, 0.765, 0.09, 0.058, character.shade)
    side = [
        *quadratic_curve((0.04, 1.06), (0.07, 0.88), (0.24, 0.83)),
        (0.365, 0.79),
        (0.4, 0.778),
        (0.43, 0.88),
        (0.475, 1.06),
    ]
    for points in (side, [(1 - x, y) for x, y in side]):
        pen.polygon(points, character.cloth)


def _hoodie(pen: Pen, character: Character) -> None:
    pen.ellipse(0.5, 0.8, 0.19, 0.1, mix_colours(character.cloth, "#000000", 0.25))
    pen.ellipse(0.5, 0.75, 0.072, 0.06, character.shade)
    _shoulders_open(pen, character.cloth)
    for side in (-1, 1):
        pen.line([(0.5 + side * 0.05, 0.89), (0.5 + side * 0.055, 0.985)], 0.012, character.trim)


def _shoulders_open(pen: Pen, colour: str) -> None:
    left = [
        *quadratic_curve((0.04, 1.06), (0.07, 0.88), (0.24, 0.83)),
        *quadratic_curve((0.24, 0.83), (0.34, 0.8), (0.375, 0.77)),
    ]
    pen.polygon(
        [
            *left,
            *quadratic_curve((0.375, 0.775), (0.5, 0.97), (0.625, 0.775)),
            *[(1 - x, y) for x, y in reversed(left)],
        ],
        colour,
    )


def _shirt(pen: Pen, character: Character) -> None:
    _shoulders(pen, character.cloth)
    pen.polygon([(0.425, 0.76), (0.575, 0.76), (0.5, 0.875)], character.shade)
    pen.line([(0.5, 0.88), (0.5, 1.0)], 0.008, character.trim)
    for side in (-1, 1):
        collar = [(0.075, 0.75), (0.1, 0.775), (0.085, 0.895), (0.0, 0.87)]
        pen.polygon([(0.5 + side * x, y) for x, y in collar], character.trim)


def _blazer(pen: Pen, character: Character) -> None:
    _shoulders(pen, character.cloth)
    pen.polygon([(0.4, 0.78), (0.6, 0.78), (0.5, 1.06)], character.trim)
    pen.ellipse(0.5, 0.765, 0.078, 0.045, character.shade)
    dark = mix_colours(character.cloth, "#000000", 0.22)
    for side in (-1, 1):
        lapel = [(0.092, 0.775), (0.125, 0.795), (0.14, 0.9), (0.105, 0.91), (0.0, 1.06)]
        pen.polygon([(0.5 + side * x, y) for x, y in lapel], dark)


CLOTHES: Mapping[str, Callable[[Pen, Character], None]] = {
    "v_neck": _v_neck,
    "crew": _crew,
    "turtleneck": _turtleneck,
    "cardigan": _cardigan,
    "hoodie": _hoodie,
    "shirt": _shirt,
    "blazer": _blazer,
}


# Hair


def _no_back_hair(pen: Pen, character: Character) -> None:
    """Draw nothing: the hair is too short to be visible behind the head."""


def _round_back(pen: Pen, character: Character) -> None:
    pen.ellipse(0.5, 0.405, character.width + 0.028, 0.225, character.hair)


def _hair_outline(left: Sequence[Point], top: float) -> list[Point]:
    """Return the outline of hanging hair, from its left half, top down."""
    return spline([(0.5, top), *left, *((1 - x, y) for x, y in reversed(left))], closed=True)


def _long_back(pen: Pen, character: Character) -> None:
    left = [
        (0.38, 0.19),
        (0.288, 0.28),
        (0.262, 0.45),
        (0.235, 0.62),
        (0.24, 0.77),
        (0.205, 0.89),
        (0.32, 0.94),
    ]
    pen.polygon(_hair_outline(left, 0.155), character.hair)


def _bob_back(pen: Pen, character: Character) -> None:
    left = [(0.375, 0.185), (0.285, 0.275), (0.256, 0.43), (0.25, 0.6), (0.272, 0.7), (0.36, 0.715)]
    pen.polygon(_hair_outline(left, 0.147), character.hair)


def _bun_back(pen: Pen, character: Character) -> None:
    pen.ellipse(0.5, 0.14, 0.088, 0.075, character.hair)
    pen.ellipse_outline(0.5, 0.14, 0.05, 0.042, 0.01, mix_colours(character.hair, "#000000", 0.2))
    _round_back(pen, character)


def _curls_back(pen: Pen, character: Character) -> None:
    pen.ellipse(0.5, 0.37, 0.255, 0.215, character.hair)
    for angle in range(140, 410, 18):
        x, y = 0.5 + 0.232 * cos(radians(angle)), 0.38 + 0.2 * sin(radians(angle))
        pen.ellipse(x, y, 0.055, 0.055, character.hair)


def _waves_back(pen: Pen, character: Character) -> None:
    _round_back(pen, character)
    for x, y, radius in (
        (0.33, 0.27, 0.06),
        (0.41, 0.21, 0.065),
        (0.5, 0.19, 0.066),
        (0.59, 0.21, 0.065),
        (0.67, 0.27, 0.06),
    ):
        pen.ellipse(x, y, radius, radius, character.hair)


def _braids_back(pen: Pen, character: Character) -> None:
    _round_back(pen, character)
    light = mix_colours(character.hair, "#ffffff", 0.2)
    for side in (-1, 1):
        for top, bottom, end in ((0.2, 0.235, 0.83), (0.165, 0.19, 0.88), (0.21, 0.282, 0.76)):
            strand = quadratic_curve(
                (0.5 + side * top, 0.34), (0.5 + side * bottom, 0.5), (0.5 + side * bottom, end), 24
            )
            pen.line(strand, 0.047, character.hair)
            for x, y in strand[9::3]:
                pen.line([(x - 0.013, y - 0.006), (x + 0.013, y + 0.006)], 0.006, light)


@dataclass(frozen=True, slots=True)
class HairStyle:
    """Shape of a hairstyle.

    Args:
        back: Draws the hair behind the head.
        line: End of the hair on the forehead, from left to right: horizontally as shares of half the head's
            width from its middle, vertically as heights in the picture.
        rise: Distance between the hair and the head at the top.
        out: Distance between the hair and the head at the sides.
        low: End of the sides, in degrees below the middle of the head.
        ears: Whether the ears are visible.
    """

    back: Callable[[Pen, Character], None]
    line: Sequence[Point]
    rise: float = 0.04
    out: float = 0.016
    low: float = 2
    ears: bool = True


def _symmetric_hairline(*left: Point) -> tuple[Point, ...]:
    """Return a hairline that is the same on both sides."""
    return (*left, *((-x, y) for x, y in reversed(left) if x))


HAIR_STYLES: Mapping[str, HairStyle] = {
    "fringe": HairStyle(
        _round_back,
        (
            (-0.99, 0.46),
            (-0.9, 0.36),
            (-0.5, 0.345),
            (0.0, 0.325),
            (0.3, 0.275),
            (0.55, 0.33),
            (0.9, 0.365),
            (0.99, 0.46),
        ),
        rise=0.055,
    ),
    "long": HairStyle(
        _long_back,
        ((-1.0, 0.6), (-0.9, 0.44), (-0.55, 0.33), (0.1, 0.245), (0.6, 0.34), (0.9, 0.44), (1.0, 0.6)),
        rise=0.045,
        low=24,
        ears=False,
    ),
    "curls": HairStyle(
        _curls_back,
        _symmetric_hairline(
            (-1.0, 0.43), (-0.9, 0.36), (-0.68, 0.34), (-0.5, 0.295), (-0.25, 0.3), (0, 0.275)
        ),
        rise=0.06,
    ),
    "bob": HairStyle(
        _bob_back,
        _symmetric_hairline((-1.0, 0.62), (-0.86, 0.42), (-0.72, 0.35), (-0.35, 0.345), (0, 0.34)),
        rise=0.055,
        low=36,
        ears=False,
    ),
    "bun": HairStyle(
        _bun_back, _symmetric_hairline((-1.0, 0.45), (-0.9, 0.36), (-0.5, 0.29), (0, 0.27)), rise=0.03
    ),
    "cropped": HairStyle(
        _no_back_hair,
        _symmetric_hairline((-1.0, 0.44), (-0.93, 0.37), (-0.7, 0.315), (-0.3, 0.3), (0, 0.298)),
        rise=0.016,
        out=0.006,
    ),
    "swept": HairStyle(
        _round_back,
        (
            (-1.0, 0.46),
            (-0.93, 0.37),
            (-0.62, 0.28),
            (-0.3, 0.3),
            (0.2, 0.335),
            (0.7, 0.345),
            (0.93, 0.37),
            (1.0, 0.46),
        ),
        rise=0.065,
    ),
    "waves": HairStyle(
        _waves_back,
        _symmetric_hairline(
            (-1.0, 0.46), (-0.92, 0.36), (-0.62, 0.33), (-0.5, 0.295), (-0.22, 0.31), (0, 0.285)
        ),
        rise=0.045,
    ),
    "braids": HairStyle(
        _braids_back, _symmetric_hairline((-1.0, 0.46), (-0.9, 0.36), (-0.45, 0.28), (0, 0.255)), rise=0.035
    ),
}


def _front_hair(pen: Pen, character: Character, style: HairStyle) -> None:
    rx, ry = character.width + style.out, HEAD_HEIGHT + style.rise
    outer = [
        (0.5 + rx * cos(radians(angle)), HEAD_Y + ry * sin(radians(angle)))
        for angle in range(int(360 + style.low), int(180 - style.low) - 1, -4)
    ]
    inner = spline([(0.5 + x * character.width, y) for x, y in style.line])
    pen.polygon([*outer, *inner], character.hair)
