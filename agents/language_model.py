"""An agent that speaks in the words of a language model, and decides without one."""

from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from negoplatform.agent_api import AgentError, NegotiationAgent
from negoplatform.language_model import (
    ModelSettings,
    decision_agent_class,
    refuse_keys,
    speaks_as_persona,
    voice_for,
)

Core = Literal[
    "negochat_a",
    "negochat",
    "kb_agent",
    "qo_agent",
    "building",
    "conceding",
    "competitive",
    "fair",
    "boulware",
    "linear",
    "conceder",
    "tit_for_tat",
    "micro",
]


def without_recorded(settings):
    return settings.model_dump(exclude={"recorded"})


class LanguageModel(NegotiationAgent):
    """Another agent decides what is offered, accepted and said; a language model finds the words for it.

    It uses any OpenAI-compatible service; see docs/language_model.md. Where no service is set, or the one
    that is set is slow, absent or talks nonsense, the other agent's own words are said.
    """

    class Settings(ModelSettings):
        core: Core = Field(
            "negochat_a", title="Agent that decides", description="The language model finds the words."
        )
        core_settings: dict[str, Any] = Field(default={}, title="Settings of the agent that decides")

    core = None

    def get_name(self):
        return self.get_config("name", "Robin")

    def get_avatar(self):
        return super().get_avatar() or (self.core.get_avatar() if self.core else None)

    def configure(self, config):
        refuse_keys(config)
        before = self.settings
        super().configure(config)
        self.voice = voice_for(self.settings)
        if self.core is not None and without_recorded(before) == without_recorded(self.settings):
            return  # in rounds it is configured again with the responses of the next game, and remembers
        self.core = decision_agent_class(self.settings.core, Path(__file__))(self.agent_id)
        persona = {"persona": self.settings.persona} if speaks_as_persona(self.core) else {}
        self.core.configure({**persona, **self.settings.core_settings})
        core_language = self.core.get_config("language", "en")
        if self.settings.endpoint and core_language != self.settings.language:
            raise AgentError(
                f"The agent that decides speaks {core_language!r}, and the model {self.settings.language!r}; "
                "without an endpoint the agent speaks alone."
            )

    def check_game(self, game):
        self.core.check_game(game)

    def reset(self):
        self.core.reset()
        self.voice.reset()

    def handle_event(self, ctx, event):
        return self.voice.answer(ctx, event, self.core.handle_event(ctx, event))
