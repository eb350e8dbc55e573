"""Paths of the program's own files, of the user's plugins, and of sessions."""

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
"""Variables by which the packaged program finds its own Tk; it restores LD_LIBRARY_PATH at its start."""


def bundled(kind: str) -> Path:
    """Return the folder of the program's own files of one kind.

    In an installation it is inside the package, in a checkout at the root.

    Args:
        kind: ``agents``, ``games``, ``instruments``, ``studies`` or ``assets``.
    """
    package = Path(negoplatform.__file__).parent
    inside = package / "_bundled" / kind
    return inside if inside.is_dir() else package.parent / kind


def user_folder() -> Path:
    """Return the user's data folder, with sessions and plugins.

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
    """Return the user's data folder; None if this user has no home folder."""
    return path_or_none(lambda: platformdirs.user_data_path(APP_NAME, appauthor=False))


def path_or_none(find: Callable[[], Path]) -> Path | None:
    """Return a folder of the user; None if this user has no home folder.

    Args:
        find: Returns the folder, or raises RuntimeError, as the standard library does without a home folder.
    """
    try:
        folder = find()
    except RuntimeError:
        return None
    return None if folder.parts[:1] == ("~",) else folder


def own_command() -> str:
    """Return the command that starts this program; for the packaged one, the path of its executable."""
    return sys.argv[0] if getattr(sys, "frozen", False) else "negoplatform"


def beside_program(kind: str) -> Path | None:
    """Return the folder ``agents`` or ``games`` next to the packaged program; None if it is not packaged.

    The folder need not exist. It lets a laboratory carry the program with its agents and games on one USB
    stick. On macOS it is next to the ``.app``, whose content is signed.
    """
    if not getattr(sys, "frozen", False):
        return None
    place = Path(sys.executable).resolve().parent
    if place.name == "MacOS" and place.parent.name == "Contents":
        place = place.parents[1].parent
    return place / kind


def system_environment() -> dict[str, str]:
    """Return the environment for other programs: ``xdg-open``, a file manager, an editor.

    Without the variables by which the packaged program finds its own Tk: they would break other programs.
    """
    environment = dict(os.environ)
    if not getattr(sys, "frozen", False):
        return environment
    return {
        name: value
        for name, value in environment.items()
        if name not in BUNDLED_TK_VARIABLES and not name.startswith("_PYI_")
    }
