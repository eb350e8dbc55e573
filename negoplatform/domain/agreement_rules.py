"""Rules of bargaining between many seats: who has to accept, who is bound, and who acts when."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, assert_never


class Agreement(StrEnum):
    """Seats that have to accept the same offer before it is a deal."""

    UNANIMOUS = "unanimous"
    """The agreement of all seats."""
    MAJORITY = "majority"
    """The agreement of more than half of the seats."""


@dataclass(frozen=True, slots=True)
class Quota:
    """Number of seats that have to accept the same offer before it is a deal.

    Args:
        quota: The number, from 2 to the number of seats; the maker of the offer counts as one.
    """

    quota: int


class Outvoted(StrEnum):
    """Consequence of a deal for the seats that have not accepted it."""

    BOUND = "bound"
    """The points of the deal."""
    LEFT_OUT = "left_out"
    """Their reservation values."""


class Turns(StrEnum):
    """Order in which the seats make offers and accept; messages and walking away are always free."""

    FREE = "free"
    """All seats at any time."""
    ALTERNATING = "alternating"
    """The seats one after the other, in the game's order of seats (NegMAS: stacked alternating offers)."""


FREE_TURNS: Final = Turns.FREE
"""Member for code that runs at every event: a look-up in the class takes long in Python 3.11."""


def acceptances_needed(agreement: Agreement | Quota, seats: int) -> int:
    """Return the number of seats that have to accept the same offer, out of a number of seats."""
    match agreement:
        case Quota(quota):
            return quota
        case Agreement.UNANIMOUS:
            return seats
        case Agreement.MAJORITY:
            return seats // 2 + 1
        case _:
            assert_never(agreement)
