"""The offer that a participant is building: a value that only their own hand changes."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Number, Offer, Term
from negoplatform.domain.seat import BySeat, Seat
from negoplatform.gui.numbers import read_number, stepped


@dataclass(frozen=True, slots=True)
class Draft:
    """An offer in the making. Issues that it does not name are wholly undecided.

    Args:
        game: The game.
        offer: What is decided so far; an issue of which nothing is decided is left out.
        unfit: Number issues with what was typed for them and fits no number. Nothing of it is in the
            offer, and until it is mended or wiped the offer is not ready to be sent.
    """

    game: GameSpec
    offer: Offer = EMPTY_OFFER
    unfit: tuple[tuple[str, str], ...] = ()

    def allocation(self, issue: QuantityIssue) -> Allocation:
        """How the units of an issue are divided so far."""
        term = self.offer.get(issue.name)
        return term if isinstance(term, Allocation) else Allocation({}, undecided=issue.quantity)

    def value(self, issue: CategoricalIssue) -> str | None:
        """The value chosen for an issue; None while undecided."""
        term = self.offer.get(issue.name)
        return term if isinstance(term, str) else None

    def number(self, issue: NumberIssue) -> Number | None:
        """The number chosen for an issue; None while undecided."""
        term = self.offer.get(issue.name)
        return None if isinstance(term, Allocation | str) else term

    def typed(self, issue: NumberIssue) -> str:
        """What was typed for an issue and does not fit; empty where there is nothing of the kind."""
        return dict(self.unfit).get(issue.name, "")

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

    def write(self, issue: NumberIssue, text: str) -> Draft:
        """What was typed for an issue: a number if one fits, undecided if nothing was typed, else unfit."""
        reading = read_number(text, issue)
        return self._replace(issue.name, reading.number, text if reading.problem else "")

    def step(self, issue: NumberIssue, steps: int) -> Draft:
        """A number so many steps up, or down if negative; it stays within the issue's range."""
        now = self.number(issue)
        start = read_number(self.typed(issue), issue).near if now is None else now
        return self._replace(issue.name, stepped(issue, start, steps))

    def cleared(self) -> Draft:
        """Everything undecided."""
        return Draft(self.game)

    @property
    def undecided(self) -> int:
        """How many units, values and numbers are still undecided."""
        return sum(self._undecided(issue) for issue in self.game.issues)

    @property
    def ready(self) -> bool:
        """Whether it can be sent: something is decided, and nothing stands there that fits nowhere."""
        return bool(self.offer.terms) and not self.unfit

    def _undecided(self, issue: Issue) -> int:
        match issue:
            case QuantityIssue():
                return self.allocation(issue).undecided
            case CategoricalIssue():
                return int(self.value(issue) is None)
            case NumberIssue():
                return int(self.number(issue) is None)

    def _with(self, issue: QuantityIssue, units: BySeat[int], undecided: int) -> Draft:
        in_order = BySeat((seat, units.get(seat, 0)) for seat in self.game.seats)
        nothing = undecided == issue.quantity
        return self._replace(issue.name, None if nothing else Allocation(in_order, undecided))

    def _replace(self, name: str, term: Term | None, unfit: str = "") -> Draft:
        terms = {issue: old for issue, old in self.offer.terms if issue != name}
        if term is not None:
            terms[name] = term
        others = tuple((issue, text) for issue, text in self.unfit if issue != name)
        return Draft(self.game, Offer(terms), (*others, (name, unfit)) if unfit else others)
