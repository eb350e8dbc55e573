"""Common parts of agents that talk: fresh sentences, turn-taking at a table of several, and questions."""

from __future__ import annotations

from collections import Counter, deque
from random import Random

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event
from negoplatform.language import Ambiguity
from negoplatform.language.generation import Words, time_in_words

MAX_REPETITIONS = 2
"""Times that a sentence may be said in one game."""

MIN_REPEAT_DISTANCE = 6
"""Number of other sentences, or skipped chances to say it, before a sentence comes again."""

MAX_DRAWS = 12
"""Drawings after which all sentences of a kind have come up."""

ASKS = {
    Ambiguity.WHO: "ask_who",
    Ambiguity.HOW_MANY: "ask_how_many",
    Ambiguity.WHICH_ISSUE: "ask_which_issue",
    Ambiguity.WHICH_VALUE: "ask_which_value",
    Ambiguity.EITHER: "unclear",
    Ambiguity.IMPOSSIBLE: "say_impossible",
}
"""Kinds of message that ask for the missing part of an offer in words."""


class Sentences:
    """An agent's sentences in one game, none of them more than twice, and none again too soon.

    Args:
        words: The templates to draw from.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self._use_counts: Counter[str] = Counter()
        self._recent: deque[str | None] = deque(maxlen=MIN_REPEAT_DISTANCE)

    def draw(self, kind: str, rng: Random, **slots: object) -> str | None:
        """Return a least used sentence of a kind; None if all were said just now, or often enough.

        Raises:
            AgentError: If there is no such kind, or a slot is missing.
        """
        drawn = []
        for _ in range(MAX_DRAWS):
            text = self._words.say(kind, rng, **slots)
            text = text[:1].upper() + text[1:]
            drawn.append(text)
            if text not in self._use_counts:
                break
        fresh = [
            text for text in drawn if text not in self._recent and self._use_counts[text] < MAX_REPETITIONS
        ]
        sentence = min(fresh, key=self._use_counts.__getitem__, default=None)
        self._recent.append(sentence)
        if sentence is not None:
            self._use_counts[sentence] += 1
        return sentence

    def part(self, kind: str, rng: Random, **slots: object) -> str:
        """Return a part of a sentence, for the slot of another one; it may come again.

        Raises:
            AgentError: As above.
        """
        return self._words.say(kind, rng, **slots)


def is_asked(ctx: AgentContext, event: Event) -> bool:
    """Return whether this seat should answer: of several the next one, as all answers would be a flood."""
    seats = ctx.game.seats
    return ctx.seat in event.to or seats[(seats.index(event.sender) + 1) % len(seats)] == ctx.seat


def time_left(ctx: AgentContext, language: str = "en") -> tuple[str, dict[str, str]]:
    """Return the kind of message about the remaining time, and its slots."""
    left = ctx.remaining_time
    if left is None:
        return "timing_no_deadline", {}
    return "timing_answer", {"value": time_in_words(max(left, 1), language)}
