"""Games described for one seat, and offers as JSON by a schema."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negoplatform.agent_api import OfferError, offer_schema
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.domain.issue import NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation
from negoplatform.domain.seat_map import SeatMap
from negoplatform.testing import TrialTable
from tests.agents.seating import load
from tests.formats.strategies import games
from tests.games import categorical_only, coins_only, make_game, three_seats, with_rules

NUMBERS = make_game(
    {
        seat: {"price": {1.5: 0, 1.75: 1, 2: 2}, "days": {n: n for n in range(2, 21, 2)}}
        for seat in ("human", "agent")
    },
    issues=(NumberIssue("price", 1.5, 2, 0.25), NumberIssue("days", 2, 20, 2)),
)


def context(game: GameSpec) -> Any:
    """Return the context of the first seat."""
    table = TrialTable(game)
    table.start()
    return table.context(game.seats[0])


def accepts(schema: dict[str, Any], value: object) -> bool:
    """Return whether a schema allows a value."""
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    ("game", "value", "allowed"),
    [
        (coins_only(), {"coins": 3}, True),
        (coins_only(), {"coins": 5}, False),
        (coins_only(), {"coins": True}, False),
        (coins_only(), {"coins": 1.5}, False),
        (coins_only(), {}, False),
        (coins_only(), {"coins": 1, "cake": 1}, False),
        (categorical_only(), {"colour": "red", "size": "small"}, True),
        (categorical_only(), {"colour": "red"}, False),
        (categorical_only(), {"colour": "pink", "size": "small"}, False),
        (categorical_only(allow_partial=True), {"colour": "red"}, True),
        (categorical_only(allow_partial=True), {}, False),
        (NUMBERS, {"price": 1.75, "days": 4}, True),
        (NUMBERS, {"price": 1.6, "days": 4}, False),
        (NUMBERS, {"price": 2.0, "days": 4.0}, True),
        (NUMBERS, {"price": 2, "days": 5}, False),
        (three_seats(), {"coins": {"red": 1, "green": 2, "blue": 1}, "colour": "red"}, True),
        (three_seats(), {"coins": 2, "colour": "red"}, False),
    ],
)
def test_make_offer_reads_what_the_schema_allows_and_nothing_else(
    game: GameSpec, value: dict[str, Any], *, allowed: bool
) -> None:
    ctx, schema = context(game), offer_schema(game, game.seats[0])

    assert accepts(schema, value) is allowed
    if allowed:
        ctx.game.check_offer(ctx.make_offer(json.dumps(value)))
    elif value and not (game.issues[0].name == "colour" and len(value) < 2):
        with pytest.raises(OfferError):
            ctx.make_offer(json.dumps(value))


def test_numbers_and_units_come_out_as_the_game_writes_them() -> None:
    offer = context(NUMBERS).make_offer('{"price": 2.0, "days": 4.0}')
    coins = context(coins_only()).make_offer('{"coins": 3.0}')

    assert [(name, type(term)) for name, term in offer.terms] == [("days", int), ("price", int)]
    assert coins.get("coins") == Allocation({"human": 3, "agent": 1})


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        (coins_only(), "{", "is no JSON object"),
        (coins_only(), "[1]", "is no JSON object"),
        (coins_only(), '{"coins": 1, "coins": 2}', "occurs twice"),
        (coins_only(), '{"coins": NaN}', "NaN is no number of JSON"),
        (coins_only(), '{"coins": 7}', "coins: units are a whole number from 0 to 4; not 7"),
        (coins_only(), '{"coins": "all"}', 'coins: units are a whole number from 0 to 4; not "all"'),
        (coins_only(), '{"cake": 1}', "no issue 'cake'; it has coins"),
        (categorical_only(), '{"colour": 1}', "colour is one of red, green, blue; not 1"),
        (categorical_only(), '{"colour": "pink"}', "one of red, green, blue; not 'pink'"),
        (NUMBERS, '{"days": "four"}', 'days is a number from 2 to 20 in steps of 2; not "four"'),
        (
            three_seats(),
            '{"coins": 2}',
            "write the units of each seat \\(red, green, blue\\), 4 in all; not 2",
        ),
        (three_seats(), '{"coins": {"red": 3, "green": 2}}', "5 units are given away, but there are 4"),
        (three_seats(), '{"coins": {"pink": 3}}', "there is no seat 'pink'"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_issue_and_what_is_allowed(
    game: GameSpec, text: str, reason: str
) -> None:
    with pytest.raises(OfferError, match=reason):
        context(game).make_offer(text)


@settings(max_examples=40)
@given(games(), st.randoms(use_true_random=False))
def test_every_outcome_of_a_drawn_game_fits_its_schema_and_is_read_as_it_was(
    game: GameSpec, rng: Any
) -> None:
    schema = offer_schema(game, game.seats[0])
    terms = {issue.name: next(iter(issue.terms(game.seats))) for issue in game.issues}
    plain = {
        name: (
            term.of(game.seats[0]) if len(game.seats) == 2 else {seat: term.of(seat) for seat in game.seats}
        )
        if isinstance(term, Allocation)
        else term
        for name, term in terms.items()
    }

    assert accepts(schema, json.loads(json.dumps(plain)))
    assert dict(context(game.resolve_profiles(1)).make_offer(json.dumps(plain)).terms) == terms


def test_a_description_has_the_own_points_and_those_that_are_public_and_no_others() -> None:
    game = three_seats(deadline_offers=9)
    shown = replace(game, visibility=SeatMap({**dict(game.visibility.items()), "green": Visibility.PUBLIC}))

    told = shown.describe("red").to_dict()

    assert told["issues"][0]["points"] == [0, 2, 4, 6, 8]
    assert told["issues"][1]["points"] == {"red": 3, "green": 0, "blue": 0}
    assert list(told["points_of_others"]) == ["green"]
    assert told["rules"]["deadline_offers"] == 9
    assert json.loads(json.dumps(told)) == told


def test_a_description_from_the_context_is_the_same_as_from_the_whole_game() -> None:
    for name in ("resource_exchange", "used_car", "flatmates"):
        game = load(name).resolve_profiles(3)
        seat = game.seats[0]
        table = TrialTable(game)
        table.start()

        assert table.context(seat).game.describe(seat).to_dict() == game.describe(seat).to_dict()


def test_the_text_names_every_issue_its_points_and_the_value_of_no_deal() -> None:
    text = with_rules(load("resource_exchange"), deadline_offers=20).describe("human").text

    assert "bananas: 4 units to divide; points for the units of human: 0 = 0, 1 = 4" in text
    assert "Without a deal by the end you get 12 points." in text
    assert "All seats together can make 20 offers" in text


def test_a_discount_is_described() -> None:
    game = load("resource_exchange")
    own = replace(game.preferences["human"], discount_factor=0.25)
    described = replace(game, preferences=game.preferences.with_value("human", own)).describe("human")

    assert described.to_dict()["discount_factor"] == 0.25
    assert "All of them are multiplied by 0.25 to the power of the share of the game" in described.text
    assert "multiplied" not in game.describe("human").text


def test_a_long_issue_is_described_by_some_of_its_levels() -> None:
    game = make_game(
        {seat: {"coins": list(range(501))} for seat in ("human", "agent")},
        issues=(QuantityIssue("coins", 500),),
    )

    line = next(line for line in game.describe("human").text.splitlines() if line.startswith("- coins"))

    assert "0 = 0" in line
    assert "500 = 500" in line
    assert line.endswith("(and those between)")
    assert line.count(" = ") == 24


def test_a_game_without_issues_and_an_unknown_seat_are_refused_with_a_sentence() -> None:
    with pytest.raises(NegoError, match="no issues"):
        load("grain_market").describe(load("grain_market").seats[0])
    with pytest.raises(NegoError, match="no seat 'cook'; it has human, agent"):
        coins_only().describe("cook")
    with pytest.raises(OfferError, match="no offers of 'cook'"):
        offer_schema(coins_only(), "cook")
