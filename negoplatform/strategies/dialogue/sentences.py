"""Sentences of an agent in one game: drawn from the templates of its voice, none of them twice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

from negoplatform.language.generation import Words

MAX_DRAWS = 24
"""Drawings after which all sentences of a kind have come up."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_NOT_A_WORD = re.compile(r"[^\w ]")
_LEAD_IN = re.compile(r".*?: (?P<rest>\S+(?: \S+){3,})", re.DOTALL)
"""Words before a colon that introduce a sentence, such as a reason; shorter texts are terms."""


class Sentences:
    """An agent's sentences in one game; no sentence is said twice.

    Args:
        words: The templates to draw from.
        names: The names with which a message may begin; they make no new sentence of it.
    """

    def __init__(self, words: Words, names: Iterable[str] = ()) -> None:
        self._words = words
        self._said: set[str] = set()
        self._names = tuple(f"{_NOT_A_WORD.sub('', name).lower().strip()} " for name in names)

    def draw(self, kind: str, rng: Random, /, **slots: object) -> str | None:
        """Return a text of a kind of which no sentence was said before; None if there is none left.

        Raises:
            AgentError: If there is no such kind, or a slot is missing.
        """
        for _ in range(MAX_DRAWS):
            text = self._words.say(kind, rng, **slots)
            text = text[:1].upper() + text[1:]
            if self.add(text):
                return text
        return None

    def part(self, kind: str, rng: Random, /, **slots: object) -> str:
        """Return a part of a sentence, for the slot of another one; it may come again.

        Raises:
            AgentError: As above.
        """
        return self._words.say(kind, rng, **slots)

    def add(self, text: str) -> bool:
        """Record a text as said; return whether all of its sentences are new."""
        sentences = set(self._sentences(text))
        if not sentences.isdisjoint(self._said):
            return False
        self._said |= sentences
        return True

    def contains(self, text: str) -> bool:
        """Return whether a sentence of the text was said before."""
        return not self._said.isdisjoint(self._sentences(text))

    def discard(self, text: str) -> None:
        """Forget a text that was not sent after all."""
        self._said.difference_update(self._sentences(text))

    def _sentences(self, text: str) -> list[str]:
        found = normalized_sentences(text)
        for name in self._names:
            found = [sentence.removeprefix(name).lstrip() for sentence in found]
        return found


def normalized_sentences(text: str) -> list[str]:
    """Return the sentences of a text in lower case and without punctuation, to compare them.

    A sentence after a colon is one by itself, too: whatever introduces it, it is the same sentence.
    """
    parts = _SENTENCE_END.split(text)
    introduced = [found["rest"] for part in parts if (found := _LEAD_IN.fullmatch(part))]
    whole = [sentence for sentence in introduced if sentence[:1].isupper()]
    normalized = (_NOT_A_WORD.sub("", part).lower().strip() for part in [*parts, *whole])
    return [part for part in normalized if part]
