"""Game with numbers and joint points: a tenant and a landlord agree on a flat."""

from __future__ import annotations

from typing import Any

from negoplatform.domain.game import GameSpec, Preferences, Profile, Rules
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility, UtilityFunction

PRICE = NumberIssue("price", 100, 200, 5, "Price", "€")
NOTICE = NumberIssue("notice", 0.5, 3, 0.5, "Notice", "months")
CAR = CategoricalIssue("car", ("with", "without"), "Car")
KEYS = QuantityIssue("keys", 4, "Keys")

WITH_A_CAR_AND_CHEAP = Interaction(
    5, (("car", frozenset({"with"})), ("price", frozenset({100, 105, 110, 115, 120})))
)
MANY_KEYS_AND_SHORT_NOTICE = Interaction(
    -2.5, (("keys", frozenset({3, 4})), ("notice", frozenset({0.5, 1.5})))
)


def tables(*, dear: bool) -> dict[str, Any]:
    """Return points per issue: 0 to 20 along the price, upwards or downwards."""
    along = [i for i, _ in enumerate(PRICE.values)]
    return {
        "price": dict(zip(PRICE.values, along if dear else reversed(along), strict=True)),
        "notice": dict(zip(NOTICE.values, (0, 1, 5, 3, 2, 1), strict=True)),
        "car": {"with": 6, "without": 0},
        "keys": {units: 2 * units for units in range(5)},
    }


def rent(**rules: Any) -> GameSpec:
    """Return the game with the tenant at ``human``, who prefers a low price and has joint points."""
    mine: UtilityFunction = InteractionUtility(
        AdditiveUtility("human", tables(dear=False)), (WITH_A_CAR_AND_CHEAP, MANY_KEYS_AND_SHORT_NOTICE)
    )
    theirs = AdditiveUtility("agent", tables(dear=True))
    return GameSpec(
        name="rent",
        issues=(PRICE, NOTICE, CAR, KEYS),
        seats=("human", "agent"),
        preferences=SeatMap([("human", Preferences(mine, 10)), ("agent", Preferences(theirs, 10))]),
        rules=Rules(**rules),
        title="Rent",
    )


def rent_with_profiles(chosen: str) -> GameSpec:
    """Return the game of a tenant, who has two profiles, and a landlord."""
    quick = Preferences(AdditiveUtility("tenant", tables(dear=False)), 10)
    steady = Preferences(AdditiveUtility("tenant", tables(dear=True)), 5)
    landlord = Preferences(AdditiveUtility("landlord", tables(dear=True)), 10)
    return GameSpec(
        name="rent",
        issues=(PRICE, NOTICE, CAR, KEYS),
        seats=("tenant", "landlord"),
        preferences=SeatMap([("tenant", quick), ("landlord", landlord)]),
        profiles=SeatMap([("tenant", (Profile("quick", quick), Profile("long_term", steady)))]),
        chosen=SeatMap([("tenant", chosen)]),
    )
