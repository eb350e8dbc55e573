"""Where things lie: what the program brings, what the user adds, what sessions leave."""

from __future__ import annotations

from pathlib import Path

import platformdirs

import negoplatform

APP_NAME = "NegoPlatform"


def bundled(kind: str) -> Path:
    """The program's own ``agents``, ``games`` or ``assets``.

    Installed, they lie inside the package; a checkout falls back to its root.
    """
    package = Path(negoplatform.__file__).parent
    inside = package / "_bundled" / kind
    return inside if inside.is_dir() else package.parent / kind


def user_folder() -> Path:
    """The user's own folder, where sessions are kept and plugins are looked for."""
    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))
