"""Rules of a game, as a game file sets them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from negoplatform.core.mechanisms import MECHANISMS, Mechanism
from negoplatform.domain.agent_limits import DEFAULT_BUDGET
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns
from negoplatform.domain.counterpart_settings import (
    DEFAULT_COUNTERPART,
    LEAST_FACE_SECONDS,
    LEAST_PACE,
    MOST_FACE_SECONDS,
    MOST_PACE,
    CounterpartSettings,
)
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.expression import Expression
from negoplatform.domain.game import MOST_OFFERS, Acceptance, Rules
from negoplatform.formats.agent_limits import BudgetModel, dump_budget
from negoplatform.formats.dataclass_codec import Shape, describe, dump
from negoplatform.formats.strict_json import Seconds, StrictModel, preview

DelaySeconds = Annotated[float, Field(ge=0, le=3600)]
"""Seconds of session time, 0 or more."""


class CounterpartModel(StrictModel):
    """Mood and pace of the agents in a file; omitted values are the defaults."""

    mood: Expression = DEFAULT_COUNTERPART.mood
    mood_intensity: Annotated[float, Field(ge=0, le=1)] = DEFAULT_COUNTERPART.mood_intensity
    face_seconds: Annotated[float, Field(ge=LEAST_FACE_SECONDS, le=MOST_FACE_SECONDS)] | None = None
    pace: Annotated[float, Field(ge=LEAST_PACE, le=MOST_PACE)] = DEFAULT_COUNTERPART.pace

    def value(self) -> CounterpartSettings:
        """Return the settings."""
        return CounterpartSettings(**dict(self))


class QuotaModel(StrictModel):
    """Number of seats whose acceptance makes a deal, in a file."""

    quota: Annotated[int, Field(ge=2)]


def _check_known(value: Any) -> Any:
    if isinstance(value, dict) or value in list(Agreement):
        return value
    raise ValueError(f"{preview(value)} is not known here; write 'unanimous', 'majority' or {{\"quota\": 2}}")


class RulesModel(StrictModel):
    """Rules of a game in a file."""

    acceptance: Acceptance = Acceptance.BOTH_CONFIRM
    allow_partial: bool = False
    deadline_seconds: Seconds | None = None
    deadline_offers: Annotated[int, Field(ge=1, le=MOST_OFFERS)] | None = None
    time_tick_seconds: Seconds = 5.0
    share_drafts: bool = False
    reads_talk: bool = True
    reading_language: Annotated[str, Field(pattern=r"^([a-z]{2,3})?$")] = ""
    agents: BudgetModel = BudgetModel()
    help_pauses: bool = False
    show_left_on_table: bool = False
    offer_requests: bool = True
    opening_delay_seconds: DelaySeconds | None = None
    closing_seconds: DelaySeconds | None = None
    counterpart: CounterpartModel = CounterpartModel()
    talk: bool = True
    agreement: Annotated[Agreement | QuotaModel, BeforeValidator(_check_known)] = Agreement.UNANIMOUS
    outvoted: Outvoted = Outvoted.BOUND
    turns: Turns = Turns.FREE

    def value(self) -> Rules:
        """Return the rules."""
        agents, counterpart = self.agents.with_defaults(DEFAULT_BUDGET), self.counterpart.value()
        read = self.agreement
        agreement = Quota(read.quota) if isinstance(read, QuotaModel) else read
        changed = {"agents": agents, "counterpart": counterpart, "agreement": agreement}
        return Rules(**{**dict(self), **changed})


describe(CounterpartSettings, omitted=["mood", "mood_intensity", "face_seconds", "pace"])

describe(
    Rules,
    omitted=[
        "deadline_offers",
        "reads_talk",
        "reading_language",
        "help_pauses",
        "show_left_on_table",
        "offer_requests",
        "opening_delay_seconds",
        "closing_seconds",
        "counterpart",
        "talk",
        "agreement",
        "outvoted",
        "turns",
    ],
    agents=Shape(BudgetModel, None, dump_budget),
)


def check_rules_of(mechanism: Mechanism, rules: RulesModel, path: object, where: str) -> None:
    """Check that no rule is set that belongs to other kinds of game alone; a default value does no harm.

    Args:
        mechanism: The mechanism of the game.
        rules: The game's rules.
        path: The file, for errors.
        where: The place of the rules in the file.

    Raises:
        InputFileError: If one is set.
    """
    for key in dict.fromkeys(key for other in MECHANISMS.values() for key in other.rules):
        if key not in mechanism.rules and getattr(rules, key) != RulesModel.model_fields[key].default:
            kinds = " or ".join(repr(other.name) for other in MECHANISMS.values() if key in other.rules)
            reason = (
                f"this rule belongs to games of the kind {kinds}, and this one is of the kind "
                f"{mechanism.name!r}; remove it"
            )
            raise InputFileError(path, f"{where}.{key}", reason)


def dump_rules(rules: Rules) -> dict[str, Any]:
    """Return rules as a JSON value; rules that few games set are omitted if they have their default."""
    document = dump(rules)
    budget = document.pop("agents")
    return {**document, "agents": budget} if budget else document
