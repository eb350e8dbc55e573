"""Settings that all agents have that talk."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from negoplatform.language.generation import Voice, languages
from negoplatform.strategies.dialogue.manner import Honesty, Manner


def persona_field(usual: str = "warm") -> Any:
    """Return the setting for a voice.

    Args:
        usual: The voice unless another one is set.
    """
    return Field(usual, title="Persona", description="How it speaks and what faces it makes.")


class TalkSettings(BaseModel):
    """Settings of every agent that talks."""

    persona: Voice = persona_field()
    talkativeness: float = Field(
        0.5, ge=0, le=1, title="Talkativeness", description="How much it says beyond what’s needed."
    )
    politeness: float = Field(
        0.5, ge=0, le=1, title="Politeness", description="How polite its thanks and refusals are."
    )
    honesty: Literal["honest", "reserved", "lying"] = Field(
        "honest", title="Honesty", description="What it says about its preferences. reserved: nothing."
    )
    language: Literal[languages()] | None = Field(  # type: ignore[valid-type]
        None, title="Language", description="By default that of the window, if it’s one of these."
    )

    @property
    def spoken_language(self) -> str:
        """Language in which it speaks: English unless one is set."""
        return self.language or "en"

    def manner(self) -> Manner:
        """Return the manner of speaking."""
        honesty = Honesty(self.honesty)
        return Manner(self.persona, self.spoken_language, self.talkativeness, self.politeness, honesty)
