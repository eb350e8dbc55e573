"""A language model that says what a test wants, for agents whose words a model finds."""

from __future__ import annotations

import json

from negoplatform.language_model.endpoint import Attempt, AttemptOutcome
from negoplatform.language_model.paraphraser import Paraphraser
from negoplatform.language_model.responses import Paraphrase, StructuredResponse
from negoplatform.language_model.settings import ModelSettings


class ScriptedModel:
    """Answers at once, and without a network: one text after the other, the last one again and again.

    In what the other types it hears nothing.

    Args:
        texts: What it answers when it is asked for words; at least one.
    """

    def __init__(self, *texts: str) -> None:
        if not texts:
            raise ValueError('Say what the model answers: ScriptedModel("Hello!").')
        self.asked: list[str] = []
        """What it was given each time that it was asked for words, oldest first."""
        self._texts = texts

    def complete(self, system: str, user: str, shape: type[StructuredResponse], seconds: float) -> Attempt:  # noqa: ARG002 - as Asks
        """One answer, in the shape that is asked for."""
        if shape is not Paraphrase:
            return Attempt(AttemptOutcome.ANSWERED, 0.0, json.dumps({"acts": []}))
        self.asked.append(user)
        text = self._texts[min(len(self.asked), len(self._texts)) - 1]
        return Attempt(AttemptOutcome.ANSWERED, 0.0, json.dumps({"text": text}))

    def voice(self, settings: ModelSettings | None = None) -> Paraphraser:
        """Return a voice that asks this model, in place of the one that ``voice_for`` gives an agent.

        Args:
            settings: The limits; the usual ones unless given.
        """
        return Paraphraser(settings or ModelSettings(), self)
