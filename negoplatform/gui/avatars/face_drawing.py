"""Faces for each expression at any size: of a character, and the small yellow one. Pillow, no Tk."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from negoplatform.core.events import Expression
from negoplatform.gui.avatars.bust import MOUTH_Y, draw_bust
from negoplatform.gui.avatars.face_parameters import EMOJI, Face, face_at_intensity
from negoplatform.gui.theming.antialiased_pen import Colour, Pen, Point, cubic_curve, quadratic_curve
from negoplatform.presentation.agent_characters import Character
from negoplatform.presentation.color_palette import mix_colours

EYE_X, EYE_Y = 0.087, 0.477
"""Position of the eyes: from the middle of the head, and from the top of the picture."""

CENTRE = 0.47
"""Height in the picture that stays fixed when a small face is enlarged."""

FACE = (0.25, 0.33, 0.75, 0.76)
"""Part of the picture in which anything moves: left, top, right, bottom."""

INK, MOUTH, TONGUE, TEETH, WATER = "#2a2230", "#5d1f2c", "#e0707c", "#ffffff", "#58a6e8"
YELLOW, EDGE = "#ffd452", "#d9991c"


@lru_cache(maxsize=48)
def draw_portrait(
    character: Character, expression: Expression, size: int, ground: str, intensity: float = 1.0
) -> Image.Image:
    """Return a character with an expression of an intensity, 0 to 1; cached, not to be modified."""
    return paint_portrait(character, face_at_intensity(expression, intensity), size, ground)


def paint_portrait(character: Character, face: Face, size: int, ground: str) -> Image.Image:
    """Return a character in a disc, ``size`` × ``size`` pixels, without transparency.

    Args:
        character: Character to draw.
        face: Face of the character.
        size: Side in pixels.
        ground: Colour around the disc, as ``#rrggbb``.
    """
    times, zoom = _supersampling(size), _zoom(size)
    rest, part, corner = _faceless_picture(character, size, ground)
    canvas = part.copy()
    scale = size * times * zoom
    origin = (
        _to_drawing_point(corner[0] / size, 0.5, zoom),
        _to_drawing_point(corner[1] / size, CENTRE, zoom),
    )
    if size > 80:
        _features(Pen(canvas, scale, origin), character, face, 1.0)
    else:
        # A small head gets a larger face with thicker lines.
        more = 1.2
        near = _to_drawing_point(origin[0], 0.5, more), _to_drawing_point(origin[1], 0.53, more)
        _features(Pen(canvas, scale * more, near), character, face, 1.2)
    drawn = rest.copy()
    drawn.paste(canvas.reduce(times), corner)
    return drawn


@lru_cache(maxsize=24)
def draw_emoji(expression: Expression, size: int) -> Image.Image:
    """Return a yellow face of ``size`` × ``size`` pixels on transparency; cached, not to be modified."""
    face, times = EMOJI[expression], max(3, 200 // size)
    n = size * times
    image = Image.new("RGBA", (n, n))
    Pen(image, n).ellipse(0.5, 0.5, 0.48, 0.48, EDGE)
    Pen(image, n).ellipse(0.5, 0.5, 0.452, 0.452, YELLOW)
    zoom = 2.1
    pen = Pen(image, n * zoom, (0.5 - 0.5 / zoom, 0.548 - 0.5 / zoom))
    _blush(pen, face, "#f58a5c")
    for side in (-1, 1):
        _plain_eye(pen, face, side)
        _brow(pen, face, side, INK, 0.021)
    _mouth(pen, face, INK, 0.02)
    _drops(pen, face, 1.5)
    return image.reduce(times)


def _supersampling(size: int) -> int:
    """Return the factor by which a portrait is drawn larger than it is shown."""
    return 3 if size > 80 else 6


def _zoom(size: int) -> float:
    """Return the enlargement of the head, which is greater in a small picture."""
    return 1.12 if size > 80 else 1.5


def _to_drawing_point(place: float, fixed: float, zoom: float) -> float:
    """Convert a coordinate of the picture to one of the drawing."""
    return fixed + (place - fixed) / zoom


@lru_cache(maxsize=4)
def _faceless_picture(
    character: Character, size: int, ground: str
) -> tuple[Image.Image, Image.Image, tuple[int, int]]:
    """Return the picture without a face, the face's area enlarged, and that area's corner in pixels."""
    times, zoom = _supersampling(size), _zoom(size)
    origin = (_to_drawing_point(0, 0.5, zoom), _to_drawing_point(0, CENTRE, zoom))
    whole = draw_bust(character, size * times, size * times * zoom, origin, ground)
    left, top, right, bottom = (
        int(size * (fixed + (edge - fixed) * zoom))
        for edge, fixed in zip(FACE, (0.5, CENTRE, 0.5, CENTRE), strict=True)
    )
    box = left * times, top * times, right * times, bottom * times
    return whole.reduce(times), whole.crop(box), (left, top)


def _features(pen: Pen, character: Character, face: Face, bold: float) -> None:
    """Draw the moving parts of a face; ``bold`` thickens them at small sizes."""
    _flush(pen, face, character.blush)
    _blush(pen, face, character.blush)
    _nose(pen, character, face, bold)
    for side in (-1, 1):
        _eye(pen, character, face, side, bold)
    if character.glasses:
        _glasses(pen, character.glasses, bold)
    # In front of the glasses, whose rims would hide lowered brows; pale brows darken with anger.
    frown = 0.5 * face.furrow
    for side in (-1, 1):
        _brow(
            pen,
            face,
            side,
            mix_colours(character.brows, INK, frown),
            0.0155 * bold * (1 + 0.35 * face.furrow),
        )
    _furrows(pen, character, face, bold)
    _mouth(pen, face, mix_colours(character.lips, INK, 0.35), 0.0125 * bold)
    _drops(pen, face, bold)


def _blush(pen: Pen, face: Face, colour: Colour) -> None:
    if face.blush > 0.02:
        for side in (-1, 1):
            pen.glow(0.5 + side * 0.128, EYE_Y + 0.083, 0.062, 0.044, colour, min(1.0, face.blush))


def _flush(pen: Pen, face: Face, colour: Colour) -> None:
    """Redden the cheeks and the space between them."""
    if face.flush > 0.02:
        share = min(1.0, face.flush)
        pen.glow(0.5, EYE_Y + 0.06, 0.15, 0.075, colour, 0.35 * share)
        for side in (-1, 1):
            pen.glow(0.5 + side * 0.112, EYE_Y + 0.068, 0.1, 0.072, colour, 0.75 * share)


def _furrows(pen: Pen, character: Character, face: Face, bold: float) -> None:
    """Draw two furrows between the brows."""
    if face.furrow > 0.15:
        colour = mix_colours(character.shade, INK, 0.45)
        for side in (-1, 1):
            x = 0.5 + side * 0.0135
            points = quadratic_curve((x + side * 0.003, 0.412), (x - side * 0.004, 0.425), (x, 0.44))
            pen.line(points, 0.0075 * bold * min(1.0, face.furrow), colour)


def _nose(pen: Pen, character: Character, face: Face, bold: float) -> None:
    y = 0.552 - 0.008 * face.wrinkle
    pen.line(
        quadratic_curve((0.476, y - 0.008), (0.5, y + 0.017), (0.524, y - 0.008)),
        0.011 * bold,
        character.shade,
    )
    if face.wrinkle > 0.1:
        for side in (-1, 1):
            x = 0.5 + side * 0.034
            points = quadratic_curve(
                (x - side * 0.014, y - 0.058), (x, y - 0.046), (x + side * 0.012, y - 0.026)
            )
            pen.line(points, 0.008 * bold * face.wrinkle, character.shade)


def _eye(pen: Pen, character: Character, face: Face, side: int, bold: float) -> None:
    x, wide = 0.5 + side * EYE_X, 0.043 * (1 + (bold - 1) * 0.5)
    y = EYE_Y + 0.004 * face.squint
    upper, lower = _lids(face, side, x, y, wide)
    lash = mix_colours(character.brows, INK, 0.6)
    if face.eye < 0.15:
        pen.line(quadratic_curve((x - wide, y), (x, y + 0.03), (x + wide, y)), 0.0125 * bold, lash)
        return

    def paint(eye: Pen) -> None:
        eye.polygon([*upper, *reversed(lower)], "#ffffff")
        look_x, look_y = x + face.gaze * 0.017, y + face.glance * 0.011 - 0.004
        radius = 0.028 * (0.6 + 0.4 * face.pupil) * (1 + (bold - 1) * 0.6)
        eye.ellipse(look_x, look_y, radius, radius, character.iris)
        eye.ellipse(look_x, look_y, radius * 0.62 * face.pupil, radius * 0.62 * face.pupil, "#15101a")
        eye.ellipse(look_x + 0.009, look_y - 0.01, 0.0075, 0.0075, "#ffffff")

    pen.clip_to([*upper, *reversed(lower)], paint)
    pen.line(upper, 0.0115 * bold, lash)
    if face.squint > 0.3:
        pen.line(lower[3:-3], 0.006 * bold, mix_colours(character.shade, INK, 0.25))


def _lids(face: Face, side: int, x: float, y: float, wide: float) -> tuple[list[Point], list[Point]]:
    """Return the upper and the lower edge of an eye, from left to right."""
    height = 0.054 * face.eye
    # Angry lids slope towards the nose, sad ones away from it.
    inner, outer = height * (1 + 0.55 * min(0.0, face.brow)), height * (1 - 0.45 * max(0.0, face.brow))
    left, right = (outer, inner) if side < 0 else (inner, outer)
    below = 0.036 * min(1.3, face.eye) * (1 - 0.85 * face.squint)
    start, end = (x - wide, y), (x + wide, y)
    upper = cubic_curve(start, (x - wide, y - left), (x + wide, y - right), end)
    lower = cubic_curve(start, (x - wide * 0.85, y + below), (x + wide * 0.85, y + below), end)
    return upper, lower


def _plain_eye(pen: Pen, face: Face, side: int) -> None:
    """Draw an eye of the yellow face: a dark oval, closed by a laugh, cut off by a lid."""
    x, y = 0.5 + side * 0.08, EYE_Y + 0.008
    if face.squint > 0.7 and face.smile > 0.5:
        pen.line(quadratic_curve((x - 0.036, y + 0.014), (x, y - 0.04), (x + 0.036, y + 0.014)), 0.019, INK)
    elif face.eye > 1.15:
        pen.ellipse(x, y - 0.004, 0.036, 0.044, "#ffffff")
        pen.ellipse(x, y - 0.004, 0.02 * (0.4 + 0.7 * face.pupil), 0.027 * (0.4 + 0.7 * face.pupil), INK)
    elif face.eye < 0.65:
        pen.line([(x - 0.038, y - 0.008), (x + 0.038, y - 0.008)], 0.015, INK)
        pen.ellipse(x + face.gaze * 0.016, y + 0.008, 0.02, 0.02, INK)
    else:
        pen.ellipse(x + face.gaze * 0.015, y + face.glance * 0.006, 0.026, 0.036, INK)


def _brow(pen: Pen, face: Face, side: int, colour: Colour, width: float) -> None:
    """Draw a brow, thick towards the nose and thin towards the temple."""
    x = 0.5 + side * EYE_X
    y = 0.406 - face.lift * 0.026 - side * face.uneven * 0.022
    inner = x - side * 0.045, y - face.brow * 0.028 - min(0.0, face.lift) * 0.004
    outer = x + side * 0.056, y + 0.01 + face.brow * 0.016
    pull = x + side * 0.012, y - 0.022 + (0.012 if face.brow < -0.5 else 0.0)
    upper = quadratic_curve(inner, pull, outer)
    count = len(upper) - 1
    lower = [(px, py + width * (1.25 - 0.85 * (step / count))) for step, (px, py) in enumerate(upper)]
    pen.polygon([*upper, *reversed(lower)], colour)
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(upper, lower, strict=True)]
    pen.ellipse(*middles[0], width * 0.62, width * 0.62, colour)
    pen.ellipse(*middles[-1], width * 0.2, width * 0.2, colour)


def _glasses(pen: Pen, colour: str, bold: float) -> None:
    width = 0.011 * bold
    for side in (-1, 1):
        x = 0.5 + side * EYE_X
        pen.ellipse_outline(x, EYE_Y + 0.006, 0.066, 0.06, width, colour)
        pen.line([(x + side * 0.066, EYE_Y - 0.008), (x + side * 0.105, EYE_Y - 0.014)], width, colour)
    pen.line(
        quadratic_curve((0.479, EYE_Y - 0.004), (0.5, EYE_Y - 0.018), (0.521, EYE_Y - 0.004)), width, colour
    )


def _mouth(pen: Pen, face: Face, lips: Colour, width: float) -> None:
    half = 0.08 * face.wide
    rise = face.smile * 0.024
    left = (0.5 - half, MOUTH_Y - rise + face.skew * 0.012)
    right = (0.5 + half, MOUTH_Y - rise - face.skew * 0.026)
    if face.mouth < 0.06:
        pull = 0.5 - face.skew * 0.03, MOUTH_Y + rise * 1.5 + face.skew * 0.012
        pen.line(quadratic_curve(left, pull, right), width, lips)
        return
    # A mouth that neither smiles nor frowns also opens upwards.
    straight = 1 - abs(face.smile)
    top = MOUTH_Y + rise * 0.55 - face.mouth * (0.014 + 0.05 * straight)
    low = MOUTH_Y + rise * 1.1 + face.mouth * (0.092 + 0.02 * straight)
    curl = half * (0.95 if straight > 0.6 else 0.72)
    upper = cubic_curve(left, (0.5 - curl, top), (0.5 + curl, top), right)
    lower = cubic_curve(left, (0.5 - curl, low), (0.5 + curl, low), right)
    shape = [*upper, *reversed(lower)]
    pen.clip_to(shape, lambda inside: _inside_mouth(inside, face, upper, lower, fine=width < 0.014))
    pen.line([*shape, shape[0]], width * 0.8, lips)
    if face.tongue > 0.05:
        _tongue(pen, face, lower, width, lips)


def _inside_mouth(pen: Pen, face: Face, upper: list[Point], lower: list[Point], *, fine: bool) -> None:
    pen.polygon([*upper, *reversed(lower)], MOUTH)
    middle = len(upper) // 2
    if face.teeth <= 1:
        depth = lower[middle][1] - upper[middle][1]
        pen.ellipse(0.5, lower[middle][1] + 0.004, 0.045 * face.wide, depth * 0.38, TONGUE)
    shown = min(1.0, face.teeth)
    if shown > 0.05:
        clenched = max(0.0, face.teeth - 1)
        share = shown * (0.4 + 0.6 * clenched)
        edge = [(x, y + (low - y) * share) for (x, y), (_, low) in zip(upper, lower, strict=True)]
        pen.polygon([*upper, *reversed(edge)], TEETH)
        if clenched > 0.5:
            between = [(x, (y + low) / 2) for (x, y), (_, low) in zip(upper, lower, strict=True)]
            pen.line(between, 0.006, "#9aa3b5")
        if clenched > 0.5 and fine:
            for x in (-0.045, -0.0225, 0.0, 0.0225, 0.045):
                place = 0.5 + x * face.wide
                pen.line([(place, MOUTH_Y - 0.05), (place, MOUTH_Y + 0.08)], 0.0045, "#c3cad7")


def _tongue(pen: Pen, face: Face, lower: list[Point], width: float, lips: Colour) -> None:
    middle = lower[len(lower) // 2][1]
    x, half, down = 0.508, 0.032, 0.046 * face.tongue
    outline = cubic_curve(
        (x - half, middle - 0.014),
        (x - half, middle + down),
        (x + half, middle + down),
        (x + half, middle - 0.014),
    )
    pen.polygon(outline, TONGUE)
    pen.line(outline, width * 0.7, lips)
    pen.line([(x, middle - 0.01), (x, middle + down * 0.35)], width * 0.5, mix_colours(TONGUE, MOUTH, 0.5))


def _drops(pen: Pen, face: Face, bold: float) -> None:
    """Draw a tear on the cheek and a drop of sweat on the forehead."""
    if face.tear > 0.1:
        _drop(pen, 0.5 + EYE_X + 0.026, EYE_Y + 0.062, 0.0155 * face.tear * bold)
    if face.sweat > 0.1:
        _drop(pen, 0.5 - 0.158, 0.408, 0.0175 * face.sweat * bold)


def _drop(pen: Pen, x: float, y: float, radius: float) -> None:
    for size, colour in ((radius * 1.25, "#ffffff"), (radius, WATER)):
        pen.polygon(
            [(x - size * 0.86, y - size * 0.4), (x, y - size * 2.3), (x + size * 0.86, y - size * 0.4)],
            colour,
        )
        pen.ellipse(x, y, size, size, colour)
    pen.ellipse(x - radius * 0.35, y + radius * 0.1, radius * 0.25, radius * 0.35, "#d9edff")
