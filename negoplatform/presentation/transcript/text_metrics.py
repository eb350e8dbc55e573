"""Text of a transcript: drawable characters, width, and line breaks. No Tk."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from negoplatform.domain.visible_text import INVISIBLE
from negoplatform.presentation.bidi import has_rtl, to_visual_order

MAX_WIDTHS = 20_000
"""Maximum number of cached widths; with more, the cache is cleared: most words will not come again."""

LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"
"""Invisible characters that set the direction of the line that they precede."""

_BREAKS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_UNDRAWABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Joiners and direction marks are kept until reordering, which depends on them.
_JOINERS = re.compile("[\u200c\u200d\u200e\u200f]")
_INVISIBLE = re.compile(f"(?![\n\u200c-\u200f\u2800])[{INVISIBLE}]")


def drawable_text(text: str) -> str:
    """Return a text without characters that are drawn as boxes or change how their neighbours are drawn."""
    if text.isascii() and text.isprintable():
        return text
    text = _BREAKS.sub("\n", text).replace("\t", "    ")
    text = _INVISIBLE.sub("", _UNDRAWABLE.sub("\ufffd", text))
    return text if has_rtl(text) else _JOINERS.sub("", text)


def is_rtl_text(text: str, *, otherwise: bool = False) -> bool:
    """Return whether a text is right to left, by its first letter; ``otherwise`` if it has none."""
    if text.isascii():
        return otherwise and not any(char.isalpha() for char in text)
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("R", "AL"):
            return True
        if kind == "L":
            return False
    return otherwise


def visual_order(line: str, *, rtl: bool, keeps_runs: bool = False) -> str:
    """Return a line in drawing order; ``rtl`` is the direction of the whole text."""
    if not rtl and not has_rtl(line):
        return line
    # A line that begins with a word of the other direction still has the direction of its text.
    drawn = to_visual_order((RIGHT_TO_LEFT if rtl else LEFT_TO_RIGHT) + line, rtl=rtl, keeps_runs=keeps_runs)
    return _JOINERS.sub("", _INVISIBLE.sub("", drawn))


class TextMetrics:
    """Widths of words in one font; each is measured once.

    Args:
        measure: Returns the width of a text in pixels; slow.
        height: Height of a line in pixels.
    """

    def __init__(self, measure: Callable[[str], int], height: int) -> None:
        self.height = height
        self._measure = measure
        self._cache: dict[str, int] = {}
        self._space = measure(" ")

    def width(self, text: str) -> int:
        """Return the width of a line in pixels."""
        words = text.split(" ")
        return sum(map(self._word, words)) + self._space * (len(words) - 1)

    def wrap(self, text: str, width: int) -> list[str]:
        """Return a text in lines no wider than ``width``, in reading order; words stay whole if they fit."""
        return [line for part in text.split("\n") for line in self._broken(part, width)]

    def shorten(self, text: str, width: int) -> str:
        """Return a line that fits, ending with an ellipsis if it was shortened."""
        if self.width(text) <= width:
            return text
        return self._pieces(text, max(0, width - self._word("…")))[0].rstrip() + "…"

    def _broken(self, text: str, width: int) -> list[str]:
        if self.width(text) <= width:
            return [text]
        lines: list[str] = []
        line: list[str] = []
        taken = 0
        for word in text.split(" "):
            wide = self._word(word)
            if line and taken + self._space + wide > width:
                lines.append(" ".join(line))
                line = []
            if line:
                taken += self._space + wide
            elif wide > width:
                *whole, word = self._pieces(word, width)
                lines += whole
                taken = sum(map(self._word, word))
            else:
                taken = wide
            line.append(word)
        return [*lines, " ".join(line)]

    def _pieces(self, word: str, width: int) -> list[str]:
        """Return the pieces of a word that is too wide; each fits, or is a single character."""
        pieces, start, taken = [], 0, 0
        for place, char in enumerate(word):
            wide = self._word(char)
            if place > start and taken + wide > width and not _is_combining(char):
                pieces.append(word[start:place])
                start, taken = place, 0
            taken += wide
        return [*pieces, word[start:]]

    def _word(self, word: str) -> int:
        known = self._cache.get(word)
        if known is None:
            if len(self._cache) > MAX_WIDTHS:
                self._cache.clear()
            known = self._cache[word] = self._long(word) if len(word) > 200 else self._measure(word)
        return known

    def _long(self, word: str) -> int:
        # Tk's time per character grows with the length of the text.
        return sum(map(self._word, word))


@lru_cache(maxsize=4096)
def _is_combining(char: str) -> bool:
    """Return whether a character is drawn on the one before it."""
    return char >= "\u0300" and (unicodedata.combining(char) > 0 or unicodedata.category(char) == "Mn")
