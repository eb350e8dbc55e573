"""The terms of a reading as chips to be corrected: what each says, and what it could say. No Tk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Number, Offer, Term
from negoplatform.domain.seat import Seat, SeatMap
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.formatting import displayable, localized_text, term_text, truncate
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.noun_forms import is_self_explanatory, title_in_sentence
from negoplatform.presentation.number_format import step_number

MOST_VALUES = 101
"""So many numbers of an issue are listed: those around the one that was read."""

LONGEST_NAME = 12
"""Characters of a seat's name on a chip."""


@dataclass(frozen=True, slots=True)
class ChipView:
    """A term of an offer, or one that is missing.

    Args:
        issue: The issue, by name.
        title: The issue's title as it stands inside a sentence; empty where the words say it themselves.
        words: What the term says: one's own units and the other's, or a value; empty if it is missing.
        terms: The terms that it may have, in the order of the list.
        options: The same in words.
        chosen: Which of them it has; None if it is missing, or none of them.
        less: The term with one unit or step less; None if there is none.
        more: The term with one unit or step more.
        swapped: The term with both sides' units exchanged.
        counts: Whether a number n stands for the option n: units for the participant.
        picture: What a unit looks like, by name; empty: nothing.
    """

    issue: str
    title: str
    words: tuple[str, ...]
    terms: tuple[Term, ...]
    options: tuple[str, ...]
    chosen: int | None = None
    less: Term | None = None
    more: Term | None = None
    swapped: Term | None = None
    counts: bool = False
    picture: str = ""


def term_chips(
    offer: Offer,
    missing: Iterable[str],
    game: GameSpec,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
) -> tuple[ChipView, ...]:
    """Return a chip for each term, and one for each issue that is missing, in the order of the game.

    Args:
        offer: The terms.
        missing: Issues that are spoken of and have no term.
        game: The game.
        seat: The participant's seat.
        names: The other seats' names, as they are shown.
        say: The window's language.
    """
    wanted = {*offer, *missing}
    make = _ChipBuilder(game, seat, names, translate)
    return tuple(make.chip(issue, offer.get(issue.name)) for issue in game.issues if issue.name in wanted)


class _ChipBuilder:
    """Makes the chips of one game."""

    def __init__(self, game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> None:
        self._game, self._seat, self._names, self._translate = game, seat, names, translate

    def chip(self, issue: Issue, term: Term | None) -> ChipView:
        match issue:
            case QuantityIssue():
                return self._units(issue, term if isinstance(term, Allocation) else None)
            case CategoricalIssue():
                values: tuple[Term, ...] = issue.values
                return self._values(issue, term, values)
            case NumberIssue():
                number = term if isinstance(term, int | float) else None
                return self._number(issue, number)

    def _units(self, issue: QuantityIssue, term: Allocation | None) -> ChipView:
        others = self._game.others(self._seat)
        terms = tuple(self._allocation(issue, n, term) for n in range(issue.quantity + 1))
        options = tuple(", ".join(self._shares(each)) for each in terms)
        title = title_in_sentence(localized_text(issue.title, self._translate), self._translate)
        if term is None:
            return ChipView(issue.name, title, (), terms, options, counts=True, picture=issue.picture)
        own = term.of(self._seat)
        swapped = None
        if len(others) == 1 and own != term.of(others[0]):
            units = SeatMap([(self._seat, term.of(others[0])), (others[0], own)])
            swapped = Allocation(units, term.undecided)
        return ChipView(
            issue.name,
            title,
            tuple(self._shares_in_short(term)),
            terms,
            options,
            terms.index(term) if term in terms else None,
            less=self._less(issue, term),
            more=self._more(issue, term),
            swapped=swapped,
            counts=True,
            picture=issue.picture,
        )

    def _allocation(self, issue: QuantityIssue, own: int, term: Allocation | None) -> Allocation:
        """So many units for the participant, the rest for the other side; with several others, as it was."""
        others = self._game.others(self._seat)
        if len(others) == 1:
            return Allocation(SeatMap([(self._seat, own), (others[0], issue.quantity - own)]), 0)
        return self._draft(issue, term).set_units(issue, self._seat, own).allocation(issue)

    def _less(self, issue: QuantityIssue, term: Allocation) -> Term | None:
        others = self._game.others(self._seat)
        taker = others[0] if len(others) == 1 and term.complete else None
        changed = self._draft(issue, term).move(issue, self._seat, taker).allocation(issue)
        return None if changed == term else changed

    def _more(self, issue: QuantityIssue, term: Allocation) -> Term | None:
        changed = self._draft(issue, term).give(issue, self._seat).allocation(issue)
        return None if changed == term else changed

    def _draft(self, issue: QuantityIssue, term: Allocation | None) -> Draft:
        return Draft(self._game, Offer({} if term is None else {issue.name: term}))

    def _shares_in_short(self, term: Allocation) -> Iterator[str]:
        translate = self._translate
        yield translate("you {n}", n=term.of(self._seat))
        others = self._game.others(self._seat)
        for other in others:
            if len(others) == 1 or term.of(other):
                yield f"{truncate(self._names[other], LONGEST_NAME)} {term.of(other)}"
        if term.undecided:
            yield translate("{n} undecided", n=term.undecided)

    def _shares(self, term: Allocation) -> Iterator[str]:
        translate = self._translate
        yield translate("{things} for you", things=term.of(self._seat))
        others = self._game.others(self._seat)
        for other in others:
            if len(others) == 1 or term.of(other):
                name = truncate(self._names[other], LONGEST_NAME)
                yield translate("{things} for {name}", things=term.of(other), name=name)
        if term.undecided:
            yield translate("{things} undecided", things=term.undecided)

    def _values(self, issue: Issue, term: Term | None, values: tuple[Term, ...]) -> ChipView:
        options = tuple(self._value(issue, value) for value in values)
        title = title_in_sentence(localized_text(issue.title, self._translate), self._translate)
        if term is None:
            return ChipView(issue.name, title, (), values, options)
        words = self._value(issue, term)
        told = "" if is_self_explanatory(localized_text(issue.title, self._translate), words) else title
        chosen = values.index(term) if term in values else None
        return ChipView(issue.name, told, (words,), values, options, chosen)

    def _number(self, issue: NumberIssue, number: Number | None) -> ChipView:
        values = issue.values
        at = 0 if number is None else values.index(number) if number in values else 0
        first = max(0, min(at - MOST_VALUES // 2, len(values) - MOST_VALUES))
        chip = self._values(issue, number, tuple(values[first : first + MOST_VALUES]))
        if number is None:
            return chip
        less, more = step_number(issue, number, -1), step_number(issue, number, 1)
        return ChipView(
            chip.issue,
            chip.title,
            chip.words,
            chip.terms,
            chip.options,
            chip.chosen,
            less=None if less == number else less,
            more=None if more == number else more,
        )

    def _value(self, issue: Issue, value: Term) -> str:
        assert not isinstance(value, Allocation)
        return displayable(term_text(issue, value, self._translate))
