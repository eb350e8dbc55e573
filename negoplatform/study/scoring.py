"""Scores of instruments: scales with reversed items and missing answers, and the SVO slider's angle."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from negoplatform.study.instrument import InstrumentModel, ItemModel, ScaleModel

Answers = Mapping[str, Any]
"""Answers by the name of the field; a missing one is None or not there."""

SVO_CENTRE = 50
"""Points of the centre of the circle on which the divisions of the SVO slider lie."""

SVO_LIMITS = ((57.15, "altruistic"), (22.45, "prosocial"), (-12.04, "individualistic"))
"""Least angle of each category in degrees (Murphy, Ackermann and Handgraaf, 2011); below: competitive."""


@dataclass(frozen=True, slots=True)
class Score:
    """Score of a scale.

    Args:
        name: The name of the scale.
        value: The score; None if too many answers are missing. A category is a text.
        answered: The number of answers that it is made of.
    """

    name: str
    value: float | str | None
    answered: int


def reversed_value(item: ItemModel, field: str, value: Any) -> Any:
    """Return an answer with a reversed item turned around, so that a high value means much of the construct.

    Args:
        item: The item.
        field: The name of the answer: the item's id, or that of a row of a matrix.
        value: The answer; None stays None.
    """
    if value is None:
        return None
    if item.matrix is not None:
        row = item.matrix.rows[item.fields.index(field)]
        return item.matrix.likert.points + 1 - value if row.reverse else value
    if not item.reverse:
        return value
    if item.likert is not None:
        return item.likert.points + 1 - value
    if item.slider is not None:
        return item.slider.least + item.slider.most - Decimal(str(value))
    return value


def scores(instrument: InstrumentModel, answers: Answers) -> list[Score]:
    """Return the scores of an instrument's scales."""
    items = {field: item for item in instrument.items for field in item.fields}
    turned = {field: reversed_value(item, field, answers.get(field)) for field, item in items.items()}
    found = [_scale_score(scale, turned) for scale in instrument.scales]
    if instrument.scoring == "svo_slider":
        found += _svo_scores(instrument, answers)
    return found


def score_names(instrument: InstrumentModel) -> tuple[str, ...]:
    """Return the names of the scores that an instrument gives."""
    names = tuple(scale.name for scale in instrument.scales)
    return (*names, "angle", "category") if instrument.scoring == "svo_slider" else names


def _scale_score(scale: ScaleModel, turned: Mapping[str, Any]) -> Score:
    there = [Decimal(str(turned[name])) for name in scale.items if turned[name] is not None]
    if len(there) < len(scale.items) - scale.missing or not there:
        return Score(scale.name, None, len(there))
    mean = sum(there, Decimal(0)) / len(there)
    return Score(scale.name, float(mean if scale.as_ == "mean" else mean * len(scale.items)), len(there))


def svo_angle(chosen: list[tuple[float, float]]) -> float:
    """Return the angle of social value orientation in degrees.

    The arc tangent of the mean points for the other minus 50, over the mean points for oneself minus 50
    (Murphy, Ackermann and Handgraaf, 2011).

    Args:
        chosen: The chosen divisions: points for oneself, points for the other.
    """
    own = math.fsum(pair[0] for pair in chosen) / len(chosen) - SVO_CENTRE
    other = math.fsum(pair[1] for pair in chosen) / len(chosen) - SVO_CENTRE
    return math.degrees(math.atan2(other, own))


def svo_category(angle: float) -> str:
    """Return the category of an angle in degrees."""
    return next((name for least, name in SVO_LIMITS if angle > least), "competitive")


def _svo_scores(instrument: InstrumentModel, answers: Answers) -> list[Score]:
    chosen: list[tuple[float, float]] = []
    for item in instrument.items:
        value = answers.get(item.id)
        if item.allocation is not None and value is not None:
            own, other = item.allocation.divisions[int(value) - 1]
            chosen.append((float(own), float(other)))
    complete = len(chosen) == sum(item.allocation is not None for item in instrument.items)
    angle = svo_angle(chosen) if complete else None
    return [
        Score("angle", None if angle is None else round(angle, 4), len(chosen)),
        Score("category", None if angle is None else svo_category(angle), len(chosen)),
    ]


def ranking_agreement(guess: list[int], truth: Mapping[int, Decimal]) -> float | None:
    """Return Kendall's tau-b between a guessed ranking and true weights, -1 to 1; None where it is undefined.

    Args:
        guess: Positions of the things from 1, the most important first.
        truth: The true importance by position.
    """
    ranks = {thing: -place for place, thing in enumerate(guess)}
    things = [thing for thing in truth if thing in ranks]
    concordant = discordant = tied = 0
    for i, one in enumerate(things):
        for other in things[i + 1 :]:
            true_difference = truth[one] - truth[other]
            if not true_difference:
                tied += 1
            elif (true_difference > 0) == (ranks[one] > ranks[other]):
                concordant += 1
            else:
                discordant += 1
    pairs = concordant + discordant + tied
    if not concordant + discordant:
        return None
    return (concordant - discordant) / math.sqrt(pairs * (concordant + discordant))
