"""Values of the session form: drawn codes and seeds, and typed seeds and minutes."""

from __future__ import annotations

import secrets

from negoplatform.domain.errors import NegoError
from negoplatform.presentation.i18n import Language


def draw_code() -> str:
    """Draw a participant's code."""
    return f"P-{secrets.token_hex(2).upper()}"


def draw_seed() -> int:
    """Draw a seed."""
    return secrets.randbelow(2**31)


def parse_seed(text: str, translate: Language) -> int:
    """Return a seed from typed text.

    Raises:
        NegoError: If the text is no seed.
    """
    if not text.isdecimal() or len(text) > 15:
        raise NegoError(translate("The seed must be a whole number, 0 or more, not {text}.", text=repr(text)))
    return int(text)


def parse_minutes(minutes: str, translate: Language) -> float | None:
    """Return a time limit in seconds from typed minutes; None for an empty text.

    Raises:
        NegoError: If the text is no number.
    """
    if not minutes:
        return None
    try:
        return float(minutes.replace(",", ".")) * 60
    except ValueError:
        raise NegoError(
            translate("The time limit must be a number of minutes, not {text}.", text=repr(minutes))
        ) from None
