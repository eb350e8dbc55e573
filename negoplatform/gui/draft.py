"""The offer that a participant is building: a value that only their own hand changes."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.domain.seat import BySeat, Seat


@dataclass(frozen=True, slots=True)
class Draft:
    """An offer in the making. Issues that it does not name are wholly undecided.

    Args:
        game: The game.
        offer: What is decided so far; an issue of which nothing is decided is left out.
    """

    game: GameSpec
    offer: Offer = EMPTY_OFFER

    def allocation(self, issue: QuantityIssue) -> Allocation:
        """How the units of an issue are divided so far."""
        term = self.offer.get(issue.name)
        return term if isinstance(term, Allocation) else Allocation({}, undecided=issue.quantity)

    def value(self, issue: CategoricalIssue) -> str | None:
        """The value chosen for an issue; None while undecided."""
        term = self.offer.get(issue.name)
        return term if isinstance(term, str) else None

    def give(self, issue: QuantityIssue, seat: Seat) -> Draft:
        """One unit more for a seat: an undecided one, else one of the seat that has most of the others."""
        now = self.allocation(issue)
        if now.undecided:
            return self._with(issue, now.units.put(seat, now.of(seat) + 1), now.undecided - 1)
        giver = max(self.game.others(seat), key=now.of, default=seat)
        if now.of(giver) == 0 or giver == seat:
            return self
        units = now.units.put(giver, now.of(giver) - 1)
        return self._with(issue, units.put(seat, now.of(seat) + 1), 0)

    def take(self, issue: QuantityIssue, seat: Seat) -> Draft:
        """One unit of a seat becomes undecided."""
        now = self.allocation(issue)
        if now.of(seat) == 0:
            return self
        return self._with(issue, now.units.put(seat, now.of(seat) - 1), now.undecided + 1)

    def choose(self, issue: CategoricalIssue, value: str | None) -> Draft:
        """Another value, or none."""
        return self._replace(issue.name, value)

    def cleared(self) -> Draft:
        """Everything undecided."""
        return Draft(self.game)

    @property
    def undecided(self) -> int:
        """How many units and values are still undecided."""
        return sum(
            self.allocation(issue).undecided
            if isinstance(issue, QuantityIssue)
            else self.value(issue) is None
            for issue in self.game.issues
        )

    def _with(self, issue: QuantityIssue, units: BySeat[int], undecided: int) -> Draft:
        in_order = BySeat((seat, units.get(seat, 0)) for seat in self.game.seats)
        nothing = undecided == issue.quantity
        return self._replace(issue.name, None if nothing else Allocation(in_order, undecided))

    def _replace(self, name: str, term: Allocation | str | None) -> Draft:
        terms = {issue: old for issue, old in self.offer.terms if issue != name}
        if term is not None:
            terms[name] = term
        return Draft(self.game, Offer(terms))
