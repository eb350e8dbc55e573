"""Fonts of pictures: the bundled typeface, and a fallback for characters that it lacks."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from PIL import ImageFont

from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.bidi import drawn_text, to_visual_order

FILES = {False: "Inter-Regular.otf", True: "Inter-Bold.otf"}

FALLBACK_FILES = {
    False: ("DejaVuSans.ttf", "arial.ttf", "Arial.ttf", "NotoSansHebrew-Regular.ttf"),
    True: ("DejaVuSans-Bold.ttf", "arialbd.ttf", "Arial Bold.ttf", "NotoSansHebrew-Bold.ttf"),
}
"""Fonts of common systems with Hebrew and other scripts."""

MISSING_GLYPH = "\uffff"


def font_for(text: str, size: float, bold: bool) -> ImageFont.FreeTypeFont:
    """Return a font with all characters of a text, if there is one; ``size`` in pixels of the picture."""
    own = _bundled_font(round(size), bold)
    if all(_has_glyph(char, bold) for char in text):
        return own
    return _fallback_font(round(size), bold) or own


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a text, in pixels at 96 dpi."""
    # Measured large, so that rounding to whole pixels does not add up.
    return font_for(text, size * 4, bold).getlength(to_visual_order(drawn_text(text))) / 4


def shorten_text(text: str, size: float, widest: float, bold: bool = False) -> str:
    """Return a text cut to a width, with an ellipsis if it was cut."""
    if text_width(text, size, bold) <= widest:
        return text
    lengths = range(1, len(text) + 1)
    fitting = bisect_right(lengths, widest, key=lambda n: text_width(f"{text[:n]}…", size, bold))
    return text[:fitting].rstrip() + "…"


@lru_cache(maxsize=64)
def _bundled_font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    file = bundled("assets") / "fonts" / FILES[bold]
    # Basic layout, because words are in visual order already.
    return ImageFont.truetype(str(file), max(1, size), layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=64)
def _fallback_font(size: int, bold: bool) -> ImageFont.FreeTypeFont | None:
    for name in FALLBACK_FILES[bold]:
        try:
            return ImageFont.truetype(name, max(1, size), layout_engine=ImageFont.Layout.BASIC)
        except OSError:
            continue
    return None


@lru_cache(maxsize=1024)
def _has_glyph(char: str, bold: bool) -> bool:
    font = _bundled_font(16, bold)
    return char.isspace() or bytes(font.getmask(char)) != bytes(font.getmask(MISSING_GLYPH))
