"""Writers of scenarios: Genius XML, GeniusWeb JSON, and YAML of NegMAS."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.scenarios.game_scenarios import (
    Abilities,
    bid_worth,
    decimal_text,
    game_scenario,
)
from negoplatform.formats.scenarios.scenario import Scenario, ScenarioIssue, ScenarioProfile, exact_json

DIGITS = 17
"""Digits of 64-bit numbers, as Genius and NegMAS read them."""

TINY_EVALUATION = Fraction(1, 10_000)
"""Highest evaluation of an issue below which Genius may take all of them for 0."""

WEB_DIGITS = 30
"""Digits of GeniusWeb's decimals: a product of two comes out as the nearest 64-bit number to the points."""


def genius_files(scenario: Scenario) -> dict[str, str]:
    """Return the texts of a domain and its profiles in XML, by the names of their files."""
    files = {f"{scenario.name}.xml": _xml(_genius_domain(scenario))}
    for profile in scenario.profiles:
        files[f"{scenario.name}_{profile.name}.xml"] = _xml(_genius_profile(scenario, profile))
    return files


def _genius_domain(scenario: Scenario) -> Element:
    root = Element("negotiation_template")
    space = SubElement(root, "utility_space", number_of_issues=str(len(scenario.issues)))
    objective = _objective(space)
    for index, issue in enumerate(scenario.issues, start=1):
        _genius_issue(objective, index, issue, None)
    return root


def _genius_profile(scenario: Scenario, profile: ScenarioProfile) -> Element:
    root = Element("utility_space", number_of_issues=str(len(scenario.issues)))
    objective = _objective(root)
    for index, (issue, points) in enumerate(zip(scenario.issues, profile.evaluations, strict=True), start=1):
        # Genius divides by the highest evaluation, so this is the weight.
        weight = max(points)
        SubElement(objective, "weight", index=str(index), value=decimal_text(weight, DIGITS))
        _genius_issue(objective, index, issue, _evaluations(points))
    SubElement(root, "discount_factor", value=decimal_text(profile.discount, DIGITS))
    SubElement(root, "reservation", value=decimal_text(profile.reservation, DIGITS))
    return root


def _evaluations(points: tuple[Fraction, ...]) -> list[Fraction]:
    """Return evaluations in the proportions of some points: with the highest 1, or the points themselves.

    The highest is 1 unless only the points are exact decimals: NegMAS does not divide by it, as Genius does.
    """
    highest = max(points)
    if highest <= 0:
        return list(points)
    shares = [value / highest for value in points]
    is_enough = highest >= TINY_EVALUATION and all(map(_is_decimal, points))
    return list(points) if is_enough and not all(map(_is_decimal, shares)) else shares


def _is_decimal(value: Fraction) -> bool:
    """Return whether a value is read as it is written, as a 64-bit number."""
    return not isinstance(exact_json(value), str)


def _objective(parent: Element) -> Element:
    attributes = {"index": "0", "name": "root", "type": "objective", "etype": "objective", "description": ""}
    return SubElement(parent, "objective", attributes)


def _genius_issue(parent: Element, index: int, issue: ScenarioIssue, points: list[Fraction] | None) -> None:
    kinds = {"type": "discrete", "etype": "discrete", "vtype": "discrete"}
    element = SubElement(parent, "issue", {"index": str(index), "name": issue.title, **kinds})
    for i, value in enumerate(issue.values):
        item = SubElement(element, "item", index=str(i + 1), value=value, cost="0", description="")
        if points is not None:
            item.set("evaluation", decimal_text(points[i], DIGITS))


def _xml(root: Element) -> str:
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def geniusweb_files(scenario: Scenario) -> dict[str, str]:
    """Return the texts of a domain and its profiles in JSON, by the names of their files.

    Raises:
        NegoError: If a reservation value is that of no bid.
    """
    values = {issue.title: {"values": list(issue.values)} for issue in scenario.issues}
    if len(values) < len(scenario.issues):
        raise NegoError(
            f"Two issues of {scenario.name} have the same title, which GeniusWeb cannot hold; rename one."
        )
    domain = {"name": scenario.name, "issuesValues": values}
    files = {f"{scenario.name}.json": _json(domain)}
    for profile in scenario.profiles:
        space = {
            "name": profile.name,
            "domain": domain,
            **_web_utilities(scenario, profile),
            "reservationBid": _reservation_bid(scenario, profile),
        }
        files[f"{scenario.name}_{profile.name}.json"] = _json({"LinearAdditiveUtilitySpace": space})
    return files


def _web_utilities(scenario: Scenario, profile: ScenarioProfile) -> dict[str, Any]:
    """Return weights that add up to 1, and the utilities that give the points with them."""
    weights = [Fraction(decimal_text(max(own), WEB_DIGITS)) for own in profile.evaluations]
    # GeniusWeb refuses weights that do not add up to exactly 1, and utilities above it.
    weights[weights.index(max(weights))] += 1 - sum(weights, Fraction(0))
    parts = list(zip(scenario.issues, weights, profile.evaluations, strict=True))
    return {
        "issueWeights": {
            issue.title: _number(decimal_text(weight, WEB_DIGITS)) for issue, weight, _ in parts
        },
        "issueUtilities": {
            issue.title: {
                "DiscreteValueSetUtilities": {
                    "valueUtilities": {
                        value: _number(
                            decimal_text(
                                min(Fraction(1), points / weight) if weight else Fraction(0), WEB_DIGITS
                            )
                        )
                        for value, points in zip(issue.values, own, strict=True)
                    }
                }
            }
            for issue, weight, own in parts
        },
    }


def _reservation_bid(scenario: Scenario, profile: ScenarioProfile) -> dict[str, Any] | None:
    if profile.reservation == 0:
        return None
    bid = bid_worth(scenario, profile, profile.reservation)
    if bid is None:
        raise NegoError(
            f"GeniusWeb has a bid as reserve, and no outcome of {scenario.name} is worth exactly "
            f"{float(profile.reservation):g} to {profile.name}, its reservation value."
        )
    return {"issuevalues": bid}


def negmas_files(scenario: Scenario) -> dict[str, str]:
    """Return the texts of a domain and its utility functions, by the names of their files.

    They are JSON, which every reader of YAML reads.
    """
    issues = [
        {"name": issue.title, "type": "CategoricalIssue", "values": list(issue.values)}
        for issue in scenario.issues
    ]
    space = {"name": scenario.name, "type": "DiscreteCartesianOutcomeSpace", "path": None, "issues": issues}
    files = {f"{scenario.name}.yml": _json(space)}
    for profile in scenario.profiles:
        function: dict[str, Any] = {
            "name": profile.name,
            "type": "LinearAdditiveUtilityFunction",
            "reserved_outcome": None,
            "reserved_value": float(profile.reservation),
            "values": [
                {"type": "TableFun", "mapping": dict(zip(issue.values, map(float, own), strict=True))}
                for issue, own in zip(scenario.issues, profile.evaluations, strict=True)
            ],
            "weights": [1.0] * len(scenario.issues),
        }
        if profile.discount != 1:
            function = {
                "name": profile.name,
                "type": "ExpDiscountedUFun",
                "discount": float(profile.discount),
                "factor": "relative_time",
                "dynamic_reservation": True,
                "reserved_value": float(profile.reservation),
                "ufun": function,
            }
        files[f"{scenario.name}_{profile.name}.yml"] = _json(function)
    return files


def _number(notation: str) -> str:
    """Return a mark for a number with more digits than a float has."""
    return f"\0{notation}\0"


def _json(value: Any) -> str:
    text = json.dumps(value, indent=1, ensure_ascii=False)
    return re.sub(r'"\\u0000([^"]*)\\u0000"', r"\1", text) + "\n"


FORMATS: Mapping[str, tuple[Abilities, Callable[[Scenario], dict[str, str]]]] = {
    "genius": (Abilities("Genius", Fraction(1), discounts=True, unit_interval=True), genius_files),
    "geniusweb": (Abilities("GeniusWeb", None, discounts=False, unit_interval=True), geniusweb_files),
    "negmas": (Abilities("NegMAS", None, discounts=True, unit_interval=False), negmas_files),
}
"""Formats by name: what each can hold, and its writer."""


def exported_files(game: GameSpec, name: str, *, rescale: bool) -> dict[str, str]:
    """Return the texts of a game in another format, by the names of their files.

    Args:
        game: The game, with the preferences of all seats.
        name: The format, one of :data:`FORMATS`.
        rescale: Whether each seat's points are brought to 0 to 1.

    Raises:
        NegoError: If the format cannot hold something of the game.
    """
    abilities, write = FORMATS[name]
    return write(game_scenario(game, abilities, rescale=rescale))
