"""A seat's own copy of a market's orders and trades, for typed states: it follows from the market's events.

The classes have the names and the shape of econagents', so that states written for it work unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, Field


class Order(BaseModel):
    """Order in a market.

    Args:
        id: Its id.
        sender: The seat that placed it; None where the game hides it.
        price: The price of a unit, in the game's money.
        quantity: The units that are left of it.
        type: ``bid`` or ``ask``.
        condition: The number of the condition, from 0.
        now: Whether it trades at once or not at all; orders in a book do not.
        good: The name of the good.
    """

    id: int
    sender: int | str | None = None
    price: float
    quantity: float
    type: str
    condition: int = 0
    now: bool = False
    good: str = ""


class Trade(BaseModel):
    """Trade in a market.

    Args:
        from_id: The seat that sold; None where the game hides it.
        to_id: The seat that bought; None where the game hides it.
        price: The price of a unit, in the game's money.
        quantity: The units.
        condition: The number of the condition, from 0.
        median: The median of the last prices of this book.
        good: The name of the good.
    """

    from_id: int | str | None = None
    to_id: int | str | None = None
    price: float
    quantity: float = 1.0
    condition: int = 0
    median: float | None = None
    good: str = ""


class MarketState(BaseModel):
    """Active orders of a market, and its trades.

    Args:
        orders: The orders in the books, by id.
        trades: The trades, oldest first.
    """

    orders: dict[int, Order] = Field(default_factory=dict)
    trades: list[Trade] = Field(default_factory=list)

    def process_event(self, event_type: str, data: Mapping[str, Any]) -> None:
        """Apply an event of the market; any other changes nothing.

        Args:
            event_type: Its type, such as ``add-order``.
            data: Its data.
        """
        handlers: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "add-order": lambda data: self._on_add_order(data["order"]),
            "update-order": lambda data: self._on_update_order(data["order"]),
            "delete-order": lambda data: self._on_delete_order(data["order"]),
            "contract-fulfilled": self._on_contract_fulfilled,
        }
        handler = handlers.get(event_type)
        if handler is not None:
            handler(data)

    def get_orders_from_player(self, player_id: int | str) -> list[Order]:
        """Return the orders of a seat, oldest first; none where the game hides whose they are."""
        return [order for order in self.orders.values() if order.sender == player_id]

    @property
    def order_book(self) -> str:
        """The orders in words, asks above bids, the highest price first."""
        asks = sorted((o for o in self.orders.values() if o.type == "ask"), key=lambda o: (-o.price, -o.id))
        bids = sorted((o for o in self.orders.values() if o.type == "bid"), key=lambda o: (-o.price, o.id))
        return "\n".join(f"{order.type} {order.price:g} x {order.quantity:g}" for order in (*asks, *bids))

    def _on_add_order(self, order: Mapping[str, Any]) -> None:
        self.orders[order["id"]] = Order(**order)

    def _on_update_order(self, order: Mapping[str, Any]) -> None:
        existing = self.orders.get(order["id"])
        if existing is not None:
            existing.quantity = order.get("quantity", existing.quantity)

    def _on_delete_order(self, order: Mapping[str, Any]) -> None:
        self.orders.pop(order["id"], None)

    def _on_contract_fulfilled(self, data: Mapping[str, Any]) -> None:
        self.trades.append(
            Trade(
                from_id=data["from"],
                to_id=data["to"],
                price=data["price"],
                quantity=data.get("quantity", 1.0),
                condition=data["condition"],
                median=data.get("median"),
                good=data.get("good", ""),
            )
        )
