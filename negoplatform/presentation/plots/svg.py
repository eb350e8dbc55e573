"""Drawings as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import assert_never

from negoplatform.presentation.bidi import drawn_text, has_rtl
from negoplatform.presentation.plots.drawing import (
    FAMILY,
    Drawing,
    DrawingItem,
    FilledArea,
    FilledRectangle,
    Marker,
    Point,
    Polyline,
    TextLabel,
)

FAMILIES = f"{FAMILY}, 'DejaVu Sans', Arial, sans-serif"


def to_svg(drawing: Drawing) -> str:
    """Return a drawing as the text of an SVG file, with its tooltips as titles."""
    width, height = _number(drawing.width), _number(drawing.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FAMILIES}">'
    )
    ground = f'<rect width="{width}" height="{height}" fill="{drawing.ground}"/>'
    items = (_element(item, rtl=drawing.rtl) for item in drawing.items)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        head,
        f"<title>{_words(drawing.title)}</title>",
        ground,
    ]
    return "\n".join([*lines, *items, "</svg>", ""])


def _element(item: DrawingItem, *, rtl: bool) -> str:
    match item:
        case Polyline():
            return _line(item)
        case Marker():
            return _marker(item)
        case FilledRectangle(x, y, width, height, fill):
            place = f'x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'
            return f'<rect {place} fill="{fill}"/>'
        case FilledArea(points, fill):
            return f'<polygon points="{_places(points)}" fill="{fill}"/>'
        case TextLabel():
            return _text(item, rtl=rtl)
        case _:
            assert_never(item)


def _line(line: Polyline) -> str:
    dash = "" if line.dash is None else f' stroke-dasharray="{_number(line.dash[0])} {_number(line.dash[1])}"'
    return (
        f'<polyline points="{_places(line.points)}" fill="none" stroke="{line.colour}" '
        f'stroke-width="{_number(line.width)}" stroke-linejoin="round"{dash}/>'
    )


def _marker(dot: Marker) -> str:
    look = f'fill="{dot.fill or "none"}"'
    if dot.edge:
        look += f' stroke="{dot.edge}" stroke-width="{_number(dot.width)}"'
    if dot.shape == "circle":
        shape = f'circle cx="{_number(dot.x)}" cy="{_number(dot.y)}" r="{_number(dot.radius)}"'
    else:
        shape = f'polygon points="{_places(dot.corners)}"'
    if not dot.tooltip:
        return f"<{shape} {look}/>"
    return f"<{shape} {look}><title>{_words(dot.tooltip)}</title></{shape.split()[0]}>"


def _text(text: TextLabel, *, rtl: bool) -> str:
    words = _words(text.text)
    if rtl and has_rtl(text.text):
        # Isolated with control characters: a direction attribute would reverse the anchors as well.
        words = f"\u2067{words}\u2069"
    weight = ' font-weight="bold"' if text.bold else ""
    return (
        f'<text x="{_number(text.x)}" y="{_number(text.y)}" fill="{text.colour}" '
        f'font-size="{_number(text.size)}" text-anchor="{text.anchor}" dominant-baseline="central"{weight}>'
        f"{words}</text>"
    )


def _words(text: str) -> str:
    """Return a text escaped for XML, with a space for each character that XML does not allow."""
    return escape("".join(_valid_characters(drawn_text(text))), quote=False)


def _valid_characters(text: str) -> Iterator[str]:
    for char in text:
        code = ord(char)
        if (code >= 0x20 or char == "\n") and code not in (0xFFFE, 0xFFFF) and not 0xD800 <= code <= 0xDFFF:
            yield char
        else:
            yield " "


def _places(points: Iterable[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
