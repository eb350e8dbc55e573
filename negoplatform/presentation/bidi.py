"""Hebrew and Arabic for a Tk that draws them from left to right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

FIRST_RTL = "\u0590"
"""No letter below this one is written from right to left."""


LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"
"""Say in which direction what stands beside them is written; nothing is drawn for them."""

SIGNED_NUMBER = re.compile(r"(?<![\w.,])[-+\u2212](?=\d)")
"""The sign of a number."""

BRACKETED_RTL = re.compile("\\([^()]*[\u0590-\u08ff][^()]*\\)")
"""Brackets in which something is written from right to left."""


def has_rtl(text: str) -> bool:
    """Whether anything in a text is written from right to left."""
    return any(char >= FIRST_RTL and unicodedata.bidirectional(char) in ("R", "AL") for char in text)


def to_visual_order(line: str, *, rtl: bool = False) -> str:
    """One line in the order in which Tk has to draw it; never to be stored, copied or measured for words.

    Args:
        line: The line.
        rtl: Whether it stands among lines from right to left, whatever it begins with.
    """
    if not has_rtl(line):
        return line
    # Few need them, and they take their time to load. The package's own get_display, which is faster, does
    # not turn brackets round, so that they would open away from their words.
    from arabic_reshaper import reshape
    from bidi.algorithm import get_display  # type: ignore[import-untyped]  # it has no types

    # A sign stays before its number, where people who read from right to left write it too.
    marked = SIGNED_NUMBER.sub(f"{LEFT_TO_RIGHT}\\g<0>", line)
    if rtl:
        # The library does not keep brackets with what stands in them.
        marked = BRACKETED_RTL.sub(f"{RIGHT_TO_LEFT}\\g<0>{RIGHT_TO_LEFT}", marked)
    drawn: str = get_display(reshape(marked), base_dir="R" if rtl else None)
    return drawn.replace(LEFT_TO_RIGHT, "").replace(RIGHT_TO_LEFT, "")


def wrap_lines(text: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """A text in lines no wider than ``width``, words kept whole where they fit, in reading order."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if not line or measure(longer) <= width:
                line = longer
                continue
            lines.append(line)
            line = word
        lines.append(line)
    return [piece for line in lines for piece in _break_word(line, width, measure)]


def _break_word(line: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """A line whose single word is wider than there is room, in pieces that fit."""
    pieces = []
    while len(line) > 1 and measure(line) > width:
        fits = len(line) - 1
        while fits > 1 and measure(line[:fits]) > width:
            fits = fits // 2 if measure(line[: fits // 2]) > width else fits - 1
        pieces.append(line[:fits])
        line = line[fits:]
    return [*pieces, line]
