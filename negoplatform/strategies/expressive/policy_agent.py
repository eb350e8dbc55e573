"""Base class of the shipped expressive agents: policies from settings."""

from __future__ import annotations

from pydantic import BaseModel, Field

from negoplatform.strategies.dialogue.disclosures import LyingWords, PlainWords
from negoplatform.strategies.dialogue.manner import Honesty
from negoplatform.strategies.dialogue.talk_settings import TalkSettings
from negoplatform.strategies.expressive.agent import ExpressiveAgent
from negoplatform.strategies.expressive.agent_state import Policies
from negoplatform.strategies.expressive.emotion_policy import Faces, StoneFace
from negoplatform.strategies.expressive.favour_ledger import Ledger
from negoplatform.strategies.expressive.initiative_timing import Behaviour
from negoplatform.strategies.expressive.offer_policies import ConcedingOffers

LYING_DEBRIEFING = (
    "Your partner in this negotiation was a computer program, and it was set up to lie. What it said "
    "about what matters to it, and about what it would get without a deal, wasn’t true.\n\n"
    "It does this in every negotiation, whatever the other side says or does, so it had nothing to do "
    "with you. Studies use programs like this to learn how people deal with false claims.\n\n"
    "If you have questions or concerns, please talk to the experimenter."
)
"""Text for the participant after a session with an agent that lies."""


class PolicySettings(TalkSettings):
    """Settings of the shipped expressive agents."""

    faces: bool = Field(True, title="Shows emotions", description="If not, its face stays the same.")
    prompts: int = Field(
        2, ge=0, le=20, title="Reminders in a row", description="How many times in a row it breaks a silence."
    )
    silence_seconds: float = Field(
        60.0, ge=5, title="Seconds of silence before it speaks up", description="The first time."
    )
    later_silence_seconds: float = Field(
        120.0,
        ge=5,
        title="Seconds of silence later",
        description="After its first reminder, or when it was asked to wait.",
    )
    claims: float = Field(
        0.6,
        ge=0,
        le=1,
        title="Claimed value of no deal",
        description="If it lies: a share of what its best deal is worth.",
    )


class PolicyAgent(ExpressiveAgent):
    """Expressive agent whose policies follow from its settings; a subclass chooses the offers."""

    Settings: type[BaseModel] = PolicySettings

    def configure(self, config: dict[str, object]) -> None:
        """Configure the agent; one that lies has a debriefing.

        Raises:
            AgentError: If the settings do not fit.
        """
        super().configure(config)
        if self.settings.honesty == Honesty.LYING and not self.debriefing:
            self.debriefing = LYING_DEBRIEFING

    def policies(self) -> Policies:
        """Return the policies."""
        return Policies(self.offers(), self.words(), self.face(), self.behaviour())

    def offers(self) -> ConcedingOffers:
        """Return the policy of offers."""
        return ConcedingOffers()

    def words(self) -> PlainWords:
        """Return the policy of statements."""
        how = self.settings
        if how.honesty == Honesty.LYING:
            return LyingWords(
                how.persona,
                language=how.spoken_language,
                claims=how.claims,
                talkativeness=how.talkativeness,
                politeness=how.politeness,
            )
        return PlainWords(
            how.persona,
            language=how.spoken_language,
            open_about_preferences=how.honesty == Honesty.HONEST,
            talkativeness=how.talkativeness,
            politeness=how.politeness,
        )

    def face(self) -> Faces:
        """Return the policy of faces."""
        return Faces(self.settings.persona) if self.settings.faces else StoneFace()

    def behaviour(self, ledger: Ledger | None = None) -> Behaviour:
        """Return the policy of initiative and favours."""
        how = self.settings
        return Behaviour(
            patience=how.silence_seconds,
            later=how.later_silence_seconds,
            prompts=how.prompts,
            ledger=ledger,
        )
