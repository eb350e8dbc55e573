"""Games of three, four and eight seats: a house to divide, a budget, a harvest, a roof to share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.seat_map import Seat
from tests.games import make_game

DEADLINE = 300.0
"""Seconds of these games; a test that needs another limit sets it."""

HEIRS = ("dana", "robin", "kim")
GARDEN = CategoricalIssue("garden", ("dana", "robin", "kim"), label="Garden")
PAINTINGS = QuantityIssue("paintings", 6, label="Paintings")
CHAIRS = QuantityIssue("chairs", 4, label="Chairs")

FARMS = ("miller", "baker", "farmer", "brewer")
FLATS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


def heirs(**rules: Any) -> GameSpec:
    """Return a game of three seats that divide six paintings and four chairs, and give the garden to one."""
    worth = {"dana": (1, 4, 9), "robin": (4, 2, 3), "kim": (3, 3, 6)}
    tables = {
        seat: {
            "paintings": [painting * units for units in range(7)],
            "chairs": [chair * units for units in range(5)],
            "garden": {owner: garden if owner == seat else 0 for owner in HEIRS},
        }
        for seat, (painting, chair, garden) in worth.items()
    }
    return _titled(
        make_game(tables, issues=(PAINTINGS, CHAIRS, GARDEN), reservation=4, **_limit(rules)), "heirs"
    )


def budget(**rules: Any) -> GameSpec:
    """Return a game of three seats without goods: a fence, its colour, and what it may cost."""
    fence = CategoricalIssue("fence", ("hedge", "wood", "wall"), label="Fence")
    colour = CategoricalIssue("colour", ("green", "white", "brown"), label="Colour")
    cost = NumberIssue("cost", 1000, 2000, 250, label="Cost", unit="€")
    likes = {"north": ("hedge", "green", 1), "east": ("wood", "white", -1), "south": ("wall", "brown", 0)}
    tables = {
        seat: {
            "fence": {value: 6 if value == likes_fence else 2 for value in fence.values},
            "colour": {value: 3 if value == likes_colour else 1 for value in colour.values},
            "cost": {value: 4 + way * (value - 1500) / 250 for value in cost.values},
        }
        for seat, (likes_fence, likes_colour, way) in likes.items()
    }
    return _titled(make_game(tables, issues=(fence, colour, cost), reservation=4, **_limit(rules)), "budget")


def harvest(**rules: Any) -> GameSpec:
    """Return a game of four seats that divide flour and milk and choose a day for the market."""
    day = CategoricalIssue("day", ("Friday", "Saturday", "Sunday"), label="Market day")
    flour, milk = (
        QuantityIssue("flour", 5, label="Bags of flour"),
        QuantityIssue("milk", 4, label="Cans of milk"),
    )
    worth = {"miller": (1, 3), "baker": (4, 2), "farmer": (2, 1), "brewer": (3, 3)}
    best = {"miller": "Friday", "baker": "Saturday", "farmer": "Sunday", "brewer": "Saturday"}
    tables = {
        seat: {
            "flour": [of_flour * units for units in range(6)],
            "milk": [of_milk * units for units in range(5)],
            "day": {value: 3 if value == best[seat] else 1 for value in day.values},
        }
        for seat, (of_flour, of_milk) in worth.items()
    }
    return _titled(make_game(tables, issues=(flour, milk, day), reservation=2, **_limit(rules)), "harvest")


def roof(**rules: Any) -> GameSpec:
    """Return a game of eight seats that agree on a roof, and on who keeps its two terraces."""
    kind = CategoricalIssue("kind", ("tiles", "grass", "slate"), label="Kind of roof")
    year = CategoricalIssue("year", ("this year", "next year"), label="Year")
    terraces = QuantityIssue("terraces", 2, label="Terraces")
    tables: dict[Seat, dict[str, Any]] = {
        seat: {
            "kind": {value: 5 if n % 3 == k else 2 for k, value in enumerate(kind.values)},
            "year": {value: 3 if n % 2 == k else 1 for k, value in enumerate(year.values)},
            "terraces": [0, 2, 4],
        }
        for n, seat in enumerate(FLATS)
    }
    return _titled(make_game(tables, issues=(kind, year, terraces), reservation=3, **_limit(rules)), "roof")


EVERY_GAME = {"heirs": heirs, "budget": budget, "harvest": harvest, "roof": roof}
"""The games by name."""


def _limit(rules: dict[str, Any]) -> dict[str, Any]:
    return {"deadline_seconds": DEADLINE, **rules}


def _titled(game: GameSpec, name: str) -> GameSpec:
    return replace(game, name=name, title=name.capitalize())
