"""Measures of trading and market games: efficiency, equilibrium prices, convergence, spread."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from negoplatform.domain.economy import Economy
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.worth import LogWorth, Worth

UnitFunction = Callable[[int], float]
"""Worth of a number of units of one good to one seat, in minor units of money."""


def worth_of_good(worth: Worth, good: int, goods: int, condition: str = "") -> UnitFunction:
    """Return what numbers of units of one good are worth to a seat; worths add up over the goods.

    Args:
        worth: The seat's worth.
        good: The number of the good, from 0.
        goods: The number of goods.
        condition: The condition that holds; empty where the game has none.
    """

    def of(count: int) -> float:
        units = [1] * goods
        base = list(units)
        units[good] = count
        return worth.of(tuple(units), condition) - worth.of(tuple(base), condition)

    return of


def best_division(total: int, worths: Sequence[UnitFunction]) -> tuple[int, ...]:
    """Return the division of units among seats that is worth most in all.

    Exact: unit by unit where every further unit is worth no more than the one before it, which is optimal
    then; else by dynamic programming over the seats.

    Args:
        total: The units, all of which are divided.
        worths: Each seat's worth of numbers of units.

    Returns:
        Each seat's units; among equal divisions, the one in which earlier seats get more.
    """
    tables = [[worth(count) for count in range(total + 1)] for worth in worths]
    if all(_is_concave(table) for table in tables):
        units = [0] * len(worths)
        for _ in range(total):
            further = [table[count + 1] - table[count] for table, count in zip(tables, units, strict=True)]
            units[further.index(max(further))] += 1
        return tuple(units)
    # best[n]: the most that the seats so far get out of n units; taken: how many of them the last one has.
    best = tables[0][:]
    taken = [list(range(total + 1))]
    for table in tables[1:]:
        rows = [max((best[n - k] + table[k], -k) for k in range(n + 1)) for n in range(total + 1)]
        taken.append([-row[1] for row in rows])
        best = [row[0] for row in rows]
    found, left = [], total
    for row in reversed(taken):
        found.append(row[left])
        left -= row[left]
    return tuple(reversed(found))


def _is_concave(table: Sequence[float]) -> bool:
    steps = [b - a for a, b in pairwise(table)]
    return all(later <= earlier + 1e-9 for earlier, later in pairwise(steps))


class Surplus(NamedTuple):
    """Gains of trade, possible and reached, in minor units of money; fees are not taken off.

    Args:
        possible: The most that all seats can gain together.
        gained: What they have gained together.
    """

    possible: float
    gained: float

    @property
    def efficiency(self) -> float | None:
        """Allocative efficiency: share of the possible gain that was reached; None if none is possible."""
        return self.gained / self.possible if self.possible > 1e-9 else None


def surplus(
    economy: Economy,
    held: Mapping[Seat, Sequence[int]],
    condition: str = "",
    best: Mapping[Seat, tuple[int, ...]] | None = None,
) -> Surplus:
    """Return the surplus of an allocation of goods.

    Args:
        economy: The economy, with every seat's endowment and worth.
        held: Each seat's units of each good at the end.
        condition: The condition that holds; empty where the game has none.
        best: The best allocation, where it is known already.
    """
    before = sum(
        economy.worths[seat].of(endowment.units, condition) for seat, endowment in economy.endowments.items()
    )
    after = sum(economy.worths[seat].of(tuple(units), condition) for seat, units in held.items())
    best = best_allocation(economy, condition) if best is None else best
    most = sum(economy.worths[seat].of(units, condition) for seat, units in best.items())
    return Surplus(most - before, after - before)


def best_allocation(economy: Economy, condition: str = "") -> dict[Seat, tuple[int, ...]]:
    """Return the allocation of all goods that is worth most in all, exactly."""
    seats, goods = tuple(economy.endowments), len(economy.goods)
    by_good = []
    for good in range(goods):
        total = sum(endowment.units[good] for endowment in economy.endowments.values())
        worths = [worth_of_good(economy.worths[seat], good, goods, condition) for seat in seats]
        by_good.append(best_division(total, worths))
    return {seat: tuple(units[i] for units in by_good) for i, seat in enumerate(seats)}


def walras_prices(economy: Economy) -> tuple[float, ...] | None:
    """Return the prices at which supply equals demand, with divisible goods, for logarithmic worths.

    A seat's demand of a good with parameter u at price p is ``u / p - shift`` (quasilinear worth), so the
    price of a good is the sum of the parameters over ``n * shift`` plus the units there are.

    Returns:
        The price of a unit of each good in minor units; None unless all worths are logarithmic.
    """
    worths = list(economy.worths.values())
    prices = []
    for good in range(len(economy.goods)):
        total = sum(endowment.units[good] for endowment in economy.endowments.values())
        parameters, shifts = [], 0
        for worth in worths:
            if not isinstance(worth, LogWorth):
                return None
            parameters.append(worth.parameters[good])
            shifts += worth.shift
        if total + shifts == 0:
            return None
        prices.append(math.fsum(parameters) / (shifts + total))
    return tuple(prices)


class Equilibrium(NamedTuple):
    """Competitive equilibrium of one good traded in whole units.

    Args:
        lowest: The lowest equilibrium price, in minor units.
        highest: The highest.
        quantity: The units that change hands, at most.
    """

    lowest: float
    highest: float
    quantity: int

    @property
    def price(self) -> float:
        """Middle of the equilibrium prices."""
        return (self.lowest + self.highest) / 2


def equilibrium(
    economy: Economy, good: int, condition: str = "", best: Mapping[Seat, tuple[int, ...]] | None = None
) -> Equilibrium | None:
    """Return the competitive equilibrium of a good, from the worth of each seat's units.

    With every seat's further units worth no more than the ones before, the prices between the least worth
    of a unit where it belongs and the greatest worth of one more elsewhere clear the market.

    Args:
        economy: The economy, with every seat's endowment and worth.
        good: The number of the good, from 0.
        condition: The condition that holds; empty where the game has none.
        best: The best allocation, where it is known already.

    Returns:
        The equilibrium; None where nothing is gained by trade, or there is no such price.
    """
    goods = len(economy.goods)
    best = best_allocation(economy, condition) if best is None else best
    bought, gained, kept, wanted = 0, 0.0, math.inf, -math.inf
    for seat, units in best.items():
        worth, count = worth_of_good(economy.worths[seat], good, goods, condition), units[good]
        before = economy.endowments[seat].units[good]
        bought += max(0, count - before)
        gained += worth(count) - worth(before)
        if count:
            kept = min(kept, worth(count) - worth(count - 1))
        wanted = max(wanted, worth(count + 1) - worth(count))
    if gained <= 1e-9 or not math.isfinite(kept) or kept < wanted - 1e-9:
        return None
    return Equilibrium(wanted, kept, bought)


def smith_alpha(prices: Sequence[float], equilibrium_price: float) -> float | None:
    """Return Smith's coefficient of convergence, in per cent: ``alpha = 100 * sigma_0 / P_0``.

    ``sigma_0`` is the root of the mean squared distance of the prices from the equilibrium price ``P_0``
    (Smith 1962, "An experimental study of competitive market behavior", Journal of Political Economy 70,
    111-137, doi.org/10.1086/258609). 0: all trades at the equilibrium price.

    Args:
        prices: The prices of trades, in any unit of money.
        equilibrium_price: The equilibrium price, in the same unit.

    Returns:
        The coefficient, 0 or more; None without prices or with an equilibrium price of 0.
    """
    if not prices or equilibrium_price <= 0:
        return None
    mean_square = math.fsum((price - equilibrium_price) ** 2 for price in prices) / len(prices)
    return 100 * math.sqrt(mean_square) / equilibrium_price


def mean_distance(prices: Sequence[float], equilibrium_price: float) -> float | None:
    """Return the mean distance of prices from the equilibrium price, over it; None without prices."""
    if not prices or equilibrium_price <= 0:
        return None
    return math.fsum(abs(price - equilibrium_price) for price in prices) / len(prices) / equilibrium_price
