"""Errors, grouped by who can act on them."""

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


def text_of(error: BaseException) -> str:
    """Return the text of an error, even if a foreign class fails in its ``__str__``."""
    try:
        return str(error)
    except BaseException:  # noqa: BLE001 - foreign code, which may raise anything at all
        return ""
