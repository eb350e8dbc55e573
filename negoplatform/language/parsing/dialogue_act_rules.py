"""What words do by themselves: greet, accept, refuse, ask for an offer, state a preference, threaten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

from negoplatform.core.events import MessageSubtype, Preference, Relation
from negoplatform.language.parsing.grammar.pattern_set import Match, PatternSet
from negoplatform.language.parsing.grammar.patterns import (
    ISSUE,
    QUESTION,
    VALUE,
    Grammar,
    Pattern,
    Span,
    spans_of,
)
from negoplatform.language.parsing.interpretation import Act, Need
from negoplatform.language.parsing.lexicon import Lexicon
from negoplatform.language.parsing.tokenizer import Token, sentences
from negoplatform.language.parsing.vocabulary import understanding_data

_COMPARES = frozenset({Relation.GREATER, Relation.LESS, Relation.EQUAL})
_STATED = 0.8
"""From so sure on a statement is about what was just named, where it names nothing itself ("I need it")."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What patterns stand for.

    Args:
        act: The speech act.
        sure: How sure it is where one of the patterns fits, 0 to 1.
        need: What a statement says about wanting the issues that fill its slots.
        relation: The preference that it states or asks about.
        asks: Whether it asks about it.
        batna: Whether its number is the speaker's value of no deal.
        answers: Whether it only counts as an answer to a proposal ("sounds good").
        alone: Whether it only counts in a sentence that speaks of nothing that is negotiated: small talk.
        unless: The category of words before it in the sentence that undo it ("I hope we have enough").
        follows: Whether it only counts behind a statement of preference ("and you?").
    """

    act: MessageSubtype
    sure: float
    need: Need | None = None
    relation: Relation | None = None
    asks: bool = False
    batna: bool = False
    answers: bool = False
    follows: bool = False
    alone: bool = False
    unless: str = ""


@dataclass(frozen=True, slots=True)
class Saying:
    """An act, and under which conditions it is one."""

    act: Act
    answers: bool = False
    follows: bool = False


@dataclass(frozen=True, slots=True)
class Utterance:
    """What a text does by itself, whatever was said before.

    Args:
        sayings: The acts, in the order of the words.
        short: What it says in short: ``yes``, ``no``, ``refuses`` (nothing but no), ``names`` (nothing but
            issues), ``least`` (it asks for what matters least), ``changes`` (a yes with a change),
            ``asks_yes`` (it asks for a yes), ``halfway`` or ``hedge``; see ``short`` in the language's
            ``acts.json``.
        named: The issues that ``names`` has.
        about: The issues that are spoken of, in the order of the words.
        counts: Whether one of its sentences names a number and an issue, or a value: a proposal, as a rule.
        hedged: Whether it asks, or puts a condition or an objection somewhere.
    """

    sayings: tuple[Saying, ...] = ()
    short: frozenset[str] = frozenset()
    named: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    counts: bool = False
    hedged: bool = False

    def has(self, *subtypes: MessageSubtype) -> bool:
        """Whether it does one of these, conditions aside."""
        return any(saying.act.subtype in subtypes for saying in self.sayings)


class Rules:
    """The rules of one language, ready to be matched.

    Get them by ``rules_of``.

    Args:
        language: The folder of ``language/data/understanding``.

    Raises:
        NegoError: If the language's patterns are not written as they have to be.
    """

    def __init__(self, language: str) -> None:
        read = understanding_data(language, "acts")
        words: Mapping[str, list[str]] = read["words"]
        grammar = Grammar(words)
        self._rules = tuple(_rule(entry) for entry in read["rules"])
        self._inverts = frozenset(words["inverts"])
        self._undoing = {rule.unless: frozenset(words[rule.unless]) for rule in self._rules if rule.unless}
        self._short = tuple(read["short"])
        texts = [(text, index) for index, entry in enumerate(read["rules"]) for text in entry["patterns"]]
        # What is said in short is looked for at the same time, under the numbers behind those of the rules.
        for index, name in enumerate(self._short, len(self._rules)):
            texts += [(text, index) for text in read["short"][name]]
        self._patterns = PatternSet(((Pattern(text, grammar), index) for text, index in texts), grammar.loose)

    def matches(self, spans: Sequence[Span]) -> list[tuple[int, Match]]:
        """Where patterns fit in a sentence: what ``sayings`` and ``short`` go by."""
        return self._patterns.matches(spans)

    def sayings(
        self, matches: Sequence[tuple[int, Match]], spans: Sequence[Span], before: str | None
    ) -> Iterator[Saying]:
        """What a sentence does; what lies within a longer match of another act is left out.

        Args:
            matches: Where patterns fit in it.
            spans: The sentence.
            before: The issue that was named last before it.
        """
        rules = len(self._rules)
        found = [(self._rules[index], match) for index, match in matches if index < rules]
        for rule, match in found:
            if not self._out_of_place(rule, match, spans) and not _is_covered(rule, match, found):
                for act in _acts(rule, match, _named_before(spans, match.start, before)):
                    yield Saying(act, rule.answers, rule.follows)

    def _out_of_place(self, rule: Rule, match: Match, spans: Sequence[Span]) -> bool:
        """Whether a rule does not count in this sentence."""
        if rule.alone and any(span.issues or span.number is not None for span in spans):
            return True
        if rule.unless and any(span.word in self._undoing[rule.unless] for span in spans[: match.start]):
            return True
        return rule.act == MessageSubtype.PREF_INFO and self._asks(spans, match.start)

    def _asks(self, spans: Sequence[Span], start: int) -> bool:
        """Whether what begins at a place is asked and not stated: "can I have …?"."""
        inverted = start > 0 and spans[start - 1].word in self._inverts
        return inverted and spans[-1].word == QUESTION

    def short(self, matches: Sequence[tuple[int, Match]]) -> Iterator[tuple[str, Match]]:
        """What a sentence says in short, by name; ``matches`` is where patterns fit in it."""
        rules = len(self._rules)
        return ((self._short[index - rules], match) for index, match in matches if index >= rules)


@cache
def rules_of(language: str) -> Rules:
    """The rules of a language, read once."""
    return Rules(language)


def utterance_of(tokens: Sequence[Token], lexicon: Lexicon, language: str) -> Utterance:
    """What a text does by itself.

    Args:
        tokens: The text, cut by the lexicon.
        lexicon: The words of the game.
        language: The language of the words.
    """
    return _utterance(tuple(tokens), lexicon, language)


# Every text is looked at again when the next ones are understood.
@lru_cache(maxsize=512)
def _utterance(tokens: tuple[Token, ...], lexicon: Lexicon, language: str) -> Utterance:
    rules = rules_of(language)
    mentions, numbers = lexicon.mentions(tokens), lexicon.numbers(tokens)
    sayings: list[Saying] = []
    short: set[str] = set()
    named: tuple[str, ...] = ()
    about: list[str] = []
    hedged = counts = False
    for sentence in sentences(tokens):
        spans = spans_of(tokens, sentence, mentions, numbers)
        matches = rules.matches(spans)
        sayings.extend(rules.sayings(matches, spans, about[-1] if about else None))
        for name, match in rules.short(matches):
            short.add(name)
            named = named or tuple(issue for names in match.bound for issue in names)
        about.extend(issue for span in spans for issue in span.issues if len(span.issues) == 1)
        hedged = hedged or sentence.question
        counts = counts or _counts(spans)
    hedged = hedged or "hedge" in short
    return Utterance(tuple(sayings), frozenset(short), named, tuple(dict.fromkeys(about)), counts, hedged)


def _counts(spans: Sequence[Span]) -> bool:
    numbered = any(span.number is not None for span in spans)
    return any(span.word == VALUE or (numbered and span.word == ISSUE) for span in spans)


def _acts(rule: Rule, match: Match, before: str | None) -> Iterator[Act]:
    issues = [name for names in match.bound for name in names]
    act = partial(Act, rule.act, rule.sure, need=rule.need, batna=_batna(rule, match))
    if rule.relation is not None:
        asks_openly = rule.asks and not match.bound
        here: list[str | None] = [*issues] if issues or asks_openly else [before]
        preference = _preference(rule, rule.relation, here)
        if preference is not None:
            yield act(preference=preference, issue=preference.issue1 or None)
    elif issues:
        for issue in dict.fromkeys(issues):
            yield act(issue=issue)
    else:
        about = before if rule.need is not None and rule.sure >= _STATED else None
        yield act(issue=about)


def _batna(rule: Rule, match: Match) -> float | None:
    return float(match.number) if rule.batna and match.number is not None else None


def _preference(rule: Rule, relation: Relation, issues: Sequence[str | None]) -> Preference | None:
    named = [issue for issue in dict.fromkeys(issues) if issue is not None]
    if relation in _COMPARES:
        return Preference(named[0], relation, named[1], rule.asks) if len(named) > 1 else None
    if not named and not rule.asks:
        return None
    return Preference(named[0] if named else "", relation, None, rule.asks)  # "What matters least to you?"


def _named_before(spans: Sequence[Span], start: int, before: str | None) -> str | None:
    """The issue that was named last before a place."""
    named = (span.issues[0] for span in reversed(spans[:start]) if len(span.issues) == 1)
    return next(named, before)


def _is_covered(rule: Rule, match: Match, found: Sequence[tuple[Rule, Match]]) -> bool:
    """Whether a match lies within a longer one of another act."""
    start, end = match.start, match.end
    return any(
        other.start <= start and end <= other.end and other.end - other.start > end - start
        for of, other in found
        if of.act != rule.act
    )


def _rule(entry: Mapping[str, Any]) -> Rule:
    need, relation = entry.get("need"), entry.get("relation")
    return Rule(
        MessageSubtype(entry["act"]),
        entry["sure"],
        need=None if need is None else Need(need),
        relation=None if relation is None else Relation(relation),
        asks=entry.get("asks", False),
        batna=entry.get("batna", False),
        answers=entry.get("answers", False),
        follows=entry.get("follows", False),
        alone=entry.get("alone", False),
        unless=entry.get("unless", ""),
    )
