"""Outcomes of a participant's orders, in sentences for the ticket. No Tk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import islice

from negoplatform.agent_api.actions import MechanismAction
from negoplatform.core.events import Event, EventType, Refusal
from negoplatform.core.mechanisms.double_auction_state import (
    DoubleAuctionState,
    MarketTrade,
    OrderCancelled,
    OrderPlaced,
    double_auction_state,
)
from negoplatform.core.mechanisms.market import CANCEL_ORDER, DECIDE, PLACE_ORDER
from negoplatform.core.mechanisms.market_books import minor_of
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.order_check import gone_text
from negoplatform.presentation.market.ticket_view import NO_NOTICE, Notice
from negoplatform.presentation.refusals_for_translation import localized_refusal

NOBODY_AT_THIS_PRICE = ("Nobody sells at this price now.", "Nobody buys at this price now.")
"""The rules' refusals of an order to trade at once whose price is not offered any more."""


@dataclass(slots=True)
class TrackedOrder:
    """Own order with what has become of it so far; amounts in minor units."""

    order: OrderPlaced
    filled: int = 0
    paid: int = 0
    is_in_book: bool = False
    prices: set[int] = field(default_factory=set)


class OrderOutcomes:
    """Follows a session's states and keeps the sentence about the last outcome of an own act.

    What had happened before the first state leaves no sentence.

    Args:
        seat: The participant's seat.
        game: The game.
        amounts: Texts of amounts.
        translate: The window's language.
    """

    def __init__(self, seat: Seat, game: GameSpec, amounts: Amounts, translate: Language) -> None:
        self._seat, self._game, self._amounts, self._translate = seat, game, amounts, translate
        self._orders: dict[int, TrackedOrder] = {}
        self._wanted: OrderPlaced | None = None
        self._cancelled: set[int] = set()
        self._fresh: set[int] = set()
        self._event_count = self._trade_count = self._phase = 0
        self._began = False
        self.notice = NO_NOTICE
        """The sentence about the last outcome of an order."""
        self.decision_refusal = ""
        """Why the last decision was refused; empty if it was not."""

    def on_sent(self, actions: Iterable[MechanismAction]) -> None:
        """Record what is being sent, because a refusal does not repeat it."""
        for action in actions:
            payload = action.as_act().payload
            if isinstance(payload, OrderPlaced):
                self._wanted = payload
        self.decision_refusal = ""

    def on_changed(self) -> None:
        """Process that the participant has changed something: a refusal is forgotten, and nothing is news."""
        self.decision_refusal = ""
        self.notice = NO_NOTICE if self.notice.tone == "bad" else replace(self.notice, is_news=False)

    def update(self, state: State) -> None:
        """Process what has happened since the last state."""
        market = double_auction_state(state)
        events = state.transcript_of(self._seat, after=self._event_count)
        self._event_count += len(events)
        self._fresh = {event.seq for event in events if isinstance(event.payload, OrderPlaced)}
        for event in events:
            self._on_event(event)
        fresh = len(market.trades) - self._trade_count
        self._trade_count = len(market.trades)
        for trade in reversed(list(islice(market.trades.iter_backwards(), fresh))):
            self._on_trade(trade)
        self._on_books(market)
        if market.phase != self._phase:
            # The orders of another phase have left the books.
            self._phase = market.phase
            self._orders = {key: order for key, order in self._orders.items() if order.is_in_book}
            self.notice, self.decision_refusal = NO_NOTICE, ""
        if not self._began:
            self._began, self.notice, self.decision_refusal = True, NO_NOTICE, ""

    def _on_event(self, event: Event) -> None:
        payload = event.payload
        if event.type == EventType.ACTION_REFUSED and isinstance(payload, Refusal):
            self._on_refusal(payload)
        elif event.sender != self._seat:
            return
        elif isinstance(payload, OrderPlaced):
            self._orders[event.seq] = TrackedOrder(payload)
        elif isinstance(payload, OrderCancelled):
            self._cancelled.add(payload.order_id)

    def _on_refusal(self, refusal: Refusal) -> None:
        text = localized_refusal(refusal.reason, self._translate)
        if refusal.action == DECIDE:
            self.decision_refusal = text
        if refusal.action not in (PLACE_ORDER, CANCEL_ORDER):
            return
        wanted = self._wanted
        if refusal.reason in NOBODY_AT_THIS_PRICE and wanted is not None:
            text = gone_text(wanted.side, self._price_text(wanted), self._translate)
        self.notice = Notice(text, "bad")

    def _on_trade(self, trade: MarketTrade) -> None:
        for order_id in (trade.bid_id, trade.ask_id):
            own = self._orders.get(order_id)
            if own is not None:
                own.filled += trade.quantity
                own.paid += trade.price * trade.quantity
                own.prices.add(trade.price)
                own.is_in_book = own.is_in_book and own.filled < own.order.quantity
                self.notice = Notice(self._trade_text(own), "good")

    def _on_books(self, market: DoubleAuctionState) -> None:
        """Process which own orders are in the books now."""
        own_orders = market.own_orders[self._seat]
        for order_id, own in list(self._orders.items()):
            is_in_book, was_in_book = order_id in own_orders, own.is_in_book
            own.is_in_book = is_in_book
            if is_in_book and not was_in_book:
                self.notice = self._added_notice(own)
            elif was_in_book and not is_in_book and own.filled < own.order.quantity:
                if not self._is_replaced(order_id):
                    self.notice = self._left_notice(own, cancelled=order_id in self._cancelled)
                del self._orders[order_id]

    def _is_replaced(self, order_id: int) -> bool:
        """Return whether an order was cancelled for another one that was placed right after."""
        return order_id in self._cancelled and any(later > order_id for later in self._fresh)

    # Sentences

    def _added_notice(self, own: TrackedOrder) -> Notice:
        if own.filled:
            return Notice(self._trade_text(own), "good")
        price, n, translate = self._price_text(own.order), own.order.quantity, self._translate
        bids = own.order.side is OrderSide.BID
        if n > 1:
            return Notice(
                translate("Your bid for {n} at {price} each is in the book.", n=n, price=price)
                if bids
                else translate("Your ask for {n} at {price} each is in the book.", n=n, price=price)
            )
        if bids:
            return Notice(translate("Your bid of {price} is in the book.", price=price))
        return Notice(translate("Your ask of {price} is in the book.", price=price))

    def _left_notice(self, own: TrackedOrder, *, cancelled: bool) -> Notice:
        price, bids, translate = self._price_text(own.order), own.order.side is OrderSide.BID, self._translate
        if cancelled and bids:
            return Notice(translate("Your bid of {price} is cancelled.", price=price))
        if cancelled:
            return Notice(translate("Your ask of {price} is cancelled.", price=price))
        if bids:
            return Notice(translate("Your bid of {price} has left the book.", price=price))
        return Notice(translate("Your ask of {price} has left the book.", price=price))

    def _trade_text(self, own: TrackedOrder) -> str:
        """Return what an order has traded, and what is left of it."""
        translate, bids = self._translate, own.order.side is OrderSide.BID
        if len(own.prices) == 1:
            price = self._amounts.text(own.paid // own.filled)
            text = (
                translate("You bought {n} at {price}.", n=own.filled, price=price)
                if bids
                else translate("You sold {n} at {price}.", n=own.filled, price=price)
            )
        else:
            total = self._amounts.text(own.paid)
            text = (
                translate("You bought {n} for {total} in all.", n=own.filled, total=total)
                if bids
                else translate("You sold {n} for {total} in all.", n=own.filled, total=total)
            )
        left = own.order.quantity - own.filled
        if left and own.order.now:
            return text + " " + translate("{n} more was not to be had at this price.", n=left)
        if left:
            return text + " " + translate("{n} more is still in the book.", n=left)
        return text

    def _price_text(self, order: OrderPlaced) -> str:
        return self._amounts.text(minor_of(self._game, order.price))
