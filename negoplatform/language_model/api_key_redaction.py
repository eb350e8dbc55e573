"""Redaction of the key in all that a service returns, however it is encoded there."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

REDACTION_MARK = "[key]"
"""Replacement of a secret."""

MIN_SECRET_LENGTH = 8
"""Minimum number of letters and digits of a secret that is also found between other characters."""

_CHARACTER = re.compile(
    r"""\\{1,8}u\{?(?P<u>[0-9a-f]{4,6})\}?        # JSON escapes, also nested ones
      | \\{1,8}x(?P<x>[0-9a-f]{2})
      | %(?:25){0,4}(?P<percent>[0-9a-f]{2})     # URL escapes, also nested ones
      | &\#(?P<decimal>[0-9]{1,7});
      | &\#x(?P<hex>[0-9a-f]{1,6});
      | \\{1,8}[bfnrt]                           # a line break or the like, not a letter
      | (?P<plain>.)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def redact(text: str, secret: str) -> str:
    """Return a text without a secret.

    The secret is found literally, and also after undoing escapes (JSON's, ``%``, ``&#``), ignoring case and
    everything that is not a letter or digit: blanks, line breaks, hyphens, quotation marks. It is also found
    reversed, in hexadecimal, and in base64 at any offset.

    Args:
        text: The text.
        secret: The secret; empty: there is none.

    Returns:
        The text with a mark in place of each secret.
    """
    if not secret:
        return text
    kept, last = [], 0
    for start, end in _secret_spans(text, secret):
        kept += [text[last:start], REDACTION_MARK]
        last = end
    text = "".join([*kept, text[last:]])
    return re.sub(re.escape(secret), REDACTION_MARK, text, flags=re.IGNORECASE)


def contains_secret(text: str, secret: str) -> bool:
    """Return whether a text contains a secret in any encoding."""
    return redact(text, secret) != text


def _secret_spans(text: str, secret: str) -> list[tuple[int, int]]:
    """Return the start and end of each secret in order, without overlaps."""
    found = list(_normalized_characters(text))
    whole = "".join(character for character, _, _ in found)
    spans = sorted(
        (found[match.start()][1], found[match.end() - 1][2])
        for written in _encodings(secret)
        for match in re.finditer(re.escape(written), whole)
    )
    places: list[tuple[int, int]] = []
    for start, end in spans:
        if places and start < places[-1][1]:
            places[-1] = places[-1][0], max(end, places[-1][1])
        else:
            places.append((start, end))
    return places


def _normalized_characters(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield letters and digits, in lower case and without escapes, with their start and end."""
    for match in _CHARACTER.finditer(text):
        numbers = match["u"] or match["x"] or match["percent"] or match["hex"]
        code = int(numbers, 16) if numbers else int(match["decimal"] or 0)
        character = chr(code) if 0 < code < 0x110000 else match["plain"] or ""
        for one in character.casefold():
            if one.isalnum():
                yield one, match.start(), match.end()


def _encodings(secret: str) -> set[str]:
    """Return the encodings of a secret, by their letters and digits alone."""
    octets = secret.encode("utf-8", "replace")
    ways = {secret, secret[::-1], octets.hex()}
    for before in range(3):
        # The first and last digits also depend on the bytes before and after it.
        encoded = base64.b64encode(bytes(before) + octets).decode()
        ways.add(encoded[-(-before * 8 // 6) : (before + len(octets)) * 8 // 6])
    bare = ("".join(c for c in way.casefold() if c.isalnum()) for way in ways)
    return {way for way in bare if len(way) >= MIN_SECRET_LENGTH}
