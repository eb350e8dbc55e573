"""The words of a language, by what they do in a sentence; read from data files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from negoplatform.domain.errors import NegoError

Phrase = tuple[str, ...]
"""The normal forms of one or several words in a row."""


class Vocabulary:
    """The words of one language, by category.

    Args:
        language: The folder of ``language/data/understanding``.

    Raises:
        NegoError: If there is no such language.
    """

    def __init__(self, language: str) -> None:
        read = load_parsing_data(language, "vocabulary")
        self.spellings: Mapping[str, str] = MappingProxyType(read["spellings"])
        """What is written otherwise: contractions written out, usual misspellings mended."""
        self.numbers: Mapping[str, int] = MappingProxyType(read["numbers"])
        """Number words with their numbers."""
        self.multipliers: Mapping[str, int] = MappingProxyType(read["powers"])
        """What multiplies the number before it: hundred, thousand, k."""
        self.conversions: Mapping[str, Mapping[str, int]] = MappingProxyType(read.get("conversions", {}))
        """How many of other units a unit is: a year is 12 months."""
        self._categories = {name: frozenset(words) for name, words in read["categories"].items()}
        self._tagged = _by_first_word(read["tags"])

    def has(self, word: str, *categories: str) -> bool:
        """Whether a normal form belongs to one of these categories."""
        return any(word in self._categories[category] for category in categories)

    def category(self, name: str) -> frozenset[str]:
        """All words of a category."""
        return self._categories[name]

    def phrases_from(self, word: str) -> tuple[tuple[Phrase, str], ...]:
        """The phrases that begin with a word, the longest first, each with what it does in a sentence."""
        return self._tagged.get(word, ())


@cache
def vocabulary_of(language: str) -> Vocabulary:
    """The vocabulary of a language.

    Raises:
        NegoError: If there is no such language.
    """
    return Vocabulary(language)


# What is made of a file is kept; the file itself is only read again for another language.
@lru_cache(maxsize=2)
def load_parsing_data(language: str, name: str) -> Mapping[str, Any]:
    """One of the data files that a language is understood by.

    Args:
        language: The folder of ``language/data/understanding``, such as ``en``.
        name: The file, without ``.json``.

    Raises:
        NegoError: If there is no such language, or it has no such file.
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
    """The words that a language's own files know: right as they are, however near to one of a game."""
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
