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
    FunctionWords,
    Pattern,
    PatternStep,
    PatternToken,
)
from negoplatform.language.parsing.vocabulary import Phrase

_MOST_FILLERS = 12
"""So many filling words in a row are skipped; people write up to five."""
_LONGEST_LIST = 40
"""So many spans of a list of issues are looked at."""
_MAX_STEPS = 4_000
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


class _TrieNode:
    """A place within patterns: those that begin with the same steps share it, and are tried as one.

    Attributes:
        complete: The patterns that end here, by their number.
        edges: The steps on that take something, each with where it leads.
        edges_by_word: The same by the words that they begin with, where there are many; empty elsewhere.
        after_gap: Where gaps lead, each with its length.
        after_optional: Where a step leads that may be missing, once it is missing.
        required_words: Words of which each pattern that comes this way still needs one at least.
    """

    __slots__ = ("after_gap", "after_optional", "complete", "edges", "edges_by_word", "required_words")

    def __init__(self) -> None:
        # There are thousands: empty tuples are shared, lists and sets are not.
        self.complete: tuple[int, ...] = ()
        self.edges: tuple[_Edge, ...] = ()
        self.edges_by_word: Mapping[str, Sequence[_Edge]] = _NO_EDGES
        self.after_gap: tuple[tuple[int, _TrieNode], ...] = ()
        self.after_optional: tuple[_TrieNode, ...] = ()
        self.required_words: frozenset[str] = frozenset()

    def add_edge(self, step: PatternStep, child: _TrieNode) -> None:
        """Adds where a step leads."""
        if step.phrases:
            self.edges = (*self.edges, (step, child))
        if step.gap:
            self.after_gap = (*self.after_gap, (step.gap, child))
        if step.optional:
            self.after_optional = (*self.after_optional, child)

    def index_edges(self) -> None:
        """Sorts the ways on by their first words."""
        found: dict[str, list[_Edge]] = {}
        for way in self.edges:
            for word in way[0].phrases:
                found.setdefault(word, []).append(way)
        self.edges_by_word = found

    def edges_for(self, word: str) -> Iterable[_Edge]:
        """The ways on that may begin with a word."""
        if self.edges_by_word:
            return self.edges_by_word.get(word, ())
        return [way for way in self.edges if word in way[0].phrases]


_Edge = tuple[PatternStep, _TrieNode]
_NO_EDGES: Mapping[str, Sequence[_Edge]] = MappingProxyType({})
_MIN_INDEXED_EDGES = 12
"""Ways on that are sorted by their first words."""


class _TrieSearch:
    """Tries all patterns at once from places of one sentence on.

    Where several ways lead through a pattern, the first one counts: short gaps before long ones, filling
    words not skipped before skipped, long phrases before short ones, what is optional there before missing.
    """

    def __init__(self, spans: Sequence[PatternToken], loose: FunctionWords) -> None:
        self._spans = spans
        self._function_words = loose
        self._keys = _keys(spans)
        # The words from each place on: what needs others cannot fit any more.
        self._words_from = [frozenset((END,))]
        for keys in reversed(self._keys):
            self._words_from.append(self._words_from[-1].union(keys))
        self._words_from.reverse()
        self._steps = 0
        self._start = 0
        self._found: dict[int, Match] = {}
        self._seen: set[tuple[_TrieNode, int, int]] = set()

    def matches_from(self, root: _TrieNode, start: int) -> dict[int, Match]:
        """The patterns that begin at a place, by their number, with where they fit."""
        self._start, self._found, self._seen = start, {}, set()
        self._follow_edges(root, start, (), None)
        return self._found

    def _visit(self, node: _TrieNode, i: int, last: int, bound: Bound, number: int | float | None) -> None:
        """Goes on from a node; the next step begins at a place from the i-th to the last."""
        way = (node, i, last)
        # Who comes here a second time finds what was found, or missed, the first time.
        if way in self._seen or self._steps >= _MAX_STEPS:
            return
        self._steps += 1
        self._seen.add(way)
        for pattern in node.complete:
            self._found.setdefault(pattern, Match(self._start, i, bound, number))
        for most, child in node.after_gap:
            if not child.required_words.isdisjoint(self._words_from[i]):
                self._visit(child, i, self._gap_end(last, most), bound, number)
        if node.edges:
            for at in range(i, self._fillers_end(last) + 1):
                self._follow_edges(node, at, bound, number)
        for child in node.after_optional:
            self._visit(child, i, last, bound, number)

    def _follow_edges(self, node: _TrieNode, at: int, bound: Bound, number: int | float | None) -> None:
        """Takes the steps that begin just at a place."""
        for key in self._keys[at]:
            for step, child in node.edges_for(key):
                slot = step.slot
                if child.required_words.isdisjoint(self._words_from[at]):
                    continue
                if slot == "edge":
                    self._visit(child, at, at, bound, number)
                elif slot == "number":
                    self._visit(child, at + 1, at + 1, bound, self._spans[at].number)
                elif slot:
                    ends = (
                        _list_ends(self._spans, at, self._function_words) if slot == "issues" else (at + 1,)
                    )
                    for end in ends:
                        self._visit(child, end, end, (*bound, _named(self._spans[at:end])), number)
                else:
                    for end in _phrase_ends(step.phrases[key], self._spans, at):
                        self._visit(child, end, end, bound, number)

    def _gap_end(self, i: int, most: int) -> int:
        """How far a gap may reach: a negation is never skipped."""
        end = min(i + most, len(self._spans))
        while i < end and self._spans[i].word not in self._function_words.negations:
            i += 1
        return i

    def _fillers_end(self, i: int) -> int:
        """How far filling words reach; a step may begin before, among or behind them."""
        end = min(i + _MOST_FILLERS, len(self._spans))
        while i < end and self._spans[i].word in self._function_words.fillers:
            i += 1
        return i


def _keys(spans: Sequence[PatternToken]) -> list[tuple[str, ...]]:
    """The words that a step may begin with at each place of a sentence, and at its end."""
    keys: list[tuple[str, ...]] = [
        (span.word,) if span.number is None or span.word == NUMBER else (NUMBER, span.word) for span in spans
    ]
    keys.append((END,))
    if spans and spans[-1].word == QUESTION:
        keys[-2] = (QUESTION, END)
    keys[0] = (START, *keys[0])
    return keys


def _named(spans: Iterable[PatternToken]) -> tuple[str, ...]:
    """The issues that spans name for sure."""
    return tuple(dict.fromkeys(name for span in spans if len(span.issues) == 1 for name in span.issues))


class PatternSet:
    """Patterns, each with what it stands for; those that begin alike are tried together.

    Args:
        patterns: Pairs of a pattern and an index that the caller knows it by.
        loose: The words that they need not write down.
    """

    def __init__(self, patterns: Iterable[tuple[Pattern, int]], loose: FunctionWords) -> None:
        held = tuple(patterns)
        usual = Counter(word for pattern, _ in held for step in pattern.steps for word in step.phrases)
        self._function_words = loose
        self._indices = tuple(index for _, index in held)
        self._root = _TrieNode()
        children: dict[tuple[_TrieNode, PatternStep], _TrieNode] = {}
        ahead: dict[_TrieNode, set[str]] = {}
        for number, (pattern, _) in enumerate(held):
            node = self._root
            for k, step in enumerate(pattern.steps, 1):
                if (node, step) not in children:
                    children[node, step] = child = _TrieNode()
                    node.add_edge(step, child)
                node = children[node, step]
                ahead.setdefault(node, set()).update(_rarest_words(pattern.steps[k:], usual))
            node.complete = (*node.complete, number)
        shared: dict[frozenset[str], frozenset[str]] = {}
        for node, words in ahead.items():
            frozen = frozenset(words)
            node.required_words = shared.setdefault(frozen, frozen)
        for node in (self._root, *ahead):
            if len(node.edges) > _MIN_INDEXED_EDGES:
                node.index_edges()

    def find_matches(self, spans: Sequence[PatternToken]) -> list[tuple[int, Match]]:
        """Every pattern that fits, by its index, in the order of the places where they begin."""
        walk = _TrieSearch(spans, self._function_words)
        found: list[tuple[int, Match]] = []
        for start in range(len(spans)):
            matched = walk.matches_from(self._root, start)
            found += [(self._indices[pattern], matched[pattern]) for pattern in sorted(matched)]
        return found


def _rarest_words(steps: Iterable[PatternStep], usual: Mapping[str, int]) -> Iterable[str]:
    """The words of the step that is met most rarely, of those that may not be missing.

    The end of the sentence, which is always met, where all may.
    """
    needed = (step.phrases for step in steps if step.phrases and not step.optional)
    return min(needed, key=lambda words: sum(usual[word] for word in words), default=(END,))


def _phrase_ends(phrases: Iterable[Phrase], spans: Sequence[PatternToken], at: int) -> Iterator[int]:
    """Behind each phrase that stands at a place, of those that begin with its word."""
    for phrase in phrases:
        end = at + len(phrase)
        if end == at + 1 or tuple([span.word for span in spans[at:end]]) == phrase:
            yield end


def _list_ends(spans: Sequence[PatternToken], at: int, loose: FunctionWords) -> Iterator[int]:
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
