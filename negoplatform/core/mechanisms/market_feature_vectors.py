"""Features of a market: its books and prices, and each seat's account, orders and worths as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.mechanisms.double_auction_state import conditions_of, double_auction_state
from negoplatform.core.mechanisms.market_books import book_place, number_of
from negoplatform.core.mechanisms.order_book import BookOrder, OrderBook, OrderSide
from negoplatform.core.state import State
from negoplatform.domain.game import Visibility, economy_of
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.domain.trading.worth import marginal_worth

BOOK_LEVELS = 5
"""Prices of each side of a book that :class:`MarketBooks` has."""


class MarketHoldings(Feature):
    """A seat's money and units, and what its orders may cost and sell; only the seat itself sees them.

    Money is by condition, units by condition and then by good.
    """

    money: tuple[float, ...] = ()
    units: tuple[float, ...] = ()
    committed_money: tuple[float, ...] = ()
    committed_units: tuple[float, ...] = ()


class MarketOrders(Feature):
    """A seat's own orders in each book: the best price and the units of its bids and of its asks.

    All are 0 where it has none. Only the seat itself sees them.
    """

    bid_prices: tuple[float, ...] = ()
    bid_units: tuple[float, ...] = ()
    ask_prices: tuple[float, ...] = ()
    ask_units: tuple[float, ...] = ()


class MarketWorths(Feature):
    """Worth of one more unit to a seat, and of its last unit, in each book.

    The latter is 0 where it has no unit. Only the seat itself sees them.
    """

    next_units: tuple[float, ...] = ()
    last_units: tuple[float, ...] = ()


class MarketPrices(Feature):
    """The phase, and of each book the best bid, the best ask and the last price; 0 where there is none."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    phase: float = 0.0
    best_bids: tuple[float, ...] = ()
    best_asks: tuple[float, ...] = ()
    last_prices: tuple[float, ...] = ()


class MarketBooks(Feature):
    """The five best prices of each side of each book, and the units at each of them.

    Books are one after the other, by condition and then by good; each has five levels, the best first, with
    0 for those that it lacks.
    """

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    bid_prices: tuple[float, ...] = ()
    bid_units: tuple[float, ...] = ()
    ask_prices: tuple[float, ...] = ()
    ask_units: tuple[float, ...] = ()


def market_features(state: State) -> SeatMap[Sequence[Feature]]:
    """Return the features of a market, by owner: the seats in order, then the platform.

    Each seat has MarketHoldings, MarketOrders and, where it has worths, MarketWorths, as far as the state
    holds its account. The platform has MarketPrices and MarketBooks, which are public. Prices are in the
    game's money.

    Args:
        state: The whole state, or a view of it.
    """
    of_seats = [(seat, _seat_features(state, seat)) for seat in double_auction_state(state).accounts]
    return SeatMap([*of_seats, (PLATFORM, [_prices(state), _books(state)])])


def _amounts(state: State, money: Sequence[float]) -> tuple[float, ...]:
    return tuple(float(number_of(state.game, amount)) for amount in money)


def _seat_features(state: State, seat: Seat) -> list[Feature]:
    account = double_auction_state(state).accounts[seat]
    holdings = MarketHoldings(
        money=_amounts(state, account.money),
        units=tuple(float(n) for row in account.units for n in row),
        committed_money=_amounts(state, account.committed_money),
        committed_units=tuple(float(n) for row in account.committed_units for n in row),
    )
    worths = [_worths(state, seat)] if seat in economy_of(state.game).worths else []
    return [holdings, _orders(state, seat), *worths]


def _orders(state: State, seat: Seat) -> MarketOrders:
    market = double_auction_state(state)
    own = [[order for each in market.own_orders[seat] if (order := book.get(each))] for book in market.books]
    bids, asks = ([[order for order in orders if order.side is side] for orders in own] for side in OrderSide)
    return MarketOrders(
        bid_prices=_amounts(state, [max((order.price for order in orders), default=0) for orders in bids]),
        bid_units=tuple(_units(orders) for orders in bids),
        ask_prices=_amounts(state, [min((order.price for order in orders), default=0) for orders in asks]),
        ask_units=tuple(_units(orders) for orders in asks),
    )


def _units(orders: Sequence[BookOrder]) -> float:
    return float(sum(order.quantity for order in orders))


def _worths(state: State, seat: Seat) -> MarketWorths:
    market, economy = double_auction_state(state), economy_of(state.game)
    names, account = conditions_of(state.game), market.accounts[seat]
    more, less = [], []
    for number in range(len(market.books)):
        condition, good = book_place(state.game, number)
        gained, lost = marginal_worth(economy.worths[seat], account.units[condition], good, names[condition])
        more.append(gained)
        less.append(lost)
    return MarketWorths(next_units=_amounts(state, more), last_units=_amounts(state, less))


def _prices(state: State) -> MarketPrices:
    market = double_auction_state(state)
    bids, asks = (
        [order.price if (order := book.best(side)) else 0 for book in market.books] for side in OrderSide
    )
    return MarketPrices(
        phase=market.phase,
        best_bids=_amounts(state, bids),
        best_asks=_amounts(state, asks),
        last_prices=_amounts(state, [prices[-1] if prices else 0 for prices in market.recent_prices]),
    )


def _books(state: State) -> MarketBooks:
    books = double_auction_state(state).books
    bids, asks = ([level for book in books for level in _levels(book, side)] for side in OrderSide)
    return MarketBooks(
        bid_prices=_amounts(state, [price for price, _ in bids]),
        bid_units=tuple(float(units) for _, units in bids),
        ask_prices=_amounts(state, [price for price, _ in asks]),
        ask_units=tuple(float(units) for _, units in asks),
    )


def _levels(book: OrderBook, side: OrderSide) -> list[tuple[int, int]]:
    """Return the best prices of a side, in minor units, with the units at each; 0 and 0 where it has none."""
    found: dict[int, int] = {}
    for order in book.queue(side):
        if order.price not in found and len(found) == BOOK_LEVELS:
            break
        found[order.price] = found.get(order.price, 0) + order.quantity
    return [*found.items(), *[(0, 0)] * (BOOK_LEVELS - len(found))]
