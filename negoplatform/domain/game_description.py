"""Descriptions of a game for one seat, as JSON values and as text: for language models, and for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility, Points, UtilityFunction

MOST_LISTED_LEVELS = 24
"""Number of levels of an issue up to which the text has the points of each."""


@dataclass(frozen=True, slots=True)
class GameDescription:
    """Description of a game for one of its seats.

    Args:
        document: JSON values by name: ``game``, ``title``, ``description``, ``story``, ``seat``, ``seats``,
            ``issues`` (each with its own ``points``, where the utility has a table), ``interactions``,
            ``at_most``, ``reservation_value``, ``quit_value``, ``time_cost``, ``discount_factor``, ``best``,
            ``worst``, ``points_of_others`` (by seat, where the game makes them public), ``rules``.
    """

    document: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the description as JSON values, a copy of the outermost level."""
        return dict(self.document)

    @property
    def text(self) -> str:
        """The description in sentences, one per line."""
        return "\n".join(_lines(self.document))

    def __str__(self) -> str:
        return self.text


def issue_document(issue: Issue, utility: UtilityFunction | None) -> dict[str, Any]:
    """Return an issue as JSON values.

    Args:
        issue: The issue.
        utility: Whose points are added: by own units from 0 up, by value, or as pairs of number and points;
            None, or a utility without tables: none are.
    """
    table = _table(utility, issue)
    described: dict[str, Any] = {"name": issue.name, "title": issue.title, "kind": issue.kind}
    match issue:
        case QuantityIssue():
            described["quantity"] = issue.quantity
            levels: tuple[object, ...] = tuple(range(issue.quantity + 1))
        case CategoricalIssue():
            described["values"] = list(issue.values)
            levels = issue.values
        case NumberIssue():
            described |= {"low": issue.low, "high": issue.high, "step": issue.step, "unit": issue.unit}
            levels = issue.values
        case _:
            assert_never(issue)
    if table is None:
        return described
    points = [json_number(table[level]) for level in levels]
    match issue:
        case QuantityIssue():
            described["points"] = points
        case CategoricalIssue():
            described["points"] = dict(zip(levels, points, strict=True))
        case NumberIssue():
            described["points"] = [list(pair) for pair in zip(levels, points, strict=True)]
    return described


def interaction_documents(utility: UtilityFunction | None) -> list[dict[str, Any]]:
    """Return the interactions of a utility as JSON values: the points, and the levels that count by issue."""
    if not isinstance(utility, InteractionUtility):
        return []
    return [
        {
            "points": json_number(interaction.points),
            "when": {issue: sorted(levels, key=str) for issue, levels in interaction.when},
        }
        for interaction in utility.interactions
    ]


def json_number(points: Points) -> int | float:
    """Return points as a number of JSON: whole ones as ``int``."""
    return int(points) if points == int(points) else float(points)


def counted_points(points: float) -> str:
    """Return a number of points with its noun."""
    return f"{points:g} point{'' if points == 1 else 's'}"


def _table(utility: UtilityFunction | None, issue: Issue) -> Mapping[object, Points] | None:
    if not isinstance(utility, AdditiveUtility | InteractionUtility):
        return None
    return utility.additive.tables[issue.name]


def _lines(facts: Mapping[str, Any]) -> Iterator[str]:
    yield f"{facts['title'] or facts['game']}. {facts['description']}".strip()
    if facts["story"]:
        yield facts["story"]
    others = [seat for seat in facts["seats"] if seat != facts["seat"]]
    yield f"You are {facts['seat']}; you negotiate with {', '.join(others)}."
    yield "Issues, with your points:"
    for issue in facts["issues"]:
        yield f"- {_issue_line(issue, facts['seat'])}"
    for extra in facts["interactions"]:
        when = "; ".join(f"{issue} is {_or(levels)}" for issue, levels in extra["when"].items())
        yield f"- {extra['points']:+g} points if {when}"
    if facts["at_most"] is not None:
        yield f"An offer gives you {counted_points(facts['at_most'])} at most."
    if facts["best"] is not None:
        yield f"The best outcome gives you {counted_points(facts['best'])}, the worst {facts['worst']:g}."
        yield f"Without a deal by the end you get {counted_points(facts['reservation_value'])}."
        yield f"If you or another seat walks away you get {counted_points(facts['quit_value'])}."
    if facts["discount_factor"] not in (None, 1):
        factor = f"{facts['discount_factor']:g} to the power of the share of the game that is over by then"
        yield f"All of them are multiplied by {factor}, from 0 to 1."
    if facts["time_cost"]:
        cost = facts["time_cost"]
        lost = counted_points(cost["points"])
        yield f"Each {cost['period_seconds']:g} seconds cost you {lost}, deal or no deal."
    for seat, issues in facts["points_of_others"].items():
        yield f"The points of {seat}:"
        yield from (f"- {_issue_line(issue, seat)}" for issue in issues)
    yield from _rule_lines(facts["rules"], len(facts["seats"]))


def _issue_line(issue: Mapping[str, Any], seat: str) -> str:
    points = issue.get("points")
    match issue["kind"]:
        case "quantity":
            head = f"{issue['name']}: {issue['quantity']} units to divide"
            pairs = None if points is None else list(enumerate(points))
            subject = f"points for the units of {seat}"
        case "categorical":
            head = f"{issue['name']}: one of {', '.join(issue['values'])}"
            pairs, subject = None if points is None else list(points.items()), "points"
        case _:
            unit = f" {issue['unit']}" if issue["unit"] else ""
            head = f"{issue['name']}: {issue['low']} to {issue['high']}{unit} in steps of {issue['step']}"
            pairs, subject = points, "points"
    if pairs is None:
        return head
    return f"{head}; {subject}: {_points_by_level(pairs)}"


def _points_by_level(pairs: list[Any]) -> str:
    """Return the points of each level, or, of very many levels, those of some at equal distances."""
    shown = pairs
    if len(pairs) > MOST_LISTED_LEVELS:
        places = {round(i * (len(pairs) - 1) / (MOST_LISTED_LEVELS - 1)) for i in range(MOST_LISTED_LEVELS)}
        shown = [pairs[i] for i in sorted(places)]
    listed = ", ".join(f"{level} = {points:g}" for level, points in shown)
    return listed if shown is pairs else f"{listed} (and those between)"


def _or(levels: list[Any]) -> str:
    return " or ".join(str(level) for level in levels[:MOST_LISTED_LEVELS])


def _rule_lines(rules: Mapping[str, Any], seats: int) -> Iterator[str]:
    if rules["acceptance"] == "maker_accepts":
        yield "Sending a complete offer commits its maker; it is a deal once enough seats accept it."
    else:
        yield "An offer is a deal once enough seats have accepted it, its maker too."
    if rules["acceptances_needed"] < seats:
        yield f"{rules['acceptances_needed']} of {seats} seats are enough for a deal."
    if rules["turns"] != "free":
        yield "The seats take turns: an offer or an acceptance passes the turn on."
    if not rules["allow_partial"]:
        yield "Only an offer that decides every issue can be accepted."
    if rules["deadline_seconds"] is not None:
        yield f"The game ends after {rules['deadline_seconds']:g} seconds."
    if rules["deadline_offers"] is not None:
        yield f"All seats together can make {rules['deadline_offers']} offers; the last one can be accepted."
    if not rules["talk"]:
        yield "There is no talk: offers, acceptances and walking away are all there is."
