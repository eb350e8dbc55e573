"""Worth of goods to a seat: induced values of units, logarithmic worth, and worth by condition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Worth(Protocol):
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
