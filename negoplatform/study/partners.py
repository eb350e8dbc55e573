"""Partners of a study: an agent, an agent whose scripts a wizard decides on, or a second person."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from negoplatform.domain.counterpart_settings import (
    LEAST_FACE_SECONDS,
    LEAST_PACE,
    MOST_FACE_SECONDS,
    MOST_PACE,
)
from negoplatform.domain.errors import NegoError
from negoplatform.domain.expression import Expression
from negoplatform.domain.joining_settings import (
    MOST_LOST_SECONDS,
    MOST_SUGGESTION_SECONDS,
    MOST_WIZARD_DELAY,
    WAIT_FOR_LINK,
    LostLinkAction,
    LostLinkRule,
    SuggestionTimeout,
    WizardMode,
    WizardSettings,
)
from negoplatform.formats.strict_json import LazyStrictModel, Number, preview
from negoplatform.study.local_text import Language

ParticipantName = Annotated[str, Field(min_length=1, max_length=40)]

PARTNER_SUFFIX = "-partner"
"""Ending of the code of the second person in a participant's games."""

LONGEST_CODE = 40
"""Greatest number of characters of a participant's code."""


def _check_mood(text: str) -> str:
    if text.upper() not in set(Expression):
        there = ", ".join(mood.lower() for mood in Expression)
        raise ValueError(f"the mood is one of {there}; not {preview(text)}")
    return text.upper()


class WizardModel(LazyStrictModel):
    """Wizard of a partner's agent: a person who decides on its scripts from another window."""

    mode: Literal["autonomous", "assisted", "manual"] = "assisted"
    """Mode in which each game begins: the agent acts, its scripts are suggestions, or the wizard acts."""
    suggestion_seconds: Annotated[Number, Field(gt=0, le=MOST_SUGGESTION_SECONDS)] = Decimal(20)
    """Seconds for which a suggestion waits in assisted mode."""
    on_timeout: Literal["send", "drop"] = "send"
    """Rule for a suggestion without an answer after that."""
    delay_seconds: Annotated[Number, Field(ge=0, le=MOST_WIZARD_DELAY)] = Decimal(0)
    """Seconds between the wizard's decision and the act."""

    @property
    def settings(self) -> WizardSettings:
        """The session's settings."""
        return WizardSettings(
            WizardMode(self.mode),
            float(self.suggestion_seconds),
            SuggestionTimeout(self.on_timeout),
            float(self.delay_seconds),
        )


class LostLinkModel(LazyStrictModel):
    """Rule for a game in which the connection of the second person is lost."""

    action: Literal["wait", "agent", "end"] = "wait"
    seconds: Annotated[Number, Field(ge=0, le=MOST_LOST_SECONDS)] | None = None
    """Seconds of the game from the loss until an agent takes the seat, or the game ends; None: 60."""
    agent: Annotated[str, Field(min_length=1, max_length=200)] | None = None

    @model_validator(mode="after")
    def _check(self) -> LostLinkModel:
        if self.action == "wait" and self.seconds is not None:
            raise ValueError("the action wait has no seconds: the seat stays open to the end of the game")
        try:
            _ = self.rule
        except NegoError as error:
            reason = str(error).rstrip(".")
            raise ValueError(reason[:1].lower() + reason[1:]) from None
        return self

    @property
    def rule(self) -> LostLinkRule:
        """The session's rule."""
        seconds = WAIT_FOR_LINK.seconds if self.seconds is None else float(self.seconds)
        return LostLinkRule(LostLinkAction(self.action), seconds, self.agent or "")


class PartnerModel(LazyStrictModel):
    """Partner: an agent with its settings, its appearance and its mood; or a person at another computer."""

    agent: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    person: bool = False
    """Whether a second person, who joins from another computer, has the seat."""
    wizard: bool | WizardModel = False
    """Wizard who decides on the scripts of the agent; true: one with the usual settings."""
    settings: Annotated[dict[str, Any], Field(max_length=100)] = {}
    name: ParticipantName | None = None
    participant_name: ParticipantName | None = None
    """Name by which a second person sees the participant."""
    avatar: Annotated[str, Field(min_length=1, max_length=60)] | None = None
    persona: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    language: Language | None = None
    mood: Annotated[str, AfterValidator(_check_mood)] | None = None
    mood_intensity: Annotated[Number, Field(ge=0, le=1)] | None = None
    face_seconds: Annotated[Number, Field(ge=LEAST_FACE_SECONDS, le=MOST_FACE_SECONDS)] | None = None
    pace: Annotated[Number, Field(ge=LEAST_PACE, le=MOST_PACE)] | None = None
    lost_link: LostLinkModel | None = None
    """Rule for a lost connection of a second person; None: the game waits."""

    @model_validator(mode="after")
    def _check(self) -> PartnerModel:
        if not self.person:
            if self.agent is None:
                raise ValueError("a partner is an agent or a person: write agent, or person: true")
            for key in ("participant_name", "lost_link"):
                if getattr(self, key) is not None:
                    raise ValueError(f"{key} is for a partner with person: true; leave it out")
            return self
        kept = {"person", "name", "participant_name", "lost_link"}
        unused = [key for key in type(self).model_fields if key not in kept and getattr(self, key)]
        if unused:
            raise ValueError(f"a person has no {unused[0]}; leave it out, or write person: false")
        return self

    @property
    def counterpart(self) -> dict[str, Any]:
        """The session's settings of mood and pace that it sets."""
        names = ("mood", "mood_intensity", "face_seconds", "pace")
        found = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return {name: float(value) if isinstance(value, Decimal) else value for name, value in found.items()}

    @property
    def wizard_settings(self) -> WizardSettings | None:
        """The settings of the wizard; None: there is none."""
        if isinstance(self.wizard, WizardModel):
            return self.wizard.settings
        return WizardSettings() if self.wizard else None

    @property
    def lost_link_rule(self) -> LostLinkRule:
        """The rule for a lost connection."""
        return WAIT_FOR_LINK if self.lost_link is None else self.lost_link.rule

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of its agents: the one that plays, and the one that takes a person's seat."""
        stand_in = None if self.lost_link is None else self.lost_link.agent
        return tuple(name for name in (self.agent, stand_in) if name is not None)


def partner_code(code: str) -> str:
    """Return the code of the second person in the games of a visit, from the participant's code.

    Folders of sessions are named by the participant's code alone, so this one may be shortened.
    """
    return f"{code[: LONGEST_CODE - len(PARTNER_SUFFIX)]}{PARTNER_SUFFIX}"
