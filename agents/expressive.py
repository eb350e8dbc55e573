"""Agents of the IAGO family (Mell and Gratch): each mixes four policies; docs/expressive.md shows how."""

from typing import Literal

from pydantic import BaseModel, Field

from negoplatform.agent_api import languages
from negoplatform.strategies.expressive import (
    Behaviour,
    BuildingOffers,
    CompetitiveOffers,
    ConcedingOffers,
    ExpressiveAgent,
    Faces,
    Ledger,
    LyingWords,
    PlainWords,
    Policies,
    StoneFace,
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


def style_field(usual):
    return Field(usual, title="Manner", description="How it speaks and what faces it makes.")


class CommonSettings(BaseModel):
    """Settings of all of them."""

    language: Literal[languages()] = Field("en", description="The game's own words stay as they are.")
    style: Literal["warm", "neutral", "tough"] = style_field("warm")
    faces: bool = Field(True, title="Shows emotions")
    prompts: int = Field(
        2, ge=0, le=20, title="Reminders in a row", description="How many times in a row it breaks a silence."
    )
    silence_seconds: float = Field(40.0, ge=5, title="Seconds of silence before it speaks up")
    later_silence_seconds: float = Field(
        60.0,
        ge=5,
        title="Seconds of silence later",
        description="After its first reminder, or when it was asked to wait.",
    )


class HonestSettings(CommonSettings):
    """Settings of those that tell the truth."""

    open: bool = Field(
        True, title="Open about its preferences", description="Says what matters to it when asked."
    )


class Expressive(ExpressiveAgent):
    """Common base of the agents below."""

    Settings = HonestSettings

    def policies(self):
        return Policies(self.offers(), self.words(), self.face(), self.behaviour())

    def offers(self):
        return ConcedingOffers()

    def words(self):
        how = self.settings
        return PlainWords(how.style, language=how.language, open_about_preferences=how.open)

    def face(self):
        return Faces(self.settings.style) if self.settings.faces else StoneFace()

    def behaviour(self, ledger=None):
        how = self.settings
        return Behaviour(
            patience=how.silence_seconds,
            later=how.later_silence_seconds,
            prompts=how.prompts,
            ledger=ledger,
        )


class Conceding(Expressive):
    """Starts high, and gives way a step each time it is told no or threatened."""

    class Settings(HonestSettings):
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


class Competitive(Expressive):
    """Only accepts what gives it more than the other side, and more than it claims to get without a deal."""

    class Settings(HonestSettings):
        style: Literal["warm", "neutral", "tough"] = style_field("tough")
        share: float = Field(
            0.6, ge=0, le=1, title="Share it asks for", description="Of what both sides gain together."
        )

    def get_name(self):
        return self.get_config("name", "Viktor")

    def offers(self):
        return CompetitiveOffers(share=self.settings.share, final_share=min(0.35, self.settings.share))


class Building(Expressive):
    """Builds an agreement issue by issue: settles one, keeps it, and moves on to the next."""

    def get_name(self):
        return self.get_config("name", "Noor")

    def offers(self):
        return BuildingOffers()


class FavoursFair(Expressive):
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


class Lying(Expressive):
    """Lies about what matters to it and what it gets without a deal. Each lie is marked in the record."""

    debriefing = (
        "Your partner in this negotiation was a computer program, and it was set up to lie. What it said "
        "about what matters to it, and about what it would get without a deal, wasn’t true.\n\n"
        "It does this in every negotiation, whatever the other side says or does, so it had nothing to do "
        "with you. Studies use programs like this to learn how people deal with false claims.\n\n"
        "If you have questions or concerns, please talk to the experimenter."
    )

    class Settings(CommonSettings):
        claims: float = Field(
            0.6,
            ge=0,
            le=1,
            title="Claimed value of no deal",
            description="A share of what its best deal is worth.",
        )

    def get_name(self):
        return self.get_config("name", "Iris")

    def words(self):
        how = self.settings
        return LyingWords(how.style, language=how.language, claims=how.claims)
