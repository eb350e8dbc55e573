"""Game files: JSON, read strictly, and written again exactly."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from negoplatform.core.mechanisms.registry import MECHANISMS
from negoplatform.domain.errors import FileProblem
from negoplatform.domain.game import Acceptance, GameSpec, Preferences, Rules, TimeCost, Visibility
from negoplatform.domain.issue import CategoricalIssue, Issue, QuantityIssue
from negoplatform.domain.seat import RESERVED_NAMES, BySeat, Seat
from negoplatform.domain.utility import AdditiveUtility, Points
from negoplatform.formats.strict import Strict, parse_json, read_text, shown, validate_json

GAME_SCHEMA = "negoplatform.game/1"

LARGEST_NUMBER = 1_000_000_000
"""Points go from minus to plus this."""


def _decimal(value: object) -> Decimal:
    """A number exactly as it was written; pydantic would also take it from a text in quotes."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"a number belongs here, not {shown(value)}")
    return Decimal(str(value))


def _name(text: str) -> str:
    if not re.fullmatch(r"[^\W\d][\w -]{0,59}", text):
        raise ValueError(
            "a name begins with a letter and goes on with letters, digits, spaces, - or _, "
            "60 characters at most"
        )
    return text


def _game_name(text: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,59}", text):
        raise ValueError(
            "a game's name begins with a small letter and goes on with a-z, 0-9 or _, 60 characters at most"
        )
    return text


Name = Annotated[str, AfterValidator(_name)]
Label = Annotated[str, Field(min_length=1, max_length=80)]
Number = Annotated[Decimal, BeforeValidator(_decimal), Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
Seconds = Annotated[float, Field(ge=0.001, le=86_400)]


class QuantityForm(Strict):
    """A quantity issue in a file."""

    kind: Literal["quantity"]
    name: Name
    quantity: Annotated[int, Field(ge=1, le=1000)]
    label: Label | None = None

    def value(self) -> Issue:
        """The issue."""
        return QuantityIssue(self.name, self.quantity, self.label or "")


class CategoricalForm(Strict):
    """A categorical issue in a file."""

    kind: Literal["categorical"]
    name: Name
    values: Annotated[list[Label], Field(min_length=1, max_length=1000)]
    label: Label | None = None

    @model_validator(mode="after")
    def _all_different(self) -> CategoricalForm:
        twice = [value for value, n in Counter(self.values).items() if n > 1]
        if twice:
            raise ValueError(f"the value {twice[0]!r} stands there twice")
        return self

    def value(self) -> Issue:
        """The issue."""
        return CategoricalIssue(self.name, tuple(self.values), self.label or "")


IssueForm = Annotated[QuantityForm | CategoricalForm, Field(discriminator="kind")]


class PointsForm(Strict):
    """What one issue is worth to a seat: points per unit, by units, or by value; with a weight if wanted."""

    per_unit: Number | None = None
    by_units: Annotated[list[Number], Field(max_length=1001)] | None = None
    values: Annotated[dict[str, Number], Field(max_length=1000)] | None = None
    weight: Annotated[Number, Field(ge=0, le=1)] | None = None

    def table(self, issue: Issue, scale: Decimal) -> dict[int, Points] | dict[str, Points]:
        """The points of every term of an issue.

        Raises:
            ValueError: If the form does not fit the issue.
        """
        factor = scale if self.weight is None else scale * self.weight
        match issue:
            case QuantityIssue(quantity=quantity):
                return {
                    units: _points(points * factor) for units, points in enumerate(self._by_units(quantity))
                }
            case CategoricalIssue(values=values):
                given = self._alone("values", self.values)
                if set(given) != set(values):
                    odd = sorted(set(given) ^ set(values))[0]
                    raise ValueError(
                        f"the value {odd!r} has no points" if odd in values else f"there is no value {odd!r}"
                    )
                return {value: _points(given[value] * factor) for value in values}

    def _by_units(self, quantity: int) -> list[Decimal]:
        if self.by_units is None:
            per_unit = self._alone("per_unit", self.per_unit)
            return [per_unit * units for units in range(quantity + 1)]
        listed: list[Decimal] = self._alone("by_units", self.by_units)
        if len(listed) != quantity + 1:
            raise ValueError(
                f"by_units needs {quantity + 1} numbers, for 0 to {quantity} units, but has {len(listed)}"
            )
        return listed

    def _alone(self, wanted: str, value: Any) -> Any:
        for other in ("per_unit", "by_units", "values"):
            if other != wanted and getattr(self, other) is not None:
                raise ValueError(f"{other!r} does not belong here; this issue takes {wanted!r}")
        if value is None:
            raise ValueError(f"{wanted!r} is missing")
        return value


class TimeCostForm(Strict):
    """What time costs a seat."""

    points: Annotated[Number, Field(ge=0)]
    period_seconds: Seconds


class PreferencesForm(Strict):
    """A seat's preferences in a file."""

    issues: Annotated[dict[str, PointsForm], Field(max_length=100)]
    reservation_value: Number
    opt_out: Number | None = None
    time_cost: TimeCostForm | None = None
    scale: Annotated[Number, Field(gt=0)] = Decimal(1)

    @model_validator(mode="after")
    def _weights_sum_to_one(self) -> PreferencesForm:
        weights = {name: form.weight for name, form in self.issues.items() if form.weight is not None}
        if not weights:
            return self
        for name in self.issues:
            if name not in weights:
                raise ValueError(f"the issue {name!r} has no weight, but others have; give all of them one")
        total = sum(weights.values(), Decimal(0))
        if total != 1:
            raise ValueError(f"the weights add up to {total.normalize():f}, not to 1")
        return self


class VisibilityForm(Strict):
    """Who may see what of a seat."""

    preferences: Visibility = Visibility.OWNER


class SeatForm(Strict):
    """A seat in a file; a log that was exported for one observer leaves hidden preferences out."""

    story: Annotated[str, Field(max_length=4000)] = ""
    preferences: PreferencesForm | None = None
    visibility: VisibilityForm = VisibilityForm()


class RulesForm(Strict):
    """The rules in a file."""

    acceptance: Acceptance = Acceptance.BOTH_CONFIRM
    allow_partial: bool = False
    deadline_seconds: Seconds | None = None
    time_tick_seconds: Seconds = 5.0
    share_drafts: bool = False


class GameForm(Strict):
    """A game file."""

    schema_: Literal["negoplatform.game/1"] = Field(alias="schema")
    name: Annotated[str, AfterValidator(_game_name)]
    title: Label | None = None
    description: Annotated[str, Field(max_length=4000)] = ""
    mechanism: str = "bargaining"
    issues: Annotated[list[IssueForm], Field(min_length=1, max_length=100)]
    seats: Annotated[dict[Name, SeatForm], Field(min_length=2, max_length=20)]
    rules: RulesForm = RulesForm()

    @model_validator(mode="after")
    def _names_are_sound(self) -> GameForm:
        twice = [name for name, n in Counter(issue.name for issue in self.issues).items() if n > 1]
        if twice:
            raise ValueError(f"there are two issues named {twice[0]!r}")
        for seat in self.seats:
            if seat in RESERVED_NAMES:
                raise ValueError(f"no seat may be named {seat!r}, because the program uses that word")
        if self.mechanism not in MECHANISMS:
            raise ValueError(
                f"the mechanism {self.mechanism!r} is not known; there is {', '.join(MECHANISMS)}"
            )
        return self


def load_game(path: Path) -> GameSpec:
    """The game in a file.

    Raises:
        FileProblem: With file, place and reason.
    """
    text = read_text(path)
    parse_json(text, path)
    form = validate_json(GameForm, text, path)
    for seat, seat_form in form.seats.items():
        if seat_form.preferences is None:
            raise FileProblem(path, f"seats.{seat}.preferences", "this key is missing")
    return game_of(form, path)


def game_of(form: GameForm, path: object, where: str = "") -> GameSpec:
    """The game that a form describes."""
    issues = tuple(issue.value() for issue in form.issues)
    seats = tuple(form.seats)
    within = f"{where}." if where else ""
    preferences = {
        seat: _preferences(seat, seat_form.preferences, issues, path, f"{within}seats.{seat}.preferences")
        for seat, seat_form in form.seats.items()
        if seat_form.preferences is not None
    }
    rules = form.rules
    return GameSpec(
        name=form.name,
        issues=issues,
        seats=seats,
        preferences=BySeat(preferences),
        visibility=BySeat((seat, seat_form.visibility.preferences) for seat, seat_form in form.seats.items()),
        rules=Rules(
            rules.acceptance,
            rules.allow_partial,
            rules.deadline_seconds,
            rules.time_tick_seconds,
            rules.share_drafts,
        ),
        title=form.title or form.name.replace("_", " ").capitalize(),
        description=form.description,
        stories=BySeat((seat, seat_form.story) for seat, seat_form in form.seats.items() if seat_form.story),
        mechanism=form.mechanism,
    )


def _preferences(
    seat: Seat, form: PreferencesForm, issues: tuple[Issue, ...], path: object, where: str
) -> Preferences:
    wanted = {issue.name for issue in issues}
    if set(form.issues) != wanted:
        odd = sorted(set(form.issues) ^ wanted)[0]
        reason = "this issue has no points" if odd in wanted else "the game has no such issue"
        raise FileProblem(path, f"{where}.issues.{odd}", reason)
    tables = {}
    for issue in issues:
        try:
            tables[issue.name] = form.issues[issue.name].table(issue, form.scale)
        except ValueError as error:
            raise FileProblem(path, f"{where}.issues.{issue.name}", str(error)) from None
    cost = form.time_cost
    return Preferences(
        utility=AdditiveUtility(seat, tables),
        reservation_value=_number(form.reservation_value),
        opt_out=None if form.opt_out is None else _number(form.opt_out),
        time_cost=None if cost is None else TimeCost(_number(cost.points), cost.period_seconds),
    )


def _points(value: Decimal) -> Points:
    if abs(value) > LARGEST_NUMBER:
        raise ValueError(f"the points go beyond {LARGEST_NUMBER:,}")
    return _number(value)


def _number(value: Decimal) -> Points:
    """Whole numbers as int, so that sums of points stay exact."""
    return int(value) if value == value.to_integral_value() else float(value)


def game_document(game: GameSpec) -> dict[str, Any]:
    """A game as the JSON value of a game file; reading it gives an equal game."""
    return {
        "schema": GAME_SCHEMA,
        "name": game.name,
        "title": game.title or None,
        "description": game.description,
        "mechanism": game.mechanism,
        "issues": [_issue_document(issue) for issue in game.issues],
        "seats": {seat: _seat_document(game, seat) for seat in game.seats},
        "rules": {
            "acceptance": game.rules.acceptance.value,
            "allow_partial": game.rules.allow_partial,
            "deadline_seconds": game.rules.deadline_seconds,
            "time_tick_seconds": game.rules.time_tick_seconds,
            "share_drafts": game.rules.share_drafts,
        },
    }


def _issue_document(issue: Issue) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": issue.kind, "name": issue.name, "label": issue.label or None}
    match issue:
        case QuantityIssue(quantity=quantity):
            document["quantity"] = quantity
        case CategoricalIssue(values=values):
            document["values"] = list(values)
    return document


def _seat_document(game: GameSpec, seat: Seat) -> dict[str, Any]:
    preferences = game.preferences.get(seat)
    return {
        "story": game.stories.get(seat, ""),
        "visibility": {"preferences": game.visibility.get(seat, Visibility.OWNER).value},
        "preferences": None if preferences is None else _preferences_document(game, preferences),
    }


def _preferences_document(game: GameSpec, preferences: Preferences) -> dict[str, Any]:
    utility = preferences.utility
    if not isinstance(utility, AdditiveUtility):
        raise TypeError(f"A game file cannot hold a {type(utility).__name__}.")
    cost = preferences.time_cost
    return {
        "issues": {
            issue.name: (
                {"by_units": [utility.tables[issue.name][units] for units in range(issue.quantity + 1)]}
                if isinstance(issue, QuantityIssue)
                else {"values": dict(utility.tables[issue.name])}
            )
            for issue in game.issues
        },
        "reservation_value": preferences.reservation_value,
        "opt_out": preferences.opt_out,
        "time_cost": None if cost is None else {"points": cost.points, "period_seconds": cost.period_seconds},
    }
