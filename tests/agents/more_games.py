"""Games with number issues, interactions and mixed kinds of issues, and the units that agents ask for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from negoplatform.core.events import EventType
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility
from negoplatform.testing import TrialTable
from tests.agents.seating import of
from tests.games import COINS, COLOURS, burdens, categorical_only, coins_only, make_game

PRICE = NumberIssue("price", 10, 12, 0.5, unit="€")
HEAP = QuantityIssue("heap", 20)


def heap(**rules: Any) -> GameSpec:
    """Return a game in which two seats divide twenty things, a point each."""
    return make_game(
        {seat: {"heap": list(range(21))} for seat in ("human", "agent")}, issues=(HEAP,), **rules
    )


def price_only(**rules: Any) -> GameSpec:
    """Return a game about a price from 10 to 12 in steps of 0.5: human buys, agent sells."""
    tables = {
        "human": {"price": {price: 12 - price for price in PRICE.values}},
        "agent": {"price": {price: price - 10 for price in PRICE.values}},
    }
    return make_game(tables, issues=(PRICE,), **rules)


def mixed(**rules: Any) -> GameSpec:
    """Return a game about four coins, a colour and a price."""
    tables = {
        "human": {
            "coins": [0, 1, 2, 3, 4],
            "colour": {"red": 5, "green": 3, "blue": 0},
            "price": {price: 12 - price for price in PRICE.values},
        },
        "agent": {
            "coins": [0, 3, 5, 6, 7],
            "colour": {"red": -2, "green": 1, "blue": 2},
            "price": {price: 3 * (price - 10) for price in PRICE.values},
        },
    }
    return make_game(tables, issues=(COINS, COLOURS, PRICE), reservation=2, **rules)


def interacting(**rules: Any) -> GameSpec:
    """Return a game about four coins and a colour; green with three or more coins gives the agent 6 more."""
    tables = {
        "human": {"coins": [0, 2, 4, 6, 8], "colour": {"red": 3, "green": 2, "blue": 0}},
        "agent": {"coins": [0, 2, 4, 6, 8], "colour": {"red": 0, "green": 1, "blue": 3}},
    }
    game = make_game(tables, issues=(COINS, COLOURS), reservation=3, **rules)
    agent = game.preferences["agent"]
    assert isinstance(agent.utility, AdditiveUtility)
    together = Interaction(6, (("coins", frozenset({3, 4})), ("colour", frozenset({"green"}))))
    with_it = replace(agent, utility=InteractionUtility(agent.utility, [together]))
    return replace(game, preferences=game.preferences.with_value("agent", with_it))


def one_outcome(**rules: Any) -> GameSpec:
    """Return a game with a single outcome."""
    tables = {seat: {"it": {"so": 1}} for seat in ("human", "agent")}
    return make_game(tables, issues=(CategoricalIssue("it", ("so",)),), **rules)


EVERY_KIND = {
    "heap": heap,
    "price": price_only,
    "mixed": mixed,
    "interacting": interacting,
    "categories": categorical_only,
    "burdens": burdens,
    "one outcome": one_outcome,
    "coins": coins_only,
}
"""Games for two seats, by their peculiarity; each takes rules."""

RULES: dict[str, dict[str, Any]] = {
    "both confirm": {"deadline_seconds": 300.0},
    "maker accepts": {"deadline_seconds": 300.0, "acceptance": "maker_accepts"},
    "partial deals": {"deadline_seconds": 300.0, "allow_partial": True},
    "no deadline": {},
}


def agents_units(table: TrialTable, issue: str, seat: str = "agent") -> list[int]:
    """Return the number of units that a seat asked for, offer by offer."""
    return [event.get_offer().units(issue, seat) for event in of(table, EventType.SEND_OFFER, seat)]
