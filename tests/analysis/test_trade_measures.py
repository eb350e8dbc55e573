"""Measures of trading and markets: the best division, equilibrium prices and convergence."""

from __future__ import annotations

import math
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.analysis.trade_measures import equilibrium, mean_distance, smith_alpha, walras_prices
from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.trading.economy import Currency, Economy, Endowment, Good, best_allocation, surplus
from negoplatform.domain.trading.worth import GoodsWorth, LogWorth, UnitWorth, best_division, worth_of_good

SEATS = ("a", "b", "c")

tables = st.lists(
    st.lists(st.integers(-5, 20), min_size=7, max_size=7).map(lambda steps: [0, *steps]),
    min_size=1,
    max_size=4,
)


def divisions(total: int, seats: int) -> list[tuple[int, ...]]:
    return [units for units in product(range(total + 1), repeat=seats) if sum(units) == total]


@given(total=st.integers(0, 7), worths=tables)
def test_the_best_division_is_worth_as_much_as_the_best_of_all_divisions(
    total: int, worths: list[list[int]]
) -> None:
    found = best_division(total, [table.__getitem__ for table in worths])

    assert sum(found) == total
    most = max(
        sum(table[n] for table, n in zip(worths, units, strict=True))
        for units in divisions(total, len(worths))
    )
    assert sum(table[n] for table, n in zip(worths, found, strict=True)) == most


@st.composite
def economies(draw: st.DrawFn) -> Economy:
    """Return a small economy of two goods; worths of units fall, rise or both, or are logarithmic."""
    units = st.tuples(st.integers(0, 2), st.integers(0, 2))
    endowments = {seat: Endowment(draw(st.integers(0, 100)), draw(units)) for seat in SEATS}
    by_good = st.lists(st.integers(0, 30), min_size=7, max_size=7).map(tuple)
    of_units = st.builds(UnitWorth, st.tuples(by_good, by_good))
    parameter = st.integers(1, 100).map(float)
    logarithmic = st.builds(LogWorth, st.tuples(parameter, parameter), st.just(1))
    worths: dict[str, GoodsWorth] = {seat: draw(st.one_of(of_units, logarithmic)) for seat in SEATS}
    goods = (Good("x"), Good("y"))
    return Economy(goods, Currency("", 0), SeatMap(endowments), SeatMap(worths))


@given(economy=economies())
def test_the_best_allocation_is_worth_as_much_as_the_best_of_all_allocations(economy: Economy) -> None:
    totals = [sum(economy.endowments[seat].units[good] for seat in SEATS) for good in (0, 1)]

    found = best_allocation(economy)

    assert [sum(units[good] for units in found.values()) for good in (0, 1)] == totals
    most = max(
        math.fsum(economy.worths[seat].of((x[i], y[i])) for i, seat in enumerate(SEATS))
        for x in divisions(totals[0], 3)
        for y in divisions(totals[1], 3)
    )
    assert math.fsum(economy.worths[seat].of(found[seat]) for seat in SEATS) == pytest.approx(most)
    assert surplus(economy, found).efficiency in (None, pytest.approx(1))


@given(economy=economies(), good=st.sampled_from([0, 1]))
def test_at_an_equilibrium_price_nobody_wants_other_units_than_in_the_best_division(
    economy: Economy, good: int
) -> None:
    found, best = equilibrium(economy, good), best_allocation(economy)
    if found is None:
        return
    total = sum(endowment.units[good] for endowment in economy.endowments.values())
    for seat in SEATS:
        worth = worth_of_good(economy.worths[seat], good, 2)
        steps = [worth(n + 1) - worth(n) for n in range(total)]
        if any(later > earlier for earlier, later in pairwise(steps)):
            return  # with increasing worths there may be no such price
    for price in (found.lowest, found.price, found.highest):
        for seat in SEATS:
            worth = worth_of_good(economy.worths[seat], good, 2)
            kept = worth(best[seat][good]) - price * best[seat][good]
            assert all(worth(n) - price * n <= kept + 1e-6 for n in range(total + 1))


def test_the_worked_example_has_its_walras_prices_and_its_possible_gain() -> None:
    economy = find_game("tac_trading", Path("none")).economy
    assert economy is not None

    found = surplus(economy, {seat: endowment.units for seat, endowment in economy.endowments.items()})

    assert walras_prices(economy) == pytest.approx((2200, 3000))
    assert found.possible == pytest.approx(
        100 * (80 * math.log(4) + 70 * math.log(2) - 20 * math.log(2) - 30 * math.log(4))
    )
    assert (found.gained, found.efficiency) == (0, 0)


def test_the_grain_market_clears_at_85() -> None:
    economy = find_game("grain_market", Path("none")).economy
    assert economy is not None

    found = equilibrium(economy, 0)

    assert found is not None
    assert (found.lowest, found.highest, found.quantity) == (8500, 8500, 8)
    assert walras_prices(economy) is None


def test_without_gains_of_trade_there_is_no_equilibrium_and_no_efficiency() -> None:
    worth = UnitWorth(((5, 5, 5),))
    economy = Economy(
        (Good("x"),),
        Currency("", 0),
        SeatMap([("a", Endowment(0, (2,))), ("b", Endowment(9, (0,)))]),
        SeatMap([("a", worth), ("b", worth)]),
    )

    assert equilibrium(economy, 0) is None
    assert surplus(economy, {"a": (0,), "b": (2,)}).efficiency is None


def test_smith_s_alpha_is_the_root_of_the_mean_squared_distance_in_per_cent_of_the_equilibrium() -> None:
    assert smith_alpha([90, 110, 100, 120], 100) == pytest.approx(math.sqrt((100 + 100 + 0 + 400) / 4))
    assert smith_alpha([100, 100], 100) == 0
    assert smith_alpha([], 100) is None
    assert smith_alpha([1], 0) is None
    assert mean_distance([90, 120], 100) == pytest.approx(0.15)
