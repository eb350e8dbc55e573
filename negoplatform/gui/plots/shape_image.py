"""Drawings without their words as pictures, drawn larger and made small so that edges are smooth."""

from __future__ import annotations

from math import hypot
from typing import assert_never

from PIL import Image, ImageDraw

from negoplatform.presentation.plots.drawing import Area, Dot, Drawing, Item, Line, Spot, Text

TIMES = 3
"""Drawn so many times larger first."""


def shapes_image(drawing: Drawing, scale: float = 1.0) -> Image.Image:
    """A drawing without its words, as a picture; ``scale``: its pixels per pixel at 96 dpi."""
    size = max(1, round(drawing.width * scale)), max(1, round(drawing.height * scale))
    large = Image.new("RGB", (size[0] * TIMES, size[1] * TIMES), drawing.ground)
    pen = ImageDraw.Draw(large)
    for item in drawing.items:
        _draw(pen, item, scale * TIMES)
    return large.reduce(TIMES)


def dot_image(dot: Dot, scale: float) -> Image.Image:
    """One dot as a picture that one can see through around it; its middle is the dot's."""
    reach = dot.radius * 1.3 + dot.width
    side = 2 * round(reach * scale) + 1
    middle = side / 2 / scale
    centred = Dot(middle, middle, dot.form, dot.radius, dot.fill, dot.edge, dot.width)
    large = Image.new("RGBA", (side * TIMES, side * TIMES), (0, 0, 0, 0))
    _draw_dot(ImageDraw.Draw(large), centred, scale * TIMES)
    return large.reduce(TIMES)


def _draw(pen: ImageDraw.ImageDraw, item: Item, k: float) -> None:
    match item:
        case Line():
            for spots in _pieces(item):
                _draw_line(pen, spots, item.colour, max(1, round(item.width * k)), k)
        case Dot():
            _draw_dot(pen, item, k)
        case Area(x, y, width, height, fill):
            pen.rectangle((x * k, y * k, (x + width) * k - 1, (y + height) * k - 1), fill=fill)
        case Text():
            pass  # on top, at the picture's own size: letters made small are blurred
        case _:
            assert_never(item)


def _draw_line(pen: ImageDraw.ImageDraw, spots: tuple[Spot, ...], colour: str, width: int, k: float) -> None:
    pen.line([(x * k, y * k) for x, y in spots], fill=colour, width=width, joint="curve")


def _draw_dot(pen: ImageDraw.ImageDraw, dot: Dot, k: float) -> None:
    width = round(dot.width * k) if dot.edge else 0
    if dot.form == "circle":
        # The edge lies half outside, as SVG has it.
        r = dot.radius + (dot.width / 2 if dot.edge else 0)
        box = ((dot.x - r) * k, (dot.y - r) * k, (dot.x + r) * k, (dot.y + r) * k)
        pen.ellipse(box, fill=dot.fill or None, outline=dot.edge or None, width=width)
        return
    corners = [(x * k, y * k) for x, y in dot.corners]
    if dot.fill:
        pen.polygon(corners, fill=dot.fill)
    if dot.edge:
        # Once round and a little on, so that the first corner is a corner too.
        pen.line([*corners, *corners[:2]], fill=dot.edge, width=max(1, width), joint="curve")


def _pieces(line: Line) -> list[tuple[Spot, ...]]:
    """A line as what of it is drawn at once: all of it, or its dashes."""
    if line.dash is None:
        return [line.spots]
    on, off = line.dash
    pieces: list[tuple[Spot, ...]] = []
    for (x, y), (x_end, y_end) in zip(line.spots, line.spots[1:], strict=False):
        length, at = hypot(x_end - x, y_end - y), 0.0
        while at < length:
            to = min(length, at + on)
            a, b = at / length, to / length
            pieces.append(
                ((x + (x_end - x) * a, y + (y_end - y) * a), (x + (x_end - x) * b, y + (y_end - y) * b))
            )
            at += on + off
    return pieces
