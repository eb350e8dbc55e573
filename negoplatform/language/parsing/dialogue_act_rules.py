"""Dialogue acts of a text without its context: greet, accept, refuse, state a preference, threaten …"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

from negoplatform.core.events import MessageSubtype, Preference, Relation
from negoplatform.language.parsing.grammar.pattern_matcher import Match, PatternSet
from negoplatform.language.parsing.grammar.pattern_syntax import (
    ISSUE,
    QUESTION,
    VALUE,
    Grammar,
    Pattern,
    PatternToken,
    pattern_tokens,
)
from negoplatform.language.parsing.interpretation import DialogueAct, Need
from negoplatform.language.parsing.words.language_vocabulary import load_parsing_data
from negoplatform.language.parsing.words.lexicon import Lexicon
from negoplatform.language.parsing.words.tokenizer import Token, split_sentences

_COMPARES = frozenset({Relation.GREATER, Relation.LESS, Relation.EQUAL})
_MIN_STATEMENT_CONFIDENCE = 0.8
"""Minimum confidence of a statement that refers to the issue named before it ("I need it")."""


@dataclass(frozen=True, slots=True)
class DialogueActRule:
    """Meaning of a group of patterns.

    Args:
        act: The dialogue act.
        confidence: Its confidence where one of the patterns matches, 0 to 1.
        need: The need that it states for the issues in its slots.
        relation: The preference relation that it states or asks about.
        is_question: Whether it asks about the preference.
        batna: Whether its number is the speaker's value of no deal.
        needs_proposal: Whether it counts only as an answer to a proposal ("sounds good").
        needs_preference: Whether it counts only after a statement of preference ("and you?").
        small_talk_only: Whether it counts only in a sentence without issues and numbers.
        blocking_category: The category of words that cancel it if they precede it in the sentence ("I hope we
            have enough").
    """

    act: MessageSubtype
    confidence: float
    need: Need | None = None
    relation: Relation | None = None
    is_question: bool = False
    batna: bool = False
    needs_proposal: bool = False
    needs_preference: bool = False
    small_talk_only: bool = False
    blocking_category: str = ""


@dataclass(frozen=True, slots=True)
class ConditionalAct:
    """Dialogue act with the conditions under which it counts."""

    act: DialogueAct
    needs_proposal: bool = False
    needs_preference: bool = False


@dataclass(frozen=True, slots=True)
class UtteranceActs:
    """Dialogue acts of a text, independent of the dialogue before it.

    Args:
        conditional_acts: The acts in text order.
        cues: Short cues: ``yes``, ``no``, ``refuses`` (nothing but no), ``names`` (nothing but issues),
            ``least`` (asks for what matters least), ``changes`` (a yes with a change), ``asks_yes`` (asks
            for a yes), ``opinion`` (asks for an opinion about one term), ``halfway`` or ``hedge``; see
            ``short`` in the language's ``acts.json``.
        named: The issues of the cue ``names``.
        about: The issues that the text mentions, in text order.
        mentions_terms: Whether a sentence names a number and an issue, or a value: usually a proposal.
        hedged: Whether the text contains a question, a condition or an objection.
    """

    conditional_acts: tuple[ConditionalAct, ...] = ()
    cues: frozenset[str] = frozenset()
    named: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    mentions_terms: bool = False
    hedged: bool = False


class DialogueActRules:
    """Compiled rules of one language; get them by ``dialogue_act_rules``.

    Args:
        language: The folder below ``language/data/understanding``.

    Raises:
        NegoError: If a pattern of the language is malformed.
    """

    def __init__(self, language: str) -> None:
        read = load_parsing_data(language, "acts")
        words: Mapping[str, list[str]] = read["words"]
        grammar = Grammar(words)
        self._rules = tuple(_load_rule(entry) for entry in read["rules"])
        self._inverting_words = frozenset(words["inverts"])
        self._blocking_words = {
            rule.blocking_category: frozenset(words[rule.blocking_category])
            for rule in self._rules
            if rule.blocking_category
        }
        self._cues = tuple(read["short"])
        texts = [(text, index) for index, entry in enumerate(read["rules"]) for text in entry["patterns"]]
        # Cues are matched in the same pass; their indices follow those of the rules.
        for index, name in enumerate(self._cues, len(self._rules)):
            texts += [(text, index) for text in read["short"][name]]
        self._patterns = PatternSet(
            ((Pattern(text, grammar), index) for text, index in texts), grammar.function_words
        )

    def find_matches(self, spans: Sequence[PatternToken]) -> list[tuple[int, Match]]:
        """Return the pattern matches of a sentence, the input of ``find_acts`` and ``find_cues``."""
        return self._patterns.find_matches(spans)

    def find_acts(
        self, matches: Sequence[tuple[int, Match]], spans: Sequence[PatternToken], before: str | None
    ) -> Iterator[ConditionalAct]:
        """Yield the acts of a sentence, except those inside a longer match of another act.

        Args:
            matches: The pattern matches of the sentence.
            spans: The sentence.
            before: The issue that was named last before it.
        """
        rules = len(self._rules)
        found = [(self._rules[index], match) for index, match in matches if index < rules]
        for rule, match in found:
            if not self._is_blocked(rule, match, spans) and not _is_covered(rule, match, found):
                for act in _matched_acts(rule, match, _named_before(spans, match.start, before)):
                    yield ConditionalAct(act, rule.needs_proposal, rule.needs_preference)

    def _is_blocked(self, rule: DialogueActRule, match: Match, spans: Sequence[PatternToken]) -> bool:
        """Return whether a rule does not count in this sentence."""
        if rule.small_talk_only and any(span.issues or span.number is not None for span in spans):
            return True
        if rule.blocking_category and any(
            span.word in self._blocking_words[rule.blocking_category] for span in spans[: match.start]
        ):
            return True
        return rule.act == MessageSubtype.PREF_INFO and self._is_question(spans, match.start)

    def _is_question(self, spans: Sequence[PatternToken], start: int) -> bool:
        """Return whether the statement at an index is asked rather than stated: "can I have …?"."""
        inverted = start > 0 and spans[start - 1].word in self._inverting_words
        return inverted and spans[-1].word == QUESTION

    def find_cues(self, matches: Sequence[tuple[int, Match]]) -> Iterator[tuple[str, Match]]:
        """Yield the short cues of a sentence by name; ``matches`` are its pattern matches."""
        rules = len(self._rules)
        return ((self._cues[index - rules], match) for index, match in matches if index >= rules)


@cache
def dialogue_act_rules(language: str) -> DialogueActRules:
    """Return the rules of a language; they are loaded once."""
    return DialogueActRules(language)


def utterance_acts(tokens: Sequence[Token], lexicon: Lexicon, language: str) -> UtteranceActs:
    """Return the dialogue acts of a text, independent of its context.

    Args:
        tokens: The text as tokenized by the lexicon.
        lexicon: The lexicon of the game.
        language: The language of the text.
    """
    return _analyze(tuple(tokens), lexicon, language)


# Every text is analysed again as history of the next ones.
@lru_cache(maxsize=512)
def _analyze(tokens: tuple[Token, ...], lexicon: Lexicon, language: str) -> UtteranceActs:
    rules = dialogue_act_rules(language)
    mentions, numbers = lexicon.mentions(tokens), lexicon.numbers(tokens)
    sayings: list[ConditionalAct] = []
    short: set[str] = set()
    named: tuple[str, ...] = ()
    about: list[str] = []
    hedged = counts = False
    for sentence in split_sentences(tokens):
        spans = pattern_tokens(tokens, sentence, mentions, numbers)
        matches = rules.find_matches(spans)
        sayings.extend(rules.find_acts(matches, spans, about[-1] if about else None))
        for name, match in rules.find_cues(matches):
            short.add(name)
            named = named or tuple(issue for names in match.bound for issue in names)
        about.extend(issue for span in spans for issue in span.issues if len(span.issues) == 1)
        hedged = hedged or sentence.question
        counts = counts or _mentions_terms(spans)
    hedged = hedged or "hedge" in short
    return UtteranceActs(tuple(sayings), frozenset(short), named, tuple(dict.fromkeys(about)), counts, hedged)


def _mentions_terms(spans: Sequence[PatternToken]) -> bool:
    numbered = any(span.number is not None for span in spans)
    return any(span.word == VALUE or (numbered and span.word == ISSUE) for span in spans)


def _matched_acts(rule: DialogueActRule, match: Match, before: str | None) -> Iterator[DialogueAct]:
    issues = [name for names in match.bound for name in names]
    act = partial(DialogueAct, rule.act, rule.confidence, need=rule.need, batna=_batna(rule, match))
    if rule.relation is not None:
        asks_openly = rule.is_question and not match.bound
        here: list[str | None] = [*issues] if issues or asks_openly else [before]
        preference = _preference(rule, rule.relation, here)
        if preference is not None:
            yield act(preference=preference, issue=preference.issue1 or None)
    elif issues:
        for issue in dict.fromkeys(issues):
            yield act(issue=issue)
    else:
        about = before if rule.need is not None and rule.confidence >= _MIN_STATEMENT_CONFIDENCE else None
        yield act(issue=about)


def _batna(rule: DialogueActRule, match: Match) -> float | None:
    return float(match.number) if rule.batna and match.number is not None else None


def _preference(rule: DialogueActRule, relation: Relation, issues: Sequence[str | None]) -> Preference | None:
    named = [issue for issue in dict.fromkeys(issues) if issue is not None]
    if relation in _COMPARES:
        return Preference(named[0], relation, named[1], rule.is_question) if len(named) > 1 else None
    if not named and not rule.is_question:
        return None
    return Preference(
        named[0] if named else "", relation, None, rule.is_question
    )  # "What matters least to you?"


def _named_before(spans: Sequence[PatternToken], start: int, before: str | None) -> str | None:
    """Return the issue that was named last before an index."""
    named = (span.issues[0] for span in reversed(spans[:start]) if len(span.issues) == 1)
    return next(named, before)


def _is_covered(rule: DialogueActRule, match: Match, found: Sequence[tuple[DialogueActRule, Match]]) -> bool:
    """Return whether a match lies inside a longer match of another act."""
    start, end = match.start, match.end
    return any(
        other.start <= start and end <= other.end and other.end - other.start > end - start
        for of, other in found
        if of.act != rule.act
    )


def _load_rule(entry: Mapping[str, Any]) -> DialogueActRule:
    need, relation = entry.get("need"), entry.get("relation")
    return DialogueActRule(
        MessageSubtype(entry["act"]),
        entry["sure"],
        need=None if need is None else Need(need),
        relation=None if relation is None else Relation(relation),
        is_question=entry.get("asks", False),
        batna=entry.get("batna", False),
        needs_proposal=entry.get("answers", False),
        needs_preference=entry.get("follows", False),
        small_talk_only=entry.get("alone", False),
        blocking_category=entry.get("unless", ""),
    )
