"""Colours of the window: light, dark and high contrast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by purpose, as ``#rrggbb``.

    Text has a contrast of at least 4.5 to its background (WCAG 2.2 AA), the edges of controls and meaningful
    graphics at least 3; no meaning depends on a colour alone.

    Args:
        dark: Whether light text is on a dark background.
        ground: Background of the cards.
        card: Background of most contents.
        ink: Text.
        muted: Less important text.
        line: Decorative edges.
        edge: Edges of controls and fields.
        soft: Quiet area on a card; the other side's bubbles.
        focus: Focus ring.
        primary: Main button, and important numbers.
        on_primary: Text on ``primary``.
        accept: Button that accepts, and good news.
        on_accept: Text on ``accept``.
        danger: Actions that end or lose something.
        on_danger: Text on ``danger``.
        warning: Warnings on a card.
        mine: Shapes of the participant.
        mine_soft: Areas of the participant.
        bubble: Bubbles of the participant.
        on_bubble: Text on ``bubble``.
        theirs: Shapes of the other side.
        theirs_soft: Areas of the other side.
        theirs_words: Text about the other side, on a card.
        seat_5: Shapes of the fifth seat, and text about it on a card; the seats before it have ``mine``,
            ``theirs``, ``accept`` and ``warning``.
        seat_6: The same of the sixth seat.
        seat_7: The same of the seventh seat.
        seat_8: The same of the eighth seat.
        track: Empty part of a bar.
        off: Background of a disabled control.
        on_off: Text on ``off``.
    """

    dark: bool
    ground: str
    card: str
    ink: str
    muted: str
    line: str
    edge: str
    soft: str
    focus: str
    primary: str
    on_primary: str
    accept: str
    on_accept: str
    danger: str
    on_danger: str
    warning: str
    mine: str
    mine_soft: str
    bubble: str
    on_bubble: str
    theirs: str
    theirs_soft: str
    theirs_words: str
    seat_5: str
    seat_6: str
    seat_7: str
    seat_8: str
    track: str
    off: str
    on_off: str


LIGHT = Palette(
    dark=False,
    ground="#eef1f8",
    card="#ffffff",
    ink="#161d2b",
    muted="#566073",
    line="#dde3ee",
    edge="#7d879b",
    soft="#f0f3fb",
    focus="#0b5cad",
    primary="#0b5cad",
    on_primary="#ffffff",
    accept="#00735c",
    on_accept="#ffffff",
    danger="#b3261e",
    on_danger="#ffffff",
    warning="#8a4b00",
    mine="#0b5cad",
    mine_soft="#e4effa",
    bubble="#0b5cad",
    on_bubble="#ffffff",
    theirs="#d55e00",
    theirs_soft="#fdf0e6",
    theirs_words="#b34700",
    seat_5="#6d3fb5",
    seat_6="#b0246f",
    seat_7="#46505f",
    seat_8="#5c6300",
    track="#dfe4ef",
    off="#f3f5fa",
    on_off="#646e83",
)

DARK = Palette(
    dark=True,
    ground="#10141d",
    card="#1a202c",
    ink="#f0f3f9",
    muted="#a5afc1",
    line="#2c3547",
    edge="#6f7c95",
    soft="#252d3c",
    focus="#63b3f5",
    primary="#5aa9f0",
    on_primary="#0b1422",
    accept="#3fc79d",
    on_accept="#06150f",
    danger="#ff8a80",
    on_danger="#2a0502",
    warning="#f5b461",
    mine="#5aa9f0",
    mine_soft="#1c2f44",
    bubble="#1c64b4",
    on_bubble="#ffffff",
    theirs="#f28f4b",
    theirs_soft="#38291f",
    theirs_words="#f7a76c",
    seat_5="#c0a2ff",
    seat_6="#ff90c4",
    seat_7="#c3cbd9",
    seat_8="#d0d85a",
    track="#364054",
    off="#222938",
    on_off="#98a3b8",
)

HIGH_CONTRAST = Palette(
    dark=True,
    ground="#000000",
    card="#000000",
    ink="#ffffff",
    muted="#e6e6e6",
    line="#ffffff",
    edge="#ffffff",
    soft="#1c1c1c",
    focus="#ffe14d",
    primary="#8cc8ff",
    on_primary="#000000",
    accept="#5ff0bd",
    on_accept="#000000",
    danger="#ffa199",
    on_danger="#000000",
    warning="#ffd27a",
    mine="#8cc8ff",
    mine_soft="#00213d",
    bubble="#00417a",
    on_bubble="#ffffff",
    theirs="#ffb27a",
    theirs_soft="#3a1a00",
    theirs_words="#ffc496",
    seat_5="#d3bdff",
    seat_6="#ffa8d3",
    seat_7="#dfe5ef",
    seat_8="#e6ee70",
    track="#4d4d4d",
    off="#262626",
    on_off="#c4c4c4",
)

PALETTES: Mapping[str, Palette] = {"light": LIGHT, "dark": DARK, "high_contrast": HIGH_CONTRAST}


def contrast_ratio(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2.2)."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def mix_colours(first: str, second: str, share: float) -> str:
    """Return a mixture of two colours: 0 is the first, 1 the second."""
    pairs = zip(_parts(first), _parts(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _luminance(colour: str) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in _parts(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
