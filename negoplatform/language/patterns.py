"""Patterns over the words of a sentence: written down in data files, matched without regular expressions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from negoplatform.domain.errors import NegoError
from negoplatform.language.lexicon import Mention, NumberMention
from negoplatform.language.tokens import Sentence, Token
from negoplatform.language.vocabulary import Phrase

ISSUE, VALUE, NUMBER, QUESTION = "<issue>", "<value>", "<number>", "?"
_OF_GAME = frozenset({ISSUE, VALUE, NUMBER})
_SHORT_GAP, _LONG_GAP = 3, 7
_SIGNS = frozenset(",:-()%/&\"'")
_MOST_TRIES = 400
"""So many steps are tried for one pattern from one place; patterns that people would write need a few."""

Bound = tuple[tuple[str, ...], ...]
"""What the slots of a pattern stand for, in their order: the issues that each of them names."""


@dataclass(frozen=True, slots=True)
class Span:
    """A word of a sentence as patterns see it; a mention of an issue or value, or a number, is one span.

    Args:
        word: Its normal form; ``<issue>``, ``<value>``, ``<number>`` for what is none of the language's own.
        issues: The issues that a mention may stand for.
        number: The number.
        start: The index of its first token.
    """

    word: str
    issues: tuple[str, ...] = ()
    number: int | float | None = None
    start: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """A place where a pattern fits.

    Args:
        start: The index of the first span.
        end: Behind the index of the last span.
        bound: What its slots stand for.
        number: The last number in it, if it has a slot for one.
    """

    start: int
    end: int
    bound: Bound = ()
    number: int | float | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a pattern.

    Args:
        phrases: The words that it may be, by their first one.
        slot: ``issue``, ``issues``, ``value`` or ``number``; ``start`` or ``end`` of the sentence; or empty.
        gap: Up to so many spans of any kind.
        optional: Whether it may be missing.
    """

    phrases: Mapping[str, tuple[Phrase, ...]]
    slot: str = ""
    gap: int = 0
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Loose:
    """Words that patterns need not write down.

    Args:
        fillers: Those that may stand anywhere without changing what is said.
        joiners: Those between the parts of a list.
        negations: Those that no gap may skip.
    """

    fillers: frozenset[str]
    joiners: frozenset[str]
    negations: frozenset[str]


class Grammar:
    """The categories of words that patterns are written with.

    Args:
        words: Words and phrases by category; ``filler`` are the filling words, ``joining`` what joins a
            list, ``not`` the negations, which no gap skips.
    """

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self._words = words
        self._steps: dict[str, Step] = {}
        self.loose = Loose(*(frozenset(words[name]) for name in ("filler", "joining", "not")))

    def step(self, part: str) -> Step:
        """One step of a pattern, made once.

        Raises:
            NegoError: If it names a category that is not there.
        """
        if part not in self._steps:
            self._steps[part] = self._made(part)
        return self._steps[part]

    def _made(self, part: str) -> Step:
        optional = len(part) > 1 and part.endswith("?")
        part = part[:-1] if optional else part
        match part:
            case "^" | "$":
                return Step({}, "start" if part == "^" else "end")
            case ".." | "...":
                return Step({}, gap=_SHORT_GAP if part == ".." else _LONG_GAP)
            case "<issue>" | "<value>" | "<number>":
                return Step({part: ((part,),)}, part[1:-1], optional=optional)
            case "<issues>":
                return Step({ISSUE: ((ISSUE,),)}, "issues", optional=optional)
        return Step(_by_first(self._options(part)), optional=optional)

    def _options(self, part: str) -> Iterator[str]:
        """The words and phrases of one step: ``need|<wish>``."""
        for option in part.split("|"):
            if not option.startswith("<") or option in _OF_GAME:
                yield option.replace("_", " ")
            elif option[1:-1] in self._words:
                yield from self._words[option[1:-1]]
            else:
                raise NegoError(f"There is no category {option} of words for a pattern.")


class Pattern:
    """A sequence of words and gaps.

    Written with spaces between its steps: a word; ``this|that`` (``get_by`` where that is two words);
    ``<category>`` of the data file; ``<issue>``, ``<issues>`` ("food and water"), ``<value>``,
    ``<number>``; ``..`` up to three and ``...`` up to seven words of any kind; ``^`` and ``$`` where the
    sentence begins and ends; ``?`` where it ends in a question. A question mark behind a step makes it
    optional. Filling words may stand between any two steps.

    Args:
        text: The pattern as it is written.
        grammar: The categories that it may name.

    Raises:
        NegoError: If it names a category that is not there, or has nothing to look for.
    """

    def __init__(self, text: str, grammar: Grammar) -> None:
        self.text = text
        self._loose = grammar.loose
        self.steps = tuple(grammar.step(part) for part in text.split())
        sure = (step for step in self.steps if step.phrases and not step.optional)
        self.needed = tuple(frozenset(step.phrases) for step in sure)
        """For each step that may not be missing, the words that it may begin with."""
        if not self.needed or self.steps[0].optional or self.steps[0].gap:
            raise NegoError(f"The pattern {text!r} has to begin with something that is always there.")
        self.at_start = self.steps[0].slot == "start"
        """Whether it fits only where a sentence begins."""

    def match(self, spans: Sequence[Span], start: int) -> Match | None:
        """Where it fits from one place on; None if it does not."""
        run = _Run(self.steps, spans, self._loose)
        end = run.fit(0, start, first=True)
        if end is None:
            return None
        return Match(start, end, tuple(run.bound), run.number)


class _Run:
    """One attempt to fit a pattern, going back where a gap or a missing word was taken wrongly."""

    def __init__(self, steps: tuple[Step, ...], spans: Sequence[Span], loose: Loose) -> None:
        self._steps = steps
        self._spans = spans
        self._loose = loose
        self._tries = 0
        self.bound: list[tuple[str, ...]] = []
        self.number: int | float | None = None

    def fit(self, k: int, i: int, *, first: bool = False) -> int | None:
        """Behind the last span, if the steps from the k-th on fit from the i-th span on."""
        self._tries += 1
        if k == len(self._steps):
            return i
        if self._tries > _MOST_TRIES:
            return None
        step = self._steps[k]
        if step.gap:
            return self._first_of(k, range(i, self._gap_end(i, step.gap) + 1))
        for at in self._places(i, first=first):
            for end in self._ends(step, at):
                kept, number = len(self.bound), self.number
                self._bind(step, at, end)
                found = self.fit(k + 1, end)
                if found is not None:
                    return found
                del self.bound[kept:]
                self.number = number
        return self.fit(k + 1, i, first=first) if step.optional else None

    def _gap_end(self, i: int, most: int) -> int:
        """How far a gap may reach: a negation is never skipped."""
        for k in range(i, min(i + most, len(self._spans))):
            if self._spans[k].word in self._loose.negations:
                return k
        return min(i + most, len(self._spans))

    def _first_of(self, k: int, places: Iterable[int]) -> int | None:
        return next((end for at in places if (end := self.fit(k + 1, at)) is not None), None)

    def _places(self, i: int, *, first: bool) -> Iterator[int]:
        """Where a step may begin: here, or behind filling words."""
        yield i
        while not first and i < len(self._spans) and self._spans[i].word in self._loose.fillers:
            i += 1
            yield i

    def _ends(self, step: Step, at: int) -> Iterator[int]:
        if step.slot == "start":
            if at == 0:
                yield at
        elif step.slot == "end":
            if at == len(self._spans) or (at == len(self._spans) - 1 and self._spans[at].word == QUESTION):
                yield at
        elif at < len(self._spans):
            if step.slot == "issues":
                yield from _list_ends(self._spans, at, self._loose)
            else:
                yield from _phrase_ends(step, self._spans, at)

    def _bind(self, step: Step, at: int, end: int) -> None:
        if step.slot in {"issue", "issues", "value"}:
            named = [name for span in self._spans[at:end] if len(span.issues) == 1 for name in span.issues]
            self.bound.append(tuple(dict.fromkeys(named)))
        elif step.slot == "number":
            self.number = self._spans[at].number


class PatternSet:
    """Patterns, each with what it stands for, found by the rarest word that they cannot do without.

    Args:
        patterns: Pairs of a pattern and an index that the caller knows it by.
    """

    def __init__(self, patterns: Iterable[tuple[Pattern, int]]) -> None:
        held = tuple(patterns)
        usual = Counter(word for pattern, _ in held for step in pattern.needed for word in step)
        self._by_word: dict[str, list[tuple[int, Pattern, int]]] = {}
        for order, (pattern, index) in enumerate(held):
            for word in min(pattern.needed, key=lambda step: sum(usual[word] for word in step)):
                self._by_word.setdefault(word, []).append((order, pattern, index))

    def matches(self, spans: Sequence[Span]) -> list[tuple[int, Match]]:
        """Every pattern that fits, by its index, in the order of the places where they begin."""
        places: dict[str, list[int]] = {}
        for i, span in enumerate(spans):
            places.setdefault(span.word, []).append(i)
            if span.number is not None and span.word != NUMBER:
                places.setdefault(NUMBER, []).append(i)
        found: list[tuple[int, Match]] = []
        words = frozenset(places)
        tried = {entry for word in words for entry in self._by_word.get(word, ())}
        for _, pattern, index in sorted(tried, key=itemgetter(0)):
            if not any(step.isdisjoint(words) for step in pattern.needed):
                starts = (0,) if pattern.at_start else _starts(pattern, places)
                found += [(index, match) for i in starts if (match := pattern.match(spans, i)) is not None]
        return sorted(found, key=lambda pair: pair[1].start)


def _starts(pattern: Pattern, places: Mapping[str, list[int]]) -> Iterator[int]:
    return (i for word in sorted(pattern.needed[0]) for i in places.get(word, ()))


def spans_of(
    tokens: Sequence[Token], sentence: Sentence, mentions: Sequence[Mention], numbers: Sequence[NumberMention]
) -> tuple[Span, ...]:
    """A sentence as patterns see it; one that asks has a question mark as its last span."""
    named = {mention.start: mention for mention in mentions}
    counted = {number.start: number for number in numbers}
    found: list[Span] = []
    i = sentence.start
    while i < sentence.end:
        mention, number, token = named.get(i), counted.get(i), tokens[i]
        if mention is not None:
            issues = tuple(dict.fromkeys(meaning.issue for meaning in mention.meanings))
            kind = VALUE if all(meaning.value for meaning in mention.meanings) else ISSUE
            found.append(Span(kind, issues, start=i))
            i = mention.end
        elif number is not None:
            # "one" is a number and a word: "which one".
            single = number.end == i + 1 and token.is_word
            found.append(Span(token.norm if single else NUMBER, number=number.value, start=i))
            i = number.end
        else:
            if token.is_word or token.norm in _SIGNS:
                found.append(Span(token.norm, start=i))
            i += 1
    if sentence.question:
        found.append(Span(QUESTION, start=sentence.end))
    return tuple(found)


def _by_first(phrases: Iterable[str]) -> dict[str, tuple[Phrase, ...]]:
    found: dict[str, list[Phrase]] = {}
    for phrase in phrases:
        words = tuple(phrase.split(" "))
        found.setdefault(words[0], []).append(words)
    return {first: tuple(sorted(some, key=lambda words: -len(words))) for first, some in found.items()}


def _phrase_ends(step: Step, spans: Sequence[Span], at: int) -> Iterator[int]:
    if spans[at].number is not None and NUMBER in step.phrases:
        yield at + 1
    for phrase in step.phrases.get(spans[at].word, ()):
        end = at + len(phrase)
        if all(k < len(spans) and spans[k].word == word for k, word in enumerate(phrase, at)):
            yield end


def _list_ends(spans: Sequence[Span], at: int, loose: Loose) -> Iterator[int]:
    """Behind a list of issues, the longest first: "food, water and some firewood"."""
    if spans[at].word != ISSUE:
        return
    ends = [at + 1]
    i = at + 1
    joined = False
    while i < len(spans):
        word = spans[i].word
        if word == ISSUE and joined:
            ends.append(i + 1)
            joined = False
        elif word in loose.joiners:
            joined = True
        elif word not in loose.fillers:
            break
        i += 1
    yield from reversed(ends)
