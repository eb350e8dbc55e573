"""Rules of topics: patterns from a language's ``topics.json``, matched in each sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from negoplatform.language.parsing.grammar.pattern_matcher import Match, PatternSet
from negoplatform.language.parsing.grammar.pattern_syntax import (
    NUMBER,
    VALUE,
    Grammar,
    Pattern,
    PatternToken,
)
from negoplatform.language.parsing.words.language_vocabulary import Phrase, load_parsing_data
from negoplatform.language.topic_text import TopicSentence, TopicText, word_corrections

_ALL = "*"


@dataclass(frozen=True, slots=True)
class TopicRule:
    """Meaning of a group of patterns.

    Args:
        topic: The topic; empty for a rule that only cancels others.
        cancels: The topics that do not count in a sentence where one of the patterns matches; ``*`` for all.
        most_words: The maximum number of words of the whole text; 0 for any number.
        short: The maximum number of words of the sentence; 0 for any number.
        plain: Whether it counts only in a sentence without numbers and values.
        whole: Whether it counts only if nothing else in the text has a topic.
        pivot: The phrases of which the first one in the match begins its second part.
        gives_first: Whether the part before the pivot is what the speaker would give.
        detail: What the topic is about more closely, such as ``points``; empty if that is not known.
    """

    topic: str
    cancels: tuple[str, ...] = ()
    most_words: int = 0
    short: int = 0
    plain: bool = False
    whole: bool = False
    pivot: tuple[Phrase, ...] = ()
    gives_first: bool = True
    detail: str = ""

    def fits(self, text_words: int, sentence_words: int, *, states: bool) -> bool:
        """Return whether it may count in a sentence.

        Args:
            text_words: The number of words of the text.
            sentence_words: The number of words of the sentence.
            states: Whether the sentence has a number or a value.
        """
        return (
            text_words <= (self.most_words or text_words)
            and sentence_words <= (self.short or sentence_words)
            and not (self.plain and states)
        )


@dataclass(frozen=True, slots=True)
class TopicMatch:
    """Match of a rule in a text.

    Args:
        rule: The rule.
        start: The index of the first token of its sentence, or of the match where the rule has a pivot.
        pivot: The index of the token with which the second part begins; without a pivot, that of the end or
            the start, so that all of it is what the speaker would give or wants.
        end: The index behind the last token of its sentence.
    """

    rule: TopicRule
    start: int
    pivot: int
    end: int


@dataclass(frozen=True, slots=True)
class _Found:
    rule: TopicRule
    sentence: TopicSentence
    start: int
    end: int
    order: int


class TopicRules:
    """Compiled rules of one language; get them by ``topic_rules``.

    Args:
        language: The folder below ``language/data/understanding``.

    Raises:
        NegoError: If the language has no rules, or a pattern is malformed.
    """

    def __init__(self, language: str) -> None:
        read = load_parsing_data(language, "topics")
        words: Mapping[str, list[str]] = read["words"]
        grammar = Grammar(words)
        self.spellings: Mapping[str, str] = read["spellings"]
        """Slang and frequent misspellings with their normal forms."""
        self.signs: Mapping[str, str] = read["signs"]
        """Signs that stand for words, such as a laughing face."""
        self.repeated: Mapping[str, str] = read["repeated"]
        """Syllables with the words that they make when repeated: "hahahah"."""
        self._yields: Mapping[str, frozenset[str]] = {
            topic: frozenset(others) for topic, others in read["yields"].items()
        }
        self.adds = _phrases(words["adds"])
        """Phrases before an issue that mean the value with its item: "throw in"."""
        self.takes_away = _phrases(words["takes_away"])
        """Phrases before an issue that mean the value without its item: "give up"."""
        self._rules = tuple(_load_rule(entry, words) for entry in read["rules"])
        self._patterns = PatternSet(
            (
                (Pattern(text, grammar), index)
                for index, entry in enumerate(read["rules"])
                for text in entry["patterns"]
            ),
            grammar.function_words,
        )
        texts = (text for entry in read["rules"] for text in entry["patterns"])
        self.known: frozenset[str] = frozenset(_plain_words((*texts, *_flat(words.values()))))
        """The words of the patterns."""
        self.corrections: Mapping[str, str] = word_corrections(sorted(self.known))
        """The words of the patterns by their forms with one letter left out."""

    def find_matches(self, text: TopicText) -> tuple[TopicMatch, ...]:
        """Return the matches that count, in text order; of equal beginnings, the longer match first."""
        found: list[_Found] = []
        for sentence in text.sentences:
            found += self._in_sentence(sentence, text.word_count)
        topics = frozenset(one.rule.topic for one in found)
        kept = [one for one in found if not self._gives_way(one.rule, topics)]
        return tuple(_topic_match(one) for one in kept)

    def _gives_way(self, rule: TopicRule, topics: frozenset[str]) -> bool:
        """Return whether a topic does not count next to the others of the text."""
        others = topics - {rule.topic}
        if rule.whole and others:
            return True
        above = self._yields.get(rule.topic, frozenset())
        return bool(others if _ALL in above else others & above)

    def _in_sentence(self, sentence: TopicSentence, word_count: int) -> list[_Found]:
        spans = sentence.spans
        found: list[_Found] = []
        canceled: set[str] = set()
        length = sum(span.word[:1].isalnum() or span.word[:1] == "<" for span in spans)
        # A number word such as "one", and an article in some languages, states no amount.
        states = any(span.word in (NUMBER, VALUE) for span in spans)
        for index, match in self._patterns.find_matches(spans):
            rule = self._rules[index]
            if not rule.fits(word_count, length, states=states):
                continue
            canceled.update(rule.cancels)
            if rule.topic and (not rule.pivot or _pivot_index(rule, match, spans) is not None):
                found.append(_Found(rule, sentence, match.start, match.end, index))
        counted = [
            one
            for one in found
            if one.rule.topic not in canceled and _ALL not in canceled and not self._is_covered(one, found)
        ]
        divided = {one.rule.topic for one in counted if one.rule.pivot}
        # A match with two parts says more than another one of the same topic.
        stated = (one for one in counted if one.rule.pivot or one.rule.topic not in divided)
        return sorted(stated, key=lambda one: (one.start, -one.end, one.order))

    def _is_covered(self, one: _Found, found: Sequence[_Found]) -> bool:
        """Return whether a match lies inside a longer match of another topic that does not give way to it."""
        topic = one.rule.topic
        return any(
            other.rule.topic != topic
            and other.start <= one.start
            and one.end <= other.end
            and other.end - other.start > one.end - one.start
            and self._yields.get(other.rule.topic, frozenset()).isdisjoint((topic, _ALL))
            for other in found
        )


@cache
def topic_rules(language: str) -> TopicRules:
    """Return the rules of a language; they are loaded once.

    Raises:
        NegoError: If the language has no rules.
    """
    return TopicRules(language)


def _topic_match(found: _Found) -> TopicMatch:
    sentence = found.sentence
    if not found.rule.pivot:
        at = sentence.end if found.rule.gives_first else sentence.start
        return TopicMatch(found.rule, sentence.start, at, sentence.end)
    pivot = _pivot_index(found.rule, Match(found.start, found.end), sentence.spans)
    at = sentence.start if pivot is None else sentence.spans[pivot].start
    return TopicMatch(found.rule, sentence.spans[found.start].start, at, sentence.end)


def _pivot_index(rule: TopicRule, match: Match, spans: Sequence[PatternToken]) -> int | None:
    """Return the index of the span with which the second part of a match begins; None if it has none."""
    norms = tuple(span.word for span in spans)
    for i in range(match.start + 1, min(match.end, len(norms))):
        if any(norms[i : i + len(phrase)] == phrase for phrase in rule.pivot):
            return i
    return None


def _load_rule(entry: Mapping[str, Any], words: Mapping[str, Sequence[str]]) -> TopicRule:
    pivot = words[entry["pivot"]] if "pivot" in entry else ()
    return TopicRule(
        entry.get("topic", ""),
        tuple(entry.get("cancels", ())),
        entry.get("most_words", 0),
        entry.get("short", 0),
        entry.get("plain", False),
        entry.get("whole", False),
        _phrases(pivot),
        entry.get("gives_first", True),
        entry.get("detail", ""),
    )


def _phrases(texts: Iterable[str]) -> tuple[Phrase, ...]:
    return tuple(tuple(text.split(" ")) for text in texts)


def _flat(lists: Iterable[Sequence[str]]) -> Iterable[str]:
    return (text for some in lists for text in some)


def _plain_words(texts: Iterable[str]) -> Iterable[str]:
    """Yield the words of patterns and phrases, without categories and signs."""
    for text in texts:
        for part in text.replace("|", " ").replace("_", " ").replace("?", " ").split():
            if part.isalpha():
                yield part
