"""Market: orders, trades by price and time, private accounts, and values that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.market_state import MarketState
from negoplatform.core.mechanisms.double_auction_state import (
    OrderCancelled,
    OrderPlaced,
    double_auction_state,
)
from negoplatform.core.mechanisms.market_terms import (
    Identities,
)
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.visibility import Observer, view_of, visible_event
from negoplatform.domain.errors import Refused
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER, market

# Orders


def test_an_order_that_meets_nothing_goes_into_the_book() -> None:
    table = market()

    order = table.bid(60, 2)

    (added,) = table.facts("add-order")
    assert added.data == {
        "order": {
            "id": order.seq,
            "sender": BUYER,
            "price": 60,
            "quantity": 2,
            "type": "bid",
            "condition": 0,
            "now": False,
            "good": "grain",
        }
    }


def test_a_trade_has_the_price_of_the_order_in_the_book() -> None:
    table = market()
    resting = table.bid(60, 2)

    arriving = table.ask(50, 3)

    (trade,) = table.facts("contract-fulfilled")
    assert trade.data == {
        "from": SELLER,
        "to": BUYER,
        "price": 60,
        "quantity": 2,
        "condition": 0,
        "median": 60,
        "good": "grain",
        "bid_id": resting.seq,
        "ask_id": arriving.seq,
    }
    assert [event.data["order"]["quantity"] for event in table.facts("add-order")] == [2, 1]


def test_the_facts_of_a_trade_come_in_order() -> None:
    table = market()
    table.ask(50, 2)

    table.bid(55)

    assert [event.type for event in table.events[-5:]] == [
        "PLACE_ORDER",
        "contract-fulfilled",
        "update-order",
        "asset-movement",
        "asset-movement",
    ]
    assert [event.to for event in table.facts("asset-movement")] == [(BUYER,), (SELLER,)]
    assert [event.data["balance"] for event in table.facts("asset-movement")] == [450, 50]
    assert [event.data["shares"] for event in table.facts("asset-movement")] == [1, 2]


def test_the_best_price_comes_first_and_then_the_earlier_order() -> None:
    table = market()
    table.ask(50, seat=SELLER)
    table.ask(45, seat=OTHER)
    table.ask(45, seat=SELLER)

    table.bid(60, 3)

    assert table.prices() == [(45, 1), (45, 1), (50, 1)]
    assert [event.data["from"] for event in table.facts("contract-fulfilled")] == [OTHER, SELLER, SELLER]


def test_an_order_in_part_filled_keeps_its_place() -> None:
    table = market()
    first = table.ask(50, 2, seat=SELLER)
    table.ask(50, 1, seat=OTHER)

    table.bid(50)
    table.bid(50)

    assert [event.data["ask_id"] for event in table.facts("contract-fulfilled")] == [first.seq, first.seq]


def test_an_order_for_now_is_not_kept() -> None:
    table = market()
    table.ask(50)

    table.bid(60, 2, now=True)

    assert table.prices() == [(50, 1)]
    assert len(table.facts("add-order")) == 1
    with pytest.raises(Refused, match="Nobody sells at this price now"):
        table.bid(60, now=True)


def test_an_order_can_be_cancelled_by_its_owner_alone() -> None:
    table = market()
    order = table.bid(60)

    with pytest.raises(Refused, match="no longer in the book"):
        table.cancel(order, seat=SELLER)
    table.cancel(order)

    assert double_auction_state(table.state).books[0].best("bid") is None  # type: ignore[arg-type]  # a side
    with pytest.raises(Refused, match="no longer in the book"):
        table.cancel(order)


def test_money_in_orders_is_not_free() -> None:
    table = market(highest=600)
    table.bid(200, 2)

    with pytest.raises(Refused, match="You don’t have enough free money: €100 is not in orders yet"):
        table.bid(101)
    table.bid(100)

    assert table.context(BUYER).market.free_cash == 0


def test_units_in_orders_are_not_free() -> None:
    table = market()
    table.ask(100, 2)

    with pytest.raises(Refused, match="You don’t have that many free units to sell: 1 are left"):
        table.ask(100, 2)


def test_nobody_trades_with_oneself() -> None:
    table = market()
    table.bid(10)
    table.ask(12, seat=SELLER)
    table.bid(12)

    with pytest.raises(Refused, match="You would trade with yourself"):
        table.ask(10, seat=BUYER)


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        (OrderPlaced("bid", 0), "The price is from €1 to €200"),  # type: ignore[arg-type]  # a side
        (OrderPlaced("bid", 201), "The price is from €1 to €200"),  # type: ignore[arg-type]  # a side
        (OrderPlaced("bid", 4), "The price goes in steps of €2"),  # type: ignore[arg-type]  # a side
        (OrderPlaced("bid", 2.5), "more than the 0 decimals"),  # type: ignore[arg-type]  # a side
        (OrderPlaced("bid", 3, good="salt"), "There is no good 'salt' here; there is grain"),  # type: ignore[arg-type]  # a side
        (OrderPlaced("bid", 3, condition="wet"), "There is no condition 'wet' here"),  # type: ignore[arg-type]  # a side
    ],
)
def test_a_wrong_order_is_refused_with_a_reason(order: OrderPlaced, sentence: str) -> None:
    table = market(tick=2)

    with pytest.raises(Refused, match=sentence):
        table.session.act(BUYER, "PLACE_ORDER", order)


def test_a_seat_has_so_many_orders_at_a_time() -> None:
    table = market(orders_per_seat=1)
    table.bid(10)

    with pytest.raises(Refused, match="You already have an order in the book; cancel it first"):
        table.bid(11)


def test_an_order_leaves_the_book_at_the_end_of_its_life() -> None:
    table = market(order_lifetime_seconds=5)
    order = table.bid(10)

    table.wait(5.1)

    (gone,) = table.facts("delete-order")
    assert (gone.t, gone.data) == (5.0, {"order": {"id": order.seq}})
    assert table.context(BUYER).market.free_cash == 500


# Privacy


def test_only_its_owner_sees_an_act_and_an_account() -> None:
    table = market()
    order = table.bid(60)

    assert visible_event(order, Observer(SELLER)) is None
    assert list(double_auction_state(view_of(table.state, Observer(SELLER)).state).accounts) == [SELLER]


def test_hidden_identities_are_in_no_event_that_others_see() -> None:
    table = market(identities=Identities.HIDDEN)
    table.bid(60, 2)
    table.ask(50)
    table.ask(70)

    for seat in (BUYER, SELLER, OTHER):
        others = {BUYER, SELLER, OTHER} - {seat}
        seen = [found for event in table.events if (found := visible_event(event, Observer(seat)))]
        for event in seen:
            if event.type in ("add-order", "update-order", "delete-order", "contract-fulfilled"):
                assert not others & {str(value) for value in _values(event.data)}
    assert [order.seat for order in table.context(OTHER).market.orders("ask")] == [""]
    assert [order.own for order in table.context(SELLER).market.orders("ask")] == [True]


def _values(data: Any) -> list[Any]:
    if isinstance(data, dict):
        return [value for part in data.values() for value in _values(part)]
    return [data]


@pytest.mark.parametrize("identities", list(Identities))
def test_a_seat_s_own_copy_of_the_book_equals_the_engine_s(identities: Identities) -> None:
    table = market(identities=identities)
    table.bid(60, 2)
    table.ask(50)
    table.ask(70, 2)
    table.ask(65, seat=OTHER)
    table.bid(66, 3)
    table.cancel(table.bid(5))

    for seat in (BUYER, SELLER, OTHER):
        mirror = MarketState()
        for event in table.events:
            found = visible_event(event, Observer(seat))
            if found is not None:
                mirror.process_event(found.type, found.data)
        (book,) = double_auction_state(table.state).books
        assert {(o.id, o.price, o.quantity, o.type) for o in mirror.orders.values()} == {
            (o.order_id, o.price, o.quantity, o.side) for o in book.orders
        }
        assert [(t.price, t.quantity) for t in mirror.trades] == table.prices()


@pytest.mark.parametrize("price", [-1, float("nan"), float("inf"), 10**400, True, "10", None])
def test_what_is_no_price_is_refused(price: Any) -> None:
    with pytest.raises(Refused, match="The price of an order is a number, 0 or more"):
        OrderPlaced(OrderSide.BID, price)


@pytest.mark.parametrize("quantity", [0, -1, 1.0, True, 10**7, "1", None, float("nan")])
def test_what_is_no_quantity_is_refused(quantity: Any) -> None:
    with pytest.raises(Refused, match="whole units"):
        OrderPlaced(OrderSide.BID, 10, quantity)


@pytest.mark.parametrize("side", ["buy", "", None, 1, [], "BID"])
def test_what_is_no_side_is_refused(side: Any) -> None:
    with pytest.raises(Refused, match="An order is a bid, to buy, or an ask, to sell"):
        OrderPlaced(side, 10)


@pytest.mark.parametrize("order_id", [0, -1, 1.0, True, "1", None])
def test_what_is_no_id_of_an_order_is_refused(order_id: Any) -> None:
    with pytest.raises(Refused, match="An order is named by its id"):
        OrderCancelled(order_id)
