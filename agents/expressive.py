"""Agents of the IAGO family (Mell and Gratch): each mixes four policies; docs/expressive.md shows how."""

from typing import Literal

from pydantic import Field

from negoplatform.strategies.dialogue import Voice, persona_field
from negoplatform.strategies.expressive import (
    LYING_DEBRIEFING,
    BuildingOffers,
    CompetitiveOffers,
    ConcedingOffers,
    Ledger,
    PolicyAgent,
    PolicySettings,
)

__all__ = [
    "Building",
    "Competitive",
    "Conceding",
    "FavoursBetraying",
    "FavoursFair",
    "FavoursLimited",
    "Lying",
]


class Conceding(PolicyAgent):
    """Starts high, and gives way a step each time it is told no or threatened."""

    class Settings(PolicySettings):
        step: float = Field(
            0.08,
            ge=0,
            le=1,
            title="Concession step",
            description="The share of its gain that it gives up each time.",
        )

    def get_name(self):
        return self.get_config("name", "Maya")

    def offers(self):
        return ConcedingOffers(step=self.settings.step)


class Competitive(PolicyAgent):
    """Only accepts what gives it more than the other side, and more than it claims to get without a deal."""

    class Settings(PolicySettings):
        persona: Voice = persona_field("tough")
        share: float = Field(
            0.6, ge=0, le=1, title="Share it asks for", description="Of what both sides gain together."
        )

    def get_name(self):
        return self.get_config("name", "Viktor")

    def offers(self):
        return CompetitiveOffers(share=self.settings.share, final_share=min(0.35, self.settings.share))


class Building(PolicyAgent):
    """Builds an agreement issue by issue: settles one, keeps it, and moves on to the next."""

    class Settings(PolicySettings):
        persona: Voice = persona_field("cheerful")

    def get_name(self):
        return self.get_config("name", "Noor")

    def offers(self):
        return BuildingOffers()


class FavoursFair(PolicyAgent):
    """Does favours in advance, remembers them from round to round, and returns the ones it gets."""

    way = "fair"

    def get_name(self):
        return self.get_config("name", "Jonas")

    def offers(self):
        return ConcedingOffers(step=0.06, least=0.25)

    def behaviour(self):
        return super().behaviour(Ledger(self.way))


class FavoursLimited(FavoursFair):
    """Does a favour only in return for one, and remembers them from round to round."""

    way = "limited"

    def get_name(self):
        return self.get_config("name", "Elena")


class FavoursBetraying(FavoursFair):
    """Promises every favour, does none, and asks for more. Each false promise is marked in the record."""

    way = "betraying"
    debriefing = (
        "Your partner in this negotiation was a computer program, and it was set up to break its word. It "
        "promised favours and asked for favours, but it never meant to return any.\n\n"
        "It does this in every negotiation, whatever the other side says or does, so it had nothing to do "
        "with you. Studies use programs like this to learn how people deal with broken promises.\n\n"
        "If you have questions or concerns, please talk to the experimenter."
    )

    def get_name(self):
        return self.get_config("name", "Marco")


class Lying(PolicyAgent):
    """Lies about what matters to it and what it gets without a deal. Each lie is marked in the record."""

    debriefing = LYING_DEBRIEFING

    class Settings(PolicySettings):
        persona: Voice = persona_field("formal")
        honesty: Literal["lying"] = Field("lying", title="Honesty")

    def get_name(self):
        return self.get_config("name", "Iris")
