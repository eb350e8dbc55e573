"""Vocabulary of a language: words by their function in a sentence, from data files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from negoplatform.domain.errors import NegoError

Phrase = tuple[str, ...]
"""Normal forms of consecutive words."""


class Vocabulary:
    """Words of one language by category.

    Args:
        language: The folder below ``language/data/understanding``.
        correct: Words that are no misspellings of others: "tree" in a game about a tree.

    Raises:
        NegoError: If the language does not exist.
    """

    def __init__(self, language: str, correct: frozenset[str] = frozenset()) -> None:
        read = load_parsing_data(language, "vocabulary")
        spellings = {word: right for word, right in read["spellings"].items() if word not in correct}
        self.spellings: Mapping[str, str] = MappingProxyType(spellings)
        """Replacements: contractions expanded, common misspellings corrected."""
        self.numbers: Mapping[str, int] = MappingProxyType(read["numbers"])
        """Number words with their values."""
        self.multipliers: Mapping[str, int] = MappingProxyType(read["powers"])
        """Words that multiply the number before them: hundred, thousand, k."""
        self.conversions: Mapping[str, Mapping[str, int]] = MappingProxyType(read.get("conversions", {}))
        """Conversion factors of units: a year is 12 months."""
        self._categories = {name: frozenset(words) for name, words in read["categories"].items()}
        self._tagged = _by_first_word(read["tags"])

    def has(self, word: str, *categories: str) -> bool:
        """Return whether a normal form belongs to one of these categories."""
        return any(word in self._categories[category] for category in categories)

    def category(self, name: str) -> frozenset[str]:
        """Return all words of a category."""
        return self._categories[name]

    def phrases_from(self, word: str) -> tuple[tuple[Phrase, str], ...]:
        """Return the phrases that begin with a word, the longest first, each with its tag."""
        return self._tagged.get(word, ())


@cache
def vocabulary_of(language: str) -> Vocabulary:
    """Return the vocabulary of a language.

    Raises:
        NegoError: If the language does not exist.
    """
    return Vocabulary(language)


def vocabulary_for(language: str, texts: Iterable[str]) -> Vocabulary:
    """Return the vocabulary of a language, without the corrections of words in a game's texts.

    Raises:
        NegoError: If the language does not exist.
    """
    usual = vocabulary_of(language)
    words = {word for text in texts for word in re.findall(r"[^\W\d_]{3,}", text.lower())}
    correct = frozenset(word for word in words if usual.spellings.get(word, word) != word)
    return Vocabulary(language, correct) if correct else usual


# Callers cache what they build of a file; it is read again only for another language.
@lru_cache(maxsize=2)
def load_parsing_data(language: str, name: str) -> Mapping[str, Any]:
    """Return a data file of a language.

    Args:
        language: The folder below ``language/data/understanding``, such as ``en``.
        name: The file without ``.json``.

    Raises:
        NegoError: If the language or the file does not exist.
    """
    file = resources.files("negoplatform.language") / "data" / "understanding" / language / f"{name}.json"
    if not language.isidentifier() or not file.is_file():
        raise NegoError(f"No {name} is there to understand the language {language!r} by.")
    read: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return read


@cache
def is_language_parsed(language: str) -> bool:
    """Return whether typed text of a language can be parsed."""
    try:
        load_parsing_data(language, "vocabulary")
    except NegoError:
        return False
    return True


@cache
def known_words(language: str) -> frozenset[str]:
    """Return the words of a language's own files; they are never corrected to a word of a game."""
    files = (load_parsing_data(language, name) for name in ("vocabulary", "acts", "values"))
    kept = (part for file in files for name, part in file.items() if name != "spellings")
    common = resources.files("negoplatform.language") / "data" / "understanding" / language / "common.txt"
    return frozenset(
        word for part in kept for text in _strings(part) for word in re.findall(r"[^\W\d_]+", text)
    ).union(common.read_text("utf-8").split())


def _strings(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, list):
        for entry in part:
            yield from _strings(entry)
    elif isinstance(part, dict):
        for name, entry in part.items():
            yield from (name, *_strings(entry))


def _by_first_word(tags: Mapping[str, list[str]]) -> dict[str, tuple[tuple[Phrase, str], ...]]:
    found: dict[str, list[tuple[Phrase, str]]] = {}
    for name, written in tags.items():
        for text in written:
            words = tuple(text.split(" "))
            found.setdefault(words[0], []).append((words, name))
    return {first: tuple(sorted(some, key=lambda pair: -len(pair[0]))) for first, some in found.items()}
