"""Why an order cannot be placed, in words, as far as the participant's view shows it. No Tk."""

from __future__ import annotations

from negoplatform.core.mechanisms.double_auction_state import (
    DoubleAuctionState,
    OrderPlaced,
    current_phase,
    double_auction_state,
    market_terms,
    replaced,
)
from negoplatform.core.mechanisms.market_books import book_place, find_book, minor_of
from negoplatform.core.mechanisms.market_checks import order_fault
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.state import State
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import localized_role
from negoplatform.presentation.market.amounts import Amounts


def without_order(state: State, seat: Seat, order_id: int) -> State:
    """Return the state as if an order of the seat's own had been taken out of its book."""
    market = double_auction_state(state)
    number = market.own_orders[seat].get(order_id)
    if number is None:
        return state
    book = market.books[number]
    order = book.get(order_id)
    assert order is not None
    condition, good = book_place(state.game, number)
    account = market.accounts[seat].with_commitment(order, condition, good, -order.quantity)
    changed: DoubleAuctionState = market._replace(
        books=replaced(market.books, number, book.remove(order_id)),
        accounts=market.accounts.with_value(seat, account),
        own_orders=market.own_orders.with_value(seat, market.own_orders[seat].without(order_id)),
    )
    return state._replace(mechanism_state=changed)


def why_not(
    state: State, seat: Seat, order: OrderPlaced, amounts: Amounts, translate: Language, *, bid: Money = 0
) -> str:
    """Return why an order would be refused now; empty if it would not, as far as is known.

    The rules' own sentences are in English; those that contain amounts are put into words here again.

    Args:
        state: The state as the seat sees it, without an own order that the new one takes the place of.
        seat: The seat that would place the order.
        order: The order.
        amounts: Texts of amounts.
        translate: The window's language.
        bid: The money of that own order, which the account shows as not free.
    """
    fault = order_fault(state, seat, order)
    if not fault:
        return ""
    game, market, phase = state.game, double_auction_state(state), current_phase(state)
    if phase is None or not phase.trade:
        return translate("The market is closed now.")
    number = find_book(game, order.good, order.condition or market.realised or None)
    condition, good = book_place(game, number)
    account, price = market.accounts[seat], minor_of(game, order.price)
    if market.realised and order.condition not in (None, market.realised):
        return translate(
            "{condition} holds now; trade under this condition.",
            condition=localized_role(market.realised, translate),
        )
    if order.side is OrderSide.BID and price * order.quantity > account.free_money(condition):
        free = amounts.text(account.free_money(condition) - bid)
        if bid:
            return translate(
                "You don’t have enough money: {amount} is free, and {more} more is in the bid that this one "
                "replaces.",
                amount=free,
                more=amounts.text(bid),
            )
        return translate("You don’t have enough free money: you have {amount}.", amount=free)
    if order.side is OrderSide.ASK and order.quantity > account.free_units(condition, good):
        free_units = account.free_units(condition, good)
        return translate.plural(
            "You don’t have that many units to sell: you have {n} free unit.",
            "You don’t have that many units to sell: you have {n} free units.",
            free_units,
        )
    fills = market.books[number].match(order.side, price, order.quantity)
    if any(fill.resting.order_id in market.own_orders[seat] for fill in fills):
        return translate("You’d trade with yourself; cancel your own order first.")
    if order.now and not fills:
        return gone_text(order.side, amounts.text(price), translate)
    most = market_terms(game).orders_per_seat
    if len(market.own_orders[seat]) >= most:
        return translate.plural(
            "You already have an order in the book; cancel it first.",
            "You already have {n} orders in the books; cancel one first.",
            most,
        )
    return translate(fault)


def gone_text(side: OrderSide, price: str, translate: Language) -> str:
    """Return that there is no order to trade with at a price."""
    if side is OrderSide.BID:
        return translate("Nobody sells at {price} any more, so nothing was bought.", price=price)
    return translate("Nobody buys at {price} any more, so nothing was sold.", price=price)
