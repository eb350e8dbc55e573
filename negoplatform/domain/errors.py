"""Errors, grouped by who can act on them."""

import sys
import sysconfig
from functools import cache
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING

from negoplatform.old_import_paths import renamed

if not TYPE_CHECKING:
    __getattr__ = renamed(__name__)


class NegoError(Exception):
    """An error whose text is one sentence that its reader can act on."""


class Refused(NegoError):
    """Action that the rules do not allow now; the text is fit for the player who tried it."""


class OfferError(Refused):
    """Offer that does not fit the game: an unknown issue, a wrong sum, an unknown value."""


class NotVisible(NegoError):
    """Information that the game hides from the caller; the text names the setting."""


class NotInThisGame(NegoError):
    """Question that does not arise in this kind of game, such as for the offer on the table in a market."""


class InputFileError(NegoError):
    """File that cannot be used.

    Args:
        path: The file.
        where: The place in it, such as ``seats.human.reservation_value`` or ``line 12``; may be empty.
        reason: What is wrong and what to do, without a full stop.
    """

    def __init__(self, path: object, where: str, reason: str) -> None:
        self.path = path
        self.where = where
        self.reason = reason
        place = f" at {where}" if where else ""
        super().__init__(f"{path}{place}: {reason}.")


class AgentError(NegoError):
    """Agent that broke its side of the contract: it raised, or returned something that is not an action."""


class LogWriteError(NegoError):
    """Log that cannot be written, so that the session must not go on."""


def missing_package_error(need: str, extra: str) -> NegoError:
    """Return the error about packages that are not installed, with the command that installs them.

    Args:
        need: The beginning of the sentence: what is needed, and for what.
        extra: The extra of the program that has the packages.
    """
    remedy = f"pip install '.[{extra}]' in NegoPlatform's source folder."
    if getattr(sys, "frozen", False):
        remedy = f"this program has none; with a Python of your own, {remedy}"
    return NegoError(f"{need}: {remedy}")


def text_of(error: BaseException) -> str:
    """Return the text of an error, even if a foreign class fails in its ``__str__``."""
    try:
        return str(error)
    except BaseException:  # noqa: BLE001 - foreign code, which may raise anything at all
        return ""


def author_frame(error: BaseException) -> tuple[int, str] | None:
    """Return the place in an author's code at which an error was raised or went through.

    Args:
        error: The error, which may have been raised deep in a library.

    Returns:
        The line and the name of the function in the deepest frame that is neither Python's, nor a library's,
        nor the program's; if there is none, in the deepest one. None if it was never raised, or its class
        does not tell.
    """
    try:
        frames = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    except BaseException:  # noqa: BLE001 - foreign code, which may raise anything at all
        return None
    if not frames:
        return None
    code, line = next((found for found in reversed(frames) if _is_authors(found[0].co_filename)), frames[-1])
    return line, code.co_name


@cache
def _is_authors(file: str) -> bool:
    place = Path(file)
    # A frozen program's modules have relative names, and code that was made from a text has none.
    if not place.is_absolute() or {"site-packages", "dist-packages"} & set(place.parts):
        return False
    return not any(place.is_relative_to(folder) for folder in _library_folders())


@cache
def _library_folders() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    return (*(Path(paths[name]) for name in ("stdlib", "platstdlib")), Path(__file__).parents[1])
