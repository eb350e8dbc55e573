"""Drawings as images, with and without their texts.

Shapes are drawn larger and scaled down for smooth edges; texts are drawn at the final size.
"""

from __future__ import annotations

from math import hypot
from typing import assert_never

from PIL import Image, ImageDraw

from negoplatform.gui.plots.plot_fonts import font_for
from negoplatform.presentation.bidi import drawn_text, to_visual_order
from negoplatform.presentation.plots.drawing import (
    Drawing,
    DrawingItem,
    FilledArea,
    FilledRectangle,
    Marker,
    Point,
    Polyline,
    TextLabel,
)

SUPERSAMPLING = 3
"""Factor by which the first drawing is larger."""

ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}


def to_image(drawing: Drawing, scale: float = 1.0, *, words: bool = True) -> Image.Image:
    """Return a drawing as an image.

    Args:
        drawing: The drawing.
        scale: Pixels of the image per pixel at 96 dpi.
        words: Whether texts are drawn too; a window adds them itself.
    """
    image = shapes_image(drawing, scale)
    if words:
        pen = ImageDraw.Draw(image)
        for item in drawing.items:
            if isinstance(item, TextLabel):
                _write(pen, item, scale, rtl=drawing.rtl)
    return image


def _write(pen: ImageDraw.ImageDraw, text: TextLabel, scale: float, *, rtl: bool) -> None:
    font = font_for(text.text, text.size * scale, text.bold)
    spot = (text.x * scale, text.y * scale)
    words = to_visual_order(drawn_text(text.text), rtl=rtl)
    pen.text(spot, words, font=font, fill=text.colour, anchor=ANCHORS[text.anchor])


def shapes_image(drawing: Drawing, scale: float = 1.0) -> Image.Image:
    """Return a drawing without its texts as an image; ``scale``: pixels of the image per pixel at 96 dpi."""
    size = max(1, round(drawing.width * scale)), max(1, round(drawing.height * scale))
    large = Image.new("RGB", (size[0] * SUPERSAMPLING, size[1] * SUPERSAMPLING), drawing.ground)
    pen = ImageDraw.Draw(large)
    for item in drawing.items:
        _draw(pen, item, scale * SUPERSAMPLING)
    return large.reduce(SUPERSAMPLING)


def marker_image(dot: Marker, scale: float) -> Image.Image:
    """Return one mark in the middle of a transparent image."""
    reach = dot.radius * 1.3 + dot.width
    side = 2 * round(reach * scale) + 1
    middle = side / 2 / scale
    centred = Marker(middle, middle, dot.shape, dot.radius, dot.fill, dot.edge, dot.width)
    large = Image.new("RGBA", (side * SUPERSAMPLING, side * SUPERSAMPLING), (0, 0, 0, 0))
    _draw_marker(ImageDraw.Draw(large), centred, scale * SUPERSAMPLING)
    return large.reduce(SUPERSAMPLING)


def _draw(pen: ImageDraw.ImageDraw, item: DrawingItem, k: float) -> None:
    match item:
        case Polyline():
            for spots in _pieces(item):
                _draw_line(pen, spots, item.colour, max(1, round(item.width * k)), k)
        case Marker():
            _draw_marker(pen, item, k)
        case FilledRectangle(x, y, width, height, fill):
            pen.rectangle((x * k, y * k, (x + width) * k - 1, (y + height) * k - 1), fill=fill)
        case FilledArea(points, fill):
            pen.polygon([(x * k, y * k) for x, y in points], fill=fill)
        case TextLabel():
            pass  # on top, at the final size: letters are blurred when they are scaled down
        case _:
            assert_never(item)


def _draw_line(pen: ImageDraw.ImageDraw, spots: tuple[Point, ...], colour: str, width: int, k: float) -> None:
    pen.line([(x * k, y * k) for x, y in spots], fill=colour, width=width, joint="curve")


def _draw_marker(pen: ImageDraw.ImageDraw, dot: Marker, k: float) -> None:
    width = round(dot.width * k) if dot.edge else 0
    if dot.shape == "circle":
        # Half of the edge is outside, as in SVG.
        r = dot.radius + (dot.width / 2 if dot.edge else 0)
        box = ((dot.x - r) * k, (dot.y - r) * k, (dot.x + r) * k, (dot.y + r) * k)
        pen.ellipse(box, fill=dot.fill or None, outline=dot.edge or None, width=width)
        return
    corners = [(x * k, y * k) for x, y in dot.corners]
    if dot.fill:
        pen.polygon(corners, fill=dot.fill)
    if dot.edge:
        # Once round and a little further, so that the first corner is joined too.
        pen.line([*corners, *corners[:2]], fill=dot.edge, width=max(1, width), joint="curve")


def _pieces(line: Polyline) -> list[tuple[Point, ...]]:
    """Return the parts of a line to draw: the whole line, or its dashes."""
    if line.dash is None:
        return [line.points]
    on, off = line.dash
    pieces: list[tuple[Point, ...]] = []
    for (x, y), (x_end, y_end) in zip(line.points, line.points[1:], strict=False):
        length, at = hypot(x_end - x, y_end - y), 0.0
        while at < length:
            to = min(length, at + on)
            a, b = at / length, to / length
            pieces.append(
                ((x + (x_end - x) * a, y + (y_end - y) * a), (x + (x_end - x) * b, y + (y_end - y) * b))
            )
            at += on + off
    return pieces
