"""Errors, sorted by whose they are."""


class NegoError(Exception):
    """An error whose text is one sentence that its reader can act on."""


class Refused(NegoError):
    """The rules do not allow an act now; the text is fit for the player who tried it."""


class OfferError(Refused):
    """An offer does not fit the game: an unknown issue, a wrong sum, an unknown value."""


class NotVisible(NegoError):
    """The game keeps this from the one who asks; the text names the setting."""


class InputFileError(NegoError):
    """A file cannot be used.

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
    """An agent broke its side of the contract: it raised, or returned what is no action."""


class LogWriteError(NegoError):
    """The log cannot be written, so the session must not go on."""


def text_of(error: BaseException) -> str:
    """What an error says, also of a class of somebody else's that fails at saying it."""
    try:
        return str(error)
    except BaseException:  # noqa: BLE001 - somebody else's code, which may raise anything at all
        return ""
