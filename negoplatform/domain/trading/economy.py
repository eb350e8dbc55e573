"""Content of a game without issues: goods or money, and each seat's endowment and worth of units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple, Protocol, runtime_checkable

from negoplatform.domain.errors import NegoError
from negoplatform.domain.offer import number_from_decimal
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.worth import GoodsWorth, LogWorth, best_division, worth_of_good

Money = int
"""Amount of money in whole minor units, such as cents; never a fraction of one."""

MOST_MONEY = 10**12
"""Largest amount of money, in minor units."""

MOST_UNITS = 1_000_000
"""Most units of one good that a seat can hold at the start, or that a trade can name."""


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


CURRENCY_SIGNS = ("€", "$", "£", "¥")
"""Units that precede their number in English."""


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

    def from_number(self, amount: int | float) -> Money:
        """Return an amount of money, as acts and events have it, in minor units.

        Raises:
            NegoError: If it is no finite number, has more decimals than the currency, or is too large.
        """
        if type(amount) not in (int, float) or not -MOST_MONEY <= amount <= MOST_MONEY:
            raise NegoError(f"{amount!r} is no amount of money.")
        if type(amount) is int:
            minor: int = amount * 10**self.decimals
            if abs(minor) <= MOST_MONEY:
                return minor
        return self.from_decimal(Decimal(repr(amount)))

    def to_number(self, amount: Money | float) -> int | float:
        """Return an amount in minor units as a number of the currency's units, such as 12.5."""
        if isinstance(amount, int):
            return number_from_decimal(self.to_decimal(amount))
        return float(amount / 10**self.decimals)

    def format(self, amount: Money) -> str:
        """Return an amount for people in English, such as ``€12.50`` or ``12.50 points``."""
        number, sign = f"{abs(self.to_decimal(amount)):,.{self.decimals}f}", "-" if amount < 0 else ""
        if self.unit in CURRENCY_SIGNS:
            return f"{sign}{self.unit}{number}"
        return f"{sign}{number} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Endowment:
    """Money and goods of a seat at the start.

    Args:
        money: The money, 0 or more.
        units: The units of each good, in the order of the economy's goods.
    """

    money: Money
    units: tuple[int, ...]


class Quantities(Mapping[str, int]):
    """Immutable mapping of goods to numbers of units; a good that is missing, or has 0, counts 0.

    Equal contents are equal, whatever the order and whether or not goods with 0 units were named.

    Raises:
        NegoError: If a name is no text, or a number is not whole, negative or above MOST_UNITS.
    """

    __slots__ = ("_pairs",)
    _pairs: tuple[tuple[str, int], ...]

    def __init__(self, units: Mapping[str, int] | Iterable[tuple[str, int]] = ()) -> None:
        try:
            found = dict(units)
        except (TypeError, ValueError):
            raise NegoError("Quantities are whole numbers of units by the names of goods.") from None
        for name, count in found.items():
            if type(name) is not str:
                raise NegoError(f"A good is named by a text, not by {name!r}.")
            if type(count) is not int or not 0 <= count <= MOST_UNITS:
                raise NegoError(f"A number of units is whole, and 0 to {MOST_UNITS:,}; not {count!r}.")
        object.__setattr__(self, "_pairs", tuple(sorted((n, c) for n, c in found.items() if c)))

    def __getitem__(self, good: str) -> int:
        for name, count in self._pairs:
            if name == good:
                return count
        raise KeyError(good)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Quantities cannot be changed")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantities) and self._pairs == other._pairs

    def __hash__(self) -> int:
        return hash(self._pairs)

    def __repr__(self) -> str:
        return f"Quantities({dict(self._pairs)!r})"

    def __reduce__(self) -> tuple[type[Quantities], tuple[tuple[tuple[str, int], ...]]]:
        return Quantities, (self._pairs,)


@dataclass(frozen=True, slots=True)
class DrawnEndowments:
    """Endowments and worths that the seed draws, as the trading agent competition of Fetch.ai draws them.

    Of every good there are ``n * base`` units, and ``n * lower`` to ``n * (lower + upper)`` more, for n
    seats: each seat has ``base`` of them, and each further unit goes to a seat by chance. The parameters of a
    seat's logarithmic worth are whole numbers from 1 to 100 by chance, scaled to the same sum for every seat.

    Args:
        money: The money of each seat, in minor units.
        base: The units of each good that every seat has.
        lower: The further units of each good per seat, at least.
        upper: How many more they may be, per seat.
        parameter_sum: The sum of a seat's parameters, in minor units.
        shift: ``shift`` of the worths.
    """

    money: Money
    base: int = 2
    lower: int = 1
    upper: int = 1
    parameter_sum: Money = 10_000
    shift: int = 0

    def draw(
        self, seats: Sequence[Seat], goods: int, rng: Random
    ) -> Iterator[tuple[Seat, Endowment, LogWorth]]:
        """Yield the endowment and the worth of each seat."""
        n = len(seats)
        units = {seat: [self.base] * goods for seat in seats}
        for good in range(goods):
            for _ in range(rng.randint(n * self.lower, n * (self.lower + self.upper))):
                units[rng.choice(seats)][good] += 1
        for seat in seats:
            weights = [rng.randint(1, 100) for _ in range(goods)]
            # Whole minor units, so that a file holds them exactly.
            parts = [self.parameter_sum * weight // sum(weights) for weight in weights]
            parts[0] += self.parameter_sum - sum(parts)
            worth = LogWorth(tuple(map(float, parts)), self.shift)
            yield seat, Endowment(self.money, tuple(units[seat])), worth


@runtime_checkable
class TermsWithSecrets(Protocol):
    """Section of a game's file of which a part is hidden from every seat."""

    def without_secrets(self) -> Any:
        """Return the section as every seat may see it."""
        ...


@runtime_checkable
class TermsWithTexts(Protocol):
    """Section of a game's file with texts that a window shows."""

    def shown_texts(self) -> Iterator[str]:
        """Yield every text that a window shows, each as it is looked up."""
        ...


@dataclass(frozen=True, slots=True)
class Economy:
    """Content of a game that is played for goods, money or both.

    Args:
        goods: The goods, in the order in which people read them; none where only money is played for.
        currency: The currency.
        endowments: Each seat's endowment; a redacted game holds only those that its reader may see.
        worths: Each seat's worth of units; redacted likewise. None where there are no goods.
        terms: The mechanism's own section of the game's file, a frozen value; None: it has none.
        chance: The seed of what the game draws in its course; hidden from every seat.
        drawn: How endowments and worths are drawn from the seed; None: they are given, or have been drawn.
    """

    goods: tuple[Good, ...]
    currency: Currency = Currency()
    endowments: SeatMap[Endowment] = field(default_factory=SeatMap)
    worths: SeatMap[GoodsWorth] = field(default_factory=SeatMap)
    terms: Any = None
    chance: int = 0
    drawn: DrawnEndowments | None = None

    def settled(self, seats: Sequence[Seat], seed: int) -> Economy:
        """Return the same economy with everything drawn that the seed draws before the game.

        Args:
            seats: The seats of the game.
            seed: The seed of the session.
        """
        settled = self if self.chance else replace(self, chance=Random(f"{seed}/chance").randrange(1, 2**31))
        if self.drawn is None:
            return settled
        drawn = list(self.drawn.draw(seats, len(self.goods), Random(f"{seed}/endowments")))
        return replace(
            settled,
            endowments=SeatMap((seat, endowment) for seat, endowment, _ in drawn),
            worths=SeatMap((seat, worth) for seat, _, worth in drawn),
            drawn=None,
        )

    @property
    def good_names(self) -> tuple[str, ...]:
        """Names of the goods, in order."""
        return tuple(good.name for good in self.goods)

    def units_of(self, quantities: Mapping[str, int]) -> tuple[int, ...]:
        """Return numbers of units by the names of goods in the order of the goods; 0 for what is missing.

        Raises:
            NegoError: If there is no such good.
        """
        names = self.good_names
        for name in quantities:
            if name not in names:
                raise NegoError(f"There is no good {name!r} in this game; there is {', '.join(names)}.")
        return tuple(quantities.get(name, 0) for name in names)

    def quantities_of(self, units: Iterable[int]) -> Quantities:
        """Return units of each good, in the order of the goods, by the names of the goods."""
        return Quantities(zip(self.good_names, units, strict=True))

    def describe_units(self, units: Iterable[int]) -> str:
        """Return units of each good for people, such as ``2 × Wheat, 1 × Wool``."""
        parts = [f"{n} × {good.title}" for good, n in zip(self.goods, units, strict=True) if n]
        return ", ".join(parts) or "nothing"

    def redacted_for(self, seats: Iterable[Seat]) -> Economy:
        """Return the same economy without every other seat's side."""
        seats = tuple(seats)
        return replace(
            self,
            endowments=self.endowments.restricted_to(seats),
            worths=self.worths.restricted_to(seats),
            terms=self.terms.without_secrets() if isinstance(self.terms, TermsWithSecrets) else self.terms,
            chance=0,
        )

    def only_with(self, seats: Iterable[Seat]) -> Economy:
        """Return the same economy without the seats that are not named."""
        seats = tuple(seats)
        return replace(
            self,
            endowments=self.endowments.restricted_to(seats),
            worths=self.worths.restricted_to(seats),
        )

    def with_endowments(self, endowments: SeatMap[Endowment]) -> Economy:
        """Return the same economy with other endowments."""
        return replace(self, endowments=endowments)


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
