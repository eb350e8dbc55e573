"""Sentences of a text for the rules of topics: slang, signs and misspelt words in a normal form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from negoplatform.language.parsing.grammar.pattern_syntax import PatternToken, pattern_tokens
from negoplatform.language.parsing.words.lexicon import (
    Lexicon,
    Mention,
    NumberMention,
    is_one_edit_apart,
    single_deletions,
)
from negoplatform.language.parsing.words.tokenizer import Sentence, Token, split_sentences

_MIN_CORRECTED_LENGTH = 5
"""Minimum length of a word that is recognised despite one wrong letter."""
_STRETCHED = re.compile(r"(\w)\1{2,}")
_MARKS = re.compile(r"[?!\s]*\?[?!\s]*")
"""A text of question marks alone."""
MARKS = "[marks]"
"""Word for a text of question marks alone, in patterns too."""


class TopicWords(Protocol):
    """Words that the rules of a language use."""

    spellings: Mapping[str, str]
    signs: Mapping[str, str]
    repeated: Mapping[str, str]
    corrections: Mapping[str, str]
    known: frozenset[str]


@dataclass(frozen=True, slots=True)
class TopicSentence:
    """Sentence for matching.

    Args:
        spans: Its words, mentions and numbers.
        start: The index of its first token.
        end: The index behind its last token.
    """

    spans: tuple[PatternToken, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TopicText:
    """Text for matching.

    Args:
        tokens: Its tokens in normal form.
        sentences: Its sentences.
        mentions: The mentions of issues and values.
        numbers: The numbers.
        word_count: The number of words and numbers.
    """

    tokens: tuple[Token, ...]
    sentences: tuple[TopicSentence, ...]
    mentions: tuple[Mention, ...]
    numbers: tuple[NumberMention, ...]
    word_count: int


def topic_text(text: str, lexicon: Lexicon, words: TopicWords) -> TopicText:
    """Return a text for matching.

    Args:
        text: The text as it was typed.
        lexicon: The lexicon of the game.
        words: The words of the rules.
    """
    if _MARKS.fullmatch(text):
        return TopicText((), (TopicSentence((PatternToken(MARKS),), 0, 0),), (), (), 0)
    tokens = tuple(_normal_tokens(lexicon.tokenize(text), lexicon, words))
    mentions, numbers = lexicon.mentions(tokens), lexicon.numbers(tokens)
    sentences = tuple(
        TopicSentence(spans, part.start, part.end)
        for part in split_sentences(tokens)
        if (spans := _spans(tokens, part, mentions, numbers))
    )
    count = sum(token.is_word or token.number is not None for token in tokens)
    return TopicText(tokens, sentences, mentions, numbers, count)


def _spans(
    tokens: Sequence[Token], part: Sentence, mentions: Sequence[Mention], numbers: Sequence[NumberMention]
) -> tuple[PatternToken, ...]:
    return pattern_tokens(tokens, part, mentions, numbers)


def _normal_tokens(tokens: Sequence[Token], lexicon: Lexicon, words: TopicWords) -> Iterator[Token]:
    counts = False
    for token in tokens:
        # "60k" is a number, "k" alone an okay.
        multiplies = counts and token.norm in lexicon.vocabulary.multipliers
        counts = token.number is not None
        if counts or multiplies:
            yield token
            continue
        written = token.text.lower()
        if written != token.norm and written in words.known and lexicon.is_game_word(token.norm):
            yield Token(token.text, written, token.start, token.end)  # "code" is no "coder" here
            continue
        norm = words.signs.get(token.norm) if not token.is_word else _normal_word(token.norm, lexicon, words)
        if norm is None or norm == token.norm:
            yield token
        else:
            for word in norm.split(" "):
                yield Token(token.text, word, token.start, token.end)


def _normal_word(word: str, lexicon: Lexicon, words: TopicWords) -> str:
    """Return a word without slang, repeated letters and misspellings."""
    if word in words.spellings:
        return words.spellings[word]
    if word in words.known or lexicon.is_known_word(word) or lexicon.is_game_word(word):
        return word
    if (laughing := _repeated(word, words.repeated)) is not None:
        return laughing
    for letters in (r"\1", r"\1\1"):
        short = _STRETCHED.sub(letters, word)
        if short != word:
            short = lexicon.vocabulary.spellings.get(short, short)
            short = words.spellings.get(short, short)
            if short in words.known or lexicon.is_known_word(short.split(" ")[0]):
                return short
    if len(word) < _MIN_CORRECTED_LENGTH - 1:
        return word
    keys = (word, *single_deletions(word))
    right = next((words.corrections[key] for key in keys if key in words.corrections), None)
    if right is None or not is_one_edit_apart(word, right):
        return word
    # A replaced letter often makes another word: "lover" is no "loser".
    return right if len(right) != len(word) or sorted(right) == sorted(word) else word


def _repeated(word: str, units: Mapping[str, str]) -> str | None:
    """Return the word for a text of repeated syllables: "hahahah"; None if it is none."""
    for unit, meaning in units.items():
        if word.count(unit) > 1 and len(word) - len(unit) * word.count(unit) <= 1:
            return meaning
    return None


def word_corrections(words: Sequence[str]) -> dict[str, str]:
    """Return the words by themselves and by each form with one letter left out."""
    found: dict[str, str] = {}
    for word in words:
        if len(word) >= _MIN_CORRECTED_LENGTH and word.isalpha():
            for wrong in (word, *single_deletions(word)):
                found.setdefault(wrong, word)
    return found
