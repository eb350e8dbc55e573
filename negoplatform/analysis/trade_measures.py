"""Measures of trading and market games: equilibrium prices and convergence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Economy, best_allocation
from negoplatform.domain.trading.worth import LogWorth, worth_of_good


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
