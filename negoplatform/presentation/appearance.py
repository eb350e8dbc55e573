"""How the window looks for whoever sits at it: colours, size, language; kept from one start to the next."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from negoplatform.presentation.color_palette import PALETTES
from negoplatform.presentation.i18n import LANGUAGES

FILE_NAME = "appearance.json"

TEXT_SIZES = (0.85, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0)
"""How large everything can be drawn, not only words."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """What can be chosen about the looks.

    Args:
        theme: One of the palettes.
        text_size: One of :data:`TEXT_SIZES`.
        language: One of the window's languages.
        reduce_motion: Whether nothing moves by itself.
        practice: Whether a participant practises before their first negotiation.
        full_screen: Whether a session takes the whole screen, which only the experimenter's code leaves.
    """

    theme: str = "light"
    text_size: float = 1.0
    language: str = "en"
    reduce_motion: bool = False
    full_screen: bool = False
    practice: bool = True


def read_appearance(data_dir: Path) -> Appearance:
    """The looks as they were kept; what is missing or makes no sense is as at first, so nobody
    is locked out."""
    # Plain JSON: the first window must not wait for a library that checks files.
    try:
        kept = json.loads((data_dir / FILE_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Appearance()
    if not isinstance(kept, dict):
        return Appearance()
    sound = {field.name for field in fields(Appearance) if _is_valid(field.name, kept)}
    return Appearance(**{name: value for name, value in kept.items() if name in sound})


def write_appearance(data_dir: Path, appearance: Appearance) -> None:
    """Keeps the looks for the next start.

    Raises:
        OSError: If they cannot be written; they are in force all the same until the program ends.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    # Whole or not at all: half a file would be none, and everything as at first.
    half = data_dir / f".{FILE_NAME}.part"
    half.write_text(json.dumps(asdict(appearance), indent=2) + "\n", encoding="utf-8")
    half.replace(data_dir / FILE_NAME)


def reset_appearance(data_dir: Path) -> None:
    """Everything as at first."""
    (data_dir / FILE_NAME).unlink(missing_ok=True)


def _is_valid(name: str, kept: dict[str, Any]) -> bool:
    value = kept.get(name)
    match name:
        case "theme":
            return isinstance(value, str) and value in PALETTES
        case "text_size":
            return isinstance(value, float | int) and value in TEXT_SIZES
        case "language":
            return isinstance(value, str) and value in LANGUAGES
        case _:
            return isinstance(value, bool)
