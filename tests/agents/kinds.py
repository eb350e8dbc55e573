"""Kinds of message that a sentence may be, by the templates of a voice that it fits."""

from __future__ import annotations

import re
from functools import cache

from negoplatform.language.generation import templates

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_SLOT = re.compile(r"\{\w+\}")
_FILLED = r"(?:(?![.!?…]\s).)+"
"""Pattern of the text in a slot: no end of a sentence."""

_BARE = re.compile(r"\{\w+\}\W*")
"""Template that is nothing but a slot: every text fits it."""


def kinds_of(text: str, voice: str = "warm", language: str = "en") -> set[str]:
    """Return the kinds with a template that the whole text fits, with some text in its slots."""
    return {
        kind
        for kind, patterns in _patterns(voice, language).items()
        if any(pattern.fullmatch(text) for pattern in patterns)
    }


def parts_of(text: str, voice: str = "warm", language: str = "en") -> list[set[str]]:
    """Return the kinds of each part of a message, in which the parts of an answer are joined.

    Raises:
        AssertionError: If a sentence fits no template of the voice.
    """
    found = _split(tuple(_SENTENCE_END.split(text)), voice, language)
    assert found is not None, f"not in the words of {voice}: {text}"
    return [set(kinds) for kinds in found]


def has_kind(text: str, kind: str, voice: str = "warm", language: str = "en") -> bool:
    """Return whether a sentence of a message, or some in a row, may be of a kind."""
    sentences = _SENTENCE_END.split(text)
    runs = (
        " ".join(sentences[begin:end])
        for begin in range(len(sentences))
        for end in range(begin + 1, len(sentences) + 1)
    )
    return any(kind in kinds_of(run, voice, language) for run in runs)


@cache
def _split(sentences: tuple[str, ...], voice: str, language: str) -> tuple[frozenset[str], ...] | None:
    """Return the kinds of the parts, as few parts as can be; None if a sentence fits no template."""
    if not sentences:
        return ()
    found: list[tuple[frozenset[str], ...]] = []
    for end in range(1, len(sentences) + 1):
        kinds = kinds_of(" ".join(sentences[:end]), voice, language)
        rest = _split(sentences[end:], voice, language) if kinds else None
        if rest is not None:
            found.append((frozenset(kinds), *rest))
    return min(found, key=len, default=None)


@cache
def _patterns(voice: str, language: str) -> dict[str, list[re.Pattern[str]]]:
    return {
        kind: [_pattern(template) for template in there if not _BARE.fullmatch(template)]
        for kind, there in templates(language, voice).items()
    }


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile("(?i:" + _FILLED.join(map(re.escape, _SLOT.split(template))) + ")")
