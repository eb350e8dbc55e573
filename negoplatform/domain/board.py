"""The board: per issue, what each seat last said, and whether that agrees."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat import BySeat, Seat


class Standing(StrEnum):
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
        latest: Issue names with the latest term of each seat that has spoken about it.
    """

    seats: tuple[Seat, ...]
    latest: tuple[tuple[str, BySeat[Term]], ...] = ()

    def terms(self, issue: str) -> BySeat[Term]:
        """The latest term of each seat that has spoken about an issue."""
        for name, by_seat in self.latest:
            if name == issue:
                return by_seat
        return BySeat()

    def standing(self, issue: str) -> Standing:
        """Whether an issue is agreed, open or disputed."""
        terms = tuple(self.terms(issue).values())
        if any(term != terms[0] for term in terms[1:]):
            return Standing.DISPUTED
        if len(terms) < len(self.seats) or (isinstance(terms[0], Allocation) and not terms[0].complete):
            return Standing.OPEN
        return Standing.AGREED

    def after(self, seat: Seat, offer: Offer) -> Board:
        """The board once a seat has stood for an offer: only the offer's issues change."""
        latest = dict(self.latest)
        for issue, term in offer.terms:
            latest[issue] = latest.get(issue, BySeat[Term]()).put(seat, term)
        return Board(self.seats, tuple(latest.items()))
