"""Hebrew and Arabic for versions of Tk that draw them from left to right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import groupby
from typing import Any

from negoplatform.domain.visible_text import reveal_invisible

FIRST_RTL = "\u0590"
"""All right-to-left letters are at or above this character."""


LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"
"""Invisible marks that set the direction of adjacent characters."""

SIGNED_NUMBER = re.compile(r"(?<![\w.,])[-+\u2212](?=\d)")
"""Sign of a number."""

BRACKETED_RTL = re.compile("\\([^()]*[\u0590-\u08ff][^()]*\\)")
"""Brackets with right-to-left text inside."""


def has_rtl(text: str) -> bool:
    """Return whether a text contains right-to-left letters."""
    if text.isascii():
        return False
    return any(char >= FIRST_RTL and unicodedata.bidirectional(char) in ("R", "AL") for char in text)


def drawn_text(text: str) -> str:
    """Return a text as it is drawn: what is invisible in it is shown, apart from direction marks.

    Translated texts have these to keep numbers and paths in order; they move no letters.
    """
    return reveal_invisible(text, keep=f"\n\t{LEFT_TO_RIGHT}{RIGHT_TO_LEFT}")


def to_visual_order(line: str, *, rtl: bool = False, keeps_runs: bool = False) -> str:
    """Return a line in the order in which Tk has to draw it; not for storing, copying or measuring words.

    Args:
        line: Line in reading order.
        rtl: Whether the line belongs to a right-to-left text, whatever its first letter.
        keeps_runs: Whether Tk itself draws adjacent right-to-left letters from right to left, and joins them.
    """
    if not has_rtl(line):
        return _without_marks(line)
    # Imported here because few windows need them and they load slowly. The package's own get_display is
    # faster, but does not mirror brackets, so they would open away from their text.
    from bidi.algorithm import get_display  # type: ignore[import-untyped]  # no types

    # A sign stays in front of its number, as in right-to-left writing.
    marked = SIGNED_NUMBER.sub(f"{LEFT_TO_RIGHT}\\g<0>", line)
    if rtl:
        # The library does not keep brackets with the text in them.
        marked = BRACKETED_RTL.sub(f"{RIGHT_TO_LEFT}\\g<0>{RIGHT_TO_LEFT}", marked)
    base = "R" if rtl else None
    if keeps_runs:
        return _in_reading_order_by_run(_without_marks(get_display(marked, base_dir=base)))
    return _without_marks(get_display(_reshaper().reshape(marked), base_dir=base))


@cache
def _reshaper() -> Any:
    """Return what joins Arabic letters, without vowel marks: Tk does not place marks at their letters."""
    from arabic_reshaper import ArabicReshaper

    # Common fonts, such as DejaVu, have no character for the whole word Allah and draw a box.
    return ArabicReshaper({"ARABIC LIGATURE ALLAH": False})


def _in_reading_order_by_run(line: str) -> str:
    """Return a line in visual order with each run of right-to-left letters in reading order."""
    runs = ("".join(run) if left else "".join(run)[::-1] for left, run in groupby(line, _is_left_to_right))
    return "".join(runs)


def _is_left_to_right(char: str) -> bool:
    """Return whether a character is neither a right-to-left letter nor a mark at one."""
    return char < FIRST_RTL or unicodedata.bidirectional(char) not in ("R", "AL", "NSM")


def _without_marks(line: str) -> str:
    return line.replace(LEFT_TO_RIGHT, "").replace(RIGHT_TO_LEFT, "")


def left_to_right(line: str) -> str:
    """Return a line, such as a path, between marks that keep its signs and digits where they are."""
    return f"{LEFT_TO_RIGHT}{line}{LEFT_TO_RIGHT}"


def wrap_lines(text: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """Return a text in lines no wider than ``width``, in reading order; words stay whole if they fit.

    Of a paragraph between two marks, such as a path, every line is put between them.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        is_marked = len(paragraph) > 2 and paragraph[0] == paragraph[-1] == LEFT_TO_RIGHT
        wrapped = _wrap_words(paragraph.strip(LEFT_TO_RIGHT) if is_marked else paragraph, width, measure)
        lines += map(left_to_right, wrapped) if is_marked else wrapped
    return lines


def _wrap_words(paragraph: str, width: float, measure: Callable[[str], float]) -> list[str]:
    lines, line = [], ""
    for word in paragraph.split(" "):
        longer = f"{line} {word}" if line else word
        if not line or measure(longer) <= width:
            line = longer
            continue
        lines.append(line)
        line = word
    return [piece for each in (*lines, line) for piece in _break_word(each, width, measure)]


def _break_word(line: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """Return a line in pieces that fit, if its only word is too wide."""
    pieces = []
    while len(line) > 1 and measure(line) > width:
        fits = len(line) - 1
        while fits > 1 and measure(line[:fits]) > width:
            fits = fits // 2 if measure(line[: fits // 2]) > width else fits - 1
        pieces.append(line[:fits])
        line = line[fits:]
    return [*pieces, line]
