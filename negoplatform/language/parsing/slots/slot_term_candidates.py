"""Candidates: the terms that a slot of a text may name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from negoplatform.domain.offer import Allocation
from negoplatform.domain.seat_map import Seat
from negoplatform.language.parsing.dialogue_state import DialogueState
from negoplatform.language.parsing.grammar.amount_phrases import Quantifier
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slots import (
    ALL_ISSUES,
    AS_PROPOSED,
    NO_TERM,
    REST,
    CandidateKind,
    Slot,
    SlotForm,
    TermCandidate,
)


def term_candidates(
    slot: Slot, words: GameVocabulary, state: DialogueState, speaker: Seat, other: Seat
) -> list[TermCandidate]:
    """Return the distinct candidates of a slot, "no term" last."""
    found = _CandidateGenerator(slot, words, state, speaker, other)
    return [*dict.fromkeys(found.generate()), NO_TERM]


class _CandidateGenerator:
    """Generator of the candidates of one slot."""

    def __init__(
        self, slot: Slot, words: GameVocabulary, state: DialogueState, speaker: Seat, other: Seat
    ) -> None:
        self._slot, self._words, self._state = slot, words, state
        self._speaker, self._other = speaker, other
        named = [name for name in slot.issue.split("/") if name in words.units]
        self._scope = named or list(words.units)

    def generate(self) -> Iterator[TermCandidate]:
        """Yield all candidates in a fixed order."""
        slot = self._slot
        makers: Mapping[str, Callable[[], Iterator[TermCandidate]]] = {
            Quantifier.COUNT: self._counted,
            Quantifier.OTHERS: self._counted,
            Quantifier.MORE: self._more,
            SlotForm.RATIO: self._shares,
            SlotForm.VALUE: self._from_referents,
            SlotForm.TOPIC: self._from_referents,
            SlotForm.FIGURE: self._figure,
            SlotForm.SWAPPED: self._swapped,
            SlotForm.MIDDLE: self._middle,
        }
        match slot.form:
            case Quantifier.ALL | Quantifier.DEFINITE | Quantifier.BARE | Quantifier.BOTH:
                yield from self._all_units()
            case Quantifier.REST:
                issue = f"{REST}:{slot.issue}" if slot.issue else REST
                yield TermCandidate(CandidateKind.MINE, issue)
                yield TermCandidate(CandidateKind.YOURS, issue)
            case Quantifier.HALF | SlotForm.EVEN:
                for name in self._scope:
                    if self._words.units[name] % 2 == 0:
                        yield from self._each(name, self._words.units[name] // 2)
            case Quantifier.THIRD:
                for name in self._scope:
                    units = self._words.units[name] * int(slot.number or 1)
                    if units % 3 == 0:
                        yield from self._units(name, units // 3)
            case _ if slot.form in makers:
                yield from makers[slot.form]()
            case _:
                return

    def _units(self, name: str, units: int, note: str = "") -> Iterator[TermCandidate]:
        if 0 <= units <= self._words.units[name]:
            mine = self._words.allocation(name, self._speaker, units, self._other)
            yours = self._words.allocation(name, self._other, units, self._speaker)
            yield TermCandidate(CandidateKind.MINE, name, mine, note=note)
            yield TermCandidate(CandidateKind.YOURS, name, yours, note=note)

    def _each(self, name: str, units: int) -> Iterator[TermCandidate]:
        if 0 < 2 * units <= self._words.units[name]:
            term = self._words.allocation(name, self._speaker, units, self._other, units)
            yield TermCandidate(CandidateKind.EACH, name, term)

    def _counted(self) -> Iterator[TermCandidate]:
        slot = self._slot
        units = int(slot.number or 0)
        if slot.of_each:
            yield TermCandidate(CandidateKind.MINE, ALL_ISSUES, units=units)
            yield TermCandidate(CandidateKind.YOURS, ALL_ISSUES, units=units)
            return
        for name in self._scope:
            yield from self._units(name, units)
            if slot.each or 2 * units < self._words.units[name]:
                yield from self._each(name, units)
        if not slot.issue:
            yield from self._numbers()

    def _all_units(self) -> Iterator[TermCandidate]:
        slot = self._slot
        if slot.of_each:
            yield TermCandidate(CandidateKind.MINE, ALL_ISSUES)
            yield TermCandidate(CandidateKind.YOURS, ALL_ISSUES)
            return
        for name in self._scope:
            quantity = self._words.units[name]
            if slot.form == Quantifier.BOTH and quantity != 2:
                continue
            units = int(slot.number) if slot.number else quantity
            yield from self._units(name, units - dict(slot.less).get(name, 0))
            if slot.issue and slot.form in (Quantifier.BARE, Quantifier.DEFINITE):
                yield from self._as_proposed(name)

    def _as_proposed(self, issue: str) -> Iterator[TermCandidate]:
        """Yield the term that the other side has proposed: "the salary is fine"."""
        term = self._state.last_proposal(self._other, issue)
        if term is not None:
            yield TermCandidate(CandidateKind.VALUE, issue, term, note=AS_PROPOSED)

    def _more(self) -> Iterator[TermCandidate]:
        """Yield candidates of "one more": more than either side's last proposal, or that many in all."""
        more = int(self._slot.number or 0)
        for name in self._scope:
            for proposer, note in ((self._other, "+theirs"), (self._speaker, "+own")):
                term = self._state.last_proposal(proposer, name)
                if isinstance(term, Allocation):
                    for kind, seat in (
                        (CandidateKind.MINE, self._speaker),
                        (CandidateKind.YOURS, self._other),
                    ):
                        units = self._units(name, term.of(seat) + more, note)
                        yield from (candidate for candidate in units if candidate.kind == kind)
            yield from self._units(name, more, "+0")

    def _shares(self) -> Iterator[TermCandidate]:
        slot = self._slot
        first, second = int(slot.number or 0), slot.second
        for name in self._scope:
            quantity = self._words.units[name]
            if (first, second) == (50, 50):
                if quantity % 2 == 0:
                    yield from self._each(name, quantity // 2)
            elif first + second == quantity:
                yield from self._units(name, first)

    def _from_referents(self) -> Iterator[TermCandidate]:
        words = self._words
        for meaning in self._slot.referents:
            doers = words.values_by_seat.get(meaning.issue, {})
            if meaning.value:
                who = next((seat for seat, value in doers.items() if value == meaning.value), None)
                shared = len(self._slot.referents) > 1
                side = words.values.value_polarity(meaning.issue, meaning.value) if shared else None
                if who is not None and shared:
                    yield TermCandidate(
                        CandidateKind.MINE if who == self._speaker else CandidateKind.YOURS,
                        meaning.issue,
                        meaning.value,
                    )
                elif side is not None:
                    yield TermCandidate(
                        CandidateKind.WITH if side else CandidateKind.WITHOUT, meaning.issue, meaning.value
                    )
                else:
                    yield TermCandidate(CandidateKind.VALUE, meaning.issue, meaning.value)
            elif meaning.issue in words.units:
                yield from self._units(meaning.issue, words.units[meaning.issue])
            elif doers:
                for seat, named in doers.items():
                    yield TermCandidate(
                        CandidateKind.MINE if seat == self._speaker else CandidateKind.YOURS,
                        meaning.issue,
                        named,
                    )
            else:
                for kind, yes in ((CandidateKind.WITH, True), (CandidateKind.WITHOUT, False)):
                    value = words.values.polar_value(meaning.issue, yes=yes)
                    if value is not None:
                        yield TermCandidate(kind, meaning.issue, value)
                yield from self._as_proposed(meaning.issue)

    def _figure(self) -> Iterator[TermCandidate]:
        slot = self._slot
        figure = slot.figure
        if figure is not None and isinstance(slot.number, int) and not (figure.money or figure.percent):
            for name in self._words.units:
                yield from self._units(name, slot.number)
                yield from self._each(name, slot.number)
        yield from self._numbers()

    def _numbers(self) -> Iterator[TermCandidate]:
        """Yield the values of issues that the number names."""
        figure, values = self._slot.figure, self._words.values
        if figure is None:
            return
        for name in values.issues:
            if not values.is_numeric(name):
                continue
            term = values.value_for_number(name, figure, named=False)
            note = ""
            if term is None:
                term, note = values.value_for_number(name, figure, named=True), "thousands"
            if term is None:
                term, note = values.convert_unit(name, figure, self._slot.unit), "converted"
            if term is not None:
                yield TermCandidate(CandidateKind.VALUE, name, term, note=note)

    def _swapped(self) -> Iterator[TermCandidate]:
        for name in self._scope:
            for proposer, note in ((self._other, "+theirs"), (self._speaker, "+own")):
                term = self._state.last_proposal(proposer, name)
                if isinstance(term, Allocation):
                    turned = self._words.allocation(
                        name, self._speaker, term.of(self._other), self._other, term.of(self._speaker)
                    )
                    yield TermCandidate(CandidateKind.MINE, name, turned, note=note)

    def _middle(self) -> Iterator[TermCandidate]:
        """Yield the value half-way between both sides' last ones."""
        for name, issue in self._words.issues.items():
            mine, yours = (
                self._state.last_proposal(self._speaker, name),
                self._state.last_proposal(self._other, name),
            )
            if isinstance(mine, Allocation) and isinstance(yours, Allocation):
                units = mine.of(self._speaker) + yours.of(self._speaker)
                if units % 2 == 0:
                    yield TermCandidate(
                        CandidateKind.VALUE,
                        name,
                        self._words.allocation(name, self._speaker, units // 2, self._other),
                    )
            else:
                term = self._words.values.midpoint(issue, mine, yours)
                if term is not None:
                    yield TermCandidate(CandidateKind.VALUE, name, term)
