"""Appearance of the window: colours, size, language; stored between starts."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from negoplatform.presentation.color_palette import PALETTES
from negoplatform.presentation.i18n import LANGUAGES

FILE_NAME = "appearance.json"

TEXT_SIZES = (0.85, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0)
"""Scale factors of the whole window, not only of text."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """Options for the window's appearance.

    Args:
        theme: Name of a palette.
        text_size: One of :data:`TEXT_SIZES`.
        language: Code of one of the window's languages.
        reduce_motion: Whether to avoid animation.
        practice: Whether a participant without earlier sessions begins with a guided practice.
        full_screen: Whether a session takes the whole screen, which only the experimenter's code leaves.
    """

    theme: str = "light"
    text_size: float = 1.0
    language: str = "en"
    reduce_motion: bool = False
    full_screen: bool = False
    practice: bool = True


def read_appearance(data_dir: Path) -> Appearance:
    """Return the stored appearance, with defaults for missing or invalid options: the window always opens."""
    # Plain JSON: the first window must not wait for a validation library to load.
    try:
        stored = json.loads((data_dir / FILE_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Appearance()
    if not isinstance(stored, dict):
        return Appearance()
    valid = {field.name for field in fields(Appearance) if _is_valid(field.name, stored)}
    return Appearance(**{name: value for name, value in stored.items() if name in valid})


def write_appearance(data_dir: Path, appearance: Appearance) -> None:
    """Store the appearance for the next start.

    Raises:
        OSError: If the file cannot be written; the appearance still applies until the program ends.
    """
    # Not at the top: the first window reads the appearance, and must not wait for what the log needs.
    from negoplatform.eventlog.held_files import WINDOW_HELD_TIMEOUT, retry_while_held

    data_dir.mkdir(parents=True, exist_ok=True)
    # Replaced atomically: half a file would be unreadable, and all options would be lost.
    temporary = data_dir / f".{FILE_NAME}.part"
    temporary.write_text(json.dumps(asdict(appearance), indent=2) + "\n", encoding="utf-8")
    retry_while_held(lambda: temporary.replace(data_dir / FILE_NAME), timeout=WINDOW_HELD_TIMEOUT)


def reset_appearance(data_dir: Path) -> None:
    """Restore the default appearance."""
    (data_dir / FILE_NAME).unlink(missing_ok=True)


def _is_valid(name: str, stored: dict[str, Any]) -> bool:
    value = stored.get(name)
    match name:
        case "theme":
            return isinstance(value, str) and value in PALETTES
        case "text_size":
            return isinstance(value, float | int) and value in TEXT_SIZES
        case "language":
            return isinstance(value, str) and value in LANGUAGES
        case _:
            return isinstance(value, bool)
