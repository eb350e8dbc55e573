"""Levels of an agent's possible bids as arrays, for agents that compute with NumPy."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from negoplatform.domain.issue import CategoricalIssue, Issue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points


@dataclass(frozen=True, slots=True)
class BidLevels:
    """Levels and points of possible bids, in one order: from the worst bid to the best.

    Every array has one number per bid, so ``numpy.asarray(levels.points)`` has the shape (bids,), and
    ``numpy.asarray(levels.columns)`` the shape (issues, bids). Number ``i`` of each belongs to
    ``bids.at(i)``.

    Args:
        issues: The names of the issues, in the game's order.
        columns: For each issue the level of every bid: of a quantity issue the own units, of a categorical
            issue the number of the value, from 0, of a number issue the number itself.
        points: The own points of every bid, before time costs, ascending.
    """

    issues: tuple[str, ...]
    columns: tuple[array[float], ...]
    points: array[float]

    def column(self, issue: str) -> array[float]:
        """Return the levels of one issue.

        Raises:
            ValueError: If there is no such issue.
        """
        return self.columns[self.issues.index(issue)]


def bid_levels(issues: Sequence[Issue], seat: Seat, bids: Sequence[tuple[Points, Offer]]) -> BidLevels:
    """Return the levels of complete offers for a seat.

    Args:
        issues: The game's issues.
        seat: The seat whose units count.
        bids: The offers with their points, from the worst to the best.
    """
    columns = tuple(
        array("d", [_level(issue, offer.get(issue.name), seat) for _, offer in bids]) for issue in issues
    )
    return BidLevels(
        tuple(issue.name for issue in issues), columns, array("d", [float(points) for points, _ in bids])
    )


def _level(issue: Issue, term: Term | None, seat: Seat) -> float:
    if isinstance(term, Allocation):
        return term.of(seat)
    return issue.values.index(str(term)) if isinstance(issue, CategoricalIssue) else float(term or 0)
