"""Checks of the acts of a market: orders, cancellations and decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from negoplatform.core.events import Nothing
from negoplatform.core.mechanisms.double_auction_state import (
    DecisionMade,
    OrderCancelled,
    OrderPlaced,
    conditions_of,
    current_phase,
    double_auction_state,
    market_terms,
)
from negoplatform.core.mechanisms.market_books import book_place, find_book, number_of
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat


def check_market_act(state: State, seat: Seat, payload: Any) -> None:
    """Raise Refused if a seat may not perform an act now."""
    market = double_auction_state(state)
    if seat in market.left and isinstance(payload, Nothing | OrderPlaced | OrderCancelled | DecisionMade):
        raise Refused("You’ve left the market.")
    match payload:
        case OrderPlaced():
            _check_order(state, seat, payload)
        case OrderCancelled(order_id):
            if order_id not in market.own_orders[seat]:
                raise Refused("That order is no longer in the book.")
        case DecisionMade(values=values):
            _check_decision(state, seat, values.to_dict())


def _check_order(state: State, seat: Seat, asked: OrderPlaced) -> None:
    fault = order_fault(state, seat, asked)
    if fault:
        raise Refused(fault)


def order_fault(state: State, seat: Seat, asked: OrderPlaced) -> str:
    """Return why a seat may not place an order now, a sentence; empty: it may. Also of the seat's view."""
    game, market, phase = state.game, double_auction_state(state), current_phase(state)
    if phase is None or not phase.trade:
        return "The market is closed now."
    terms, economy = market_terms(game), economy_of(game)
    try:
        number = find_book(game, asked.good, asked.condition or market.realised or None)
        price = economy.currency.from_number(asked.price)
        tick, lowest, highest = (
            economy.currency.from_number(each) for each in (terms.tick, terms.lowest, terms.highest)
        )
    except Refused as refusal:
        return str(refusal)
    except NegoError as error:
        return f"{str(error).rstrip('.')}."
    condition, good = book_place(game, number)
    if market.realised and conditions_of(game)[condition] != market.realised:
        return f"It is known that {market.realised} holds; trade under this condition."
    if not lowest <= price <= highest:
        return f"The price is from {economy.currency.format(lowest)} to {economy.currency.format(highest)}."
    if (price - lowest) % tick:
        return f"The price goes in steps of {economy.currency.format(tick)}."
    account = market.accounts[seat]
    if asked.side is OrderSide.BID and price * asked.quantity > account.free_money(condition):
        free = economy.currency.format(account.free_money(condition))
        return f"You don’t have enough free money: {free} is not in orders yet."
    if asked.side is OrderSide.ASK and asked.quantity > account.free_units(condition, good):
        return f"You don’t have that many free units to sell: {account.free_units(condition, good)} are left."
    fills = market.books[number].match(asked.side, price, asked.quantity)
    if any(fill.resting.order_id in market.own_orders[seat] for fill in fills):
        return "You would trade with yourself; cancel your own order first."
    rests = not asked.now and sum(fill.quantity for fill in fills) < asked.quantity
    if rests and len(market.own_orders[seat]) >= terms.orders_per_seat:
        return (
            "You already have an order in the book; cancel it first."
            if terms.orders_per_seat == 1
            else f"You already have {terms.orders_per_seat} orders in the books; cancel one first."
        )
    if asked.now and not fills:
        return f"Nobody {'sells' if asked.side is OrderSide.BID else 'buys'} at this price now."
    return ""


def possible_order(state: State, seat: Seat) -> OrderPlaced | None:
    """Return an order that a seat may place now; None if there is none."""
    game, terms = state.game, market_terms(state.game)
    for number in range(len(double_auction_state(state).books)):
        condition, good = book_place(game, number)
        names = (
            economy_of(game).good_names[good],
            terms.conditions[condition] if terms.conditions else None,
        )
        for order in _candidates(state, number, names):
            if not order_fault(state, seat, order):
                return order
    return None


def _candidates(state: State, number: int, names: tuple[str, str | None]) -> Iterator[OrderPlaced]:
    """Yield orders of one unit of which one is allowed if any order in the book is."""
    game, terms = state.game, market_terms(state.game)
    book = double_auction_state(state).books[number]
    highest = terms.lowest + int((terms.highest - terms.lowest) / terms.tick + 1e-9) * terms.tick
    yield OrderPlaced(OrderSide.BID, terms.lowest, 1, *names)
    yield OrderPlaced(OrderSide.ASK, highest, 1, *names)
    for side in OrderSide:
        # A seat without room for another order may still trade with what is in the book.
        other = book.best(OrderSide.ASK if side is OrderSide.BID else OrderSide.BID)
        if other is not None:
            yield OrderPlaced(side, number_of(game, other.price), 1, *names)


def deciders(state: State) -> tuple[Seat, ...]:
    """Return the seats that decide in this phase and have not left."""
    phase = current_phase(state)
    if phase is None or not phase.decide:
        return ()
    left = double_auction_state(state).left
    return tuple(seat for seat in phase.by or state.game.seats if seat not in left)


def all_have_decided(state: State) -> bool:
    phase, market = current_phase(state), double_auction_state(state)
    return (
        phase is not None
        and bool(phase.decide)
        and all(market.decision_of(seat, phase) is not None for seat in deciders(state))
    )


def _check_decision(state: State, seat: Seat, values: Mapping[str, Any]) -> None:
    phase = current_phase(state)
    if phase is None or seat not in deciders(state):
        raise Refused("There is nothing for you to decide now.")
    if double_auction_state(state).decision_of(seat, phase) is not None:
        raise Refused("You’ve already decided; the others are still deciding.")
    names = [field.name for field in phase.decide]
    odd = [name for name in values if name not in names]
    if odd:
        raise Refused(f"There is no decision {odd[0]!r} here; there is {', '.join(names)}.")
    for field in phase.decide:
        if field.name not in values:
            raise Refused(f"{field.title}: choose a value.")
        value = values[field.name]
        fault = field.fault_of(tuple(value) if isinstance(value, list) else value)
        if fault:
            raise Refused(fault)
