"""Games of the agent check: three that are shipped, and four with other demands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.session.session_plan import with_time_limit
from negoplatform.domain.game import Acceptance, GameSpec, Preferences, Rules
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import AdditiveUtility, Points
from negoplatform.plugins.program_and_user_folders import bundled

DEADLINE_SECONDS = 120.0
"""Session time of the games that have a deadline: long enough for every situation."""


def trial_games() -> list[GameSpec]:
    """Return the games: both rules of acceptance, all kinds of issue, three seats, partial deals, burdens."""
    shipped = [
        find_game(str(bundled("games") / file), bundled("games"))
        for file in ("practice.json", "resource_exchange.json", "land_sale")
    ]
    return [
        *(with_time_limit(game, DEADLINE_SECONDS) for game in shipped),
        _used_car(),
        _three_heirs(),
        _market_stall(),
        _chores(),
    ]


def _used_car() -> GameSpec:
    """Return a game with a price in half steps, where an offer is its maker's acceptance.

    Half of the outcomes beat no deal.
    """
    prices = NumberIssue("price", 10, 20, 0.5)
    extras = CategoricalIssue("extras", ("none", "tyres", "radio"))
    tables: dict[Seat, dict[str, Any]] = {
        "buyer": {
            "price": {price: 2 * (20 - price) for price in prices.values},
            "extras": {"none": 0, "tyres": 6, "radio": 2},
        },
        "seller": {
            "price": {price: 2 * (price - 10) for price in prices.values},
            "extras": {"none": 5, "tyres": 0, "radio": 4},
        },
    }
    return _game(
        "used_car", (prices, extras), tables, 9, acceptance=Acceptance.MAKER_ACCEPTS, deadline_seconds=120.0
    )


def _three_heirs() -> GameSpec:
    """Return a game of three seats that divide coins and choose who keeps the house; all have to confirm."""
    seats = ("north", "east", "south")
    tables = {
        seat: {
            "coins": [2 * units for units in range(5)],
            "house": {name: 3 * (name == seat) for name in seats},
        }
        for seat in seats
    }
    issues = (QuantityIssue("coins", 4), CategoricalIssue("house", seats))
    return _game("three_heirs", issues, tables, 1, deadline_seconds=DEADLINE_SECONDS)


def _market_stall() -> GameSpec:
    """Return a game in which a partial offer may be a deal; its undecided part then goes to no seat."""
    tables = {
        "farmer": {"eggs": [0, 3, 5, 6], "milk": [0, 1, 2]},
        "baker": {"eggs": [0, 1, 2, 3], "milk": [0, 4, 6]},
    }
    issues = (QuantityIssue("eggs", 3), QuantityIssue("milk", 2))
    return _game("market_stall", issues, tables, 3, allow_partial=True, deadline_seconds=DEADLINE_SECONDS)


def _chores() -> GameSpec:
    """Return a game of burdens: every outcome costs both sides, no deal costs more; without a deadline."""
    tables = {
        "tenant": {"dishes": [-3 * units for units in range(7)], "weekday": {"early": -1, "late": -4}},
        "lodger": {"dishes": [-2 * units for units in range(7)], "weekday": {"early": -5, "late": 0}},
    }
    issues = (QuantityIssue("dishes", 6), CategoricalIssue("weekday", ("early", "late")))
    return _game("chores", issues, tables, -14)


def _game(
    name: str,
    issues: tuple[Issue, ...],
    tables: Mapping[Seat, Mapping[str, Any]],
    reservation: Points,
    **rules: Any,
) -> GameSpec:
    """Return a game of private preferences; a list stands for points by own units."""
    preferences = {
        seat: AdditiveUtility(
            seat,
            {
                issue: dict(enumerate(points)) if isinstance(points, list) else points
                for issue, points in by_issue.items()
            },
        )
        for seat, by_issue in tables.items()
    }
    return GameSpec(
        name=name,
        issues=issues,
        seats=tuple(tables),
        preferences=SeatMap(
            (seat, Preferences(utility, reservation)) for seat, utility in preferences.items()
        ),
        rules=Rules(**rules),
        title=name.replace("_", " ").capitalize(),
    )
