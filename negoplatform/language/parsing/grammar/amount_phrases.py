"""Amounts: a quantity and an issue as a phrase of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from negoplatform.language.parsing.words.lexical_tagger import Tag, TaggedSpan


class Quantifier(StrEnum):
    """Form of an amount."""

    COUNT = "count"
    """A number: "2 food", "a package of food"."""
    ALL = "all"
    DEFINITE = "the"
    """The issue with an article and no number: "the food"."""
    BARE = "bare"
    """The issue alone: "food"."""
    SOME = "some"
    """An indefinite quantity: "some food"."""
    REST = "rest"
    """All units not yet assigned, of one issue or of all."""
    OTHERS = "others"
    """A number of the remaining units: "the other two"."""
    MORE = "more"
    """A number in addition to what was mentioned: "one more", "another food"."""
    HALF = "half"
    THIRD = "third"
    """A number of thirds."""
    BOTH = "both"
    """Both units of an issue that has two."""
    UNSPECIFIED = "unsaid"
    """Packages without a number: the number cannot be inferred."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Quantity of an issue.

    Args:
        quantifier: The form.
        start: The index of its first span.
        end: The index behind its last span.
        number: The number, if there is one.
        issue: The issue, by name; empty if none is named.
        of_each: Whether every issue is meant: "one of each".
        of_others: Whether every issue is meant that was not mentioned.
        owned: Whether it is called someone's, or extra: "your food" need not be all food.
        each: Whether every seat is meant: "one each".
        less: The exceptions, issues with their numbers, 0 for all units: "everything but 1 food".
    """

    quantifier: Quantifier
    start: int
    end: int
    number: int = 0
    issue: str = ""
    of_each: bool = False
    of_others: bool = False
    owned: bool = False
    each: bool = False
    less: tuple[tuple[str, int], ...] = ()


_OWNED = frozenset({Tag.DET, Tag.OF, Tag.MY, Tag.YOUR, Tag.EXTRA})
_FILLING = _OWNED | {Tag.UNIT, Tag.A}
_TAG_QUANTIFIERS = {
    Tag.HALF: Quantifier.HALF,
    Tag.NONE_OF: Quantifier.COUNT,
    Tag.SOME: Quantifier.SOME,
    Tag.HOW_MANY: Quantifier.SOME,
    Tag.MORE: Quantifier.SOME,
    Tag.FEWER: Quantifier.SOME,
    Tag.UNIT: Quantifier.UNSPECIFIED,
    Tag.PART: Quantifier.UNSPECIFIED,
}
_VAGUE = frozenset({Tag.SOME, Tag.FEWER})
_EXCEPTS = frozenset({Tag.EXCEPT, Tag.BUT})
_AFTER_EXCEPTION = frozenset({Tag.END, Tag.SEP, Tag.AND, Tag.FOR, Tag.IS_MINE, Tag.IS_YOURS, Tag.SO})
_AFTER_A = frozenset({Tag.UNIT, Tag.ISSUE})
_BEFORE_EVERYTHING = frozenset(
    {Tag.GET, Tag.HAVE, Tag.GIVE, Tag.NEED, Tag.WANT, Tag.SPEAKER, Tag.OTHER, Tag.US, Tag.AND}
)
_OWNS = frozenset(
    {Tag.GET, Tag.HAVE, Tag.NEED, Tag.WANT, Tag.GIVE, Tag.TOOK, Tag.GAVE, Tag.REPORT, Tag.HAVE_GOT}
)
_STOPS = frozenset({Tag.END, Tag.SEP, Tag.BUT, Tag.SO, Tag.AND, Tag.REASON, Tag.FOR})
_AFTER_BARE_NUMBER = frozenset(
    {
        Tag.END,
        Tag.SEP,
        Tag.AND,
        Tag.OR,
        Tag.FOR,
        Tag.SPEAKER,
        Tag.OTHER,
        Tag.WE,
        Tag.IF,
        Tag.BUT,
        Tag.SO,
        Tag.EXCHANGE,
        Tag.EACH,
        Tag.OF_EACH,
        Tag.GET,
        Tag.GIVE,
        Tag.MODAL,
        Tag.NEUTRAL,
        Tag.ABOUT,
        Tag.TO,
        Tag.LET,
        Tag.REASON,
        Tag.LEAVING,
        Tag.US,
        Tag.NOT,
        Tag.WITH,
        Tag.IS_MINE,
        Tag.IS_YOURS,
    }
)
"""Tags that may follow a number which counts what was mentioned before: "you can have 1"."""


def amount_at(spans: Sequence[TaggedSpan], i: int) -> Amount | None:
    """Return the amount that begins at an index; None if none does."""
    found = _parse_amount(spans, i)
    if found is None or (found.issue and _tag(spans, found.end) == Tag.COMPOUND):
        return None
    if (
        found.quantifier in (Quantifier.ALL, Quantifier.DEFINITE)
        and not found.number
        and _has_relative_clause(spans, found.end)
    ):
        return replace(found, quantifier=Quantifier.SOME)
    if _tag(spans, found.end) in _EXCEPTS and (found.quantifier == Quantifier.ALL or found.of_each):
        return _excepting(spans, found)
    if found.quantifier == Quantifier.COUNT and _tag(spans, found.end) == Tag.FEWER:
        return replace(found, quantifier=Quantifier.UNSPECIFIED, end=found.end + 1)  # "One food less"
    if _tag(spans, found.end) == Tag.EACH and _tag(spans, found.end + 1) != Tag.OF:
        return replace(found, end=found.end + 1, each=True)
    return found


def _excepting(spans: Sequence[TaggedSpan], found: Amount) -> Amount | None:
    """Return the amount with its exceptions: "Everything but the water", "all the food except 1"."""
    surely = spans[found.end].tag == Tag.EXCEPT
    less: list[tuple[str, int]] = []
    i = found.end
    while _tag(spans, i) in _EXCEPTS or (less and found.of_each and _tag(spans, i) in (Tag.AND, Tag.SEP)):
        taken = _parse_amount(spans, i + 1) if i + 1 < len(spans) else None
        issue = (taken.issue or found.issue) if taken is not None else ""
        whole = (
            taken is not None
            and taken.quantifier in (Quantifier.DEFINITE, Quantifier.BARE, Quantifier.ALL)
            and found.of_each
        )
        counted = taken is not None and taken.quantifier == Quantifier.COUNT and found.issue in ("", issue)
        if taken is None or not issue or not (whole or counted):
            break
        less.append((issue, 0 if whole else taken.number))
        i = taken.end
    if not less or _tag(spans, i) not in _AFTER_EXCEPTION:
        return replace(found, quantifier=Quantifier.UNSPECIFIED) if surely else found
    return replace(found, end=i, issue=found.issue or "" if found.of_each else less[0][0], less=tuple(less))


def _has_relative_clause(spans: Sequence[TaggedSpan], i: int) -> bool:
    """Return whether a relative clause restricts the amount: "all the food that I can get"."""
    i = _skip(spans, i, _OWNED)
    while _tag(spans, i) in (Tag.AND, Tag.SEP) and _tag(spans, _skip(spans, i + 1, _OWNED)) == Tag.ISSUE:
        i = _skip(spans, i + 1, _OWNED) + 1  # "All the food and water that I can get"
    if _tag(spans, i) not in (Tag.SPEAKER, Tag.OTHER, Tag.WE):
        return False
    i += 2 if _tag(spans, i + 1) == Tag.MODAL else 1
    return _tag(spans, i) in _OWNS and _tag(spans, i + 1) in _STOPS


def _parse_amount(spans: Sequence[TaggedSpan], i: int) -> Amount | None:
    match spans[i].tag:
        case Tag.NUMBER:
            return _counted(spans, i, i + 1, spans[i].number)
        case Tag.A:
            return _after_article(spans, i)
        case Tag.ALL | Tag.EVERYTHING:
            return _all(spans, i)
        case Tag.ALL_OF_IT:
            return Amount(Quantifier.ALL, i, i + 1) if _tag(spans, i + 1) in _AFTER_BARE_NUMBER else None
        case Tag.REST if _tag(spans, i + 1) != Tag.NUMBER:
            return _named(spans, i, i + 1, Quantifier.REST, bare=True)
        case Tag.ELSE:
            return Amount(Quantifier.REST, i, i + 1, of_others=True)
        case Tag.OTHERS | Tag.REST:  # "The other 2", "the remaining 2"
            return _others(spans, i)
        case Tag.BOTH:
            taken = i > 0 and spans[i - 1].tag in _BEFORE_EVERYTHING
            return _named(spans, i, i + 1, Quantifier.BOTH, bare=taken)
        case Tag.HALF | Tag.NONE_OF | Tag.SOME | Tag.HOW_MANY | Tag.MORE | Tag.UNIT | Tag.FEWER | Tag.PART:
            return _named(spans, i, i + 1, _TAG_QUANTIFIERS[spans[i].tag], bare=False)
        case Tag.ANOTHER:
            return _another(spans, i)
        case Tag.SECOND | Tag.THIRD:
            return _ordinal(spans, i)
        case Tag.ISSUE:
            return _issue_first(spans, i)
        case Tag.DET | Tag.MY | Tag.YOUR:
            return _after_determiner(spans, i)
        case _:
            return None


def _tag(spans: Sequence[TaggedSpan], i: int) -> Tag:
    return spans[i].tag if i < len(spans) else Tag.END


def _skip(spans: Sequence[TaggedSpan], i: int, tags: frozenset[Tag]) -> int:
    while _tag(spans, i) in tags:
        i += 1
    return i


def _named(
    spans: Sequence[TaggedSpan], start: int, i: int, how: Quantifier, *, number: int = 0, bare: bool
) -> Amount | None:
    """Return an amount of the issue named next; of an unnamed one only in a position where it may be bare."""
    if _tag(spans, i) in (Tag.OF_EACH, Tag.OF_OTHERS):
        others = spans[i].tag == Tag.OF_OTHERS
        return Amount(how, start, i + 1, number, of_each=not others, of_others=others)
    if (
        spans[start].tag == Tag.NONE_OF
        and _tag(spans, i) == Tag.DET
        and spans[start].end - spans[start].start == 1
    ):
        return None  # "No, the food is mine"; but "none of the food"
    if how == Quantifier.SOME and _tag(spans, _skip(spans, i, _OWNED)) == Tag.ELSE:
        return Amount(how, start, _skip(spans, i, _OWNED) + 1, of_others=True)  # "More of the other items"
    k = _skip(spans, i, _FILLING | {Tag.REST})
    if _tag(spans, k) == Tag.ISSUE:
        behind = _tag(spans, k + 1) == Tag.UNIT and _tag(spans, k + 2) != Tag.OF  # "1 food package"
        return Amount(how, start, k + 1 + behind, number, spans[k].issue)
    if how == Quantifier.SOME and k > i and spans[k - 1].tag == Tag.REST:
        return Amount(how, start, k)  # "Most of the rest"
    return Amount(how, start, i, number) if bare else None


def _counted(spans: Sequence[TaggedSpan], start: int, i: int, number: int) -> Amount | None:
    """Return a number with what it counts."""
    how = Quantifier.COUNT
    if _tag(spans, i) == Tag.THIRDS:
        return _named(spans, start, i + 1, Quantifier.THIRD, number=number, bare=False)
    if _tag(spans, i) in (Tag.FEWER, Tag.PART):  # "1 less food", "2 quarters of the food"
        return _named(spans, start, i + 1, Quantifier.UNSPECIFIED, bare=False)
    if _tag(spans, i) == Tag.NUMBER and spans[i].number == number:  # "two 2 food"
        i += 1
    if _tag(spans, i) == Tag.MORE:
        how, i = Quantifier.MORE, i + 1
    i = _behind_measure(spans, i)
    whole = _skip(spans, i, _OWNED | {Tag.BOTH}) if _tag(spans, i) == Tag.OF else i
    if _tag(spans, whole) == Tag.REST and _tag(spans, whole + 1) == Tag.ISSUE:  # "2 of the remaining food"
        return Amount(how, start, whole + 2, number, spans[whole + 1].issue)
    if _tag(spans, whole) == Tag.REST:  # "One of the rest"
        return Amount(Quantifier.SOME, start, whole + 1)
    if _tag(spans, i) == Tag.MODAL and _tag(spans, i + 1) == Tag.NUMBER:  # "2 to 3 food"
        ranged = _counted(spans, start, i + 2, number)
        return None if ranged is None else replace(ranged, quantifier=Quantifier.UNSPECIFIED)
    if whole > i and spans[whole - 1].tag == Tag.BOTH:  # "2 of both food and water"
        i = whole
    if whole > i and _tag(spans, whole) == Tag.UNIT:  # "2 of the packages"
        i = whole + 1
    if whole > i and _tag(spans, whole) == Tag.NUMBER:  # "2 of the 3 food", "2 of the 3"
        i = whole + 1
    named = _named(spans, start, i, how, number=number, bare=False)
    if named is not None:
        return named
    if _tag(spans, i) == Tag.FOR and _tag(spans, i + 1) == Tag.NUMBER and _tag(spans, i + 2) != Tag.ISSUE:
        return None  # "2 for 1"
    k = i + 2 if _tag(spans, i) == Tag.OF and _tag(spans, i + 1) in _OWNED else i
    return Amount(how, start, k, number) if _tag(spans, k) in _AFTER_BARE_NUMBER else None


def _ordinal(spans: Sequence[TaggedSpan], i: int) -> Amount | None:
    """Return an ordinal amount: "A second one", "a third of the food"."""
    if spans[i].tag == Tag.THIRD and _tag(spans, i + 1) == Tag.OF:
        return _named(spans, i, i + 1, Quantifier.THIRD, number=1, bare=False)
    return _counted(spans, i, i + 1, 2 if spans[i].tag == Tag.SECOND else 3)


def _behind_measure(spans: Sequence[TaggedSpan], i: int) -> int:
    """Return the index behind words between a number and what it counts: "2 other extra packages"."""
    if _tag(spans, i) == Tag.OTHERS:  # "2 other food"
        i += 1
    if _tag(spans, i) == Tag.EXTRA:
        i += 1
    if _tag(spans, i) == Tag.UNIT or (_tag(spans, i) == Tag.WORD and _is_measure(spans, i + 1)):
        i += 1
    if _tag(spans, i) == Tag.EACH and _tag(spans, i + 1) == Tag.OF:  # "1 each of food and water"
        i += 1
    return i


def _is_measure(spans: Sequence[TaggedSpan], i: int) -> bool:
    """Return whether a word is a measure of an issue, known or not: "2 barrels of water"."""
    return _tag(spans, i) == Tag.OF and _tag(spans, _skip(spans, i, _OWNED)) == Tag.ISSUE


def _after_article(spans: Sequence[TaggedSpan], i: int) -> Amount | None:
    """Return an amount with an indefinite article: "A package of food", "a food", "a second one"."""
    if _tag(spans, i + 1) == Tag.ISSUE and _tag(spans, i + 2) not in _AFTER_BARE_NUMBER | {Tag.UNIT}:
        return None  # "a water buffalo"
    if _tag(spans, i + 1) in _AFTER_A:
        return _named(spans, i, i + 1, Quantifier.COUNT, number=1, bare=False)
    if _tag(spans, i + 1) == Tag.NUMBER:  # "a 2 food"
        return _counted(spans, i, i + 2, spans[i + 1].number)
    return None


def _all(spans: Sequence[TaggedSpan], i: int) -> Amount | None:
    """Return an amount of all units: "All the food", "all 3 packages of food", "all three", "everything"."""
    k = _skip(spans, i + 1, _OWNED)
    if _tag(spans, k) == Tag.NUMBER:
        counted = _counted(spans, i, k + 1, spans[k].number)
        return None if counted is None else replace(counted, quantifier=Quantifier.ALL)
    if spans[i].tag == Tag.EVERYTHING:
        takes = i > 0 and spans[i - 1].tag in _BEFORE_EVERYTHING
        takes = takes and _tag(spans, i + 1) not in (Tag.SPEAKER, Tag.OTHER, Tag.WE, Tag.WORD)
        takes = takes or _tag(spans, i + 1) == Tag.EXCEPT
        return Amount(Quantifier.ALL, i, i + 1, of_each=True) if takes else None
    named = _named(spans, i, i + 1, Quantifier.ALL, bare=False)
    if named is not None:
        return named
    if _tag(spans, k) in _EXCEPTS:  # "All but 1 food", "all except the food"
        return Amount(Quantifier.ALL, i, k, of_each=_tag(spans, k + 1) != Tag.NUMBER)
    return Amount(Quantifier.ALL, i, k) if k > i + 1 and _tag(spans, k) in _AFTER_BARE_NUMBER else None


def _others(spans: Sequence[TaggedSpan], i: int) -> Amount | None:
    """Return an amount of the remaining units: "The other two", "the last one", "the other food"."""
    k = _skip(spans, i + 1, frozenset({Tag.REST}))
    if _tag(spans, k) == Tag.NUMBER:
        counted = _counted(spans, i, k + 1, spans[k].number)
        return None if counted is None else replace(counted, quantifier=Quantifier.OTHERS)
    named = _named(spans, i, k, Quantifier.REST, bare=False)
    return None if named is None else named


def _another(spans: Sequence[TaggedSpan], i: int) -> Amount | None:
    """Return an additional amount: "Another food", "an extra one", "another 2 food"."""
    if _tag(spans, i + 1) == Tag.NUMBER:
        counted = _counted(spans, i, i + 2, spans[i + 1].number)
        return None if counted is None else replace(counted, quantifier=Quantifier.MORE)
    named = _named(spans, i, i + 1, Quantifier.MORE, number=1, bare=False)
    if named is not None:
        return named
    return Amount(Quantifier.MORE, i, i + 1, 1) if _tag(spans, i + 1) in _AFTER_BARE_NUMBER else None


def _after_determiner(spans: Sequence[TaggedSpan], i: int) -> Amount | None:
    """Return an amount with a definite determiner: "The food", "your 2 food", "the two"."""
    k = _skip(spans, i, _OWNED)
    match _tag(spans, k):
        case Tag.ISSUE:
            first = _issue_first(spans, k)
            owned = any(span.tag in (Tag.MY, Tag.YOUR, Tag.EXTRA) for span in spans[i:k])
            how = Quantifier.DEFINITE if first.quantifier == Quantifier.BARE else first.quantifier
            if how == Quantifier.DEFINITE and _tag(spans, _skip(spans, first.end, _OWNED)) in _VAGUE:
                how = Quantifier.SOME  # "I want the food most"
            return replace(first, start=i, quantifier=how, owned=owned)
        case Tag.NUMBER | Tag.REST | Tag.OTHERS | Tag.ANOTHER | Tag.SECOND | Tag.THIRD | Tag.ALL:
            found = _parse_amount(spans, k)
            if found is not None and not found.issue and spans[k - 1].tag == Tag.EXTRA:
                found = replace(found, quantifier=Quantifier.MORE)  # "The extra one"
            return None if found is None else replace(found, start=i)
        case _:
            return None


def _issue_first(spans: Sequence[TaggedSpan], i: int) -> Amount:
    """Return an amount whose number follows the issue and counts nothing else: "Food 2, water 1"."""
    if _tag(spans, i + 1) == Tag.NUMBER and _numbers_behind(spans, i):
        k = i + 2 + (_tag(spans, i + 2) == Tag.UNIT)
        return Amount(Quantifier.COUNT, i, k, spans[i + 1].number, spans[i].issue)
    return Amount(Quantifier.BARE, i, i + 1, issue=spans[i].issue)


def _numbers_behind(spans: Sequence[TaggedSpan], i: int) -> bool:
    """Return whether a list that begins with an issue alternates issue and number to its end."""
    while True:
        if _tag(spans, i) != Tag.ISSUE or _tag(spans, i + 1) != Tag.NUMBER:
            return False
        i = _skip(spans, i + 2, frozenset({Tag.UNIT, Tag.SEP, Tag.AND}))
        if _tag(spans, i) in (Tag.OF, Tag.NUMBER):
            return False
        if _tag(spans, i) != Tag.ISSUE:
            return True
        if _tag(spans, i + 1) != Tag.NUMBER:
            # "Food 2 water": the number belongs to what follows it, unless a comma parts them.
            return _tag(spans, i - 1) in (Tag.SEP, Tag.AND)
