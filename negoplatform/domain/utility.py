"""Utility: what an offer is worth to one seat, in points."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat import Seat

Points = float
"""Points of a utility function. Whole numbers stay ``int``, so that sums of them are exact."""


class UtilityFunction(Protocol):
    """What an offer is worth to one seat; what is undecided counts 0."""

    def __call__(self, offer: Offer) -> Points:
        """The points of an offer, complete or partial."""
        ...

    @property
    def lowest(self) -> Points:
        """The least that a complete offer can be worth."""
        ...

    @property
    def highest(self) -> Points:
        """The most that a complete offer can be worth."""
        ...


class AdditiveUtility:
    """A sum over issues, each of which has its own table of points.

    Args:
        seat: Whose utility this is: a quantity issue counts the units of this seat.
        tables: Points per issue: for a quantity issue by the units that the seat gets (0 … quantity),
            for a categorical issue by value. Points may be negative.
    """

    __slots__ = ("_highest", "_lowest", "_seat", "_tables")

    def __init__(self, seat: Seat, tables: Mapping[str, Mapping[int, Points] | Mapping[str, Points]]) -> None:
        self._seat = seat
        self._tables: Mapping[str, Mapping[object, Points]] = MappingProxyType(
            {issue: MappingProxyType(dict[object, Points](table.items())) for issue, table in tables.items()}
        )
        self._lowest = sum(min(table.values()) for table in self._tables.values())
        self._highest = sum(max(table.values()) for table in self._tables.values())

    @property
    def tables(self) -> Mapping[str, Mapping[object, Points]]:
        """Points per issue, by own units or by value."""
        return self._tables

    @property
    def lowest(self) -> Points:
        """The least that a complete offer can be worth."""
        return self._lowest

    @property
    def highest(self) -> Points:
        """The most that a complete offer can be worth."""
        return self._highest

    def __call__(self, offer: Offer) -> Points:
        """The points of an offer; units or issues that are undecided count 0."""
        total: Points = 0
        for issue, term in offer.terms:
            if type(term) is not Allocation:
                total += self._tables[issue][term]
            elif term.undecided == 0 or term.undecided != term.total:
                total += self._tables[issue][term.of(self._seat)]
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AdditiveUtility):
            return NotImplemented
        return self._seat == other._seat and self._tables == other._tables

    def __hash__(self) -> int:
        return hash((self._seat, self._lowest, self._highest))

    def __reduce__(self) -> tuple[type[AdditiveUtility], tuple[Seat, dict[str, dict[object, Points]]]]:
        return AdditiveUtility, (self._seat, {issue: dict(table) for issue, table in self._tables.items()})


def fraction(utility: UtilityFunction, offer: Offer) -> float:
    """Where an offer lies between the worst and the best complete outcome, 0 to 1.

    ``(u - min) / (max - min)``, clamped; a utility that never varies gives 1.
    """
    low, high = utility.lowest, utility.highest
    if high == low:
        return 1.0
    return min(1.0, max(0.0, (utility(offer) - low) / (high - low)))
