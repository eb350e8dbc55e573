"""Messages and faces of an agent of this family, in its language and style."""

from __future__ import annotations

from random import Random

from negoplatform.agent_api.actions import Action, SendExpression, SendMessage
from negoplatform.core.events import Expression, MessageSubtype
from negoplatform.language.generation import Words
from negoplatform.strategies.conversation_helpers import Sentences


class NegoChatMessageBuilder:
    """Builder of an agent's messages and faces in one game.

    Args:
        language: Its language, such as ``en``.
        style: Its style: ``warm``, ``neutral`` or ``tough``.
        quiet: Whether it sends no message and shows no face at all.
    """

    def __init__(self, language: str, style: str, *, quiet: bool) -> None:
        self.quiet = quiet
        self._sentences = Sentences(Words(language, style))

    def say(self, kind: str, subtype: MessageSubtype, rng: Random, slots: dict[str, object]) -> list[Action]:
        """Return a sentence of a kind that it has not yet said twice; nothing if there is none left."""
        text = None if self.quiet else self._sentences.draw(kind, rng, **slots)
        return [] if text is None else [SendMessage(text, subtype)]

    def show(self, expression: Expression) -> list[Action]:
        """Return a face."""
        return [] if self.quiet else [SendExpression(expression)]
