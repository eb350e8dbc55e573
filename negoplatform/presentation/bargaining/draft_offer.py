"""Draft of the participant's offer, as an immutable value, and its history for undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Number, Offer, Term
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.presentation.issue_number_text import parse_number, step_number

MAX_UNDO_STEPS = 200
"""Maximum number of steps that can be undone."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Draft of an offer. Issues that it does not name are undecided.

    Args:
        game: The game.
        offer: Decided terms; an issue without a decision is left out.
        invalid_entries: Number issues with typed text that is no valid number. Such text is not in the
            offer, and the offer is not ready until it is corrected or deleted.
    """

    game: GameSpec
    offer: Offer = EMPTY_OFFER
    invalid_entries: tuple[tuple[str, str], ...] = ()

    def allocation(self, issue: QuantityIssue) -> Allocation:
        """Return the current allocation of an issue's units."""
        term = self.offer.get(issue.name)
        return term if isinstance(term, Allocation) else Allocation({}, undecided=issue.quantity)

    def value(self, issue: CategoricalIssue) -> str | None:
        """Return the value chosen for an issue; None if undecided."""
        term = self.offer.get(issue.name)
        return term if isinstance(term, str) else None

    def number(self, issue: NumberIssue) -> Number | None:
        """Return the number chosen for an issue; None if undecided."""
        term = self.offer.get(issue.name)
        return None if isinstance(term, Allocation | str) else term

    def invalid_text(self, issue: NumberIssue) -> str:
        """Return the invalid text typed for an issue; empty if there is none."""
        return dict(self.invalid_entries).get(issue.name, "")

    def give(self, issue: QuantityIssue, seat: Seat | None, units: int = 1) -> Draft:
        """Return a draft with more units for a seat, or with more undecided units for None.

        Each unit is an undecided one if there is one, else one of the other seat that has most units.
        """
        draft = self
        for _ in range(units):
            after = draft.move(issue, draft._giver(issue, seat), seat)
            if after is draft:
                break
            draft = after
        return draft

    def take(self, issue: QuantityIssue, seat: Seat, units: int = 1) -> Draft:
        """Return a draft in which units of a seat are undecided."""
        return self.move(issue, seat, None, units)

    def set_units(self, issue: QuantityIssue, seat: Seat | None, units: int) -> Draft:
        """Return a draft with a number of units for a seat; surplus units become undecided.

        For None, the number of undecided units; it cannot be reduced, because no seat is given for the units.
        """
        now = self.allocation(issue)
        missing = units - (now.undecided if seat is None else now.of(seat))
        if missing > 0:
            return self.give(issue, seat, missing)
        return self if seat is None else self.take(issue, seat, -missing)

    def move(self, issue: QuantityIssue, giver: Seat | None, taker: Seat | None, units: int = 1) -> Draft:
        """Return a draft with units moved between seats, at most all of the giver's; None means undecided."""
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
        """Return a draft with another value, or with none."""
        return self._replace(issue.name, value)

    def write(self, issue: NumberIssue, text: str) -> Draft:
        """Return a draft with a typed number; invalid text is kept, and empty text means undecided."""
        reading = parse_number(text, issue)
        return self._replace(issue.name, reading.number, text if reading.problem else "")

    def step(self, issue: NumberIssue, steps: int) -> Draft:
        """Return a draft with a number changed by steps, within the issue's range."""
        now = self.number(issue)
        start = parse_number(self.invalid_text(issue), issue).nearest if now is None else now
        return self._replace(issue.name, step_number(issue, start, steps))

    def cleared(self) -> Draft:
        """Return a draft in which everything is undecided."""
        return Draft(self.game)

    def replaced_by(self, offer: Offer) -> Draft:
        """Return a draft with exactly the terms of an offer."""
        terms = ((name, _decided_term(term)) for name, term in offer.terms)
        return Draft(self.game, Offer([(name, term) for name, term in terms if term is not None]))

    def with_terms(self, offer: Offer) -> Draft:
        """Return a draft with the terms of an offer for its issues; the other issues stay as they are."""
        draft = self
        for name, term in offer.terms:
            draft = draft._replace(name, _decided_term(term))
        return draft

    @property
    def undecided(self) -> int:
        """Number of undecided units, values and numbers."""
        return sum(self._undecided(issue) for issue in self.game.issues)

    @property
    def open_issues(self) -> int:
        """Number of issues of which something is undecided."""
        return sum(self._undecided(issue) > 0 for issue in self.game.issues)

    @property
    def ready(self) -> bool:
        """Whether the draft can be sent: something is decided, and no entry is invalid."""
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
        """Return the owner of the next unit for a seat."""
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
"""Edit of a draft."""


class OnDraftChange(Protocol):
    """Callback for an edit of the draft; edits with the same name, such as an issue, are undone together."""

    def __call__(self, change: DraftChange, undo_group: str = "", /) -> object: ...


@dataclass(frozen=True, slots=True)
class DraftHistory:
    """Draft with its history for undo and redo.

    Args:
        draft: Current draft.
        past: Earlier drafts, oldest first; at most :data:`MAX_UNDO_STEPS`.
        future: Undone drafts, the last undone at the end.
        undo_group: Name of the last edit, such as a number issue; edits with the same name are one step.
    """

    draft: Draft
    past: tuple[Draft, ...] = ()
    future: tuple[Draft, ...] = ()
    undo_group: str = ""

    def changed(self, draft: Draft, undo_group: str = "") -> DraftHistory:
        """Return the history with another draft; itself if the draft is the same.

        Args:
            draft: New draft.
            undo_group: Name for edits that are undone together, such as the number issue of a field: a
                number is undone as a whole, not digit by digit.
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
        """Return the history one step back, if there is one."""
        if not self.past:
            return self
        return DraftHistory(self.past[-1], self.past[:-1], (*self.future, self.draft))

    def redone(self) -> DraftHistory:
        """Return the history with the last undone step applied again, if there is one."""
        if not self.future:
            return self
        return DraftHistory(self.future[-1], (*self.past, self.draft), self.future[:-1])


def _decided_term(term: Term) -> Term | None:
    """Return a term; None if it leaves everything undecided."""
    nothing = isinstance(term, Allocation) and term.undecided == term.total
    return None if nothing else term
