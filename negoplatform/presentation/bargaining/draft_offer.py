"""The offer that a participant is building: a value that only their own hand changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Number, Offer, Term
from negoplatform.domain.seat import Seat, SeatMap
from negoplatform.presentation.number_format import parse_number, step_number

MAX_UNDO_STEPS = 200
"""Steps that can be undone."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An offer in the making. Issues that it does not name are wholly undecided.

    Args:
        game: The game.
        offer: What is decided so far; an issue of which nothing is decided is left out.
        invalid_entries: Number issues with what was typed for them and fits no number. Nothing of it is in the
            offer, and until it is mended or wiped the offer is not ready to be sent.
    """

    game: GameSpec
    offer: Offer = EMPTY_OFFER
    invalid_entries: tuple[tuple[str, str], ...] = ()

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

    def invalid_text(self, issue: NumberIssue) -> str:
        """What was typed for an issue and does not fit; empty where there is nothing of the kind."""
        return dict(self.invalid_entries).get(issue.name, "")

    def give(self, issue: QuantityIssue, seat: Seat | None, units: int = 1) -> Draft:
        """Units more for a seat, or undecided again for None.

        Each is an undecided one, else one of the seat that has most of the others.
        """
        draft = self
        for _ in range(units):
            after = draft.move(issue, draft._giver(issue, seat), seat)
            if after is draft:
                break
            draft = after
        return draft

    def take(self, issue: QuantityIssue, seat: Seat, units: int = 1) -> Draft:
        """Units of a seat become undecided."""
        return self.move(issue, seat, None, units)

    def set_units(self, issue: QuantityIssue, seat: Seat | None, units: int) -> Draft:
        """So many units for a seat: those that are missing are given, those too many become undecided.

        For None so many undecided ones; fewer than there are cannot be, because nobody says whose they are.
        """
        now = self.allocation(issue)
        missing = units - (now.undecided if seat is None else now.of(seat))
        if missing > 0:
            return self.give(issue, seat, missing)
        return self if seat is None else self.take(issue, seat, -missing)

    def move(self, issue: QuantityIssue, giver: Seat | None, taker: Seat | None, units: int = 1) -> Draft:
        """Units from one seat to another, as many as it has; None stands for the undecided ones."""
        now = self.allocation(issue)
        moved = min(units, now.undecided if giver is None else now.of(giver))
        if moved <= 0 or giver == taker:
            return self
        change = {giver: -moved, taker: moved}
        units_of = SeatMap((seat, now.of(seat) + change.get(seat, 0)) for seat in self.game.seats)
        return self._replace(
            issue.name, _decided_term(Allocation(units_of, now.undecided + change.get(None, 0)))
        )

    def choose(self, issue: CategoricalIssue, value: str | None) -> Draft:
        """Another value, or none."""
        return self._replace(issue.name, value)

    def write(self, issue: NumberIssue, text: str) -> Draft:
        """What was typed for an issue: a number if one fits, undecided if nothing was typed, else unfit."""
        reading = parse_number(text, issue)
        return self._replace(issue.name, reading.number, text if reading.problem else "")

    def step(self, issue: NumberIssue, steps: int) -> Draft:
        """A number so many steps up, or down if negative; it stays within the issue's range."""
        now = self.number(issue)
        start = parse_number(self.invalid_text(issue), issue).nearest if now is None else now
        return self._replace(issue.name, step_number(issue, start, steps))

    def cleared(self) -> Draft:
        """Everything undecided."""
        return Draft(self.game)

    def replaced_by(self, offer: Offer) -> Draft:
        """An offer that was made, taken as it is: nothing of what stood here stays."""
        terms = ((name, _decided_term(term)) for name, term in offer.terms)
        return Draft(self.game, Offer([(name, term) for name, term in terms if term is not None]))

    def with_terms(self, offer: Offer) -> Draft:
        """The terms of an offer in place of what stood here for its issues; the other issues stay."""
        draft = self
        for name, term in offer.terms:
            draft = draft._replace(name, _decided_term(term))
        return draft

    @property
    def undecided(self) -> int:
        """How many units, values and numbers are still undecided."""
        return sum(self._undecided(issue) for issue in self.game.issues)

    @property
    def open_issues(self) -> int:
        """Of how many issues something is still undecided."""
        return sum(self._undecided(issue) > 0 for issue in self.game.issues)

    @property
    def ready(self) -> bool:
        """Whether it can be sent: something is decided, and nothing stands there that fits nowhere."""
        return bool(self.offer.terms) and not self.invalid_entries

    def _undecided(self, issue: Issue) -> int:
        match issue:
            case QuantityIssue():
                return self.allocation(issue).undecided
            case CategoricalIssue():
                return int(self.value(issue) is None)
            case NumberIssue():
                return int(self.number(issue) is None)

    def _giver(self, issue: QuantityIssue, taker: Seat | None) -> Seat | None:
        """Whose unit goes to a seat."""
        now = self.allocation(issue)
        if taker is not None and now.undecided:
            return None
        others = self.game.seats if taker is None else self.game.others(taker)
        return max(others, key=now.of, default=None)

    def _replace(self, name: str, term: Term | None, unfit: str = "") -> Draft:
        terms = {issue: old for issue, old in self.offer.terms if issue != name}
        if term is not None:
            terms[name] = term
        others = tuple((issue, text) for issue, text in self.invalid_entries if issue != name)
        return Draft(self.game, Offer(terms), (*others, (name, unfit)) if unfit else others)


DraftChange = Callable[[Draft], Draft]
"""What shall be done to a draft."""


class OnDraftChange(Protocol):
    """Is given what shall be done to the draft, and a name for what is undone together (an issue's)."""

    def __call__(self, change: DraftChange, undo_group: str = "", /) -> object: ...


@dataclass(frozen=True, slots=True)
class DraftHistory:
    """A draft with what it was before, and what it was before that was undone.

    Args:
        draft: The draft as it is.
        past: What it was, oldest first; no more than :data:`MAX_UNDO_STEPS`.
        future: What was undone, newest last.
        undo_group: What was typed for or pressed last, such as a number issue; what follows there belongs to it.
    """

    draft: Draft
    past: tuple[Draft, ...] = ()
    future: tuple[Draft, ...] = ()
    undo_group: str = ""

    def changed(self, draft: Draft, undo_group: str = "") -> DraftHistory:
        """Another draft; itself if it is the same.

        Args:
            draft: The draft.
            undo_group: The number issue in whose field a key was pressed, or another name for what belongs
                together: a number is undone as a whole, and not digit by digit.
        """
        if draft == self.draft:
            return self
        past = (
            self.past
            if undo_group and undo_group == self.undo_group
            else (*self.past, self.draft)[-MAX_UNDO_STEPS:]
        )
        return DraftHistory(draft, past, (), undo_group)

    def undone(self) -> DraftHistory:
        """One step back, if there is one."""
        if not self.past:
            return self
        return DraftHistory(self.past[-1], self.past[:-1], (*self.future, self.draft))

    def redone(self) -> DraftHistory:
        """What was undone last, again."""
        if not self.future:
            return self
        return DraftHistory(self.future[-1], (*self.past, self.draft), self.future[:-1])


def _decided_term(term: Term) -> Term | None:
    """A term; None if it leaves everything undecided."""
    nothing = isinstance(term, Allocation) and term.undecided == term.total
    return None if nothing else term
