"""The order book of one good under one condition: price-time priority, and a version for every change.

Bids are matched with the lowest asks and asks with the highest bids, equal prices in the order of their
arrival, and a trade has the price of the order that was in the book.

The versions of a book share one set of containers, which are those of the version used last; each other
version holds the one change that leads to it from its neighbour (H. G. Baker, "Shallow binding makes
functional arrays fast", 1991, doi.org/10.1145/122598.122614). So the newest version costs what a mutable book
costs, and an older one as much more as there are changes between them. Versions that share containers are
used in one thread; another one is given a copy.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from enum import StrEnum
from heapq import heappop, heappush
from typing import NamedTuple

from negoplatform.core.events import new_tuple
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money


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


class Fill(NamedTuple):
    """Part of an arriving order that an order in the book fills.

    Args:
        resting: The order in the book, as it was before.
        quantity: The units.
    """

    resting: BookOrder
    quantity: int


_new = object.__new__

_ID_BITS = 53
_ID_MASK = (1 << _ID_BITS) - 1
"""A rank is one whole number, which is compared faster than a pair: the price above the id's bits."""


class OrderBook:
    """Orders of one good under one condition; every change returns another book.

    Args:
        orders: The orders.

    Raises:
        ValueError: If two of them have one id.
    """

    __slots__ = ("_before", "_containers", "_neighbour")
    _containers: _Containers
    _neighbour: OrderBook | None
    """The version from which one change leads to this one; None: the containers are this version's."""
    _before: tuple[int, BookOrder | None]
    """That change: an id, and the order that this version has under it."""

    def __init__(self, orders: Iterable[BookOrder] = ()) -> None:
        self._containers = containers = _Containers()
        self._neighbour = None
        for order in orders:
            if containers.put(order.order_id, order) is not None:
                raise ValueError(f"two orders have the id {order.order_id}")

    def add(self, order: BookOrder) -> OrderBook:
        """Return the book with an order more.

        Raises:
            ValueError: If there is an order with its id.
        """
        order_id = order[0]
        if self._neighbour is not None:
            self._make_current()
        if order_id in self._containers.orders:
            raise ValueError(f"there is an order {order_id} already")
        return self._changed(order_id, order)

    def reduce(self, order_id: int, quantity: int) -> OrderBook:
        """Return the book with another quantity of an order, which keeps its place in the queue.

        Raises:
            KeyError: If there is no such order.
        """
        _, seat, side, price, _, placed_at = self._current().orders[order_id]
        order = new_tuple(BookOrder, (order_id, seat, side, price, quantity, placed_at))
        return self._changed(order_id, order)

    def remove(self, order_id: int) -> OrderBook:
        """Return the book without an order.

        Raises:
            KeyError: If there is no such order.
        """
        return self._changed(order_id, None)

    def copy(self) -> OrderBook:
        """Return an equal book that shares nothing with this one, for another thread."""
        found, book = self._current(), OrderBook()
        book._containers.orders = found.orders.copy()
        book._containers.ids = found.ids.copy()
        book._containers.bids = found.bids.copy()
        book._containers.asks = found.asks.copy()
        return book

    @property
    def orders(self) -> tuple[BookOrder, ...]:
        """The orders, by id and so in the order of their arrival."""
        return tuple(sorted(self._current().orders.values()))

    @property
    def oldest(self) -> BookOrder | None:
        """The order that arrived first; None where there is none."""
        orders, ids = self._current().orders, self._containers.ids
        while ids and ids[0] not in orders:
            heappop(ids)
        return orders[ids[0]] if ids else None

    def get(self, order_id: int) -> BookOrder | None:
        """Return an order; None if it is not in the book."""
        return self._current().orders.get(order_id)

    def best(self, side: OrderSide) -> BookOrder | None:
        """Return the order of a side that is matched first; None where there is none."""
        found = self._current()
        ranks = found.bids if side is OrderSide.BID else found.asks
        return found.orders[-ranks[-1] & _ID_MASK] if ranks else None

    def queue(self, side: OrderSide) -> tuple[BookOrder, ...]:
        """Return the orders of a side, the one that is matched first at the beginning."""
        found = self._current()
        ranks = found.bids if side is OrderSide.BID else found.asks
        return tuple([found.orders[-rank & _ID_MASK] for rank in reversed(ranks)])

    def match(self, side: OrderSide, price: Money, quantity: int) -> list[Fill]:
        """Return what fills an arriving order, in the order of the trades; the book is not changed.

        Args:
            side: The side of the arriving order.
            price: Its limit, in minor units.
            quantity: Its units.
        """
        if self._neighbour is not None:
            self._make_current()
        found = self._containers
        if side is OrderSide.BID:
            ranks, limit = found.asks, -(price + 1) << _ID_BITS
        else:
            ranks, limit = found.bids, (price - 1) << _ID_BITS
        fills: list[Fill] = []
        if not ranks or ranks[-1] <= limit:
            return fills
        for rank in reversed(ranks):
            if rank <= limit or not quantity:
                break
            resting = found.orders[-rank & _ID_MASK]
            filled = min(quantity, resting.quantity)
            fills.append(new_tuple(Fill, (resting, filled)))
            quantity -= filled
        return fills

    def __len__(self) -> int:
        return len(self._current().orders)

    def __contains__(self, order_id: object) -> bool:
        if self._neighbour is not None:
            self._make_current()
        return order_id in self._containers.orders

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OrderBook):
            return NotImplemented
        return self is other or self.orders == other.orders

    def __hash__(self) -> int:
        return hash(self.orders)

    def __repr__(self) -> str:
        return f"OrderBook({list(self.orders)!r})"

    def __reduce__(self) -> tuple[type[OrderBook], tuple[tuple[BookOrder, ...]]]:
        return OrderBook, (self.orders,)

    def _changed(self, order_id: int, order: BookOrder | None) -> OrderBook:
        """Return the version in which one order is another; None: it is not there."""
        if self._neighbour is not None:
            self._make_current()
        containers = self._containers
        self._before = (order_id, containers.put(order_id, order))
        self._neighbour = after = _new(OrderBook)
        after._containers = containers
        after._neighbour = None
        return after

    def _current(self) -> _Containers:
        """Return the containers, as they are in this version."""
        if self._neighbour is not None:
            self._make_current()
        return self._containers

    def _make_current(self) -> None:
        """Change the containers to those of this version, and what their version holds instead."""
        path, version = [], self
        while version._neighbour is not None:
            path.append(version)
            version = version._neighbour
        for version in reversed(path):
            order_id, order = version._before
            neighbour = version._neighbour
            assert neighbour is not None
            neighbour._before = (order_id, self._containers.put(order_id, order))
            neighbour._neighbour = version
            version._neighbour = None


class _Containers:
    """Containers that the versions of a book share.

    Attributes:
        orders: The orders by id.
        ids: The ids as a heap, with those of orders that have gone and were not the first since.
        bids: The ranks of the bids, rising: the last is matched first.
        asks: The ranks of the asks, rising: the last is matched first.
    """

    __slots__ = ("asks", "bids", "ids", "orders")

    def __init__(self) -> None:
        self.orders: dict[int, BookOrder] = {}
        self.ids: list[int] = []
        self.bids: list[int] = []
        self.asks: list[int] = []

    def put(self, order_id: int, order: BookOrder | None) -> BookOrder | None:
        """Set an order, or take it out, and return what was there.

        Raises:
            KeyError: If one is to be taken out that is not there.
        """
        orders = self.orders
        if order is not None:
            before = orders.get(order_id)
            orders[order_id] = order
            if before is None:
                _, _, side, price, _, _ = order
                heappush(self.ids, order_id)
                if side is OrderSide.BID:
                    insort(self.bids, (price << _ID_BITS) - order_id)
                else:
                    insort(self.asks, (-price << _ID_BITS) - order_id)
            return before
        before = orders.pop(order_id)
        _, _, side, price, _, _ = before
        if side is OrderSide.BID:
            del self.bids[bisect_left(self.bids, (price << _ID_BITS) - order_id)]
        else:
            del self.asks[bisect_left(self.asks, (-price << _ID_BITS) - order_id)]
        return before
