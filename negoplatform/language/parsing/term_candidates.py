"""Candidates: the terms that a slot of a text may name, none of them chosen yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from negoplatform.domain.offer import Allocation
from negoplatform.domain.seat import Seat
from negoplatform.language.parsing.dialogue_state import TalkState
from negoplatform.language.parsing.grammar.quantifiers import How
from negoplatform.language.parsing.slots import (
    ALL_ISSUES,
    AS_PROPOSED,
    NO_TERM,
    REST,
    Candidate,
    Form,
    GameWords,
    Kind,
    Slot,
)


def candidates(slot: Slot, words: GameWords, state: TalkState, speaker: Seat, other: Seat) -> list[Candidate]:
    """What a slot may say, "no term" last; each candidate once."""
    found = _Candidates(slot, words, state, speaker, other)
    return [*dict.fromkeys(found.all()), NO_TERM]


class _Candidates:
    """Makes the candidates of one slot."""

    def __init__(self, slot: Slot, words: GameWords, state: TalkState, speaker: Seat, other: Seat) -> None:
        self._slot, self._words, self._state = slot, words, state
        self._me, self._you = speaker, other
        named = [name for name in slot.issue.split("/") if name in words.units]
        self._scope = named or list(words.units)

    def all(self) -> Iterator[Candidate]:
        """All of them, in a fixed order."""
        slot = self._slot
        makers: Mapping[str, Callable[[], Iterator[Candidate]]] = {
            How.COUNT: self._counted,
            How.OTHERS: self._counted,
            How.MORE: self._more,
            Form.RATIO: self._shares,
            Form.VALUE: self._meant,
            Form.TOPIC: self._meant,
            Form.FIGURE: self._figure,
            Form.SWAPPED: self._swapped,
            Form.MIDDLE: self._middle,
        }
        match slot.form:
            case How.ALL | How.THE | How.BARE | How.BOTH:
                yield from self._whole()
            case How.REST:
                issue = f"{REST}:{slot.issue}" if slot.issue else REST
                yield Candidate(Kind.MINE, issue)
                yield Candidate(Kind.YOURS, issue)
            case How.HALF | Form.EVEN:
                for name in self._scope:
                    if self._words.units[name] % 2 == 0:
                        yield from self._each(name, self._words.units[name] // 2)
            case How.THIRD:
                for name in self._scope:
                    units = self._words.units[name] * int(slot.number or 1)
                    if units % 3 == 0:
                        yield from self._units(name, units // 3)
            case _ if slot.form in makers:
                yield from makers[slot.form]()
            case _:
                return

    def _units(self, name: str, units: int, note: str = "") -> Iterator[Candidate]:
        if 0 <= units <= self._words.units[name]:
            mine = self._words.allocation(name, self._me, units, self._you)
            yours = self._words.allocation(name, self._you, units, self._me)
            yield Candidate(Kind.MINE, name, mine, note=note)
            yield Candidate(Kind.YOURS, name, yours, note=note)

    def _each(self, name: str, units: int) -> Iterator[Candidate]:
        if 0 < 2 * units <= self._words.units[name]:
            term = self._words.allocation(name, self._me, units, self._you, units)
            yield Candidate(Kind.EACH, name, term)

    def _counted(self) -> Iterator[Candidate]:
        slot = self._slot
        units = int(slot.number or 0)
        if slot.of_each:
            yield Candidate(Kind.MINE, ALL_ISSUES, units=units)
            yield Candidate(Kind.YOURS, ALL_ISSUES, units=units)
            return
        for name in self._scope:
            yield from self._units(name, units)
            if slot.each or 2 * units < self._words.units[name]:
                yield from self._each(name, units)
        if not slot.issue:
            yield from self._numbers()

    def _whole(self) -> Iterator[Candidate]:
        slot = self._slot
        if slot.of_each:
            yield Candidate(Kind.MINE, ALL_ISSUES)
            yield Candidate(Kind.YOURS, ALL_ISSUES)
            return
        for name in self._scope:
            quantity = self._words.units[name]
            if slot.form == How.BOTH and quantity != 2:
                continue
            units = int(slot.number) if slot.number else quantity
            yield from self._units(name, units - dict(slot.less).get(name, 0))
            if slot.issue and slot.form in (How.BARE, How.THE):
                yield from self._as_proposed(name)

    def _as_proposed(self, issue: str) -> Iterator[Candidate]:
        """The term that the other side has put forward: "the salary is fine"."""
        term = self._state.proposed(self._you, issue)
        if term is not None:
            yield Candidate(Kind.VALUE, issue, term, note=AS_PROPOSED)

    def _more(self) -> Iterator[Candidate]:
        """ "One more": than what was proposed last, by either side; or so many in all."""
        more = int(self._slot.number or 0)
        for name in self._scope:
            for proposer, note in ((self._you, "+theirs"), (self._me, "+own")):
                term = self._state.proposed(proposer, name)
                if isinstance(term, Allocation):
                    for kind, seat in ((Kind.MINE, self._me), (Kind.YOURS, self._you)):
                        units = self._units(name, term.of(seat) + more, note)
                        yield from (candidate for candidate in units if candidate.kind == kind)
            yield from self._units(name, more, "+0")

    def _shares(self) -> Iterator[Candidate]:
        slot = self._slot
        first, second = int(slot.number or 0), slot.second
        for name in self._scope:
            quantity = self._words.units[name]
            if (first, second) == (50, 50):
                if quantity % 2 == 0:
                    yield from self._each(name, quantity // 2)
            elif first + second == quantity:
                yield from self._units(name, first)

    def _meant(self) -> Iterator[Candidate]:
        words = self._words
        for meaning in self._slot.meanings:
            doers = words.doers.get(meaning.issue, {})
            if meaning.value:
                who = next((seat for seat, value in doers.items() if value == meaning.value), None)
                shared = len(self._slot.meanings) > 1
                side = words.values.side_of(meaning.issue, meaning.value) if shared else None
                if who is not None and shared:
                    yield Candidate(
                        Kind.MINE if who == self._me else Kind.YOURS, meaning.issue, meaning.value
                    )
                elif side is not None:
                    yield Candidate(Kind.WITH if side else Kind.WITHOUT, meaning.issue, meaning.value)
                else:
                    yield Candidate(Kind.VALUE, meaning.issue, meaning.value)
            elif meaning.issue in words.units:
                yield from self._units(meaning.issue, words.units[meaning.issue])
            elif doers:
                for seat, named in doers.items():
                    yield Candidate(Kind.MINE if seat == self._me else Kind.YOURS, meaning.issue, named)
            else:
                for kind, yes in ((Kind.WITH, True), (Kind.WITHOUT, False)):
                    value = words.values.polar(meaning.issue, yes=yes)
                    if value is not None:
                        yield Candidate(kind, meaning.issue, value)
                yield from self._as_proposed(meaning.issue)

    def _figure(self) -> Iterator[Candidate]:
        slot = self._slot
        figure = slot.figure
        if figure is not None and isinstance(slot.number, int) and not (figure.money or figure.percent):
            for name in self._words.units:
                yield from self._units(name, slot.number)
                yield from self._each(name, slot.number)
        yield from self._numbers()

    def _numbers(self) -> Iterator[Candidate]:
        """The values of issues that the number names."""
        figure, values = self._slot.figure, self._words.values
        if figure is None:
            return
        for name in values.issues:
            if not values.is_numeric(name):
                continue
            term = values.by_number(name, figure, named=False)
            note = ""
            if term is None:
                term, note = values.by_number(name, figure, named=True), "thousands"
            if term is None:
                term, note = values.converted(name, figure, self._slot.unit), "converted"
            if term is not None:
                yield Candidate(Kind.VALUE, name, term, note=note)

    def _swapped(self) -> Iterator[Candidate]:
        for name in self._scope:
            for proposer, note in ((self._you, "+theirs"), (self._me, "+own")):
                term = self._state.proposed(proposer, name)
                if isinstance(term, Allocation):
                    turned = self._words.allocation(
                        name, self._me, term.of(self._you), self._you, term.of(self._me)
                    )
                    yield Candidate(Kind.MINE, name, turned, note=note)

    def _middle(self) -> Iterator[Candidate]:
        """The value half way between the last ones of both sides."""
        for name, issue in self._words.issues.items():
            mine, yours = self._state.proposed(self._me, name), self._state.proposed(self._you, name)
            if isinstance(mine, Allocation) and isinstance(yours, Allocation):
                units = mine.of(self._me) + yours.of(self._me)
                if units % 2 == 0:
                    yield Candidate(
                        Kind.VALUE, name, self._words.allocation(name, self._me, units // 2, self._you)
                    )
            else:
                term = self._words.values.between(issue, mine, yours)
                if term is not None:
                    yield Candidate(Kind.VALUE, name, term)
