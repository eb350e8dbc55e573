"""Reader of NegMAS scenarios: a domain and linear utility functions, in YAML or JSON.

As in NegMAS 0.16: a utility is the sum of weight times value function over all issues. A function may be
inside of one that discounts it (``ExpDiscountedUFun``): times ``discount ** factor``, where the factor is a
time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite
from pathlib import Path
from typing import Any

from negoplatform.domain.errors import InputFileError
from negoplatform.formats.scenarios.number_grids import integer_grid, real_grid
from negoplatform.formats.scenarios.scenario import (
    ReadingOptions,
    Scenario,
    ScenarioIssue,
    ScenarioProfile,
    written_number,
)
from negoplatform.formats.scenarios.scenario_json import child, exact_number
from negoplatform.formats.strict_json import single_line

ADDITIVE = ("LinearAdditiveUtilityFunction", "LinearUtilityAggregationFunction")
LINEAR = "LinearUtilityFunction"
DISCOUNTED = "ExpDiscountedUFun"
"""A function that discounts another one inside of it, exponentially."""

SOURCE = "NegMAS"

OVER_TIME = "Its discount factor counts over the whole game, as in Genius, and not for each step."


def is_domain(value: Any) -> bool:
    """Return whether a value is a domain of NegMAS: an outcome space."""
    return isinstance(value, dict) and isinstance(value.get("issues"), list)


def is_profile(value: Any) -> bool:
    """Return whether a value is a utility function of NegMAS."""
    return isinstance(value, dict) and _class(value).endswith(
        ("UtilityFunction", "UFun", "AggregationFunction")
    )


def refuse_several_negotiations(profiles: Sequence[tuple[Path, Any]]) -> None:
    """Raise InputFileError if a profile is that of a party in several negotiations, as in ANL 2025."""
    for path, value in profiles:
        if "n_edges" in value:
            kind = single_line(_class(value), 40)
            reason = f"a {kind} is about the agreements of several negotiations, and a game is one of them"
            raise InputFileError(path, "type", reason)


def negmas_scenario(
    domain: tuple[Path, Any], profiles: Sequence[tuple[Path, Any]], options: ReadingOptions
) -> Scenario:
    """Return the scenario of a domain and utility functions.

    Args:
        domain: The file of the domain, and its value.
        profiles: The files of the utility functions, and their values.
        options: What the files leave open.

    Raises:
        InputFileError: If something cannot be said exactly; with file, place and reason.
    """
    path, value = domain
    found = [
        _issue(issue, path, f"issues[{i}]", options.steps)
        for i, issue in enumerate(child(value, "issues", list, path, ""))
    ]
    if not found:
        raise InputFileError(path, "issues", "there is no issue in it")
    issues, keys = tuple(issue for issue, _ in found), [own for _, own in found]
    name = value.get("name")
    return Scenario(
        name=name if isinstance(name, str) and name.strip() else path.stem,
        issues=issues,
        profiles=tuple(_profile(p, v, issues, keys, options) for p, v in profiles),
        source=SOURCE,
    )


def _issue(value: Any, path: Path, where: str, steps: int | None) -> tuple[ScenarioIssue, list[Any]]:
    """Return an issue, and its levels as the value functions take them."""
    title = str(child(value, "name", object, path, where))
    kind = _class(value)
    values = child(value, "values", list, path, where)
    if kind in ("ContiguousIssue", "ContinuousIssue") and len(values) == 2:
        low, high = (written_number(limit, path, where) for limit in values)
        if kind == "ContiguousIssue":
            issue = integer_grid(title, low, high, path, where)
        else:
            issue = real_grid(title, low, high, steps, path, where)
        return issue, [Fraction(number) for number in issue.numbers]
    if kind not in ("CategoricalIssue", "DiscreteCardinalIssue", "DiscreteOrdinalIssue", "CardinalIssue"):
        raise InputFileError(
            path, where, f"an issue of the type {single_line(kind, 40)!r} cannot be imported"
        )
    if not values or not all(isinstance(level, str | int | float | Decimal | date) for level in values):
        raise InputFileError(path, where, "an issue has a list of texts or numbers")
    texts = [level if isinstance(level, str) else str(level) for level in values]
    twice = next((text for text, n in Counter(texts).items() if n > 1), None)
    if twice is not None:
        reason = f"the value {single_line(twice, 40)!r} appears twice; keep one of them"
        raise InputFileError(path, where, reason)
    return ScenarioIssue(title, tuple(texts)), list(values)


def _profile(
    path: Path,
    value: Any,
    issues: Sequence[ScenarioIssue],
    keys: Sequence[list[Any]],
    options: ReadingOptions,
) -> ScenarioProfile:
    outer, (value, discount) = value, _undiscounted(value, path, options)
    kind = _class(value)
    if kind not in (*ADDITIVE, LINEAR):
        raise InputFileError(path, "type", f"a {single_line(kind, 40)} cannot be imported; {ADDITIVE[0]} can")
    weights = _numbers(value, "weights", path, len(issues))
    if kind == LINEAR:
        functions: list[Any] = [{"type": "IdentityFun"}] * len(issues)
    else:
        functions = child(value, "values", list, path, "")
    if len(functions) != len(issues):
        raise InputFileError(path, "values", f"there are {len(functions)} functions for {len(issues)} issues")
    evaluations = [
        tuple(_apply(function, level, path, f"values[{i}]") for level in own)
        for i, (function, own) in enumerate(zip(functions, keys, strict=True))
    ]
    bias = exact_number(value.get("bias") or 0, path, "bias")
    if bias:
        # A constant of the whole becomes one of the first issue, whose weight may be 0.
        evaluations[0] = tuple(weights[0] * e + bias for e in evaluations[0])
        weights[0] = Fraction(1)
    profile = ScenarioProfile(path.stem, tuple(weights), tuple(evaluations), file=path.name)
    reserve = _reservation(value, keys, profile, options.reservation, path)
    if discount != 1 and reserve and not _discounts_reservation(outer):
        reason = "the reservation value is not 0 and not discounted, as it is in a game"
        raise InputFileError(path, "dynamic_reservation", reason)
    return replace(
        profile,
        reservation=reserve,
        discount=discount,
        remarks=(OVER_TIME,) if discount != 1 and _time(outer) == "step" else (),
    )


def _undiscounted(value: Any, path: Path, options: ReadingOptions) -> tuple[Any, Fraction]:
    """Return a utility function without its discount, and the discount factor over the whole game.

    Raises:
        InputFileError: If a game has no such discount.
    """
    if _class(value) != DISCOUNTED:
        return value, Fraction(1)
    inside = child(value, "ufun", dict, path, "")
    if not _discounts_reservation(value):
        reserve = {key: value.get(key) for key in ("reserved_value", "reserved_outcome")}
        inside = {**inside, **reserve}
    discount = exact_number(value.get("discount") or 1, path, "discount")
    if not 0 < discount <= 1:
        raise InputFileError(path, "discount", "a discount factor is above 0 and at most 1")
    time = _time(value)
    if discount != 1 and time == "step" and not options.discount_over_time:
        reason = (
            "its discount factor is for each step, and that of a game over the whole time; take it so, as it "
            "is meant in scenarios from Genius, with --discount-over-time"
        )
        raise InputFileError(path, "factor", reason)
    if discount != 1 and time not in ("step", "relative_time"):
        raise InputFileError(
            path, "factor", f"a discount by {single_line(str(time), 40)!r} cannot be imported"
        )
    return inside, discount


def _discounts_reservation(value: Any) -> bool:
    return bool(value.get("dynamic_reservation", True))


def _time(value: Any) -> Any:
    """Return the time by which a function discounts; NegMAS leaves it out of files for its default."""
    return value.get("factor", "step")


def _class(value: Any) -> str:
    """Return the name of the class of a value, without its module; nothing if it has none."""
    return str(value.get("type", "")).rpartition(".")[2] if isinstance(value, dict) else ""


def _numbers(value: Any, key: str, path: Path, count: int) -> list[Fraction]:
    found = child(value, key, list, path, "")
    if len(found) != count:
        raise InputFileError(path, key, f"there are {len(found)} of them for {count} issues")
    return [exact_number(number, path, f"{key}[{i}]") for i, number in enumerate(found)]


def _apply(function: Any, level: Any, path: Path, where: str) -> Fraction:
    """Return a value function's value of a level."""
    kind = _class(function)
    if kind == "TableFun":
        mapping = child(function, "mapping", dict, path, where)
        # JSON has texts as keys, whatever the levels are.
        for key in (level, str(level), _text(level)):
            if key in mapping:
                return exact_number(mapping[key], path, where)
        raise InputFileError(path, where, f"the value {single_line(str(level), 40)!r} has no utility")
    if kind == "ConstFun":
        return exact_number(child(function, "bias", object, path, where), path, where)
    if kind not in ("AffineFun", "LinearFun", "IdentityFun"):
        raise InputFileError(path, where, f"a value function {single_line(kind, 40)!r} cannot be imported")
    if isinstance(level, str | bool):
        raise InputFileError(path, where, f"a {kind} takes numbers, and the issue has texts")
    number = level if isinstance(level, Fraction) else exact_number(level, path, where)
    slope = 1 if kind == "IdentityFun" else function.get("slope", 1)
    bias = exact_number(function.get("bias") or 0, path, where)
    return exact_number(slope, path, where) * number + bias


def _text(level: Any) -> Any:
    """Return a number of a range as it is a key in a table: an int where it is whole."""
    if not isinstance(level, Fraction):
        return level
    return level.numerator if level.denominator == 1 else float(level)


def _reservation(
    value: Any,
    keys: Sequence[list[Any]],
    profile: ScenarioProfile,
    otherwise: Fraction | None,
    path: Path,
) -> Fraction:
    outcome, reserved = value.get("reserved_outcome"), value.get("reserved_value")
    if reserved in (None, -inf) or (isinstance(reserved, str) and "inf" in reserved.lower()):
        if isinstance(outcome, list) and len(outcome) == len(keys):
            chosen = [_place(level, own, path) for level, own in zip(outcome, keys, strict=True)]
            parts = zip(profile.weights, profile.evaluations, chosen, strict=True)
            return sum((weight * own[place] for weight, own, place in parts), Fraction(0))
        if otherwise is None:
            raise InputFileError(
                path,
                "reserved_value",
                "it is minus infinity, which a game cannot say; choose a number (--reservation)",
            )
        return otherwise
    return exact_number(reserved, path, "reserved_value")


def _place(level: Any, own: list[Any], path: Path) -> int:
    is_number = isinstance(level, int) or (isinstance(level, float | Decimal) and isfinite(level))
    for key in (level, Fraction(level) if is_number else level):
        if key in own:
            return own.index(key)
    raise InputFileError(path, "reserved_outcome", "the domain has no such value")
