"""Phrases that name a value in a text with shares of seats: "a stand fee of €100", "on Saturday"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from negoplatform.domain.offer import Term
from negoplatform.language.parsing.grammar.amount_phrases import amount_at
from negoplatform.language.parsing.seats.seat_mentions import address_words, phrase_at
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slots import SegmentedText
from negoplatform.language.parsing.words.lexical_tagger import Tag, TaggedSpan

_DETERMINERS = frozenset({Tag.A, Tag.DET})
_NUMBERS = frozenset({Tag.NUMBER, Tag.FIGURE})
_BEFORE_NUMBER = frozenset({Tag.OF, Tag.DET})
_BEHIND_ALONE = frozenset({Tag.END, Tag.SEP, Tag.AND})
_BEFORE_ALONE = _BEHIND_ALONE | {Tag.VALUE, Tag.ABOUT, Tag.TOPIC, Tag.FIGURE}
_BEFORE_TOPIC = frozenset({Tag.OF, Tag.FOR, *_DETERMINERS})


@dataclass(frozen=True, slots=True)
class ValuePhrase:
    """Phrase that names a value.

    Args:
        end: The index behind its last span.
        figure: The index of the span of its number; None if it contains the name of a value instead.
        issue: The issue of the number; empty without one.
        term: The value that the number names.
    """

    end: int
    figure: int | None = None
    issue: str = ""
    term: Term | None = None


def numbers_as_values(text: SegmentedText, words: GameVocabulary) -> Iterator[ValuePhrase]:
    """Yield the phrases of a text whose number is the value of an issue, from left to right."""
    phrases = _ValuePhraseReader(text, words)
    i = 0
    while i < len(text.spans):
        phrase = phrases.at(i)
        if phrase is not None and phrase.figure is not None:
            yield phrase
        i = i + 1 if phrase is None else phrase.end


def value_phrase_at(text: SegmentedText, i: int, words: GameVocabulary) -> ValuePhrase | None:
    """Return the phrase that begins at a span; None if none does."""
    return _ValuePhraseReader(text, words).at(i)


class _ValuePhraseReader:
    """Reader of the phrases of a text.

    Args:
        text: The text.
        words: The vocabulary of the game.
    """

    def __init__(self, text: SegmentedText, words: GameVocabulary) -> None:
        self._spans, self._words = text.spans, words
        self._norms = tuple(token.norm for token in text.tokens)
        self._address = address_words(words.language)

    def at(self, i: int) -> ValuePhrase | None:
        """Return the phrase that begins at a span; None if none does."""
        k = self._behind_preposition(i)
        money = self._money_alone(k, i)
        return self._topic_first(k) or self._number_first(k) or money or self._name_of_value(k, i)

    def _tag(self, i: int) -> Tag:
        return self._spans[i].tag if i < len(self._spans) else Tag.END

    def _behind(self, i: int, tags: frozenset[Tag]) -> int:
        while self._tag(i) in tags:
            i += 1
        return i

    def _behind_words(self, i: int, phrases: tuple[tuple[str, ...], ...]) -> int:
        """Return the span behind the words that begin at a span; the same one if none of them does."""
        if i >= len(self._spans) or self._tag(i) == Tag.END:
            return i
        end = phrase_at(self._norms, self._spans[i].start, phrases, len(self._norms))
        if end is None:
            return i
        k = next((k for k in range(i, len(self._spans)) if self._spans[k].start >= end), i)
        return k if self._spans[k - 1].end == end else i

    def _behind_preposition(self, i: int) -> int:
        return i + 1 if self._tag(i) == Tag.WITH else self._behind_words(i, self._address.before_value)

    def _behind_determiners(self, i: int) -> int:
        """Return the span behind articles; German writes "one" for "a"."""
        while self._tag(i) in _DETERMINERS or self._is_article(i):
            i += 1
        return i

    def _is_article(self, i: int) -> bool:
        figure = self._spans[i].figure if self._tag(i) == Tag.NUMBER else None
        following = self._tag(i + 1) in (Tag.TOPIC, Tag.VALUE)
        return figure is not None and figure.value == 1 and not figure.digits and following

    def _name_of_value(self, k: int, i: int) -> ValuePhrase | None:
        """Return a value with what stands before it: "on the market square", "the end is at 8 pm"."""
        prepared = k > i
        k = self._behind_determiners(k)
        if self._issue_named_at(k):
            prepared = False
            k = self._behind_words(k + 1, self._address.states_value)
            k = self._behind_determiners(self._behind_preposition(k))
        if self._tag(k) != Tag.VALUE or self._spans[k].bound is not None or k == i:
            return None
        if prepared and not (self._stands_alone(i) and self._ends_alone(k + 1)):
            return None
        return ValuePhrase(k + 1)

    def _stands_alone(self, i: int) -> bool:
        """Return whether no clause before a span has it as its time: "Kim mows 2 hours on Sunday"."""
        return i == 0 or self._tag(i - 1) in _BEFORE_ALONE

    def _ends_alone(self, i: int) -> bool:
        """Return whether no clause begins at a span: "on Sunday Kim mows 2 hours"."""
        return self._tag(i) in _BEHIND_ALONE or self._behind_preposition(i) > i

    def _topic_first(self, i: int) -> ValuePhrase | None:
        """Return a number behind its issue: "a stand fee of €100", "the fee is 60", "fee: 40"."""
        topic = self._behind_determiners(i)
        issue = self._issue_at(topic)
        if not issue:
            return None
        k = self._behind(self._behind_words(topic + 1, self._address.states_value), _BEFORE_NUMBER)
        behind = self._behind_words(k + 1, self._address.states_value)
        closes = behind > k + 1 and self._tag(behind) in (Tag.SEP, Tag.END)  # German: "wenn … 20 € ist,"
        return self._with_number(issue, k, behind if closes else k + 1)

    def _number_first(self, i: int) -> ValuePhrase | None:
        """Return a number before its issue: "€80 for the stand fee"."""
        topic = self._behind(i + 1, _BEFORE_TOPIC)
        issue = self._issue_at(topic)
        if not issue or self._topic_first(topic) is not None or self._tag(topic + 1) == Tag.OF:
            return None
        return self._with_number(issue, i, topic + 1)

    def _money_alone(self, k: int, i: int) -> ValuePhrase | None:
        """Return an amount of money that only one issue can mean, unless a verb has it: "I get €40"."""
        figure = self._spans[k].figure if self._tag(k) in _NUMBERS else None
        if figure is None or not figure.money or not (self._stands_alone(i) and self._ends_alone(k + 1)):
            return None
        payable = [name for name in self._words.values.issues if self._words.values.is_money(name)]
        return self._with_number(payable[0], k, k + 1) if len(payable) == 1 else None

    def _issue_named_at(self, i: int) -> str:
        """Return the only issue that a span names; an empty text if there is none."""
        mention = self._spans[i].mention if self._tag(i) == Tag.TOPIC else None
        return (mention.issue if mention is not None else None) or ""

    def _issue_at(self, i: int) -> str:
        """Return the issue that a span names if numbers are its values; otherwise an empty text."""
        issue = self._issue_named_at(i)
        return issue if issue in self._words.values.issues and self._words.values.is_numeric(issue) else ""

    def _with_number(self, issue: str, i: int, end: int) -> ValuePhrase | None:
        """Return a phrase with the number at a span, unless it counts units or is no value of the issue."""
        if self._tag(i) not in _NUMBERS or _is_bounded(self._spans[i:end]):
            return None
        amount, figure = amount_at(self._spans, i), self._spans[i].figure
        if figure is None or (amount is not None and (amount.issue or amount.each)):
            return None
        term = self._words.values.value_for_number(issue, figure, named=True)
        return None if term is None else ValuePhrase(end, i, issue, term)


def _is_bounded(spans: tuple[TaggedSpan, ...]) -> bool:
    return any(span.bound is not None for span in spans)
