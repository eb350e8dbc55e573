"""Offers as JSON: a JSON Schema of a game's offers, and reading of what it allows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, assert_never

from negoplatform.agent_api.offer_from_values import TermSpec
from negoplatform.domain.errors import OfferError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.seat_map import Seat

LONGEST_OFFER_TEXT = 100_000
"""Longest JSON text of an offer, in characters."""


def offer_schema(game: GameSpec, seat: Seat) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the offers that a seat can make.

    An object with a property per issue: of a categorical issue the value; of a number issue the number; of a
    quantity issue with two seats the units of this seat, of which the other gets the rest, and with more
    seats an object with the units of each. All issues are required, unless the game allows partial offers.
    :meth:`AgentContext.make_offer` reads what this schema allows. It cannot express that the units of several
    seats add up to at most what there is; ``make_offer`` checks that.

    Args:
        game: The game; one with issues.
        seat: The seat that makes the offer.

    Raises:
        OfferError: If the game has no such seat, or no issues.
    """
    if seat not in game.seats or not game.issues:
        raise OfferError(f"{game.name} has no offers of {seat!r}: it has no such seat, or no issues.")
    properties = {issue.name: _issue_schema(issue, game, seat) for issue in game.issues}
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if game.rules.allow_partial:
        return {**schema, "minProperties": 1}
    return {**schema, "required": list(properties)}


def terms_from_json(game: GameSpec, text: str) -> dict[str, TermSpec]:
    """Return the terms in a JSON text, for :func:`offer_from_values`.

    Raises:
        OfferError: If it is no JSON object, or a term has a form that no issue of that kind takes; the
            sentence names the issue and what is allowed.
    """
    if len(text) > LONGEST_OFFER_TEXT:
        raise OfferError(f"The offer has {len(text):,} characters; it may have {LONGEST_OFFER_TEXT:,}.")
    try:
        found = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise OfferError(f"The offer is no JSON object: {error}.") from None
    if not isinstance(found, dict):
        raise OfferError('The offer is no JSON object; write the terms by issue, such as {"colour": "red"}.')
    if not found:
        raise OfferError("The offer is empty; decide at least one issue.")
    return {name: _term(game.issue(name), value, game) for name, value in found.items()}


def _issue_schema(issue: Issue, game: GameSpec, seat: Seat) -> dict[str, Any]:
    match issue:
        case QuantityIssue() if len(game.seats) == 2:
            other = game.others(seat)[0]
            about = f"{issue.title}: units for {seat}; {other} gets the rest of the {issue.quantity}."
            return {"type": "integer", "minimum": 0, "maximum": issue.quantity, "description": about}
        case QuantityIssue():
            units = {"type": "integer", "minimum": 0, "maximum": issue.quantity}
            return {
                "type": "object",
                "properties": dict.fromkeys(game.seats, units),
                "required": list(game.seats),
                "additionalProperties": False,
                "description": f"{issue.title}: units of each seat, {issue.quantity} in all.",
            }
        case CategoricalIssue():
            return {"type": "string", "enum": list(issue.values), "description": issue.title}
        case NumberIssue():
            return {**_number_schema(issue), "description": f"{issue.title} {issue.unit}".strip()}
        case _:
            assert_never(issue)


def _number_schema(issue: NumberIssue) -> dict[str, Any]:
    whole = all(type(number) is int for number in (issue.low, issue.high, issue.step))
    if not whole or issue.low % issue.step:
        # A multiple of a decimal fraction is not exact in binary numbers.
        return {"type": "number", "enum": list(issue.values)}
    steps = {} if issue.step == 1 else {"multipleOf": issue.step}
    return {"type": "integer", "minimum": issue.low, "maximum": issue.high, **steps}


def _term(issue: Issue, value: object, game: GameSpec) -> TermSpec:
    """Return a term in the form of ``make_offer``."""
    match issue:
        case CategoricalIssue():
            if isinstance(value, str):
                return value
            raise OfferError(f"{issue.name} is one of {', '.join(issue.values)}; not {_shown(value)}.")
        case NumberIssue():
            number = _number(value)
            if number is not None:
                return number
            raise OfferError(
                f"{issue.name} is a number from {issue.low} to {issue.high} in steps of {issue.step}; not "
                f"{_shown(value)}."
            )
        case QuantityIssue():
            if isinstance(value, Mapping):
                return {seat: _units(issue, units) for seat, units in value.items()}
            if len(game.seats) > 2:
                seats = ", ".join(game.seats)
                raise OfferError(
                    f"{issue.name}: write the units of each seat ({seats}), {issue.quantity} in all; not "
                    f"{_shown(value)}."
                )
            return _units(issue, value)
        case _:
            assert_never(issue)


def _units(issue: QuantityIssue, value: object) -> int:
    units = _number(value)
    if isinstance(units, int) and 0 <= units <= issue.quantity:
        return units
    raise OfferError(
        f"{issue.name}: units are a whole number from 0 to {issue.quantity}; not {_shown(value)}."
    )


def _number(value: object) -> int | float | None:
    """Return a number of JSON, a whole one as ``int``; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) == float("inf"):
        return None
    return int(value) if value == int(value) else value


def _shown(value: object) -> str:
    """Return a JSON value for a sentence, at most 60 characters of it."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name occurs twice")
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
