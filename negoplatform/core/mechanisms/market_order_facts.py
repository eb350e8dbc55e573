"""Facts about the orders of a market: what becomes of one that arrives, and of accounts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from negoplatform.core.events import Event
from negoplatform.core.mechanisms.base import Fact, fact
from negoplatform.core.mechanisms.double_auction_state import (
    RECENT_PRICES,
    double_auction_state,
    market_terms,
)
from negoplatform.core.mechanisms.market_books import book_place, find_book, minor_of, number_of
from negoplatform.core.mechanisms.market_terms import Identities
from negoplatform.core.mechanisms.order_book import BookOrder, OrderBook, OrderSide
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money

ADD_ORDER, UPDATE_ORDER, DELETE_ORDER = "add-order", "update-order", "delete-order"
CONTRACT_FULFILLED, ASSET_MOVEMENT = "contract-fulfilled", "asset-movement"


def order_facts(state: State, event: Event) -> Iterator[Fact]:
    """Yield the trades of an order that has arrived, and what is left of it."""
    game, market, asked = state.game, double_auction_state(state), event.payload
    number = find_book(game, asked.good, asked.condition or market.realised or None)
    condition, good = book_place(game, number)
    price = minor_of(game, asked.price)
    held: dict[Seat, tuple[Money, int]] = {}
    recent, left = market.recent_prices[number], asked.quantity
    for resting, quantity in market.books[number].match(asked.side, price, asked.quantity):
        owner = market.owner_of(resting.order_id)
        assert owner is not None
        bids = asked.side is OrderSide.BID
        buyer, seller = (event.sender, owner) if bids else (owner, event.sender)
        ids = (event.seq, resting.order_id) if bids else (resting.order_id, event.seq)
        recent = (*recent, resting.price)[-RECENT_PRICES:]
        yield _contract(game, number, resting.price, quantity, (buyer, seller), ids, recent)
        if quantity < resting.quantity:
            order = {"id": resting.order_id, "quantity": resting.quantity - quantity}
            yield fact(UPDATE_ORDER, {"order": order})
        else:
            yield deleted(resting.order_id)
        for seat, sign in ((buyer, 1), (seller, -1)):
            account = market.accounts[seat]
            money, units = held.get(seat, (account.money[condition], account.units[condition][good]))
            held[seat] = (money - sign * resting.price * quantity, units + sign * quantity)
            yield movement(game, seat, condition, good, *held[seat])
        left -= quantity
    if left and not asked.now:
        shown = market_terms(game).identities is Identities.SHOWN
        added = {
            "id": event.seq,
            "sender": event.sender if shown else None,
            "price": asked.price,
            "quantity": left,
            "type": str(asked.side),
            "condition": condition,
            "now": False,
            "good": economy_of(game).good_names[good],
        }
        yield fact(ADD_ORDER, {"order": added})


def _contract(
    game: GameSpec,
    number: int,
    price: Money,
    quantity: int,
    pair: tuple[Seat, Seat],
    ids: tuple[int, int],
    recent: Sequence[Money],
) -> Fact:
    """Return the fact of one trade; ``recent`` are the last prices, this one included."""
    condition, good = book_place(game, number)
    shown = market_terms(game).identities is Identities.SHOWN
    data = {
        "from": pair[1] if shown else None,
        "to": pair[0] if shown else None,
        "price": number_of(game, price),
        "quantity": quantity,
        "condition": condition,
        "median": number_of(game, median(recent)),
        "good": economy_of(game).good_names[good],
        "bid_id": ids[0],
        "ask_id": ids[1],
    }
    return fact(CONTRACT_FULFILLED, data)


def deleted(order_id: int) -> Fact:
    """Return the fact that an order leaves its book."""
    return fact(DELETE_ORDER, {"order": {"id": order_id}})


def movement(game: GameSpec, seat: Seat, condition: int, good: int, money: Money, units: int) -> Fact:
    """Return the fact of what a seat now has: its money in minor units, and its units of one good."""
    data = {
        "seat": seat,
        "balance": number_of(game, money),
        "shares": units,
        "condition": condition,
        "good": economy_of(game).good_names[good],
    }
    return fact(ASSET_MOVEMENT, data, to=(seat,))


def order_expiry_facts(state: State, now: float) -> tuple[Fact, ...]:
    """Return the facts of the orders that have reached their lifetime at a session time (s), oldest first."""
    lifetime = market_terms(state.game).order_lifetime_seconds
    if lifetime is None:
        return ()
    expired = [order for book in double_auction_state(state).books for order in _expired(book, lifetime, now)]
    return tuple(deleted(order.order_id) for order in sorted(expired))


def _expired(book: OrderBook, lifetime: float, now: float) -> Iterator[BookOrder]:
    # The sum of next_due, and no difference: that may come out a little before it.
    while (oldest := book.oldest) is not None and oldest.placed_at + lifetime <= now:
        yield oldest
        book = book.remove(oldest.order_id)
