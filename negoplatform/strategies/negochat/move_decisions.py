"""Moves of an agent that settles a deal issue by issue."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from negoplatform.strategies.negochat.bid_space import BidTerms


class Move(Enum):
    """Next move of the agent."""

    PROPOSE = "propose"
    """Proposes a value for the next issue."""
    ACCEPT = "accept"
    """Agrees to the other's request, and goes on to the next issue."""
    COUNTER = "counter"
    """Refuses it, with another value for the same issues."""
    REOPEN = "reopen"
    """Agrees to it, or keeps its own proposal, and reopens an agreed issue."""
    REJECT = "reject"
    """Refuses it; the state before stands."""
    PASS = "think"
    """Has nothing more to propose in this turn."""
    SIGN = "sign"
    """All issues are agreed."""


@dataclass(frozen=True, slots=True)
class MoveDecision:
    """A move with its terms.

    Args:
        move: The move.
        agreed_terms: The terms to which it agrees.
        reopened: The reopened issue; None if there is none.
    """

    move: Move
    agreed_terms: BidTerms = field(default_factory=dict)
    reopened: int | None = None
