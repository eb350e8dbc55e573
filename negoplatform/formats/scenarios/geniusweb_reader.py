"""Reader of GeniusWeb profiles (linear additive utility spaces) and of NegoLog's, both JSON.

A utility is the sum of weight times utility of the value; a number has a utility on a line. The reserve of a
GeniusWeb profile is a bid: its utility is the reservation value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.formats.scenarios.number_grids import stepped_grid
from negoplatform.formats.scenarios.scenario import Scenario, ScenarioIssue, ScenarioProfile
from negoplatform.formats.scenarios.scenario_json import child, exact_number
from negoplatform.formats.strict_json import single_line

CLASS_NAME = "LinearAdditiveUtilitySpace"
VALUE_KEYS = ("DiscreteValueSetUtilities", "discreteutils")
"""The class of utilities of values, and its name in files of 2019 and 2020."""
NUMBER_KEYS = ("NumberValueSetUtilities", "numberutils")

SOURCE = "GeniusWeb"


def is_domain(value: Any) -> bool:
    """Return whether a JSON value is a domain of GeniusWeb, without preferences."""
    return isinstance(value, dict) and "issuesValues" in value


def is_profile(value: Any) -> bool:
    """Return whether a JSON value is a profile of GeniusWeb of any class, or one of NegoLog.

    Folders of ANL also have a file with the Nash and Kalai points of the domain (specials.json).
    """
    if not isinstance(value, dict):
        return False
    inside = next(iter(value.values())) if len(value) == 1 else None
    return _is_of_negolog(value) or (isinstance(inside, dict) and "domain" in inside)


def is_description(value: Any) -> bool:
    """Return whether a JSON value describes a domain of NegoLog by its measures (specs.json there)."""
    return isinstance(value, dict) and "NumberOfBids" in value and "NumberOfIssues" in value


def geniusweb_scenario(profiles: Sequence[tuple[Path, Any]]) -> Scenario:
    """Return the scenario of some profiles.

    Raises:
        InputFileError: If a profile cannot be imported exactly.
        NegoError: If the profiles are of different domains.
    """
    read = [
        (path, *(_negolog(path, value) if _is_of_negolog(value) else _profile(path, value)))
        for path, value in profiles
    ]
    first, name, issues, _ = read[0]
    for path, _, others, _ in read[1:]:
        if others != issues:
            raise NegoError(f"{path.name} and {first.name} have different domains; name the files of one.")
    return Scenario(name, issues, tuple(profile for *_, profile in read), SOURCE)


def _is_of_negolog(value: Any) -> bool:
    return isinstance(value, dict) and "issueWeights" in value


def _profile(path: Path, value: Any) -> tuple[str, tuple[ScenarioIssue, ...], ScenarioProfile]:
    if not isinstance(value, dict):
        raise InputFileError(path, "", "this is no profile of GeniusWeb")
    if CLASS_NAME not in value:
        kind = single_line(", ".join(map(str, value)), 60)
        raise InputFileError(
            path, "", f"a profile of the class {kind!r} cannot be imported; {CLASS_NAME} can"
        )
    space = child(value, CLASS_NAME, dict, path, "")
    domain = child(space, "domain", dict, path, CLASS_NAME)
    listed = child(domain, "issuesValues", dict, path, "domain")
    issues = tuple(_issue(title, content, path) for title, content in listed.items())
    if not issues:
        raise InputFileError(path, "domain.issuesValues", "there is no issue in it")
    weights = child(space, "issueWeights", dict, path, "")
    utilities = child(space, "issueUtilities", dict, path, "")
    own = tuple(
        exact_number(child(weights, i.title, object, path, "issueWeights"), path, f"issueWeights.{i.title}")
        for i in issues
    )
    evaluations = tuple(
        _evaluations(issue, child(utilities, issue.title, dict, path, "issueUtilities"), path)
        for issue in issues
    )
    reserve = _reserve(space.get("reservationBid"), issues, own, evaluations, path)
    name = domain.get("name")
    profile = ScenarioProfile(path.stem, own, evaluations, reservation=reserve, file=path.name)
    return name if isinstance(name, str) and name.strip() else path.stem, issues, profile


def _issue(title: str, content: Any, path: Path) -> ScenarioIssue:
    where = f"domain.issuesValues.{title}"
    if isinstance(content, dict) and "range" in content:
        limits = child(content, "range", list, path, where)
        if len(limits) != 3:
            raise InputFileError(path, single_line(where, 80), "a range has a lowest, a highest and a step")
        low, high, step = (_decimal(exact_number(limit, path, where)) for limit in limits)
        return stepped_grid(title, low, high, step, path, where)
    values = child(content, "values", list, path, where)
    if not values or not all(isinstance(value, str) for value in values):
        raise InputFileError(path, single_line(where, 80), "an issue has a list of values in quotes")
    return ScenarioIssue(title, tuple(dict.fromkeys(values)))


def _evaluations(issue: ScenarioIssue, content: dict[str, Any], path: Path) -> tuple[Fraction, ...]:
    where = f"issueUtilities.{issue.title}"
    key = next((key for key in (NUMBER_KEYS if issue.step else VALUE_KEYS) if key in content), None)
    if key is None:
        expected = (NUMBER_KEYS if issue.step else VALUE_KEYS)[0]
        raise InputFileError(path, single_line(where, 80), f"the key {expected!r} is missing")
    inside = child(content, key, dict, path, where)
    if not issue.step:
        given = child(inside, "valueUtilities", dict, path, where)
        for value in issue.values:
            if value not in given:
                reason = f"the value {single_line(value, 40)!r} has no utility"
                raise InputFileError(path, single_line(where, 80), reason)
        return tuple(exact_number(given[value], path, f"{where}.{value}") for value in issue.values)
    low, low_utility, high, high_utility = (
        exact_number(child(inside, name, object, path, where), path, f"{where}.{name}")
        for name in ("lowValue", "lowUtility", "highValue", "highUtility")
    )
    if high == low:
        return (low_utility,) * len(issue.numbers)
    slope = (high_utility - low_utility) / (high - low)
    return tuple(low_utility + (Fraction(number) - low) * slope for number in issue.numbers)


def _reserve(
    bid: Any,
    issues: Sequence[ScenarioIssue],
    weights: Sequence[Fraction],
    evaluations: Sequence[Sequence[Fraction]],
    path: Path,
) -> Fraction:
    """Return the utility of the reservation bid; 0 without one. Issues that it leaves out count 0."""
    if bid is None:
        return Fraction(0)
    chosen = child(bid, "issuevalues", dict, path, "reservationBid")
    total = Fraction(0)
    for issue, weight, own in zip(issues, weights, evaluations, strict=True):
        if issue.title in chosen:
            level = chosen[issue.title]
            if issue.step:
                level = exact_number(level, path, f"reservationBid.{issue.title}")
            levels: list[Any] = [Fraction(n) for n in issue.numbers] if issue.step else list(issue.values)
            if level not in levels:
                where = single_line(f"reservationBid.{issue.title}", 80)
                raise InputFileError(path, where, "the domain has no such value")
            total += weight * own[levels.index(level)]
    return total


def _negolog(path: Path, value: Mapping[str, Any]) -> tuple[str, tuple[ScenarioIssue, ...], ScenarioProfile]:
    listed = child(value, "issues", dict, path, "")
    weights = child(value, "issueWeights", dict, path, "")
    issues, own, evaluations = [], [], []
    for title, utilities in listed.items():
        if not isinstance(utilities, dict) or not utilities:
            raise InputFileError(
                path, single_line(f"issues.{title}", 80), "an issue has values with utilities"
            )
        issues.append(ScenarioIssue(title, tuple(utilities)))
        weight = child(weights, title, object, path, "issueWeights")
        own.append(exact_number(weight, path, f"issueWeights.{title}"))
        evaluations.append(tuple(exact_number(u, path, f"issues.{title}.{v}") for v, u in utilities.items()))
    if not issues:
        raise InputFileError(path, "issues", "there is no issue in it")
    reservation = exact_number(value.get("reservationValue", 0), path, "reservationValue")
    profile = ScenarioProfile(
        path.stem, tuple(own), tuple(evaluations), reservation=reservation, file=path.name
    )
    return path.resolve().parent.name or path.stem, tuple(issues), profile


def _decimal(value: Fraction) -> Decimal:
    """Return a fraction of a power of ten as a decimal."""
    return Decimal(value.numerator) / Decimal(value.denominator)
