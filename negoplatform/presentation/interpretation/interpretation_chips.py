"""Terms of an interpretation as chips for correction: current term and alternatives. No Tk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Number, Offer, Term
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.issue_number_text import step_number
from negoplatform.presentation.localized_names import displayable, localized_text, truncate
from negoplatform.presentation.noun_forms import is_self_explanatory, title_in_sentence
from negoplatform.presentation.offers.term_texts import term_text

MOST_VALUES = 101
"""Maximum number of a number issue's values in a list: those around the interpreted value."""

LONGEST_NAME = 12
"""Maximum length of a seat's name on a chip, in characters."""


@dataclass(frozen=True, slots=True)
class ChipView:
    """Chip for a term of an offer, or for a missing one.

    Args:
        issue: Name of the issue.
        title: Title as used inside a sentence; empty if ``words`` includes it.
        words: The term: the participant's and the others' units, or a value; empty if it is missing.
        terms: Alternative terms, in the order of the list.
        options: The alternative terms in words.
        chosen: Index of the current term; None if it is missing or not among them.
        less: Term with one unit or step less; None if there is none.
        more: Term with one unit or step more; None if there is none.
        swapped: Term with both sides' units exchanged; None if there is none.
        counts: Whether a typed number n selects option n: units for the participant.
        picture: Name of the picture of a unit; empty if there is none.
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
    """Return a chip for each term and for each missing issue, in the game's order.

    Args:
        offer: Interpreted terms.
        missing: Issues that are mentioned but have no term.
        game: The game.
        seat: Seat of the participant.
        names: Display names of the other seats.
        translate: Translation into the window's language.
    """
    wanted = {*offer, *missing}
    make = _ChipBuilder(game, seat, names, translate)
    return tuple(make.chip(issue, offer.get(issue.name)) for issue in game.issues if issue.name in wanted)


class _ChipBuilder:
    """Builder of the chips of one game."""

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
        """Return an allocation of units to the participant; a single other side gets all the rest."""
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
        label = "" if is_self_explanatory(localized_text(issue.title, self._translate), words) else title
        chosen = values.index(term) if term in values else None
        return ChipView(issue.name, label, (words,), values, options, chosen)

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
