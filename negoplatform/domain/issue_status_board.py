"""The board: each seat's latest terms per issue, and whether they agree."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat, SeatMap


class IssueStatus(StrEnum):
    """Status of one issue."""

    OPEN = "open"
    """A seat has not proposed a term yet, or units are undecided."""
    AGREED = "agreed"
    """Every seat's latest terms are the same and decide everything."""
    DISPUTED = "disputed"
    """Two seats' latest terms differ."""


@dataclass(frozen=True, slots=True)
class Board:
    """Each seat's latest terms per issue, derived from sent and accepted offers.

    Args:
        seats: The seats at the table.
        latest: The terms that each seat currently stands by, as one offer; only seats that have made some.
    """

    seats: tuple[Seat, ...]
    latest: SeatMap[Offer] = field(default_factory=SeatMap)

    def terms(self, issue: str) -> SeatMap[Term]:
        """Return each seat's latest term of an issue; seats without one are left out."""
        found = ((seat, offer.get(issue)) for seat, offer in self.latest.items())
        return SeatMap((seat, term) for seat, term in found if term is not None)

    def standing(self, issue: str) -> IssueStatus:
        """Return whether an issue is agreed, open or disputed."""
        terms = tuple(self.terms(issue).values())
        if any(term != terms[0] for term in terms[1:]):
            return IssueStatus.DISPUTED
        if len(terms) < len(self.seats) or (isinstance(terms[0], Allocation) and not terms[0].complete):
            return IssueStatus.OPEN
        return IssueStatus.AGREED


def update_positions(latest: SeatMap[Offer], seat: Seat, offer: Offer) -> SeatMap[Offer]:
    """Return the positions after a seat sends or accepts an offer: only the offer's issues change."""
    for name, before in latest.pairs:
        if name == seat and before.issues != offer.issues:
            return latest.with_value(seat, before.with_terms_of(offer))
    return latest.with_value(seat, offer)
