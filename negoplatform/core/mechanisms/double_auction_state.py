"""Acts of a market game, and its part of the state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from negoplatform.core.events import new_tuple
from negoplatform.core.immutable.frozen_json import MAX_EXACT_INTEGER, FrozenJson
from negoplatform.core.immutable.persistent_list import PersistentList
from negoplatform.core.immutable.persistent_sorted_map import PersistentSortedMap
from negoplatform.core.mechanisms.market_terms import MarketPhase, MarketTerms
from negoplatform.core.mechanisms.order_book import BookOrder, OrderBook, OrderSide
from negoplatform.core.state import State
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import MOST_UNITS, Money

RECENT_PRICES = 25
"""Number of prices of a book of which its trades give the median."""


@dataclass(frozen=True, slots=True)
class OrderPlaced:
    """Order to buy or to sell units of a good.

    Args:
        side: To buy (bid) or to sell (ask).
        price: The price of a unit, in the game's money: at most for a bid, at least for an ask.
        quantity: The units, 1 or more.
        good: The good; None where the game has only one.
        condition: The condition under which it is traded; None where the game has none.
        now: Whether it trades at once with what is in the book, and the rest of it is dropped.
    """

    side: OrderSide
    price: int | float
    quantity: int = 1
    good: str | None = None
    condition: str | None = None
    now: bool = False

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "side", OrderSide(self.side))
        except ValueError:
            raise Refused("An order is a bid, to buy, or an ask, to sell.") from None
        price = self.price
        if type(price) not in (int, float) or not 0 <= price <= 10**9:
            raise Refused("The price of an order is a number, 0 or more.")
        object.__setattr__(self, "price", int(price) if price == int(price) else price)
        if type(self.quantity) is not int or not 1 <= self.quantity <= MOST_UNITS:
            raise Refused(f"An order is for 1 to {MOST_UNITS:,} whole units.")
        if type(self.now) is not bool:
            raise Refused("'now' is true or false.")
        for name in (self.good, self.condition):
            if name is not None and type(name) is not str:
                raise Refused("A good and a condition are named by texts.")


@dataclass(frozen=True, slots=True)
class OrderCancelled:
    """Withdrawal of an order.

    Args:
        order_id: The seq of its PLACE_ORDER.
    """

    order_id: int

    def __post_init__(self) -> None:
        if type(self.order_id) is not int or not 1 <= self.order_id <= MAX_EXACT_INTEGER:
            raise Refused("An order is named by its id.")


@dataclass(frozen=True, slots=True)
class DecisionMade:
    """A seat's decision in a phase: the value of each field that the phase has, by name."""

    values: FrozenJson


class MarketAccount(NamedTuple):
    """Money and units of a seat under each condition; a game without conditions has one, without a name.

    Args:
        money: Its money under each condition, in minor units.
        units: Its units under each condition of each good.
        committed_money: What its bids in the books may cost, under each condition.
        committed_units: What its asks in the books may sell, under each condition of each good.
        earned: Gain of earlier periods, where every period begins with the endowments, in minor units.
    """

    money: tuple[Money, ...]
    units: tuple[tuple[int, ...], ...]
    committed_money: tuple[Money, ...]
    committed_units: tuple[tuple[int, ...], ...]
    earned: float = 0

    def free_money(self, condition: int) -> Money:
        """Return the money under a condition that no bid may cost."""
        return self.money[condition] - self.committed_money[condition]

    def free_units(self, condition: int, good: int) -> int:
        """Return the units of a good under a condition that no ask may sell."""
        return self.units[condition][good] - self.committed_units[condition][good]

    def with_holding(self, condition: int, good: int, money: Money, units: int) -> MarketAccount:
        """Return the account with other money and units under a condition."""
        row = replaced(self.units[condition], good, units)
        moneys, units_held = replaced(self.money, condition, money), replaced(self.units, condition, row)
        return new_tuple(
            MarketAccount, (moneys, units_held, self.committed_money, self.committed_units, self.earned)
        )

    def with_commitment(self, order: BookOrder, condition: int, good: int, change: int) -> MarketAccount:
        """Return the account after units of one of its orders were added to a book, or taken from it."""
        if order.side is OrderSide.BID:
            committed = self.committed_money[condition] + order.price * change
            moneys, units = replaced(self.committed_money, condition, committed), self.committed_units
        else:
            row = self.committed_units[condition]
            row = replaced(row, good, row[good] + change)
            moneys, units = self.committed_money, replaced(self.committed_units, condition, row)
        return new_tuple(MarketAccount, (self.money, self.units, moneys, units, self.earned))


class MarketTrade(NamedTuple):
    """Trade in a market.

    Args:
        t: The session time (s).
        price: The price of a unit, in minor units.
        quantity: The units.
        good: The number of the good, from 0.
        condition: The number of the condition, from 0.
        buyer: The seat that bought; empty where identities are hidden.
        seller: The seat that sold; empty where identities are hidden.
        bid_id: The id of the buyer's order.
        ask_id: The id of the seller's order.
        phase: The number of the phase, from 1.
    """

    t: float
    price: Money
    quantity: int
    good: int
    condition: int
    buyer: Seat
    seller: Seat
    bid_id: int
    ask_id: int
    phase: int


class DoubleAuctionState(NamedTuple):
    """A market game's part of the state; a seat's view holds its own accounts, orders and decisions only.

    Args:
        phase: The number of the phase, from 1; 0 before the first.
        phase_began: The session time (s) at which it began.
        books: The order books, by condition and then by good.
        trades: The trades, oldest first.
        recent_prices: The last prices of each book in this phase, oldest first.
        accounts: Each seat's account.
        own_orders: The ids of each seat's orders that are in a book, with the number of the book.
        placed: The id of each seat's last order.
        decisions: Each seat's decisions, with the name of the phase, oldest first.
        left: The seats that have left, in the game's order.
        realised: The condition that holds; empty while it is not known.
    """

    phase: int
    phase_began: float
    books: tuple[OrderBook, ...]
    trades: PersistentList[MarketTrade]
    recent_prices: tuple[tuple[Money, ...], ...]
    accounts: SeatMap[MarketAccount]
    own_orders: SeatMap[PersistentSortedMap[int, int]]
    placed: SeatMap[int]
    decisions: SeatMap[tuple[tuple[str, FrozenJson], ...]]
    left: tuple[Seat, ...] = ()
    realised: str = ""

    def restricted_to(self, seats: tuple[Seat, ...]) -> DoubleAuctionState:
        """Return the state with the private values of some seats."""
        # Every field by position: this is made for each seat at each event.
        private = [each.restricted_to(seats) for each in self[5:9]]
        return new_tuple(DoubleAuctionState, (*self[:5], *private, *self[9:]))

    def with_books(
        self,
        books: tuple[OrderBook, ...],
        accounts: SeatMap[MarketAccount],
        own_orders: SeatMap[PersistentSortedMap[int, int]],
    ) -> DoubleAuctionState:
        """Return the state after a change of an order."""
        return new_tuple(DoubleAuctionState, (*self[:2], books, *self[3:5], accounts, own_orders, *self[7:]))

    def owner_of(self, order_id: int) -> Seat | None:
        """Return the seat whose order is in a book; None where the state does not show it."""
        for seat, own in self.own_orders.pairs:
            if order_id in own:
                return seat
        return None

    def find_order(self, order_id: int) -> tuple[int, BookOrder] | None:
        """Return an order that is in a book, with the number of the book; None if it is in none."""
        for number, book in enumerate(self.books):
            order = book.get(order_id)
            if order is not None:
                return number, order
        return None

    def decision_of(self, seat: Seat, phase: MarketPhase) -> FrozenJson | None:
        """Return a seat's decision in a phase; None if it has made none, or the state does not show it."""
        for name, values in reversed(self.decisions.get(seat, ())):
            if name == phase.name:
                return values
        return None


def double_auction_state(state: State) -> DoubleAuctionState:
    """Return the market game's part of a state."""
    mechanism_state: Any = state.mechanism_state
    assert isinstance(mechanism_state, DoubleAuctionState)
    return mechanism_state


def market_terms(game: GameSpec) -> MarketTerms:
    """Return the settings of a market game."""
    terms: MarketTerms = economy_of(game).terms
    return terms


def conditions_of(game: GameSpec) -> tuple[str, ...]:
    """Return the conditions of a market game; one without a name where it has none."""
    return market_terms(game).conditions or ("",)


def current_phase(state: State) -> MarketPhase | None:
    """Return the phase of a market game; None before the first."""
    number = double_auction_state(state).phase
    return market_terms(state.game).all_phases[number - 1] if number else None


def period_of(game: GameSpec, phase: int) -> int:
    """Return the number of the trading period of a phase, from 1; that of the last one in other phases."""
    return sum(each.trade for each in market_terms(game).all_phases[:phase])


def replaced(items: Sequence[Any], index: int, item: Any) -> tuple[Any, ...]:
    """Return items with one of them replaced."""
    return (item,) if len(items) == 1 else (*items[:index], item, *items[index + 1 :])
