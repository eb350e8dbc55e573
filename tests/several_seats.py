"""Games of three to eight seats, with names for those who sit there."""

from __future__ import annotations

from typing import Any

from negoplatform.domain.game import GameSpec, Preferences, Rules, Visibility
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import AdditiveUtility

SEATS: tuple[Seat, ...] = ("mill", "farm", "inn", "smithy", "school", "harbour", "bakery", "brewery")

NAMES: dict[Seat, str] = dict(
    zip(SEATS, ("Kim", "Robin", "Noa", "Jules", "Sasha", "Mika", "Ariel", "Tal"), strict=True)
)

PLACES = ("Church", "Market", "Bridge")


def village(seats: int, *, visible: tuple[Seat, ...] = (), **rules: Any) -> GameSpec:
    """Return a game in which some neighbours divide water and hours, and choose a place."""
    names = SEATS[:seats]
    water = QuantityIssue("water", 2 * seats, label="Water", picture="water")
    hours = QuantityIssue("hours", seats, label="Opening hours")
    place = CategoricalIssue("place", PLACES, label="Place")
    preferences = {}
    for index, seat in enumerate(names):
        tables: dict[str, Any] = {
            "water": {units: units * (1 + index % 3) for units in range(water.quantity + 1)},
            "hours": {units: units * (3 - index % 3) for units in range(hours.quantity + 1)},
            "place": {value: 4 if number == index % 3 else 0 for number, value in enumerate(PLACES)},
        }
        preferences[seat] = Preferences(AdditiveUtility(seat, tables), 6)
    return GameSpec(
        name="village",
        issues=(water, hours, place),
        seats=names,
        preferences=SeatMap(preferences),
        visibility=SeatMap(
            (seat, Visibility.PUBLIC if seat in visible else Visibility.OWNER) for seat in names
        ),
        rules=Rules(**{"deadline_seconds": 600.0} | rules),
        title="Village",
    )


def others_of(game: GameSpec, seat: Seat = SEATS[0]) -> dict[Seat, str]:
    """Return the names of those whom a seat meets."""
    return {other: NAMES[other] for other in game.others(seat)}


def shares(game: GameSpec, *units: int) -> dict[str, int]:
    """Return the units of each seat in the game's order; those that are not given have none."""
    return {seat: units[index] if index < len(units) else 0 for index, seat in enumerate(game.seats)}
