"""The order book of one good under one condition: price-time priority, persistent versions.

Bids are matched with the lowest asks and asks with the highest bids, equal prices in the order of their
arrival, and a trade has the price of the order that was in the book.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from negoplatform.core.events import new_tuple
from negoplatform.core.persistent_sorted_map import PersistentSortedMap
from negoplatform.domain.economy import Money
from negoplatform.domain.seat_map import Seat


class OrderSide(StrEnum):
    """Side of an order."""

    BID = "bid"
    """To buy."""
    ASK = "ask"
    """To sell."""


class BookOrder(NamedTuple):
    """Order that is in a book.

    Args:
        order_id: The seq of its PLACE_ORDER.
        seat: The seat that placed it; empty where its reader must not know.
        side: To buy or to sell.
        price: The price of a unit, in minor units: at most, or at least.
        quantity: The units that are left of it.
        placed_at: The session time (s) at which it was placed.
    """

    order_id: int
    seat: Seat
    side: OrderSide
    price: Money
    quantity: int
    placed_at: float

    @property
    def rank(self) -> tuple[Money, int]:
        """Place in the queue of its side: the least comes first."""
        return (-self.price if self.side is OrderSide.BID else self.price, self.order_id)


class Fill(NamedTuple):
    """Part of an arriving order that an order in the book fills.

    Args:
        resting: The order in the book, as it was before.
        quantity: The units.
    """

    resting: BookOrder
    quantity: int


_NO_ORDERS: PersistentSortedMap[int, BookOrder] = PersistentSortedMap()
_NO_QUEUE: PersistentSortedMap[tuple[Money, int], int] = PersistentSortedMap()


class OrderBook(NamedTuple):
    """Orders of one good under one condition; every change returns another book.

    Args:
        orders: The orders by id, and so in the order of their arrival.
        bids: The ids of the bids by rank, the highest price first.
        asks: The ids of the asks by rank, the lowest price first.
    """

    orders: PersistentSortedMap[int, BookOrder] = _NO_ORDERS
    bids: PersistentSortedMap[tuple[Money, int], int] = _NO_QUEUE
    asks: PersistentSortedMap[tuple[Money, int], int] = _NO_QUEUE

    def add(self, order: BookOrder) -> OrderBook:
        """Return the book with an order more."""
        order_id, _, side, price, _, _ = order
        orders = self.orders.with_item(order_id, order)
        if side is OrderSide.BID:
            bids = self.bids.with_item((-price, order_id), order_id)
            return new_tuple(OrderBook, (orders, bids, self.asks))
        asks = self.asks.with_item((price, order_id), order_id)
        return new_tuple(OrderBook, (orders, self.bids, asks))

    def reduce(self, order_id: int, quantity: int) -> OrderBook:
        """Return the book with another quantity of an order, which keeps its place in the queue.

        Raises:
            KeyError: If there is no such order.
        """
        _, seat, side, price, _, placed_at = self._order(order_id)
        order = new_tuple(BookOrder, (order_id, seat, side, price, quantity, placed_at))
        return new_tuple(OrderBook, (self.orders.with_item(order_id, order), self.bids, self.asks))

    def remove(self, order_id: int) -> OrderBook:
        """Return the book without an order.

        Raises:
            KeyError: If there is no such order.
        """
        order: BookOrder = self._order(order_id)
        orders = self.orders.without(order_id)
        if order.side is OrderSide.BID:
            return new_tuple(OrderBook, (orders, self.bids.without((-order.price, order_id)), self.asks))
        return new_tuple(OrderBook, (orders, self.bids, self.asks.without((order.price, order_id))))

    def best(self, side: OrderSide) -> BookOrder | None:
        """Return the order of a side that is matched first; None where there is none."""
        queue = self.bids if side is OrderSide.BID else self.asks
        first = queue.first()
        return None if first is None else self._order(first[1])

    def queue(self, side: OrderSide) -> Iterator[BookOrder]:
        """Yield the orders of a side, the one that is matched first at the beginning."""
        queue = self.bids if side is OrderSide.BID else self.asks
        return (self._order(order_id) for order_id in queue.values())

    def match(self, side: OrderSide, price: Money, quantity: int) -> list[Fill]:
        """Return what fills an arriving order, in the order of the trades; the book is not changed.

        Args:
            side: The side of the arriving order.
            price: Its limit, in minor units.
            quantity: Its units.
        """
        other, limit = (self.asks, price) if side is OrderSide.BID else (self.bids, -price)
        first = other.first()
        if first is None or first[0][0] > limit:
            return []
        fills: list[Fill] = []
        for (rank, _), order_id in other.items():
            if rank > limit or not quantity:
                break
            resting = self._order(order_id)
            filled = min(quantity, resting.quantity)
            fills.append(new_tuple(Fill, (resting, filled)))
            quantity -= filled
        return fills

    def _order(self, order_id: int) -> BookOrder:
        order: BookOrder | None = self.orders.get(order_id)
        if order is None:
            raise KeyError(order_id)
        return order
