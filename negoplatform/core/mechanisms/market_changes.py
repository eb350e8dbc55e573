"""Changes of a market's state by its events; books and accounts change with facts alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.core.events import Event, EventType, new_tuple, shared_data
from negoplatform.core.mechanisms.double_auction_state import (
    RECENT_PRICES,
    DoubleAuctionState,
    MarketTrade,
    current_phase,
    double_auction_state,
    replaced,
)
from negoplatform.core.mechanisms.market_books import book_number, book_place, minor_of
from negoplatform.core.mechanisms.order_book import BookOrder, OrderSide
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of

LATEST_TIMER_SECONDS = 1.0
"""Seconds by which the end of a phase may be recorded late without moving the phases after it."""


def market_state_after(state: State, event: Event) -> DoubleAuctionState:
    """Return the mechanism's part of the state after an event."""
    market = double_auction_state(state)
    match event.type:
        case "PLACE_ORDER":
            if event.sender not in market.placed:
                return market
            return market._replace(placed=market.placed.with_value(event.sender, event.seq))
        case "add-order":
            return _with_order(state, market, event)
        case "update-order" | "delete-order":
            order = shared_data(event.payload.json)["order"]
            return _with_quantity(state, market, order["id"], order.get("quantity", 0))
        case "contract-fulfilled":
            return _with_trade(state, market, event)
        case "asset-movement":
            return _with_movement(state, market, shared_data(event.payload.json))
        case "phase-transition":
            return market._replace(
                phase=event.data["phase"],
                phase_began=_beginning_of_next_phase(state, event.t),
                recent_prices=((),) * len(market.recent_prices),
            )
        case "period-result":
            return _with_result(state, market, shared_data(event.payload.json))
        case "DECIDE":
            return _with_decision(state, market, event)
        case "condition-realised":
            return market._replace(realised=event.data["condition"])
        case EventType.FORMAL_QUIT:
            left = tuple(seat for seat in state.game.seats if seat in (*market.left, event.sender))
            return market._replace(left=left)
        case _:
            return market


def _beginning_of_next_phase(state: State, t: float) -> float:
    """Return the session time at which a phase begins that is announced now.

    Right behind the end of the phase before it, if that has run its time, however late a timer is: else the
    last of several phases would end after a deadline that leaves time for just all of them.
    """
    before = current_phase(state)
    if before is None:
        return t
    ended = double_auction_state(state).phase_began + before.seconds
    return ended if ended <= t <= ended + LATEST_TIMER_SECONDS else t


def _with_order(state: State, market: DoubleAuctionState, event: Event) -> DoubleAuctionState:
    found = shared_data(event.payload.json)["order"]
    number = book_number(
        state.game, found["condition"], economy_of(state.game).good_names.index(found["good"])
    )
    side = OrderSide.BID if found["type"] == OrderSide.BID else OrderSide.ASK
    price = minor_of(state.game, found["price"])
    order = new_tuple(
        BookOrder, (found["id"], found["sender"] or "", side, price, found["quantity"], event.t)
    )
    books = replaced(market.books, number, market.books[number].add(order))
    for seat, placed in market.placed.pairs:
        if placed == order.order_id:
            account = market.accounts[seat].with_commitment(
                order, *book_place(state.game, number), order.quantity
            )
            own = market.own_orders[seat].with_item(order.order_id, number)
            accounts = market.accounts.with_value(seat, account)
            return market.with_books(books, accounts, market.own_orders.with_value(seat, own))
    return market._replace(books=books)


def _with_quantity(
    state: State, market: DoubleAuctionState, order_id: int, quantity: int
) -> DoubleAuctionState:
    """Return the state with another quantity of an order; 0 takes it out of its book."""
    found = market.find_order(order_id)
    if found is None:
        return market
    number, order = found
    book = market.books[number]
    book = book.reduce(order_id, quantity) if quantity else book.remove(order_id)
    books = replaced(market.books, number, book)
    owner = market.owner_of(order_id)
    if owner is None:
        return market._replace(books=books)
    change = quantity - order.quantity
    account = market.accounts[owner].with_commitment(order, *book_place(state.game, number), change)
    own_orders = market.own_orders
    if not quantity:
        own_orders = own_orders.with_value(owner, own_orders[owner].without(order_id))
    return market.with_books(books, market.accounts.with_value(owner, account), own_orders)


def _with_trade(state: State, market: DoubleAuctionState, event: Event) -> DoubleAuctionState:
    data = shared_data(event.payload.json)
    good = economy_of(state.game).good_names.index(data["good"])
    trade = MarketTrade(
        event.t,
        minor_of(state.game, data["price"]),
        data["quantity"],
        good,
        data["condition"],
        data["to"] or "",
        data["from"] or "",
        data["bid_id"],
        data["ask_id"],
        market.phase,
    )
    number = book_number(state.game, trade.condition, good)
    recent = (*market.recent_prices[number], trade.price)[-RECENT_PRICES:]
    return market._replace(
        trades=market.trades.append(trade), recent_prices=replaced(market.recent_prices, number, recent)
    )


def _with_movement(state: State, market: DoubleAuctionState, data: Mapping[str, Any]) -> DoubleAuctionState:
    seat = data["seat"]
    if seat not in market.accounts:
        return market
    good = economy_of(state.game).good_names.index(data["good"])
    account = market.accounts[seat].with_holding(
        data["condition"], good, minor_of(state.game, data["balance"]), data["shares"]
    )
    return market._replace(accounts=market.accounts.with_value(seat, account))


def _with_result(state: State, market: DoubleAuctionState, data: Mapping[str, Any]) -> DoubleAuctionState:
    seat = data["seat"]
    if seat not in market.accounts or not data["begins_anew"]:
        return market
    account = market.accounts[seat]._replace(earned=minor_of(state.game, data["total"]))
    return market._replace(accounts=market.accounts.with_value(seat, account))


def _with_decision(state: State, market: DoubleAuctionState, event: Event) -> DoubleAuctionState:
    phase = current_phase(state)
    if event.sender not in market.decisions or phase is None:
        return market
    made = (*market.decisions[event.sender], (phase.name, event.payload.values))
    return market._replace(decisions=market.decisions.with_value(event.sender, made))
