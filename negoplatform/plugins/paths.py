"""Where things lie: what the program brings, what the user adds, what sessions leave."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import platformdirs

import negoplatform
from negoplatform.domain.errors import NegoError

APP_NAME = "NegoPlatform"

BUNDLED_TK_VARIABLES = ("TCL_LIBRARY", "TK_LIBRARY")
"""By these the packaged program finds its own Tk; LD_LIBRARY_PATH is given back when it begins."""


def bundled(kind: str) -> Path:
    """The program's own ``agents``, ``games`` or ``assets``.

    Installed, they lie inside the package; a checkout falls back to its root.
    """
    package = Path(negoplatform.__file__).parent
    inside = package / "_bundled" / kind
    return inside if inside.is_dir() else package.parent / kind


def user_folder() -> Path:
    """The user's own folder, where sessions are kept and plugins are looked for.

    Raises:
        NegoError: If this user has no home folder.
    """
    folder = user_folder_if_any()
    if folder is None:
        raise NegoError(
            "Nobody can tell where your home folder is: HOME is not set, and this computer does not know "
            "who you are. Say with --data-dir where your data goes, such as --data-dir my_data."
        )
    return folder


def user_folder_if_any() -> Path | None:
    """The same; None if this user has no home folder."""
    return path_or_none(lambda: platformdirs.user_data_path(APP_NAME, appauthor=False))


def path_or_none(find: Callable[[], Path]) -> Path | None:
    """A folder of the user's own; None if this user has no home folder.

    Args:
        find: Finds it, or raises RuntimeError as the standard library does then.
    """
    try:
        folder = find()
    except RuntimeError:
        return None
    return None if folder.parts[:1] == ("~",) else folder


def own_command() -> str:
    """What starts this program in a terminal: the packaged one is called as somebody has unpacked it."""
    return sys.argv[0] if getattr(sys, "frozen", False) else "negoplatform"


def beside_program(kind: str) -> Path | None:
    """The folder ``agents`` or ``games`` beside the packaged program, whether it exists or not; else None.

    So a laboratory carries the program and what belongs to it on one stick. On macOS it lies beside the
    ``.app``: what is inside is signed.
    """
    if not getattr(sys, "frozen", False):
        return None
    place = Path(sys.executable).resolve().parent
    if place.name == "MacOS" and place.parent.name == "Contents":
        place = place.parents[1].parent
    return place / kind


def system_environment() -> dict[str, str]:
    """The environment for programs that are not ours: ``xdg-open``, a file manager, an editor.

    The packaged program finds its own Tk by variables that another program would stumble over.
    """
    environment = dict(os.environ)
    if not getattr(sys, "frozen", False):
        return environment
    return {
        name: value
        for name, value in environment.items()
        if name not in BUNDLED_TK_VARIABLES and not name.startswith("_PYI_")
    }
