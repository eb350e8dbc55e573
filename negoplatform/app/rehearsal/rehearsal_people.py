"""Simulated people of a rehearsal: the kinds of people, what they do, and the effects that are planted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from negoplatform.app.catalogue.catalogue import find_shipped_agent
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.strict_json import LazyStrictModel, parse_json, preview, read_text, validate_json
from negoplatform.study.local_text import StudyId
from negoplatform.study.stages import PlayedGame, RoundsStage
from negoplatform.study.study import Study
from negoplatform.study.study_schema import model_schema

PEOPLE_SCHEMA = "negoplatform.people/1"

SHORTEST_DELAY, LONGEST_DELAY = 0.1, 120.0
"""Bounds of the seconds between an act of the partner and the answer of a simulated person."""

TRADERS = ("land_trader", "tac_baseline", "zip")
"""Shipped agents that play games without offers, in the order in which they are tried."""

TRIED_DRAWS = 5
"""Number of draws of an agent's settings that are tried before a rehearsal."""

Share = Annotated[float, Field(ge=0, le=1)]
Spread = Annotated[float, Field(ge=0, le=3)]


class _DescribedModel(LazyStrictModel):
    """Base of models whose keys are described in the JSON Schema, by the texts below them."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class DrawnNumber(_DescribedModel):
    """Number that is drawn for each person.

    Exactly one of ``mean`` (a normal distribution with the standard deviation ``spread``) and ``median`` (a
    lognormal distribution, where ``spread`` is the standard deviation of the logarithm). Numbers
    below ``least`` or above ``most`` are set to these.
    """

    mean: float | None = None
    """Mean of a normal distribution."""
    median: Annotated[float, Field(gt=0)] | None = None
    """Median of a lognormal distribution, for values such as times, which are above 0."""
    spread: Annotated[float, Field(ge=0)] = 0.0
    """Standard deviation; of the logarithm where there is a median."""
    least: float | None = None
    """Lower bound."""
    most: float | None = None
    """Upper bound."""

    @model_validator(mode="after")
    def _check(self) -> DrawnNumber:
        if (self.mean is None) == (self.median is None):
            raise ValueError("a number that is drawn needs either mean or median")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError("least is above most")
        return self

    def draw(self, rng: Random) -> float:
        """Return a number."""
        if self.median is not None:
            value = self.median * math.exp(rng.gauss(0, self.spread))
        else:
            value = rng.gauss(self.mean or 0.0, self.spread)
        if self.least is not None:
            value = max(self.least, value)
        return value if self.most is None else min(self.most, value)


class NegotiatorModel(_DescribedModel):
    """Negotiation of simulated people: a shipped agent, with settings that differ from person to person."""

    agent: Annotated[str, Field(min_length=1, max_length=60)] = "linear"
    """The name of a shipped agent."""
    settings: Annotated[dict[str, DrawnNumber | bool | int | float | str], Field(max_length=30)] = {}  # noqa: RUF012 - pydantic copies default values
    """Settings of the agent; a number can be drawn for each person."""
    delay: DrawnNumber = DrawnNumber.model_construct(median=6.0, spread=0.5)
    """Seconds between an act of the partner and the answer."""
    silent: Share = 0.3
    """Share of people who send offers without words, where the agent has the setting ``quiet``."""


USUAL_NEGOTIATOR: Mapping[str, Any] = {
    "agent": "linear",
    "settings": {
        "exponent": {"median": 1.0, "spread": 0.6, "least": 0.05, "most": 20},
        "k": {"mean": 0.1, "spread": 0.1, "least": 0, "most": 0.5},
    },
}


class PeopleKind(_DescribedModel):
    """Kind of simulated people."""

    name: StudyId
    """Name for the report."""
    share: Annotated[float, Field(gt=0, le=1000)]
    """Share of all people, relative to the shares of the other kinds."""
    answers: Literal["around_middle", "straight_line", "random"] = "around_middle"
    """Style of answers on scales: around the middle with the planted effects, the same point in all items of
    a form (straight-liners), or a random point.
    """
    spread: Share = 0.2
    """Standard deviation of answers, as a share of a scale's range."""
    pace: Annotated[float, Field(gt=0, le=20)] = 1.0
    """Time for everything outside of games, as a multiple of the usual time."""
    quiz_errors: Share = 0.1
    """Share of wrong answers in quizzes."""
    attention_errors: Share = 0.0
    """Share of wrong answers to attention checks."""
    skips: Share = 0.0
    """Share of items that are skipped where that is allowed."""
    drop_out: Share = 0.03
    """Share of people who drop out."""
    declines: Share = 0.02
    """Share of people who do not consent."""
    negotiator: NegotiatorModel = Field(
        default_factory=lambda: NegotiatorModel.model_validate(USUAL_NEGOTIATOR)
    )
    """Negotiation of these people."""


Effects = dict[str, dict[str, dict[str, float]]]

INTERACTION = ":"
"""Sign between the two factors of an interaction; their levels are joined by a hyphen, as in cells."""


def planted_shift(factors: Mapping[str, Mapping[str, float]], cell: Mapping[str, str]) -> float:
    """Return the shift of answers in a cell, in points of the scale: the sum of all effects.

    Args:
        factors: The effects on some answers: shifts by factor (or interaction) and level.
        cell: The levels by factor.
    """
    return sum(
        levels.get("-".join(cell.get(factor, "") for factor in name.split(INTERACTION)), 0.0)
        for name, levels in factors.items()
    )


class PeopleModel(_DescribedModel):
    """Simulated people of a rehearsal: their kinds, and the effects that are planted in their answers."""

    schema_: Literal["negoplatform.people/1"] = Field(alias="schema")
    kinds: Annotated[list[PeopleKind], Field(min_length=1, max_length=30)]
    """The kinds of people with their shares."""
    effects: Effects = {}  # noqa: RUF012 - pydantic copies default values
    """Shifts of answers in points of the scale, by beginning of ``STEP.ITEM``, factor and level:
    ``{"svi.": {"emotion": {"angry": -0.8}}}`` lowers every item of the form ``svi`` for people
    with an angry partner. An interaction has two factors with a colon, and levels of both with a hyphen:
    ``{"svi.": {"emotion:concession": {"angry-tough": -0.8}}}``; it is added to the effects of the factors.
    Reversed items are shifted the other way. People who answer in
    a straight line or at random do not show the effects.
    """

    @model_validator(mode="after")
    def _check(self) -> PeopleModel:
        names = [kind.name for kind in self.kinds]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"there are two kinds named {twice[0]!r}")
        return self

    def kind_of(self, rng: Random) -> PeopleKind:
        """Return the kind of one person, drawn by the shares."""
        return rng.choices(self.kinds, [kind.share for kind in self.kinds])[0]


_CONCEDING = {"exponent": {"median": 2.5, "spread": 0.5, "least": 0.05, "most": 20}}
_HOLDING_OUT = {"exponent": {"median": 0.4, "spread": 0.5, "least": 0.05, "most": 20}}

USUAL_PEOPLE: Mapping[str, Any] = {
    "schema": PEOPLE_SCHEMA,
    "kinds": [
        {"name": "careful", "share": 0.45, "quiz_errors": 0.05, "pace": 1.2},
        {
            "name": "hurried",
            "share": 0.2,
            "pace": 0.4,
            "quiz_errors": 0.3,
            "attention_errors": 0.1,
            "spread": 0.25,
            "negotiator": {
                "settings": _CONCEDING,
                "delay": {"median": 3.0, "spread": 0.4},
                "silent": 0.6,
            },
        },
        {
            "name": "slow",
            "share": 0.15,
            "pace": 2.5,
            "negotiator": {"settings": _HOLDING_OUT, "delay": {"median": 15.0, "spread": 0.4}, "silent": 0.2},
        },
        {
            "name": "straight_liners",
            "share": 0.1,
            "answers": "straight_line",
            "pace": 0.5,
            "quiz_errors": 0.3,
            "attention_errors": 0.6,
            "negotiator": {"settings": _CONCEDING, "silent": 0.8},
        },
        {"name": "drop_outs", "share": 0.05, "drop_out": 0.8, "declines": 0.1},
        {
            "name": "erratic",
            "share": 0.05,
            "answers": "random",
            "quiz_errors": 0.4,
            "attention_errors": 0.3,
            "negotiator": {
                "agent": "random_bids",
                "settings": {"least": {"mean": 0.4, "spread": 0.15, "least": 0, "most": 0.8}},
            },
        },
    ],
}
"""People of a rehearsal without a file: most are careful, and every kind of problem occurs."""


def draw_negotiator(model: NegotiatorModel, rng: Random) -> ChosenAgent:
    """Return the agent that negotiates for one person, with the settings and the delay that were drawn.

    Raises:
        NegoError: If there is no such agent, or it does not accept a setting.
    """
    plugin = find_shipped_agent(model.agent)
    settings: dict[str, Any] = {
        name: value.draw(rng) if isinstance(value, DrawnNumber) else value
        for name, value in model.settings.items()
    }
    is_silent = rng.random() < model.silent
    if "quiet" in (plugin.options or {}).get("properties", {}):
        settings.setdefault("quiet", is_silent)
    delay = min(LONGEST_DELAY, max(SHORTEST_DELAY, model.delay.draw(rng)))
    settings["timing"] = {"act_delay": round(delay, 3)}
    return ChosenAgent(plugin, plugin.resolve_settings(settings))


def player_of(game: GameSpec, negotiator: ChosenAgent) -> ChosenAgent:
    """Return the agent that plays a game for one person: the negotiator, or a trader in games without offers.

    The trader answers after the same time; how it trades does not differ from person to person.

    Args:
        game: The game.
        negotiator: The agent that was drawn for the person.

    Raises:
        NegoError: If no agent of a rehearsal plays the game.
    """
    if negotiator.plugin.plays(game):
        return negotiator
    for name in TRADERS:
        plugin = find_shipped_agent(name)
        trader = ChosenAgent(plugin, plugin.resolve_settings({"timing": negotiator.config["timing"]}))
        try:
            prepare_in_process(plugin, game.seats[0], trader.config, game=game).discard()
        except NegoError:
            continue
        return trader
    raise NegoError(f"No simulated person can play {game.name}; a rehearsal has traders for goods only.")


def people_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a file with simulated people."""
    return model_schema(PeopleModel)


def usual_people() -> PeopleModel:
    """Return the people of a rehearsal without a file."""
    return PeopleModel.model_validate(USUAL_PEOPLE)


def load_people(path: Path | None, folder: StudyFolder) -> PeopleModel:
    """Return the simulated people that a file describes; None: the usual ones.

    Args:
        path: The file.
        folder: The study, whose games they play, and whose factors and steps the planted effects name.

    Raises:
        InputFileError: If the file is not valid, or does not fit the study.
        NegoError: If the usual people cannot play the study's games.
    """
    if path is None:
        people = usual_people()
        for kind in people.kinds:
            _check_negotiator(kind.negotiator, folder)
        return people
    text = read_text(path)
    if not isinstance(parse_json(text, path), dict):
        raise InputFileError(path, "", "an object in braces { } belongs into this file")
    people = validate_json(PeopleModel, text, path)
    for i, kind in enumerate(people.kinds):
        try:
            _check_negotiator(kind.negotiator, folder)
        except NegoError as error:
            raise InputFileError(path, f"kinds[{i}].negotiator", str(error).rstrip(".")) from None
    _check_effects(people.effects, folder.study, path)
    return people


def _check_negotiator(model: NegotiatorModel, folder: StudyFolder) -> None:
    """Check that an agent accepts its settings, and plays the games of the study.

    Raises:
        NegoError: If it does not.
    """
    names = {
        one.game
        for stage in folder.study.model.all_stages()
        for one in (stage.rounds if isinstance(stage, RoundsStage) else [stage])
        if isinstance(one, PlayedGame) and isinstance(one.game, str)
    }
    for game in (folder.game(name).resolve_profiles(0) for name in sorted(names)):
        for seed in range(TRIED_DRAWS):
            who = player_of(game, draw_negotiator(model, Random(seed)))
            prepare_in_process(who.plugin, game.seats[0], who.config, game=game)


def _check_effects(effects: Effects, study: Study, path: Path) -> None:
    model = study.model
    forms = {stage.id for stage in model.all_stages() if stage.kind == "form"}
    for prefix, by_factor in effects.items():
        where = f"effects.{prefix}"
        if not any(_may_name(prefix, form) for form in forms):
            there = ", ".join(sorted(forms)) or "none"
            raise InputFileError(
                path, where, f"no answer begins with {preview(prefix)}; the forms are {there}"
            )
        for name, levels in by_factor.items():
            factors = name.split(INTERACTION)
            for factor in factors:
                if factor not in model.factors:
                    there = ", ".join(model.factors) or "none"
                    reason = f"there is no factor {preview(factor)}; there is {there}"
                    raise InputFileError(path, where, reason)
            if len(set(factors)) < len(factors) or len(factors) > 2:
                reason = f"an interaction has two different factors, such as a:b; not {preview(name)}"
                raise InputFileError(path, where, reason)
            known = ["-".join(each) for each in product(*(model.factors[factor] for factor in factors))]
            if unknown := [level for level in levels if level not in known]:
                what = "the factor" if len(factors) == 1 else "the interaction"
                reason = f"{what} {name} has no level {preview(unknown[0])}; it has {', '.join(known)}"
                raise InputFileError(path, f"{where}.{name}", reason)


def _may_name(prefix: str, form: str) -> bool:
    """Return whether a beginning of STEP.ITEM may be one of a form, also inside rounds or repetitions."""
    return prefix.startswith(f"{form}.") or f".{form}." in prefix or f"{form}.".startswith(prefix)
