"""Simultaneous matching of many patterns: a common beginning is matched once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from negoplatform.language.parsing.grammar.pattern_syntax import (
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
from negoplatform.language.parsing.words.language_vocabulary import Phrase

_MOST_FILLERS = 12
"""Maximum number of consecutive fillers that are skipped; people type up to five."""
_LONGEST_LIST = 40
"""Maximum number of spans of a list of issues."""
_MAX_STEPS = 4_000
"""Maximum number of steps per sentence; natural text needs at most ten per word."""

Bound = tuple[tuple[str, ...], ...]
"""Issues that each slot of a pattern is bound to, in slot order."""


@dataclass(frozen=True, slots=True)
class Match:
    """Match of a pattern.

    Args:
        start: The index of the first span.
        end: The index behind the last span.
        bound: The issues bound to its slots.
        number: The last number in it, if it has a slot for one.
    """

    start: int
    end: int
    bound: Bound = ()
    number: int | float | None = None


class _TrieNode:
    """Trie node: patterns with a common beginning share it.

    Attributes:
        complete: The indices of the patterns that end here.
        edges: The consuming steps, each with its target.
        edges_by_word: The same by first word, where there are many; empty elsewhere.
        after_gap: The targets of gaps, each with the gap's length.
        after_optional: The targets of optional steps that are left out.
        required_words: Sets of words, of each of which the rest of a pattern needs at least one.
    """

    __slots__ = ("after_gap", "after_optional", "complete", "edges", "edges_by_word", "required_words")

    def __init__(self) -> None:
        # There are thousands of nodes: empty tuples are shared, lists and sets are not.
        self.complete: tuple[int, ...] = ()
        self.edges: tuple[_Edge, ...] = ()
        self.edges_by_word: Mapping[str, Sequence[_Edge]] = _NO_EDGES
        self.after_gap: tuple[tuple[int, _TrieNode], ...] = ()
        self.after_optional: tuple[_TrieNode, ...] = ()
        self.required_words: frozenset[str] = frozenset()

    def add_edge(self, step: PatternStep, child: _TrieNode) -> None:
        """Add a step and its target."""
        if step.phrases:
            self.edges = (*self.edges, (step, child))
        if step.gap:
            self.after_gap = (*self.after_gap, (step.gap, child))
        if step.optional:
            self.after_optional = (*self.after_optional, child)

    def index_edges(self) -> None:
        """Index the steps by their first words."""
        found: dict[str, list[_Edge]] = {}
        for way in self.edges:
            for word in way[0].phrases:
                found.setdefault(word, []).append(way)
        self.edges_by_word = found

    def edges_for(self, word: str) -> Iterable[_Edge]:
        """Return the steps that may begin with a word."""
        if self.edges_by_word:
            return self.edges_by_word.get(word, ())
        return [way for way in self.edges if word in way[0].phrases]


_Edge = tuple[PatternStep, _TrieNode]
_NO_EDGES: Mapping[str, Sequence[_Edge]] = MappingProxyType({})
_MIN_INDEXED_EDGES = 12
"""Number of steps from which on a node indexes them."""


class _TrieSearch:
    """Search for all patterns at once in one sentence.

    If a pattern matches in several ways, the first one counts: short gaps before long ones, fillers kept
    before skipped, long phrases before short ones, optional steps present before missing.
    """

    def __init__(self, spans: Sequence[PatternToken], loose: FunctionWords) -> None:
        self._spans = spans
        self._function_words = loose
        self._keys = _keys(spans)
        # The words from each index on: a pattern that requires others cannot match any more.
        self._words_from = [frozenset((END,))]
        for keys in reversed(self._keys):
            self._words_from.append(self._words_from[-1].union(keys))
        self._words_from.reverse()
        self._steps = 0
        self._start = 0
        self._found: dict[int, Match] = {}
        self._seen: set[tuple[_TrieNode, int, int]] = set()

    def matches_from(self, root: _TrieNode, start: int) -> dict[int, Match]:
        """Return the matches that begin at an index, by pattern."""
        self._start, self._found, self._seen = start, {}, set()
        self._follow_edges(root, start, (), None)
        return self._found

    def _visit(self, node: _TrieNode, i: int, last: int, bound: Bound, number: int | float | None) -> None:
        """Continue from a node; the next step begins at an index from i to last."""
        way = (node, i, last)
        # A second visit would find the same matches.
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
        """Follow the steps that begin exactly at an index."""
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
        """Return the furthest index that a gap may reach: a negation is never skipped."""
        end = min(i + most, len(self._spans))
        while i < end and self._spans[i].word not in self._function_words.negations:
            i += 1
        return i

    def _fillers_end(self, i: int) -> int:
        """Return the furthest index that fillers reach; a step may begin before, among or behind them."""
        end = min(i + _MOST_FILLERS, len(self._spans))
        while i < end and self._spans[i].word in self._function_words.fillers:
            i += 1
        return i


def _keys(spans: Sequence[PatternToken]) -> list[tuple[str, ...]]:
    """Return the words with which a step may begin at each index of a sentence, and at its end."""
    keys: list[tuple[str, ...]] = [
        (span.word,) if span.number is None or span.word == NUMBER else (NUMBER, span.word) for span in spans
    ]
    keys.append((END,))
    if spans and spans[-1].word == QUESTION:
        keys[-2] = (QUESTION, END)
    keys[0] = (START, *keys[0])
    return keys


def _named(spans: Iterable[PatternToken]) -> tuple[str, ...]:
    """Return the issues that spans name unambiguously."""
    return tuple(dict.fromkeys(name for span in spans if len(span.issues) == 1 for name in span.issues))


class PatternSet:
    """Patterns with their indices, matched together.

    Args:
        patterns: Pairs of a pattern and the caller's index for it.
        loose: The words that patterns need not mention.
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
        """Return all matches with their pattern's index, in order of their first spans."""
        walk = _TrieSearch(spans, self._function_words)
        found: list[tuple[int, Match]] = []
        for start in range(len(spans)):
            matched = walk.matches_from(self._root, start)
            found += [(self._indices[pattern], matched[pattern]) for pattern in sorted(matched)]
        return found


def _rarest_words(steps: Iterable[PatternStep], usual: Mapping[str, int]) -> Iterable[str]:
    """Return the words of the rarest mandatory step, by how usual its words are.

    If no step is mandatory, return the end of the sentence, which every sentence has.
    """
    needed = (step.phrases for step in steps if step.phrases and not step.optional)
    return min(needed, key=lambda words: sum(usual[word] for word in words), default=(END,))


def _phrase_ends(phrases: Iterable[Phrase], spans: Sequence[PatternToken], at: int) -> Iterator[int]:
    """Yield the index behind each phrase that matches here."""
    for phrase in phrases:
        end = at + len(phrase)
        if end == at + 1 or tuple([span.word for span in spans[at:end]]) == phrase:
            yield end


def _list_ends(spans: Sequence[PatternToken], at: int, loose: FunctionWords) -> Iterator[int]:
    """Yield the index behind a list of issues, the longest first: "food, water and some firewood"."""
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
