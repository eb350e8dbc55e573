"""Games: outcomes, utilities, time costs, for any number of seats."""

from __future__ import annotations

from itertools import islice
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.core.visibility import PUBLIC, Observer, visible_game
from negoplatform.domain.errors import OfferError
from negoplatform.domain.game import GameSpec, Preferences, TimeCost
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility, fraction

TABLES: dict[str, Any] = {"apples": {0: 0, 1: 2, 2: 4}, "day": {"Friday": -3, "Sunday": 5}}
DAYS = AdditiveUtility("human", TABLES)


def three_seats(quantity: int = 4) -> GameSpec:
    seats = ("buyer", "seller", "broker")
    tables: dict[str, Any] = {
        "crates": {units: units for units in range(quantity + 1)},
        "day": {"Friday": 1, "Sunday": 2},
    }
    return GameSpec(
        name="three",
        issues=(QuantityIssue("crates", quantity), CategoricalIssue("day", ("Friday", "Sunday"))),
        seats=seats,
        preferences=SeatMap((seat, Preferences(AdditiveUtility(seat, tables), 1)) for seat in seats),
    )


def test_points_add_up_over_the_issues() -> None:
    offer = Offer({"apples": Allocation({"human": 2}), "day": "Sunday"})

    assert DAYS(offer) == 9


def test_what_is_undecided_counts_nothing() -> None:
    half = Offer({"apples": Allocation({"human": 1}, undecided=1)})

    assert DAYS(half) == 2
    assert DAYS(EMPTY_OFFER) == 0


def test_an_issue_that_is_wholly_undecided_counts_nothing_even_where_getting_none_costs_points() -> None:
    costly = AdditiveUtility("human", {"apples": {0: -7, 1: 0}})

    assert costly(Offer({"apples": Allocation({}, undecided=1)})) == 0
    assert costly(Offer({"apples": Allocation({"agent": 1})})) == -7


def test_values_may_be_worth_less_than_nothing() -> None:
    assert DAYS(Offer({"day": "Friday"})) == -3
    assert (DAYS.lowest, DAYS.highest) == (-3, 9)


def test_whole_points_stay_whole_and_exact() -> None:
    huge = AdditiveUtility("human", {"a": {"x": 2**53, "y": 0}, "b": {"x": 1, "y": 0}})

    worth = huge(Offer({"a": "x", "b": "x"}))

    assert worth == 2**53 + 1
    assert isinstance(worth, int)


@pytest.mark.parametrize(
    ("offer", "expected"),
    [
        (Offer({"apples": Allocation({"agent": 2}), "day": "Friday"}), 0),
        (Offer({"apples": Allocation({"human": 2}), "day": "Sunday"}), 1),
        (Offer({"apples": Allocation({"agent": 2}), "day": "Sunday"}), 8 / 12),
        (EMPTY_OFFER, 3 / 12),
    ],
)
def test_the_fraction_runs_from_the_worst_outcome_to_the_best(offer: Offer, expected: float) -> None:
    assert fraction(DAYS, offer) == pytest.approx(expected)


def test_the_fraction_of_a_utility_that_never_varies_is_1() -> None:
    flat = AdditiveUtility("human", {"day": {"Friday": 4, "Sunday": 4}})

    assert fraction(flat, Offer({"day": "Friday"})) == 1
    assert fraction(flat, EMPTY_OFFER) == 1


def test_the_fraction_never_leaves_0_to_1() -> None:
    above = AdditiveUtility("human", {"day": {"Friday": 4, "Sunday": 5}, "hour": {"ten": -2, "noon": -1}})

    assert fraction(above, EMPTY_OFFER) == 0
    assert fraction(above, Offer({"day": "Sunday"})) == 1


@pytest.mark.parametrize(
    ("points", "period", "seconds", "cost"),
    [
        (2, 60, 0, 0),
        (2, 60, 59.999, 0),
        (2, 60, 60, 2),
        (2, 60, 185.2, 6),
        (1, 0.1, 0.3, 3),
        (1, 0.1, 60, 600),
        (0.5, 30, 90, 1.5),
    ],
)
def test_time_costs_points_for_every_whole_period(
    points: float, period: float, seconds: float, cost: float
) -> None:
    assert TimeCost(points, period).at(seconds) == cost


def test_walking_away_pays_the_reservation_value_unless_the_game_says_otherwise() -> None:
    assert Preferences(DAYS, reservation_value=4).quit_value == 4
    assert Preferences(DAYS, reservation_value=4, opt_out=0).quit_value == 0
    assert Preferences(DAYS, reservation_value=4).cost_at(1000) == 0


def test_three_seats_divide_units_in_every_way_there_is() -> None:
    game = three_seats(quantity=4)

    outcomes = list(game.outcomes())

    assert len(outcomes) == len(set(outcomes)) == game.count_outcomes() == comb(6, 2) * 2
    assert all(game.is_complete(offer) for offer in outcomes)
    for offer in outcomes:
        game.check_offer(offer)
    assert Offer({"crates": Allocation({"buyer": 1, "seller": 1, "broker": 2}), "day": "Friday"}) in outcomes


@given(quantity=st.integers(1, 6), seats=st.integers(1, 4), values=st.integers(1, 4))
def test_outcomes_are_counted_as_they_are_listed(quantity: int, seats: int, values: int) -> None:
    game = GameSpec(
        name="any",
        issues=(
            QuantityIssue("q", quantity),
            CategoricalIssue("c", tuple(f"v{i}" for i in range(values))),
            QuantityIssue("r", 1),
        ),
        seats=tuple(f"seat{i}" for i in range(seats)),
        preferences=SeatMap(),
    )

    assert len(set(game.outcomes())) == game.count_outcomes()


def test_the_first_outcomes_of_an_endless_game_come_at_once() -> None:
    seats = tuple(f"seat{i}" for i in range(12))
    game = GameSpec("vast", tuple(QuantityIssue(f"q{i}", 500) for i in range(30)), seats, SeatMap())

    first = list(islice(game.outcomes(), 100))

    assert len(set(first)) == 100
    assert game.count_outcomes() > 10**100


def test_outcomes_come_in_the_order_of_the_issues() -> None:
    game = three_seats(quantity=1)

    listed = [(offer.units("crates", "broker"), offer.get("day")) for offer in game.outcomes()]

    assert listed == [
        (1, "Friday"),
        (1, "Sunday"),
        (0, "Friday"),
        (0, "Sunday"),
        (0, "Friday"),
        (0, "Sunday"),
    ]


def test_each_seat_of_three_has_two_others() -> None:
    game = three_seats()

    assert game.others("seller") == ("buyer", "broker")


def test_a_seat_of_three_sees_its_own_preferences_and_nobody_elses() -> None:
    game = three_seats()

    assert list(visible_game(game, Observer("broker")).preferences) == ["broker"]
    assert list(visible_game(game, PUBLIC).preferences) == []


def test_public_preferences_are_seen_by_the_other_side_but_private_stories_are_not(game: GameSpec) -> None:
    seen = visible_game(game, Observer("agent"))

    assert list(seen.preferences) == ["human", "agent"]
    assert list(seen.stories) == ["agent"]
    assert list(visible_game(game, Observer("human")).preferences) == ["human"]


def test_an_unknown_issue_is_named_together_with_those_there_are(practice: GameSpec) -> None:
    with pytest.raises(OfferError, match="no issue 'pears'; it has apples, day"):
        practice.issue("pears")
