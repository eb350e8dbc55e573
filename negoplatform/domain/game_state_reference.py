"""Reference from a game to the file of its typed state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class GameStateReference:
    """Typed state that a game defines in a Python file.

    Args:
        state_class: The class, a ``GameState``; None in a log whose game folder is missing.
        file: The name of its file.
        sha256: The hash of that file.
    """

    state_class: type[Any] | None
    file: str
    sha256: str
