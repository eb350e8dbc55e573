"""Worth of units of a good to a participant, one by one. No Tk. Amounts are in minor units."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.core.mechanisms.double_auction_state import (
    MarketAccount,
    conditions_of,
    double_auction_state,
    market_terms,
)
from negoplatform.core.mechanisms.market_books import book_place, minor_of
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.worth import GoodsWorth, UnitWorth

MOST_UNITS_SHOWN = 30
"""Largest number of units whose worths are listed."""

FURTHER_UNITS = 3
"""Number of further units that are listed where the worth of units has no end."""


def gain_so_far(state: State, seat: Seat) -> int | None:
    """Return what a seat has gained so far, in minor units; None while that says nothing.

    Where the rules of phases pay what goods are worth only at the end, and the game gives no worths, money
    that was paid for goods is no loss yet.
    """
    standing = mechanism_of(state.game.mechanism).standing(state, seat)
    if standing is None:
        return None
    books = range(len(double_auction_state(state).books))
    pays_later = state.ending is None and bool(market_terms(state.game).rules)
    if pays_later and not any(UnitWorths(state, seat, book).is_known for book in books):
        return None
    return round(minor_of(state.game, standing))


class UnitWorths:
    """A seat's worth of the units of one book's good, under the book's condition.

    Args:
        state: The state as the seat sees it.
        seat: The seat.
        book: The number of the book.
    """

    def __init__(self, state: State, seat: Seat, book: int) -> None:
        game = state.game
        economy = economy_of(game)
        self._condition, self._good = book_place(game, book)
        self._condition_name = conditions_of(game)[self._condition]
        self._worth: GoodsWorth | None = economy.worths.get(seat)
        self._account: MarketAccount | None = double_auction_state(state).accounts.get(seat)
        self._endowment = economy.endowments.get(seat)
        self._values = self._listed_values()

    @property
    def is_known(self) -> bool:
        """Whether the game says what units are worth to the seat."""
        return any(self._values)

    @property
    def values(self) -> Sequence[float]:
        """Worth of the first unit, the second, and so on."""
        return self._values

    @property
    def units(self) -> int:
        """Units that the seat has."""
        return 0 if self._account is None else self._account.units[self._condition][self._good]

    @property
    def endowed(self) -> int:
        """Units with which the seat began."""
        return 0 if self._endowment is None else self._endowment.units[self._good]

    @property
    def money_at_start(self) -> int:
        """Money with which the seat began."""
        return 0 if self._endowment is None else self._endowment.money

    def change(self, side: OrderSide, quantity: int, *, after: int = 0) -> float | None:
        """Return what more units are worth, or fewer cost.

        Args:
            side: To buy or to sell.
            quantity: The units.
            after: Units that orders of this side buy or sell before.

        Returns:
            The worth; None if the game does not say, or the seat has not that many units.
        """
        sign = 1 if side is OrderSide.BID else -1
        start, end = self.units + sign * after, self.units + sign * (after + quantity)
        if not self.is_known or min(start, end) < 0:
            return None
        return abs(self._of(end) - self._of(start))

    def _listed_values(self) -> tuple[float, ...]:
        if self._worth is None or self._account is None:
            return ()
        unit_worth = self._worth
        by_condition = getattr(unit_worth, "by_condition", None)
        if by_condition is not None:
            unit_worth = dict(by_condition).get(self._condition_name, unit_worth)
        if isinstance(unit_worth, UnitWorth):
            count = len(unit_worth.by_good[self._good])
        else:
            count = max(self.units, self.endowed) + FURTHER_UNITS
        count = min(count, MOST_UNITS_SHOWN)
        return tuple(self._of(n + 1) - self._of(n) for n in range(count))

    def _of(self, units: int) -> float:
        assert self._worth is not None
        assert self._account is not None
        row = list(self._account.units[self._condition])
        row[self._good] = units
        return self._worth.of(tuple(row), self._condition_name)
