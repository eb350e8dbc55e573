"""Preferences in a file: points per issue, interactions, reservation value, time cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

from pydantic import Discriminator, Field, PlainValidator, Tag, WithJsonSchema, model_validator
from pydantic_core import PydanticKnownError

from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import Preferences, TimeCost
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import number_from_decimal
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility, Points
from negoplatform.formats.strict_json import (
    LARGEST_NUMBER,
    Number,
    Seconds,
    StrictModel,
    exact_decimal,
    single_line,
)

ALTERNATIVE_KEYS = {
    "per_unit": ("by_units",),
    "by_units": ("per_unit",),
    "values": ("by_value",),
    "by_value": ("values",),
    "linear": ("by_number",),
    "by_number": ("linear",),
}
"""Mutually exclusive keys of an issue's points."""

MOST_NUMBERS = 10_001
"""Maximum number of values of a number issue."""


MOST_NAMED_POINTS = 1_000
"""Maximum number of values whose points are written by name; longer issues have a list."""

FRACTION_PATTERN = r"-?[0-9]{1,200}/[0-9]{1,200}"

Exact = Decimal | Fraction
"""A number as written: a decimal, or the quotient of two integers."""


def _exact(value: object) -> Exact:
    """Return a number, or a fraction in quotes, exactly as written."""
    found: Exact
    if isinstance(value, str) and re.fullmatch(FRACTION_PATTERN, value):
        above, below = map(int, value.split("/"))
        if below == 0:
            raise ValueError(f"{single_line(value, 40)} divides by 0")
        found = Fraction(above, below)
    else:
        found = exact_decimal(value)
    if found > LARGEST_NUMBER:
        raise PydanticKnownError("less_than_equal", {"le": LARGEST_NUMBER})
    if found < -LARGEST_NUMBER:
        raise PydanticKnownError("greater_than_equal", {"ge": -LARGEST_NUMBER})
    return found


PointNumber = Annotated[
    Exact,
    PlainValidator(_exact),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER},
                {"type": "string", "pattern": f"^{FRACTION_PATTERN}$"},
            ]
        }
    ),
]
"""Points as written: a number, or a fraction in quotes such as ``"1/3"``, which no decimal can say."""


def times(left: Exact, right: Exact) -> Exact:
    """Return an exact product."""
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return left * right
    return Fraction(left) * Fraction(right)


class PointsModel(StrictModel):
    """Points of one issue for a seat, optionally with a weight.

    A quantity issue has points per unit or by number of units, a categorical one by value, as an object or as
    a list, a number issue for its lowest and its highest number (``linear``) or for each.
    """

    per_unit: PointNumber | None = None
    by_units: Annotated[list[PointNumber], Field(fail_fast=True, max_length=1001)] | None = None
    values: Annotated[dict[str, PointNumber], Field(max_length=MOST_NAMED_POINTS)] | None = None
    by_value: Annotated[list[PointNumber], Field(fail_fast=True, max_length=MOST_NUMBERS)] | None = None
    linear: Annotated[list[PointNumber], Field(fail_fast=True, min_length=2, max_length=2)] | None = None
    by_number: Annotated[list[PointNumber], Field(fail_fast=True, max_length=MOST_NUMBERS)] | None = None
    weight: Annotated[Number, Field(ge=0, le=1)] | None = None

    def table(self, issue: Issue, scale: Decimal) -> dict[Any, Points]:
        """Return the points of every term of an issue, each rounded once to the nearest float.

        Raises:
            ValueError: If the points do not fit the issue.
        """
        factor = scale if self.weight is None else scale * self.weight
        match issue:
            case QuantityIssue(quantity=quantity):
                return {
                    units: _points(times(points, factor))
                    for units, points in enumerate(self._by_units(quantity))
                }
            case CategoricalIssue(values=values) if self.by_value is not None:
                listed = self._require_only("by_value", self.by_value)
                if len(listed) != len(values):
                    raise ValueError(
                        f"by_value needs {len(values)} numbers, one for each value, but has {len(listed)}"
                    )
                return {value: _points(times(n, factor)) for value, n in zip(values, listed, strict=True)}
            case CategoricalIssue(values=values):
                given = self._require_only("values", self.values)
                if set(given) != set(values):
                    odd = sorted(set(given) ^ set(values))[0]
                    raise ValueError(
                        f"the value {odd!r} has no points"
                        if odd in values
                        else f"there is no value {odd!r}; there is {', '.join(values)}"
                    )
                return {value: _points(times(given[value], factor)) for value in values}
            case NumberIssue(values=numbers):
                worths = self._by_number(len(numbers))
                return {n: _points(times(worth, factor)) for n, worth in zip(numbers, worths, strict=True)}

    def _by_units(self, quantity: int) -> list[Exact]:
        if self.by_units is None:
            per_unit = self._require_only("per_unit", self.per_unit)
            return [per_unit * units for units in range(quantity + 1)]
        listed: list[Exact] = self._require_only("by_units", self.by_units)
        if len(listed) != quantity + 1:
            raise ValueError(
                f"by_units needs {quantity + 1} numbers, for 0 to {quantity} units, but has {len(listed)}"
            )
        return listed

    def _by_number(self, count: int) -> list[Exact]:
        if self.by_number is None:
            low, high = self._require_only("linear", self.linear)
            if isinstance(low, Fraction) or isinstance(high, Fraction):
                low, high = Fraction(low), Fraction(high)
            return [low + (high - low) * i / max(1, count - 1) for i in range(count)]
        listed: list[Exact] = self._require_only("by_number", self.by_number)
        if len(listed) != count:
            raise ValueError(f"by_number needs {count} numbers, one for each step, but has {len(listed)}")
        return listed

    def _require_only(self, wanted: str, value: Any) -> Any:
        for other in ("per_unit", "by_units", "values", "by_value", "linear", "by_number"):
            if other != wanted and getattr(self, other) is not None:
                if value is not None and other in ALTERNATIVE_KEYS.get(wanted, ()):
                    raise ValueError(f"{other!r} and {wanted!r} say the same thing twice; keep one of them")
                raise ValueError(f"{other!r} does not belong here; this issue takes {wanted!r}")
        if value is None:
            raise ValueError(f"{wanted!r} is missing")
        return value


class RangeModel(StrictModel):
    """Range of own units or of numbers, both limits included."""

    at_least: Number | None = None
    at_most: Number | None = None


def _level_tag(value: object) -> str:
    """Return the tag of the union member that a value is checked as."""
    match value:
        case str():
            return "text"
        case list():
            return "list"
        case dict() | RangeModel():
            return "range"
        case _:
            return "number"


# Discriminated by type: for an invalid value each member would report a fault.
Levels = Annotated[
    Annotated[str, Tag("text")]
    | Annotated[Number, Tag("number")]
    | Annotated[list[str | Number], Tag("list"), Field(fail_fast=True, max_length=MOST_NUMBERS)]
    | Annotated[RangeModel, Tag("range")],
    Discriminator(_level_tag),
]


class InteractionModel(StrictModel):
    """Points that are added for a certain combination of outcomes of several issues."""

    points: PointNumber
    when: Annotated[dict[str, Levels], Field(min_length=2, max_length=100)]

    def value(self, issues: Mapping[str, Issue], scale: Decimal) -> Interaction:
        """Return the interaction.

        Raises:
            ValueError: If it does not fit the issues.
        """
        return Interaction(
            _points(times(self.points, scale)),
            tuple((name, self._levels(name, wanted, issues)) for name, wanted in self.when.items()),
        )

    def _levels(self, name: str, wanted: Any, issues: Mapping[str, Issue]) -> frozenset[object]:
        if name not in issues:
            raise ValueError(f"the game has no issue {name!r}; it has {', '.join(issues)}")
        there = levels_of(issues[name])
        if isinstance(wanted, RangeModel):
            if isinstance(issues[name], CategoricalIssue):
                raise ValueError(f"{name!r} has named values; write one, or a list of them")
            low, high = wanted.at_least, wanted.at_most
            found = [
                level for level in there if (low is None or level >= low) and (high is None or level <= high)
            ]
        else:
            found = [
                number_from_decimal(level) if isinstance(level, Decimal) else level
                for level in (wanted if isinstance(wanted, list) else [wanted])
            ]
        known = set(there)
        odd = [level for level in found if level not in known]
        if odd:
            raise ValueError(f"{name!r} never comes out as {odd[0]!r}; it is {describe_levels(issues[name])}")
        if not found:
            raise ValueError(f"{name!r} never comes out so; name a value or a number that it may have")
        return frozenset(found)


def describe_levels(issue: Issue) -> str:
    """Return the possible outcomes of an issue, for people."""
    match issue:
        case QuantityIssue(quantity=quantity):
            return f"0 to {quantity} own units"
        case CategoricalIssue(values=values):
            return f"one of {', '.join(values)}"
        case NumberIssue():
            return f"a number from {issue.low} to {issue.high} in steps of {issue.step}"


def levels_of(issue: Issue) -> list[Any]:
    """Return the keys in a table of an issue's points."""
    return list(range(issue.quantity + 1)) if isinstance(issue, QuantityIssue) else list(issue.values)


class TimeCostModel(StrictModel):
    """Time cost of a seat."""

    points: Annotated[Number, Field(ge=0)]
    period_seconds: Seconds


class PreferencesModel(StrictModel):
    """Preferences of a seat in a file."""

    issues: Annotated[dict[str, PointsModel], Field(max_length=100)]
    reservation_value: PointNumber
    opt_out: PointNumber | None = None
    time_cost: TimeCostModel | None = None
    interactions: Annotated[
        list[InteractionModel], Field(fail_fast=True, max_length=1000, default_factory=list)
    ]
    at_most: PointNumber | None = None
    scale: Annotated[Number, Field(gt=0)] = Decimal(1)
    discount_factor: Annotated[float, Field(gt=0, le=1)] = 1.0

    @model_validator(mode="after")
    def _weights_sum_to_one(self) -> PreferencesModel:
        weights = {name: points.weight for name, points in self.issues.items() if points.weight is not None}
        if not weights:
            return self
        for name in self.issues:
            if name not in weights:
                raise ValueError(f"the issue {name!r} has no weight, but others have; give all of them one")
        total = sum(weights.values(), Decimal(0))
        if total != 1:
            raise ValueError(f"the weights add up to {total.normalize():f}, not to 1")
        return self


def build_preferences(
    seat: Seat, model: PreferencesModel, issues: Iterable[Issue], path: object, where: str
) -> Preferences:
    """Return the preferences of a model.

    Raises:
        InputFileError: If it does not fit the issues.
    """
    by_name = {issue.name: issue for issue in issues}
    if set(model.issues) != set(by_name):
        odd = sorted(set(model.issues) ^ set(by_name))[0]
        reason = "this issue has no points" if odd in by_name else "the game has no such issue"
        raise InputFileError(path, f"{where}.issues.{single_line(odd, 80)}", reason)
    tables = {}
    for name, issue in by_name.items():
        try:
            tables[name] = model.issues[name].table(issue, model.scale)
        except ValueError as error:
            raise InputFileError(path, f"{where}.issues.{name}", single_line(str(error))) from None
    cost = model.time_cost
    return Preferences(
        utility=_utility(AdditiveUtility(seat, tables), model, by_name, path, f"{where}.interactions"),
        reservation_value=nearest_points(model.reservation_value),
        opt_out=None if model.opt_out is None else nearest_points(model.opt_out),
        time_cost=None if cost is None else TimeCost(number_from_decimal(cost.points), cost.period_seconds),
        discount_factor=model.discount_factor,
    )


def _utility(
    additive: AdditiveUtility, model: PreferencesModel, issues: Mapping[str, Issue], path: object, where: str
) -> AdditiveUtility | InteractionUtility:
    if not model.interactions and model.at_most is None:
        return additive
    place = where
    try:
        found = []
        for i, interaction in enumerate(model.interactions):
            place = f"{where}[{i}]"
            found.append(interaction.value(issues, model.scale))
        place = where
        limit = None if model.at_most is None else _points(times(model.at_most, model.scale))
        return InteractionUtility(additive, found, limit)
    except ValueError as error:
        raise InputFileError(path, place, single_line(str(error))) from None


def _points(value: Exact) -> Points:
    if not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise ValueError(f"the points go beyond {LARGEST_NUMBER:,}")
    return nearest_points(value)


def nearest_points(value: Exact) -> Points:
    """Return an exact number as points: whole ones as int, others as the nearest float."""
    if isinstance(value, Decimal):
        return number_from_decimal(value)
    return value.numerator if value.denominator == 1 else float(value)


def dump_preferences(preferences: Preferences, issues: Iterable[Issue]) -> dict[str, Any]:
    """Return preferences as the JSON value of a file; reading it gives equal ones.

    Raises:
        TypeError: If a game file cannot hold the utility function.
    """
    interactions: tuple[Interaction, ...] = ()
    at_most: Points | None = None
    match preferences.utility:
        case AdditiveUtility() as utility:
            pass
        case InteractionUtility(additive=utility, interactions=interactions, at_most=at_most):
            pass
        case other:
            raise TypeError(f"A game file cannot hold a {type(other).__name__}.")
    cost = preferences.time_cost
    document: dict[str, Any] = {
        "issues": {issue.name: _dump_points(issue, utility.tables[issue.name]) for issue in issues},
        "reservation_value": preferences.reservation_value,
        "opt_out": preferences.opt_out,
        "time_cost": None if cost is None else {"points": cost.points, "period_seconds": cost.period_seconds},
    }
    if interactions:
        document["interactions"] = [_dump_interaction(interaction) for interaction in interactions]
    if at_most is not None:
        document["at_most"] = at_most
    if preferences.discount_factor != 1:
        document["discount_factor"] = preferences.discount_factor
    return document


def _dump_interaction(interaction: Interaction) -> dict[str, Any]:
    # Sorted, because the order of a set differs between runs of the program.
    in_order = {
        issue: sorted(levels, key=lambda level: (isinstance(level, str), level))
        for issue, levels in interaction.when
    }
    return {"points": interaction.points, "when": in_order}


def _dump_points(issue: Issue, table: Mapping[object, Points]) -> dict[str, Any]:
    match issue:
        case QuantityIssue(quantity=quantity):
            return {"by_units": [table[units] for units in range(quantity + 1)]}
        case CategoricalIssue(values=values) if len(values) > MOST_NAMED_POINTS:
            return {"by_value": [table[value] for value in values]}
        case CategoricalIssue():
            return {"values": dict(table)}
        case NumberIssue(values=numbers):
            return {"by_number": [table[n] for n in numbers]}
