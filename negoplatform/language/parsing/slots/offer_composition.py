"""Composition of one offer from the candidates chosen for a text's slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slots import (
    ALL_ISSUES,
    AS_PROPOSED,
    REST,
    CandidateKind,
    Slot,
    SlotForm,
    TermCandidate,
)


@dataclass(frozen=True, slots=True)
class ComposedTerms:
    """Terms composed of the chosen candidates.

    Args:
        terms: The terms; of contradictory ones the last.
        choices: The issues with contradictory terms, each with all of them.
        impossible: Whether more units are assigned than there are.
    """

    terms: Offer = EMPTY_OFFER
    choices: tuple[tuple[str, tuple[Term, ...]], ...] = ()
    impossible: bool = False

    @property
    def conflicts(self) -> tuple[str, ...]:
        """The issues with contradictory terms."""
        return tuple(name for name, _ in self.choices)


@dataclass(slots=True)
class _IssueShares:
    """Stated shares of one issue, in units."""

    mine: list[int] = field(default_factory=list)
    yours: list[int] = field(default_factory=list)
    both: list[tuple[int, int]] = field(default_factory=list)

    def is_contradictory(self) -> bool:
        """Return whether different numbers are stated for one side."""
        mine = {*self.mine, *(units for units, _ in self.both)}
        yours = {*self.yours, *(units for _, units in self.both)}
        return len(mine) > 1 or len(yours) > 1

    def individual_shares(self) -> list[_IssueShares]:
        """Return each stated share separately."""
        return [
            *(_IssueShares(mine=[units]) for units in dict.fromkeys(self.mine)),
            *(_IssueShares(yours=[units]) for units in dict.fromkeys(self.yours)),
            *(_IssueShares(both=[pair]) for pair in dict.fromkeys(self.both)),
        ]


def compose_terms(
    slots: Sequence[Slot], chosen: Sequence[TermCandidate], words: GameVocabulary, speaker: Seat, other: Seat
) -> ComposedTerms:
    """Return the terms that the chosen candidates compose.

    Args:
        slots: The slots of a text.
        chosen: The candidate of each.
        words: The vocabulary of the game.
        speaker: The speaker's seat.
        other: The other side.
    """
    shares: dict[str, _IssueShares] = {}
    values: dict[str, list[Term]] = {}
    rest: list[TermCandidate] = []
    told = {one.issue for one in chosen if one.kind != CandidateKind.NONE and one.note != AS_PROPOSED}
    for slot, candidate in zip(slots, chosen, strict=True):
        if candidate.kind == CandidateKind.NONE or (
            candidate.note == AS_PROPOSED and candidate.issue in told
        ):
            continue
        if candidate.issue.startswith(REST):
            rest.append(candidate)
        elif candidate.issue == ALL_ISSUES:
            _add_all_issues(slot, candidate, words, shares)
        elif isinstance(candidate.term, Allocation):
            _add_share(slot, candidate, candidate.term, shares, speaker, other)
        elif candidate.term is not None:
            values.setdefault(candidate.issue, []).append(candidate.term)
    terms: dict[str, Term] = {name: stated[-1] for name, stated in values.items()}
    choices = {name: tuple(dict.fromkeys(stated)) for name, stated in values.items() if len(set(stated)) > 1}
    impossible = False
    for name, stated in shares.items():
        terms[name], fits = _allocation(name, stated, words, speaker, other)
        impossible = impossible or not fits
        if stated.is_contradictory() or not fits:
            options = (_allocation(name, one, words, speaker, other)[0] for one in stated.individual_shares())
            choices[name] = tuple(dict.fromkeys(options))
    _add_rest(rest, terms, words, speaker, other)
    return ComposedTerms(Offer(terms), tuple(choices.items()), impossible)


def _add_share(
    slot: Slot,
    candidate: TermCandidate,
    term: Allocation,
    shares: dict[str, _IssueShares],
    speaker: Seat,
    other: Seat,
) -> None:
    stated = shares.setdefault(candidate.issue, _IssueShares())
    mine, yours = term.of(speaker), term.of(other)
    if candidate.kind in (CandidateKind.EACH, CandidateKind.VALUE):
        stated.both.append((mine, yours))
        return
    whole = slot.form in (SlotForm.RATIO, SlotForm.SWAPPED)
    if candidate.kind == CandidateKind.MINE or whole:
        stated.mine.append(mine)
    if candidate.kind == CandidateKind.YOURS or whole:
        stated.yours.append(yours)


def _add_all_issues(
    slot: Slot, candidate: TermCandidate, words: GameVocabulary, shares: dict[str, _IssueShares]
) -> None:
    less = dict(slot.less)
    for name, quantity in words.units.items():
        units = quantity if candidate.units is None else candidate.units
        if name in less and not less[name]:
            continue  # "everything except the food"
        if candidate.units is None and name in less:
            units = quantity - less[name]
        if units <= quantity:
            stated = shares.setdefault(name, _IssueShares())
            (stated.mine if candidate.kind == CandidateKind.MINE else stated.yours).append(units)


def _allocation(
    name: str, stated: _IssueShares, words: GameVocabulary, speaker: Seat, other: Seat
) -> tuple[Allocation, bool]:
    """Return the allocation by each side's last stated share, and whether there are that many units."""
    quantity = words.units[name]
    if stated.both and not (stated.mine or stated.yours):
        mine, yours = stated.both[-1]
        return words.allocation(name, speaker, mine, other, yours), True
    if stated.mine and stated.yours:
        mine, yours = stated.mine[-1], stated.yours[-1]
        fits = mine + yours <= quantity
        return words.allocation(name, speaker, mine, other, min(yours, quantity - mine)), fits
    if stated.mine:
        return words.allocation(name, speaker, stated.mine[-1], other), True
    return words.allocation(name, other, stated.yours[-1], speaker), True


def _add_rest(
    rest: Sequence[TermCandidate], terms: dict[str, Term], words: GameVocabulary, speaker: Seat, other: Seat
) -> None:
    """Assign "the rest": all units of the issues that were not mentioned."""
    before: Mapping[str, Term] = dict(terms)
    for candidate in rest:
        seat, opposite = (speaker, other) if candidate.kind == CandidateKind.MINE else (other, speaker)
        _, _, issue = candidate.issue.partition(":")
        for name in [issue] if issue in words.units else words.units:
            if name not in before:
                terms[name] = words.allocation(name, seat, words.units[name], opposite)
