"""Belief about several other seats, which is ours: one belief about each, and a joint type to act on.

The published agents have one opponent. Here each other seat has types and probabilities of its own, and
only its own offers and refusals change them. Bids are judged by the joint type: a bid is worth to the others
what it is worth to the seat that likes it least of those that have to accept it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from negoplatform.domain.seat_map import Seat
from negoplatform.strategies.negochat.belief import Belief, OpponentType
from negoplatform.strategies.negochat.bid_space import Bid, BidTerms, BidUtility


class JointUtility(BidUtility):
    """Utility of bids for several seats together, each scaled to 0 to 1.

    Args:
        utilities: The utility of each seat.
        needed: The number of seats that have to accept a bid, 1 or more.
    """

    def __init__(self, utilities: Sequence[BidUtility], needed: int) -> None:
        self._utilities = utilities
        self._needed = needed
        columns = [[_scaled(utility, points) for points in utility.values] for utility in utilities]
        self.values = [self._joint(worths) for worths in zip(*columns, strict=True)]
        self.lowest = min(self.values)
        self.highest = max(self.values)

    def level_utility(self, issue: int, level: int) -> float:
        """Return the utility that a level adds for the seat that likes it least of those that are needed."""
        return self.of_terms({issue: level})

    def of_terms(self, terms: BidTerms) -> float:
        """Return the utility of some terms, as a share of each seat's range."""
        return self._joint([utility.of_terms(terms) / _width(utility) for utility in self._utilities])

    def of(self, bid: Bid) -> float:
        """Return the joint utility of a bid, 0 to 1."""
        return self._joint([_scaled(utility, utility.of(bid)) for utility in self._utilities])

    def _joint(self, worths: Sequence[float]) -> float:
        return sorted(worths, reverse=True)[self._needed - 1]


def _width(utility: BidUtility) -> float:
    return float(utility.highest - utility.lowest) or 1.0


def _scaled(utility: BidUtility, points: float) -> float:
    return float(points - utility.lowest) / _width(utility)


class BeliefBySeat:
    """Beliefs about several seats, with the interface of a :class:`Belief` about one.

    Args:
        beliefs: The belief about each other seat.
        needed: The number of them that have to accept a deal.
    """

    def __init__(self, beliefs: Mapping[Seat, Belief], needed: int) -> None:
        self.by_seat = dict(beliefs)
        self.needed = needed
        self.types: list[OpponentType] = []
        """Joint types so far; the agent acts on one of them."""
        self._numbers: dict[tuple[int, ...], int] = {}
        self._observed_seat = next(iter(self.by_seat))

    @property
    def members(self) -> tuple[Belief, ...]:
        """Beliefs about the single seats."""
        return tuple(self.by_seat.values())

    @property
    def current(self) -> int:
        """Number of the joint type on which the agent acts."""
        chosen = tuple(belief.current for belief in self.members)
        if chosen not in self._numbers:
            self._numbers[chosen] = len(self.types)
            kinds = [belief.type for belief in self.members]
            joint = JointUtility([kind.utility for kind in kinds], self.needed)
            self.types.append(OpponentType(" and ".join(kind.name for kind in kinds), joint))
        return self._numbers[chosen]

    @current.setter
    def current(self, number: int) -> None:
        chosen = next(types for types, known in self._numbers.items() if known == number)
        for belief, kind in zip(self.members, chosen, strict=True):
            belief.current = kind

    @property
    def type(self) -> OpponentType:
        """Joint type on which the agent acts."""
        return self.types[self.current]

    def observe(self, seat: Seat) -> None:
        """Take the next offers and refusals as those of a seat."""
        self._observed_seat = seat

    def observe_offer(self, bid: Bid, turn: int) -> None:
        """Learn from a full offer of the observed seat."""
        self.by_seat[self._observed_seat].observe_offer(bid, turn)

    def observe_refusal(self, bid: Bid) -> None:
        """Learn from a refusal of the observed seat."""
        self.by_seat[self._observed_seat].observe_refusal(bid)
