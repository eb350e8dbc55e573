"""Resolution of words and numbers to values of a game's issues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Term
from negoplatform.language.parsing.words.language_vocabulary import Phrase, load_parsing_data
from negoplatform.language.parsing.words.lexicon import Lexicon, NumberMention, Referent

_SHORTEST_PART = 4
"""Minimum length of a word that identifies a value: "in" of "half in advance" does not."""


class ValueResolver:
    """Resolver of words and numbers to values; get it by ``value_resolver``.

    Args:
        issues: The game's issues.
        lexicon: Their lexicon.
        language: The language of the words.
    """

    def __init__(self, issues: tuple[Issue, ...], lexicon: Lexicon, language: str) -> None:
        self.issues = {issue.name: issue for issue in issues if not isinstance(issue, QuantityIssue)}
        self.partial_names = _partial_names(self.issues.values(), lexicon)
        """Words that several values of an issue share, such as "manager", with those values."""
        self._numbers: dict[str, tuple[tuple[NumberMention, Term], ...]] = {}
        self._polar: dict[tuple[str, bool], str] = {}
        for issue in self.issues.values():
            if isinstance(issue, CategoricalIssue):
                self._numbers[issue.name] = tuple(_numeric_values(issue, lexicon))
                for yes, value in _polar_values(issue, lexicon, language):
                    self._polar.setdefault((issue.name, yes), value)
        units = ((issue.name, issue.unit) for issue in self.issues.values() if isinstance(issue, NumberIssue))
        self._units = {name: tuple(token.norm for token in lexicon.tokenize(unit)) for name, unit in units}
        for name, numbers in self._numbers.items():
            self._units[name] = tuple(dict.fromkeys(_unit_words(numbers, lexicon)))
        data = load_parsing_data(language, "values")
        self._yes, self._no = frozenset(data["yes"]), frozenset(data["no"])
        self._multipliers = lexicon.vocabulary.multipliers
        self._conversions = lexicon.vocabulary.conversions
        self._money = lexicon.vocabulary.category("money")

    def polar_value(self, issue: str, *, yes: bool) -> str | None:
        """Return the value of an issue "with" or "without" it; None if its values are not of that kind."""
        return self._polar.get((issue, yes))

    def value_polarity(self, issue: str, value: str) -> bool | None:
        """Return whether a value includes the issue's item (True) or excludes it (False); None if neither."""
        sides = (yes for yes in (True, False) if self._polar.get((issue, yes)) == value)
        return next(sides, None)

    def word_polarity(self, words: str) -> bool | None:
        """Return whether words alone mean yes (with, included) or no (without, none); None if neither."""
        return True if words in self._yes else False if words in self._no else None

    def is_numeric(self, issue: str) -> bool:
        """Return whether numbers name values of an issue."""
        return bool(self._numbers.get(issue)) or isinstance(self.issues[issue], NumberIssue)

    def value_for_number(self, issue: str, number: NumberMention, *, named: bool) -> Term | None:
        """Return the value of an issue that a number names; None if there is none.

        Args:
            issue: The name of the issue.
            number: The number.
            named: Whether the issue is certain: then "90" may be short for 90,000.
        """
        held = self.issues[issue]
        scales = (1, 1000) if named and not number.percent else (1,)
        for scale in scales:
            value = number.value * scale
            if isinstance(held, NumberIssue):
                found = self._allowed_value(held, number, value)
            else:
                found = next((t for n, t in self._numbers[issue] if _is_same_number(n, number, value)), None)
            if found is not None:
                return found
        return None

    def is_unit_of(self, issue: str, word: str) -> bool:
        """Return whether a word is the unit of an issue: "days"."""
        return word in self._units.get(issue, ()) and word not in self._multipliers

    def is_unit(self, word: str) -> bool:
        """Return whether a word is the unit of any issue, or can be converted to one."""
        return word in self._conversions or self.is_unit_of_value(word)

    def is_unit_of_value(self, word: str) -> bool:
        """Return whether a word is the unit of any issue."""
        return any(self.is_unit_of(issue, word) for issue in self._units)

    def convert_unit(self, issue: str, number: NumberMention, unit: str) -> Term | None:
        """Return the value for a number in another unit, "2 years" of months; None if there is none."""
        held = self.issues[issue]
        if not isinstance(held, NumberIssue) or self.is_unit_of(issue, unit):
            return None
        factor = next(
            (n for other, n in self._conversions.get(unit, {}).items() if self.is_unit_of(issue, other)), None
        )
        return None if factor is None else self._allowed_value(held, number, number.value * factor)

    def midpoint(self, issue: Issue, one: Term | None, other: Term | None) -> Term | None:
        """Return the value half-way between two values of an issue; None if there is none."""
        if isinstance(issue, NumberIssue):
            if isinstance(one, str | Allocation | None) or isinstance(other, str | Allocation | None):
                return None
            middle = (one + other) / 2
            return next((level for level in issue.values if level == middle), None)
        if isinstance(issue, CategoricalIssue) and one in issue.values and other in issue.values:
            first, second = (issue.values.index(str(term)) for term in (one, other))
            middle_at = first + second
            numeric = issue.name in self._numbers and len(self._numbers[issue.name]) == len(issue.values)
            return (
                issue.values[middle_at // 2] if numeric and middle_at % 2 == 0 and first != second else None
            )
        return None

    def is_money(self, issue: str) -> bool:
        """Return whether an issue's numbers are amounts of money."""
        if any(word in self._money for word in self._units.get(issue, ())):
            return True
        return any(number.money for number, _ in self._numbers.get(issue, ()))

    def _allowed_value(self, issue: NumberIssue, number: NumberMention, value: int | float) -> Term | None:
        unit = self._units[issue.name]
        if number.percent and not any(word in unit for word in ("%", "percent")):
            return None
        if number.money and not self.is_money(issue.name):
            return None
        power = next((self._multipliers[word] for word in unit if word in self._multipliers), 1)
        for level in dict.fromkeys((value, value / power)):
            if level in issue.allowed:
                return int(level) if float(level).is_integer() else level
        return None


def value_resolver(lexicon: Lexicon, language: str) -> ValueResolver:
    """Return the value resolver of a game; it is created once."""
    return _value_resolver(lexicon, language)


@lru_cache(maxsize=32)
def _value_resolver(lexicon: Lexicon, language: str) -> ValueResolver:
    return ValueResolver(lexicon.issues, lexicon, language)


def _partial_names(issues: Iterable[Issue], lexicon: Lexicon) -> dict[str, tuple[Referent, ...]]:
    found: dict[str, tuple[Referent, ...]] = {}
    for issue in issues:
        if isinstance(issue, CategoricalIssue):
            words = {
                value: {
                    t.norm for t in lexicon.tokenize(value) if t.is_word and len(t.norm) >= _SHORTEST_PART
                }
                for value in issue.values
            }
            for word in sorted(set().union(*words.values())):
                sharing = tuple(Referent(issue.name, value) for value in issue.values if word in words[value])
                bare = word.removesuffix("s")
                if len(sharing) > 1 and len(bare) >= _SHORTEST_PART:
                    found.setdefault(bare, sharing)
                telling = len(sharing) == 1 and len(words[str(sharing[0].value)]) > 1
                if telling or len(sharing) > 1:
                    found.setdefault(word, sharing)
    return found


def _unit_words(numbers: Iterable[tuple[NumberMention, Term]], lexicon: Lexicon) -> Iterator[str]:
    """Yield the words behind the numbers of values, singular and plural: "year", "years"."""
    for number, value in numbers:
        for token in lexicon.tokenize(str(value))[number.end :]:
            if token.is_word:
                yield from (token.norm, token.norm.removesuffix("s"), f"{token.norm}s")


def _is_same_number(held: NumberMention, number: NumberMention, value: int | float) -> bool:
    """Return whether a number names a value: "10" may be 10 %, but 10 % is not 10 hours, and $10 neither."""
    return held.value == value and (held.percent or not number.percent) and (held.money or not number.money)


def _numeric_values(issue: CategoricalIssue, lexicon: Lexicon) -> Iterator[tuple[NumberMention, Term]]:
    """Yield the values whose text contains exactly one number."""
    for value in issue.values:
        numbers = lexicon.numbers(lexicon.tokenize(value))
        if len(numbers) == 1:
            yield numbers[0], value


def _polar_values(issue: CategoricalIssue, lexicon: Lexicon, language: str) -> Iterator[tuple[bool, str]]:
    """Yield the values that affirm or deny the issue: its name with a yes or no."""
    data = load_parsing_data(language, "values")
    shared = _shared_words(issue, lexicon, frozenset((*data["yes"], *data["no"])))
    names = [
        tuple(t.norm for t in lexicon.tokenize(name)) for name in (issue.name, issue.title, *issue.synonyms)
    ]
    names += [shared] * bool(shared)
    names.sort(key=len, reverse=True)
    for value in issue.values:
        words = tuple(token.norm for token in lexicon.tokenize(value))
        if len(words) > 1:
            rest = next((left for name in names if (left := _without(words, name)) is not None), None)
            remainder = " ".join(word for word in rest if word not in data["determiners"]) if rest else ""
        else:
            remainder = words[0] if words else ""
        for yes in (True, False):
            if remainder and remainder in data["yes" if yes else "no"]:
                yield yes, value


def _shared_words(issue: CategoricalIssue, lexicon: Lexicon, signs: frozenset[str]) -> Phrase:
    """Return the words that values share behind a "with" or "no"; empty if they differ."""
    rests = [
        words[1:]
        for value in issue.values
        if len(words := tuple(token.norm for token in lexicon.tokenize(value))) > 1 and words[0] in signs
    ]
    return rests[0] if len(rests) > 1 and len(set(rests)) == 1 else ()


def _without(words: Phrase, name: Phrase) -> Phrase | None:
    """Return the words without the name of the issue; None if they do not contain it."""
    for i in range(len(words) - len(name) + 1):
        if words[i : i + len(name)] == name:
            return words[:i] + words[i + len(name) :]
    return None
