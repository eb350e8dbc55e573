"""Terms of an offer request: their words, and the exact way back from the words to the terms.

A request such as "What would you give me for this: 2 apples for you?" names terms after a colon. They are
composed as :func:`offer_in_words` composes an offer, so no guess is needed to read them: every division of
the words into terms of the game is tried, and the terms are read if exactly one offer has these words. The
words before the colon may be in any language; issues and values may have their own names or their synonyms,
among which are the names that a window of another language shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib import resources

from negoplatform.domain.errors import OfferError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term, number_from_decimal
from negoplatform.domain.seat_map import Seat
from negoplatform.language.generation.offer_verbalizer import (
    forms,
    offer_in_words,
    term_in_words,
    units_in_words,
    value_in_words,
)

DEFAULT_LANGUAGE = "en"
"""Language of the terms where there are no forms in the language that was asked for."""

COLON = ": "
"""Separator of a request's words and its terms."""

LEFT_TO_RIGHT_MARK = "\u200e"
"""Invisible mark that keeps English terms together in a line of Hebrew."""

MAX_TERMS_LENGTH = 2000
"""Length from which a text is not read, in characters."""

ShownNames = Mapping[str, tuple[str, str]]
"""Plural and singular by the game's own text, for issues and values that a window shows by another name."""

_MAX_NUMBERS = 4
"""Numbers of a text that are tried as the value of an issue."""

_DIGITS = re.compile(r"\d+", re.ASCII)
_NUMBER = re.compile(r"-?\d[\d.,]*", re.ASCII)

_Units = dict[tuple[Seat, str], int]


def requested_terms_in_words(
    offer: Offer, game: GameSpec, speaker: Seat, language: str, *, names: ShownNames | None = None
) -> str:
    """Return the terms of a request in words.

    Args:
        offer: The terms, complete or partial.
        game: The game.
        speaker: The seat that asks.
        language: The language; English if there are no forms in it.
        names: The names to use in place of the game's own, which have to be synonyms in it.
    """
    known = language if language in _worded_languages() else DEFAULT_LANGUAGE
    if not names:
        return offer_in_words(offer, game, speaker, language=known)
    shown = replace(game, issues=tuple(_renamed(issue, names) for issue in game.issues))
    terms = {
        name: names.get(term, (term, term))[0] if isinstance(term, str) else term
        for name, term in offer.terms
    }
    return offer_in_words(Offer(terms), shown, speaker, language=known)


def read_requested_terms(text: str, game: GameSpec, speaker: Seat, language: str) -> Offer | None:
    """Return the terms that a request names after its colon.

    Args:
        text: The whole message.
        game: The game.
        speaker: The seat that asks.
        language: The language that is tried first.

    Returns:
        The terms; None if there are none, or if they are not worded as exactly one offer.
    """
    _, colon, terms = text.partition(COLON)
    terms = terms.replace(LEFT_TO_RIGHT_MARK, "").removesuffix("?")
    if not colon or not terms or len(terms) > MAX_TERMS_LENGTH:
        return None
    for tried in sorted(_worded_languages(), key=lambda each: each != language):
        for by_synonyms in (False, True):
            words = _TermWords(terms, game, speaker, tried, by_synonyms=by_synonyms)
            found = set(words.readings())
            if found:
                return found.pop() if len(found) == 1 else None
    return None


@cache
def _worded_languages() -> tuple[str, ...]:
    """Return the languages in which offers can be worded."""
    files = (resources.files("negoplatform.language") / "data" / "phrasing").iterdir()
    return tuple(sorted(file.name.removesuffix(".json") for file in files if file.name.endswith(".json")))


def _renamed(issue: Issue, names: ShownNames) -> Issue:
    """Return an issue with other names, without the noun phrases of its own language."""
    several, one = names.get(issue.title, (issue.title, issue.title))
    match issue:
        case QuantityIssue():
            return replace(issue, label=several, spoken=(one, several))
        case CategoricalIssue():
            values = tuple(names.get(value, (value, value))[0] for value in issue.values)
            return replace(issue, label=several, values=values, value_synonyms=(), spoken=())
        case NumberIssue():
            return replace(issue, label=several, spoken="")


class _TermWords:
    """Words of some terms, divided in all ways in which :func:`offer_in_words` may have composed them.

    Args:
        text: The words.
        game: The game.
        speaker: The seat that says them.
        language: The language of the forms.
        by_synonyms: Whether issues and values are named by synonyms, instead of as agents name them.
    """

    def __init__(self, text: str, game: GameSpec, speaker: Seat, language: str, *, by_synonyms: bool) -> None:
        self._text, self._game, self._speaker, self._language = text, game, speaker, language
        self._by_synonyms = by_synonyms
        self._form = forms(language)
        self._separators = tuple(dict.fromkeys((self._form.comma, self._form.last)))
        self._seats = (speaker, *game.others(speaker))
        self._quantities = [issue for issue in game.issues if isinstance(issue, QuantityIssue)]
        self._others = [issue for issue in game.issues if not isinstance(issue, QuantityIssue)]

    def readings(self) -> Iterator[Offer]:
        """Yield the offers with these words."""
        for end, units in self._shares(0, self._seats):
            if end == len(self._text):
                yield from self._checked(units, {})
            for start in [0] if end == 0 else self._after_separator(end):
                for stop, values in self._values(start, self._others):
                    if stop == len(self._text):
                        yield from self._checked(units, values)

    def _shares(self, start: int, seats: Sequence[Seat]) -> Iterator[tuple[int, _Units]]:
        """Yield the shares of some seats from an index on, with the index behind them; first of none."""
        if start == 0:
            yield 0, {}
        before, _, after = self._form.share.partition("{things}")
        if not self._text.startswith(before, start):
            return
        for n, seat in enumerate(seats):
            who = after.replace("{who}", self._pronoun(seat))
            for end, units in self._things(start + len(before), self._quantities):
                if not self._text.startswith(who, end):
                    continue
                share = {(seat, issue): number for issue, number in units.items()}
                behind = end + len(who)
                yield behind, share
                for following in self._after_separator(behind):
                    for stop, more in self._shares(following, seats[n + 1 :]):
                        yield stop, share | more

    def _things(self, start: int, issues: Sequence[QuantityIssue]) -> Iterator[tuple[int, dict[str, int]]]:
        """Yield numbers of units by issue from an index on, with the index behind them."""
        digits = _DIGITS.match(self._text, start)
        if digits is None:
            return
        number = int(digits.group()[:9])
        for n, issue in enumerate(issues):
            if not 0 < number <= issue.quantity:
                continue
            for words in self._unit_words(number, issue):
                if not self._text.startswith(words, start):
                    continue
                end = start + len(words)
                yield end, {issue.name: number}
                for following in self._after_separator(end):
                    for stop, more in self._things(following, issues[n + 1 :]):
                        yield stop, {issue.name: number, **more}

    def _values(self, start: int, issues: Sequence[Issue]) -> Iterator[tuple[int, dict[str, Term]]]:
        """Yield values by issue from an index on, with the index behind them."""
        for n, issue in enumerate(issues):
            for term in self._possible_values(issue, start):
                for words in self._value_words(term, issue):
                    if not self._text.startswith(words, start):
                        continue
                    end = start + len(words)
                    yield end, {issue.name: term}
                    for following in self._after_separator(end):
                        for stop, more in self._values(following, issues[n + 1 :]):
                            yield stop, {issue.name: term, **more}

    def _unit_words(self, number: int, issue: QuantityIssue) -> Iterator[str]:
        if not self._by_synonyms:
            yield units_in_words(number, issue, self._language)
            return
        for name in dict.fromkeys((issue.title, *issue.synonyms)):
            yield f"{number} {name}"

    def _value_words(self, term: Term, issue: Issue) -> Iterator[str]:
        if not self._by_synonyms:
            yield term_in_words(issue, term, self._game, self._speaker, language=self._language)
            return
        value = value_in_words(term, issue, self._language)
        others = dict(issue.value_synonyms) if isinstance(issue, CategoricalIssue) else {}
        for name in dict.fromkeys((value, *others.get(value, ()))):
            for title in dict.fromkeys((issue.title, *issue.synonyms)):
                yield self._form.value.format(issue=title, value=name)
            yield name

    def _possible_values(self, issue: Issue, start: int) -> Iterator[Term]:
        if not isinstance(issue, NumberIssue):
            yield from issue.values if isinstance(issue, CategoricalIssue) else ()
            return
        # Not all values of the range, of which there may be millions.
        for found, _ in zip(_NUMBER.finditer(self._text, start), range(_MAX_NUMBERS), strict=False):
            plain = found.group().rstrip(".,").replace(self._form.thousands, "")
            try:
                yield number_from_decimal(Decimal(plain.replace(self._form.decimal, ".")))
            except InvalidOperation:
                continue

    def _after_separator(self, start: int) -> Iterator[int]:
        for separator in self._separators:
            if self._text.startswith(separator, start):
                yield start + len(separator)

    def _pronoun(self, seat: Seat) -> str:
        if seat == self._speaker:
            return self._form.speaker
        return self._form.other if len(self._seats) == 2 else seat

    def _checked(self, units: _Units, values: dict[str, Term]) -> Iterator[Offer]:
        """Yield the offer with these terms, if it is one of the game, and agents would word it like this."""
        terms = dict(values)
        for issue in self._quantities:
            shares = {seat: number for (seat, name), number in units.items() if name == issue.name}
            undecided = issue.quantity - sum(shares.values())
            if undecided < 0:
                return
            if shares:
                terms[issue.name] = Allocation(shares, undecided)
        offer = Offer(terms)
        try:
            self._game.check_offer(offer)
        except OfferError:
            return
        if self._by_synonyms or self._own_words(offer) == self._text:
            yield offer

    def _own_words(self, offer: Offer) -> str:
        return offer_in_words(offer, self._game, self._speaker, language=self._language)
