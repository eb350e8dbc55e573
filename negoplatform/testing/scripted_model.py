"""Scripted language model, for tests of agents whose words a model finds."""

from __future__ import annotations

import json

from negoplatform.language_model.decider import Decider
from negoplatform.language_model.endpoint import Attempt, AttemptOutcome
from negoplatform.language_model.paraphraser import Paraphraser
from negoplatform.language_model.paraphraser_factory import Connection
from negoplatform.language_model.settings import ModelSettings
from negoplatform.language_model.structured_outputs import Decision, Paraphrase, StructuredResponse


class ScriptedModel:
    """Language model that answers at once, without a network: one text after the other, then always the last.

    It finds nothing in the other's typed text.

    Args:
        texts: Its answers to requests for words, or to a :class:`Decider`; at least one.
    """

    def __init__(self, *texts: str) -> None:
        if not texts:
            raise ValueError('Say what the model answers: ScriptedModel("Hello!").')
        self.asked: list[str] = []
        """Input of each request for words, oldest first."""
        self._texts = texts

    def complete(self, system: str, user: str, shape: type[StructuredResponse], seconds: float) -> Attempt:  # noqa: ARG002 - the signature of ModelClient
        """Return an answer in the requested shape."""
        if issubclass(shape, Decision):
            self.asked.append(user)
            return Attempt(AttemptOutcome.ANSWERED, 0.0, self._next())
        if shape is not Paraphrase:
            return Attempt(AttemptOutcome.ANSWERED, 0.0, json.dumps({"acts": []}))
        self.asked.append(user)
        return Attempt(AttemptOutcome.ANSWERED, 0.0, json.dumps({"text": self._next()}))

    def _next(self) -> str:
        return self._texts[min(len(self.asked), len(self._texts)) - 1]

    def decide_for(self, agent: Decider) -> None:
        """Make the decisions of an agent that is configured: each text is the JSON of one answer."""
        agent.use(Connection(self))

    def voice(self, settings: ModelSettings | None = None) -> Paraphraser:
        """Return a paraphraser with this model, to replace the one that ``voice_for`` gives an agent.

        Args:
            settings: The limits; the defaults unless given.
        """
        return Paraphraser(settings or ModelSettings(), self)
