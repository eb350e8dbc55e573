"""The board: per issue, what each seat last said, and whether that agrees."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat import Seat, SeatMap


class IssueStatus(StrEnum):
    """How far the seats are on one issue."""

    OPEN = "open"
    """Somebody has not spoken yet, or units are undecided."""
    AGREED = "agreed"
    """Every seat's latest terms are the same and decide everything."""
    DISPUTED = "disputed"
    """Two seats' latest terms differ."""


@dataclass(frozen=True, slots=True)
class Board:
    """Each seat's latest terms per issue, derived from what was sent and accepted.

    Args:
        seats: The seats at the table.
        latest: All terms that a seat stands for, taken together, for each seat that has spoken.
    """

    seats: tuple[Seat, ...]
    latest: SeatMap[Offer] = field(default_factory=SeatMap)

    def terms(self, issue: str) -> SeatMap[Term]:
        """The latest term of each seat that has spoken about an issue."""
        found = ((seat, offer.get(issue)) for seat, offer in self.latest.items())
        return SeatMap((seat, term) for seat, term in found if term is not None)

    def standing(self, issue: str) -> IssueStatus:
        """Whether an issue is agreed, open or disputed."""
        terms = tuple(self.terms(issue).values())
        if any(term != terms[0] for term in terms[1:]):
            return IssueStatus.DISPUTED
        if len(terms) < len(self.seats) or (isinstance(terms[0], Allocation) and not terms[0].complete):
            return IssueStatus.OPEN
        return IssueStatus.AGREED


def update_positions(latest: SeatMap[Offer], seat: Seat, offer: Offer) -> SeatMap[Offer]:
    """What the seats stand for once one of them has stood for an offer: only the offer's issues change."""
    before = latest[seat] if seat in latest else offer  # noqa: SIM401 - a mapping's get takes longer
    return latest.with_value(seat, offer if before.issues == offer.issues else before.with_terms_of(offer))
