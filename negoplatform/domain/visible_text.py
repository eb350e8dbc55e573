"""Visible form of characters that are not drawn, or that change the order in which others are drawn.

A log keeps a text exactly as it was typed. What is printed in a terminal or drawn in the window shows such
characters as Python writes them, ``\\u202e`` for example, so that nothing is hidden and two names that differ
look different. Sequences that emoji and scripts need stay as they are.
"""

from __future__ import annotations

import re
from unicodedata import category

INVISIBLE = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Control and format characters, variation selectors, tags, and letters and symbols without a shape.

From Unicode's property Default_Ignorable_Code_Point, general categories Cc, Cs, Zl and Zp, and the blank
U+2800. The visible number signs of category Cf, such as U+0600, are not among them.
"""

_EMOJI = "\xa9\xae\u203c-\u205f\u2070-\u27ff\u2801-\u3163\u3165-\u3299\U0001f000-\U0001faff"
"""Ranges with all symbols that may be emoji, without any invisible character."""

_JOINING = (
    "\u0620-\u064a\u066e-\u06d3\u0710-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u17dd"
    "\u1820-\u1877\ua840-\uabff"
)
_VIRAMA = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u103a"

_NEEDED = (
    "[0-9#*]\ufe0f\u20e3"  # key caps
    f"|[{_EMOJI}][\ufe0e\ufe0f]"  # a symbol as a picture or as text
    f"|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"  # families, professions
    # The flags of England, Scotland and Wales.
    "|\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073)\U000e007f"
    f"|(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])|(?<=[{_VIRAMA}])\u200d"
    "|(?<=[\u1820-\u18aa])[\u180b-\u180e]"
)
"""Sequences that need such a character, by the Unicode standard (chapters 9, 12, 13) and UTS 51 (emoji)."""

LONGEST_CLUSTER = 40
"""Characters that are drawn as one at most; of more, such as a tower of accents, some are left out."""

_SUSPECT = re.compile(f"[{INVISIBLE}]")
_TOKEN = re.compile(f"(?P<needed>{_NEEDED})|[{INVISIBLE}]")

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def reveal_invisible(text: str, *, keep: str = "") -> str:
    """Return a text with its invisible characters as escapes, such as ``\\u202e``.

    Args:
        text: Any text.
        keep: Characters that stay as they are, such as line breaks.
    """
    if not _SUSPECT.search(text):
        return text

    def shown(found: re.Match[str]) -> str:
        char = found[0]
        return char if found["needed"] is not None or char in keep else escaped(char)

    return _TOKEN.sub(shown, text)


def visible_name(name: str) -> str:
    """Return a name as one line of up to 40 characters; names that differ in invisible characters differ."""
    return cut_text(" ".join(reveal_invisible(name, keep="\n\t").split()), 40)


def cut_text(text: str, longest: int) -> str:
    """Return the beginning of a text; a character of several parts, such as a family, is left out whole."""
    places = range(min(len(text), longest), max(0, longest - LONGEST_CLUSTER), -1)
    end = next((place for place in places if not _is_inside(text, place)), longest)
    return text[:end]


def _is_inside(text: str, place: int) -> bool:
    """Return whether the characters on both sides of a place are drawn together."""
    if place >= len(text):
        return False
    after = text[place]
    return (
        "\u200d" in text[place - 1 : place + 1]
        or category(after) in ("Mn", "Me")
        or "\U0001f3fb" <= after <= "\U0001f3ff"  # skin colours
        or "\U000e0020" <= after <= "\U000e007f"  # tags, in flags
    )


def escaped(char: str) -> str:
    """Return a character as Python writes it in a text of ASCII."""
    code = ord(char)
    return _SHORT.get(char) or (
        f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    )
