"""Rounds: several games that an agent plays in a row, as far as the agent of a seat may know them."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.core.events import EndedBy
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import Points


@dataclass(frozen=True, slots=True)
class EarlierRound:
    """Result of a game that an agent has played, from the point of view of its seat.

    Args:
        number: The number of the round.
        game: The name of the game.
        ended_by: The reason for its end.
        deal: The binding offer; None without agreement.
        points: The seat's own points; None if the game gave none.
    """

    number: int
    game: str
    ended_by: EndedBy
    deal: Offer | None = None
    points: Points | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """Place of a game among the rounds of a participant.

    Args:
        number: The number of the round, from 1.
        of: The number of rounds that are planned; a study may stop earlier.
        earlier: The earlier rounds that this agent has played, oldest first. Rounds with other partners are
            not among them.
    """

    number: int = 1
    of: int = 1
    earlier: tuple[EarlierRound, ...] = ()


SINGLE_ROUND = Round()
"""Place of a game outside of rounds."""
