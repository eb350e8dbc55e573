"""What an agent of this family says and shows, in its language and style."""

from __future__ import annotations

from random import Random

from negoplatform.agent_api.actions import Action, SendExpression, SendMessage
from negoplatform.core.events import Expression, MessageSubtype
from negoplatform.language.generation import Words
from negoplatform.strategies.talk import Sentences


class NegoChatMessageBuilder:
    """An agent's words and faces in one game.

    Args:
        language: What it speaks, such as ``en``.
        style: How it speaks: ``warm``, ``neutral`` or ``tough``.
        quiet: Whether it says and shows nothing at all.
    """

    def __init__(self, language: str, style: str, *, quiet: bool) -> None:
        self.quiet = quiet
        self._sentences = Sentences(Words(language, style))

    def say(self, kind: str, subtype: MessageSubtype, rng: Random, slots: dict[str, object]) -> list[Action]:
        """A sentence of a kind that it has not yet said twice; nothing if there is none left."""
        text = None if self.quiet else self._sentences.draw(kind, rng, **slots)
        return [] if text is None else [SendMessage(text, subtype)]

    def show(self, expression: Expression) -> list[Action]:
        """A face."""
        return [] if self.quiet else [SendExpression(expression)]
