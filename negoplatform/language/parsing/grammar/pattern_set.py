"""Many patterns looked for at once: those that begin with the same steps are tried as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from negoplatform.language.parsing.grammar.patterns import (
    END,
    ISSUE,
    NUMBER,
    QUESTION,
    START,
    Loose,
    Pattern,
    Span,
    Step,
)
from negoplatform.language.parsing.vocabulary import Phrase

_MOST_FILLERS = 12
"""So many filling words in a row are skipped; people write up to five."""
_LONGEST_LIST = 40
"""So many spans of a list of issues are looked at."""
_MOST_TRIES = 4_000
"""So many steps are tried in one sentence; what people write needs ten for a word, at most."""

Bound = tuple[tuple[str, ...], ...]
"""What the slots of a pattern stand for, in their order: the issues that each of them names."""


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


class _Node:
    """A place within patterns: those that begin with the same steps share it, and are tried as one.

    Attributes:
        whole: The patterns that end here, by their number.
        ways: The steps on that take something, each with where it leads.
        by_word: The same by the words that they begin with, where there are many; empty elsewhere.
        behind_gap: Where gaps lead, each with its length.
        behind_optional: Where a step leads that may be missing, once it is missing.
        ahead: Words of which each pattern that comes this way still needs one at least.
    """

    __slots__ = ("ahead", "behind_gap", "behind_optional", "by_word", "ways", "whole")

    def __init__(self) -> None:
        # There are thousands: empty tuples are shared, lists and sets are not.
        self.whole: tuple[int, ...] = ()
        self.ways: tuple[_Way, ...] = ()
        self.by_word: Mapping[str, Sequence[_Way]] = _NO_WAYS
        self.behind_gap: tuple[tuple[int, _Node], ...] = ()
        self.behind_optional: tuple[_Node, ...] = ()
        self.ahead: frozenset[str] = frozenset()

    def lead(self, step: Step, child: _Node) -> None:
        """Adds where a step leads."""
        if step.phrases:
            self.ways = (*self.ways, (step, child))
        if step.gap:
            self.behind_gap = (*self.behind_gap, (step.gap, child))
        if step.optional:
            self.behind_optional = (*self.behind_optional, child)

    def index(self) -> None:
        """Sorts the ways on by their first words."""
        found: dict[str, list[_Way]] = {}
        for way in self.ways:
            for word in way[0].phrases:
                found.setdefault(word, []).append(way)
        self.by_word = found

    def ways_by(self, word: str) -> Iterable[_Way]:
        """The ways on that may begin with a word."""
        if self.by_word:
            return self.by_word.get(word, ())
        return [way for way in self.ways if word in way[0].phrases]


_Way = tuple[Step, _Node]
_NO_WAYS: Mapping[str, Sequence[_Way]] = MappingProxyType({})
_MANY = 12
"""Ways on that are sorted by their first words."""


class _Walk:
    """Tries all patterns at once from places of one sentence on.

    Where several ways lead through a pattern, the first one counts: short gaps before long ones, filling
    words not skipped before skipped, long phrases before short ones, what is optional there before missing.
    """

    def __init__(self, spans: Sequence[Span], loose: Loose) -> None:
        self._spans = spans
        self._loose = loose
        self._keys = _keys(spans)
        # The words from each place on: what needs others cannot fit any more.
        self._ahead = [frozenset((END,))]
        for keys in reversed(self._keys):
            self._ahead.append(self._ahead[-1].union(keys))
        self._ahead.reverse()
        self._tries = 0
        self._start = 0
        self._found: dict[int, Match] = {}
        self._seen: set[tuple[_Node, int, int]] = set()

    def from_place(self, root: _Node, start: int) -> dict[int, Match]:
        """The patterns that begin at a place, by their number, with where they fit."""
        self._start, self._found, self._seen = start, {}, set()
        self._take(root, start, (), None)
        return self._found

    def _go(self, node: _Node, i: int, last: int, bound: Bound, number: int | float | None) -> None:
        """Goes on from a node; the next step begins at a place from the i-th to the last."""
        way = (node, i, last)
        # Who comes here a second time finds what was found, or missed, the first time.
        if way in self._seen or self._tries >= _MOST_TRIES:
            return
        self._tries += 1
        self._seen.add(way)
        for pattern in node.whole:
            self._found.setdefault(pattern, Match(self._start, i, bound, number))
        for most, child in node.behind_gap:
            if not child.ahead.isdisjoint(self._ahead[i]):
                self._go(child, i, self._gap_end(last, most), bound, number)
        if node.ways:
            for at in range(i, self._fillers_end(last) + 1):
                self._take(node, at, bound, number)
        for child in node.behind_optional:
            self._go(child, i, last, bound, number)

    def _take(self, node: _Node, at: int, bound: Bound, number: int | float | None) -> None:
        """Takes the steps that begin just at a place."""
        for key in self._keys[at]:
            for step, child in node.ways_by(key):
                slot = step.slot
                if child.ahead.isdisjoint(self._ahead[at]):
                    continue
                if slot == "edge":
                    self._go(child, at, at, bound, number)
                elif slot == "number":
                    self._go(child, at + 1, at + 1, bound, self._spans[at].number)
                elif slot:
                    ends = _list_ends(self._spans, at, self._loose) if slot == "issues" else (at + 1,)
                    for end in ends:
                        self._go(child, end, end, (*bound, _named(self._spans[at:end])), number)
                else:
                    for end in _phrase_ends(step.phrases[key], self._spans, at):
                        self._go(child, end, end, bound, number)

    def _gap_end(self, i: int, most: int) -> int:
        """How far a gap may reach: a negation is never skipped."""
        end = min(i + most, len(self._spans))
        while i < end and self._spans[i].word not in self._loose.negations:
            i += 1
        return i

    def _fillers_end(self, i: int) -> int:
        """How far filling words reach; a step may begin before, among or behind them."""
        end = min(i + _MOST_FILLERS, len(self._spans))
        while i < end and self._spans[i].word in self._loose.fillers:
            i += 1
        return i


def _keys(spans: Sequence[Span]) -> list[tuple[str, ...]]:
    """The words that a step may begin with at each place of a sentence, and at its end."""
    keys: list[tuple[str, ...]] = [
        (span.word,) if span.number is None or span.word == NUMBER else (NUMBER, span.word) for span in spans
    ]
    keys.append((END,))
    if spans and spans[-1].word == QUESTION:
        keys[-2] = (QUESTION, END)
    keys[0] = (START, *keys[0])
    return keys


def _named(spans: Iterable[Span]) -> tuple[str, ...]:
    """The issues that spans name for sure."""
    return tuple(dict.fromkeys(name for span in spans if len(span.issues) == 1 for name in span.issues))


class PatternSet:
    """Patterns, each with what it stands for; those that begin alike are tried together.

    Args:
        patterns: Pairs of a pattern and an index that the caller knows it by.
        loose: The words that they need not write down.
    """

    def __init__(self, patterns: Iterable[tuple[Pattern, int]], loose: Loose) -> None:
        held = tuple(patterns)
        usual = Counter(word for pattern, _ in held for step in pattern.steps for word in step.phrases)
        self._loose = loose
        self._indices = tuple(index for _, index in held)
        self._root = _Node()
        children: dict[tuple[_Node, Step], _Node] = {}
        ahead: dict[_Node, set[str]] = {}
        for number, (pattern, _) in enumerate(held):
            node = self._root
            for k, step in enumerate(pattern.steps, 1):
                if (node, step) not in children:
                    children[node, step] = child = _Node()
                    node.lead(step, child)
                node = children[node, step]
                ahead.setdefault(node, set()).update(_rarest(pattern.steps[k:], usual))
            node.whole = (*node.whole, number)
        shared: dict[frozenset[str], frozenset[str]] = {}
        for node, words in ahead.items():
            frozen = frozenset(words)
            node.ahead = shared.setdefault(frozen, frozen)
        for node in (self._root, *ahead):
            if len(node.ways) > _MANY:
                node.index()

    def matches(self, spans: Sequence[Span]) -> list[tuple[int, Match]]:
        """Every pattern that fits, by its index, in the order of the places where they begin."""
        walk = _Walk(spans, self._loose)
        found: list[tuple[int, Match]] = []
        for start in range(len(spans)):
            matched = walk.from_place(self._root, start)
            found += [(self._indices[pattern], matched[pattern]) for pattern in sorted(matched)]
        return found


def _rarest(steps: Iterable[Step], usual: Mapping[str, int]) -> Iterable[str]:
    """The words of the step that is met most rarely, of those that may not be missing.

    The end of the sentence, which is always met, where all may.
    """
    needed = (step.phrases for step in steps if step.phrases and not step.optional)
    return min(needed, key=lambda words: sum(usual[word] for word in words), default=(END,))


def _phrase_ends(phrases: Iterable[Phrase], spans: Sequence[Span], at: int) -> Iterator[int]:
    """Behind each phrase that stands at a place, of those that begin with its word."""
    for phrase in phrases:
        end = at + len(phrase)
        if end == at + 1 or tuple([span.word for span in spans[at:end]]) == phrase:
            yield end


def _list_ends(spans: Sequence[Span], at: int, loose: Loose) -> Iterator[int]:
    """Behind a list of issues, the longest first: "food, water and some firewood"."""
    if spans[at].word != ISSUE:
        return
    ends = [at + 1]
    joined = False
    for i in range(at + 1, min(at + _LONGEST_LIST, len(spans))):
        word = spans[i].word
        if word == ISSUE and joined:
            ends.append(i + 1)
            joined = False
        elif word in loose.joiners:
            joined = True
        elif word not in loose.fillers:
            break
    yield from reversed(ends)
