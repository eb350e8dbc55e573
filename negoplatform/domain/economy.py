"""Content of a game without issues: goods or money, and each seat's endowment and worth of units."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat, SeatMap

Money = int
"""Amount of money in whole minor units, such as cents; never a fraction of one."""

MOST_MONEY = 10**12
"""Largest amount of money, in minor units."""


@dataclass(frozen=True, slots=True)
class Good:
    """Good that is traded in whole units.

    Args:
        name: Its name in files and for agents.
        label: Its name for people; empty: the name.
    """

    name: str
    label: str = ""

    @property
    def title(self) -> str:
        """Name for people."""
        return self.label or self.name


@dataclass(frozen=True, slots=True)
class Currency:
    """Currency of a game: how amounts are written.

    Args:
        unit: Its sign or name, such as €; may be empty.
        decimals: Digits after the decimal point: 2 where 100 minor units make one.
    """

    unit: str = ""
    decimals: int = 2

    def from_decimal(self, amount: Decimal) -> Money:
        """Return an amount in minor units.

        Raises:
            NegoError: If it has more decimals than the currency, or is too large.
        """
        minor = amount.scaleb(self.decimals)
        if minor != minor.to_integral_value():
            raise NegoError(f"{amount} has more than the {self.decimals} decimals of the game's money")
        if abs(minor) > MOST_MONEY:
            raise NegoError(f"{amount} is more money than a game can hold")
        return int(minor)

    def to_decimal(self, amount: Money) -> Decimal:
        """Return an amount as a decimal with the currency's digits."""
        return Decimal(amount).scaleb(-self.decimals)

    def format(self, amount: Money) -> str:
        """Return an amount for people, such as ``12.50 €``."""
        return f"{self.to_decimal(amount):,.{self.decimals}f} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Endowment:
    """Money and goods of a seat at the start.

    Args:
        money: The money, 0 or more.
        units: The units of each good, in the order of the economy's goods.
    """

    money: Money
    units: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UnitWorth:
    """Worth of units to a seat: what each further unit of a good is worth, in money.

    Induced values of buyers and costs of sellers are of this form (Smith 1976, doi.org/10.2307/1817233).

    Args:
        by_good: For each good, in the economy's order, the worth of the first unit, the second, and so on;
            further units are worth nothing.
    """

    by_good: tuple[tuple[Money, ...], ...]

    def of(self, units: Iterable[int]) -> Money:
        """Return the worth of units of each good, in the economy's order."""
        return sum(sum(worth[:count]) for worth, count in zip(self.by_good, units, strict=True))


@dataclass(frozen=True, slots=True)
class Economy:
    """Content of a game that is played for goods, money or both.

    Args:
        goods: The goods, in the order in which people read them; none where only money is played for.
        currency: The currency.
        endowments: Each seat's endowment; a redacted game holds only those that its reader may see.
        worths: Each seat's worth of units; redacted likewise. None where there are no goods.
        terms: The mechanism's own section of the game's file, a frozen value; None: it has none.
    """

    goods: tuple[Good, ...]
    currency: Currency = Currency()
    endowments: SeatMap[Endowment] = field(default_factory=SeatMap)
    worths: SeatMap[UnitWorth] = field(default_factory=SeatMap)
    terms: Any = None

    def redacted_for(self, seats: Iterable[Seat]) -> Economy:
        """Return the same economy without every other seat's side."""
        seats = tuple(seats)
        return replace(
            self,
            endowments=self.endowments.restricted_to(seats),
            worths=self.worths.restricted_to(seats),
        )

    def with_endowments_of(self, seats: Iterable[Seat]) -> Economy:
        """Return the same economy without the endowments of other seats."""
        return replace(self, endowments=self.endowments.restricted_to(seats))
