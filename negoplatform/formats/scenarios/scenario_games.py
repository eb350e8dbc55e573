"""Games of scenarios: the content of a game file in which every seat has one profile."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.seat_map import RESERVED_NAMES
from negoplatform.formats.game_files.seat_preferences import MOST_NAMED_POINTS
from negoplatform.formats.games import GAME_SCHEMA, GameModel, build_game
from negoplatform.formats.scenarios.scenario import (
    ROUNDING,
    Scenario,
    ScenarioIssue,
    ScenarioProfile,
    ScenarioRectangle,
    exact_json,
)
from negoplatform.formats.strict_json import LARGEST_FILE, parse_json, validate_json

LONGEST_NAME = 60

DEFAULT_DEADLINE_SECONDS = 180.0
"""Deadline of imported games in seconds, as in Genius, whose scenarios have none of their own."""

LONGEST_DESCRIPTION = 4000


@dataclass(frozen=True, slots=True)
class ImportedRules:
    """Rules of an imported game, which the files of scenarios do not have.

    Args:
        deadline_seconds: Session time at which the game ends; None: no such deadline.
        deadline_offers: Number of offers after which it ends; None: no such limit.
        turns: The order in which the seats make offers.
    """

    deadline_seconds: float | None = DEFAULT_DEADLINE_SECONDS
    deadline_offers: int | None = None
    turns: Turns = Turns.ALTERNATING


def scenario_game(
    scenario: Scenario, profiles: Sequence[ScenarioProfile], rules: ImportedRules, name: str = ""
) -> dict[str, Any]:
    """Return the content of a game file for a scenario.

    Args:
        scenario: The scenario.
        profiles: The profiles of the seats, in the order of the seats; two to eight.
        rules: The rules of the game.
        name: The game's name; default: the scenario's, in small letters.
    """
    issues = unique_names([issue.title for issue in scenario.issues], _issue_name)
    seats = unique_names(_without_prefix([profile.name for profile in profiles]), _seat_name)
    document: dict[str, Any] = {
        "schema": GAME_SCHEMA,
        "name": name or game_name(scenario.name),
        "title": scenario.name[:80] or None,
        "description": _description(scenario, profiles),
        "issues": [_issue(issue, own) for issue, own in zip(scenario.issues, issues, strict=True)],
        "seats": {
            seat: {"preferences": _preferences(scenario, profile, issues)}
            for seat, profile in zip(seats, profiles, strict=True)
        },
        "rules": {"acceptance": Acceptance.MAKER_ACCEPTS.value},
    }
    if rules.turns is not Turns.FREE:
        document["rules"]["turns"] = rules.turns.value
    for key in ("deadline_seconds", "deadline_offers"):
        if (limit := getattr(rules, key)) is not None:
            document["rules"][key] = limit
    return document


def checked_game(document: dict[str, Any], source: object) -> GameSpec:
    """Return the game of a document that is not yet in a file.

    Args:
        document: The content of the file.
        source: The scenario, for error messages.

    Raises:
        InputFileError: If a game file cannot hold it.
    """
    text = json.dumps(document, ensure_ascii=False)
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise InputFileError(source, "", "a name or a value has half of a character (a surrogate)") from None
    if size > LARGEST_FILE:
        raise InputFileError(source, "", f"its game file would be larger than {LARGEST_FILE // 1_000_000} MB")
    parse_json(text, source)
    return build_game(validate_json(GameModel, text, source), source)


def game_name(text: str) -> str:
    """Return a text as the name of a game: small letters, digits and ``_``."""
    cleaned = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return (cleaned if cleaned[:1].isalpha() else f"game_{cleaned}".rstrip("_"))[:LONGEST_NAME].rstrip("_")


def unique_names(titles: Iterable[str], name: Callable[[str], str]) -> list[str]:
    """Return a different name for each title; a number is added to one that is taken."""
    found: list[str] = []
    for title in titles:
        candidate, number = name(title), 2
        while candidate in found:
            candidate, number = f"{name(title)[: LONGEST_NAME - 6]} {number}", number + 1
        found.append(candidate)
    return found


def _without_prefix(names: list[str]) -> list[str]:
    """Return names without the words, joined by ``_``, with which all of them begin, such as the domain's."""
    words = [name.split("_") for name in names]
    shared = 0
    while all(len(own) > shared + 1 for own in words) and len({own[shared] for own in words}) == 1:
        shared += 1
    return ["_".join(own[shared:]) for own in words]


def _issue_name(title: str) -> str:
    return _name(title, "issue")


def _seat_name(title: str) -> str:
    name = _name(title, "seat")
    return f"seat {name}"[:LONGEST_NAME] if name in RESERVED_NAMES else name


def _name(title: str, prefix: str) -> str:
    """Return a title as a name of a game file; the title itself if it is one."""
    cleaned = " ".join(re.sub(r"[^\w-]+", " ", title).split())
    if not re.match(r"[^\W\d_]", cleaned):
        cleaned = f"{prefix} {cleaned}".rstrip()
    return cleaned[:LONGEST_NAME].rstrip()


def _description(scenario: Scenario, profiles: Sequence[ScenarioProfile]) -> str:
    files = ", ".join(profile.file for profile in profiles)
    remarks = [f"{profile.file}: {remark}" for profile in profiles for remark in profile.remarks]
    text = " ".join((f"Imported from {scenario.source}: {files}.", *scenario.remarks, *remarks))
    return text if len(text) <= LONGEST_DESCRIPTION else f"{text[: LONGEST_DESCRIPTION - 1]}…"


def _issue(issue: ScenarioIssue, name: str) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": "number" if issue.step else "categorical", "name": name}
    if issue.title != name and issue.title:
        document["label"] = issue.title
    if issue.step:
        document |= {key: _number(getattr(issue, key)) for key in ("low", "high", "step")}
    else:
        document["values"] = list(issue.values)
    return document


def _preferences(scenario: Scenario, profile: ScenarioProfile, names: Sequence[str]) -> dict[str, Any]:
    weighted = sum(profile.weights) == 1 and all(
        0 <= weight <= 1 and not isinstance(exact_json(weight), str) for weight in profile.weights
    )
    parts = zip(scenario.issues, names, profile.weights, profile.evaluations, strict=True)
    document: dict[str, Any] = {
        "issues": {
            name: {"weight": exact_json(weight), **_points(issue, evaluations)}
            if weighted
            else _points(issue, [weight * evaluation for evaluation in evaluations])
            for issue, name, weight, evaluations in parts
        },
        "reservation_value": exact_json(profile.reservation),
    }
    if profile.rectangles:
        document["interactions"] = [
            _interaction(rectangle, scenario.issues, names) for rectangle in profile.rectangles
        ]
    if profile.at_most is not None and _may_exceed(profile):
        document["at_most"] = exact_json(profile.at_most)
    if profile.discount != 1:
        document["discount_factor"] = exact_json(profile.discount)
    return document


def _may_exceed(profile: ScenarioProfile) -> bool:
    """Return whether some utility may be above the limit without it, by more than rounding."""
    highest = profile.highest_sum()
    if profile.rectangles:
        # An upper bound: that all boxes with positive points contain one outcome.
        highest += sum(max(Fraction(0), rectangle.points) for rectangle in profile.rectangles)
    rounding = ROUNDING * len(profile.weights)
    return profile.at_most is not None and highest > profile.at_most + rounding


def _points(issue: ScenarioIssue, points: Sequence[Fraction]) -> dict[str, Any]:
    written = [exact_json(value) for value in points]
    if issue.step:
        return {"by_number": written}
    if len(written) > MOST_NAMED_POINTS:
        return {"by_value": written}
    return {"values": dict(zip(issue.values, written, strict=True))}


def _interaction(
    rectangle: ScenarioRectangle, issues: Sequence[ScenarioIssue], names: Sequence[str]
) -> dict[str, Any]:
    return {
        "points": exact_json(rectangle.points),
        "when": {names[place]: _levels(issues[place], inside) for place, inside in rectangle.levels},
    }


def _levels(issue: ScenarioIssue, inside: frozenset[int]) -> Any:
    """Return levels of an issue as a game file has them; a run of numbers becomes a range."""
    places = sorted(inside)
    if not issue.step:
        return [issue.values[place] for place in places]
    numbers = [_number(issue.low + place * issue.step) for place in places]
    if len(places) > 1 and places[-1] - places[0] == len(places) - 1:
        return {"at_least": numbers[0], "at_most": numbers[-1]}
    return numbers if len(numbers) > 1 else numbers[0]


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)
