"""What an agent that settles a deal issue by issue does next."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from negoplatform.strategies.negochat.bid_space import BidTerms


class Move(Enum):
    """What the agent does next."""

    PROPOSE = "propose"
    """Puts a value for the next issue forward."""
    ACCEPT = "accept"
    """Agrees to what the other asked for, and goes on to the next issue."""
    COUNTER = "counter"
    """Refuses it, with another value for the same issues."""
    REOPEN = "reopen"
    """Agrees to it, or holds on to its own proposal, and takes up an issue again that was agreed."""
    REJECT = "reject"
    """Refuses it; what stood before stands."""
    PASS = "think"
    """Has nothing more to put forward in this turn."""
    SIGN = "sign"
    """Everything is agreed."""


@dataclass(frozen=True, slots=True)
class MoveDecision:
    """A move, with the terms that it is about.

    Args:
        move: The move.
        agreed_terms: What it agrees to.
        reopened: The issue that is taken up again; None if there is none.
    """

    move: Move
    agreed_terms: BidTerms = field(default_factory=dict)
    reopened: int | None = None
