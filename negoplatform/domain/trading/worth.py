"""Worth of goods to a seat: by unit, logarithmic or by condition; and the best division of units."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol


class GoodsWorth(Protocol):
    """Worth of units of each good to one seat."""

    def of(self, units: Sequence[int], condition: str = "") -> float:
        """Return the worth of units of each good, in minor units of money.

        Args:
            units: The units of each good, in the economy's order.
            condition: The condition that holds; empty where the game has none.
        """
        ...


@dataclass(frozen=True, slots=True)
class UnitWorth:
    """Worth of units to a seat: what each further unit of a good is worth, in money.

    Induced values of buyers and costs of sellers are of this form (Smith 1976, doi.org/10.2307/1817233).

    Args:
        by_good: For each good, in the economy's order, the worth of the first unit, the second, and so on;
            further units are worth nothing.
    """

    by_good: tuple[tuple[int, ...], ...]

    def of(self, units: Sequence[int], condition: str = "") -> int:  # noqa: ARG002 - the same in every condition
        """Return the worth of units of each good, in minor units of money."""
        return sum(sum(worth[:count]) for worth, count in zip(self.by_good, units, strict=True))


@dataclass(frozen=True, slots=True)
class LogWorth:
    """Logarithmic worth: the sum of ``parameter * ln(units + shift)`` over the goods.

    The score of the trading agent competition of Fetch.ai (TAC): its documentation has shift 0 and floor
    -1,000, its program shift 1 and floor -10,000.

    Args:
        parameters: One per good, in the economy's order, in minor units of money.
        shift: Added to the units of every good, 0 or more.
        floor: Takes the place of the logarithm where ``units + shift`` is 0.
    """

    parameters: tuple[float, ...]
    shift: int = 0
    floor: float = -1000.0

    def of(self, units: Sequence[int], condition: str = "") -> float:  # noqa: ARG002 - the same in every condition
        """Return the worth of units of each good, in minor units of money."""
        return math.fsum(
            parameter * (math.log(count + self.shift) if count + self.shift > 0 else self.floor)
            for parameter, count in zip(self.parameters, units, strict=True)
        )


@dataclass(frozen=True, slots=True)
class ConditionWorth:
    """Worth that depends on the condition that holds at the end.

    Args:
        by_condition: The conditions with the worth of units in each.
    """

    by_condition: tuple[tuple[str, UnitWorth], ...]

    def of(self, units: Sequence[int], condition: str = "") -> float:
        """Return the worth of units of each good under a condition, in minor units of money.

        Raises:
            KeyError: If there is no such condition.
        """
        return dict(self.by_condition)[condition].of(units)


UnitFunction = Callable[[int], float]
"""Worth of a number of units of one good to one seat, in minor units of money."""


def worth_of_good(worth: GoodsWorth, good: int, goods: int, condition: str = "") -> UnitFunction:
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


def marginal_worth(
    worth: GoodsWorth, units: Sequence[int], good: int, condition: str = ""
) -> tuple[float, float]:
    """Return what one more unit of a good adds to the worth of units, and what its last unit adds.

    Args:
        worth: The seat's worth.
        units: The units of each good, in the economy's order.
        good: The number of the good, from 0.
        condition: The condition that holds; empty where the game has none.

    Returns:
        Both in minor units of money; 0 for the last unit where there is none.
    """

    def of(count: int) -> float:
        return worth.of((*units[:good], count, *units[good + 1 :]), condition)

    now = of(units[good])
    return of(units[good] + 1) - now, now - of(units[good] - 1) if units[good] else 0.0


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
