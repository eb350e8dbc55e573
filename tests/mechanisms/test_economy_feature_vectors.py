"""Observations of seats in markets and trading games: books, prices, own orders, dialogues and worths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.mechanisms.trading_state import ProposalAccepted, ProposalCall, Tape
from negoplatform.domain.seat_map import PLATFORM
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER, market
from tests.mechanisms.trading_table import ONE, THREE, TWO, table


def own(ctx: AgentContext, feature: str) -> list[float]:
    return list(ctx.observation.local[feature])


def public(ctx: AgentContext, feature: str) -> list[float]:
    return list(ctx.observation.global_info[PLATFORM][feature])


# Markets


def test_the_best_levels_of_a_book_are_observed_with_the_units_at_each() -> None:
    bench = market(orders_per_seat=9, highest=200)
    for price, units in ((40, 1), (60, 2), (50, 1), (30, 1), (20, 1), (10, 1)):
        bench.bid(price, units)
    bench.ask(90, 1)
    bench.ask(90, 2, seat=OTHER)

    books = public(bench.context(SELLER), "MarketBooks")

    assert books[:5] == [60, 50, 40, 30, 20], "prices of bids"
    assert books[5:10] == [2, 1, 1, 1, 1], "units of bids"
    assert books[10:] == [90, 0, 0, 0, 0, 3, 0, 0, 0, 0], "prices and units of asks"


def test_an_observation_of_a_market_keeps_its_length_whatever_is_in_the_book() -> None:
    bench = market(orders_per_seat=9)
    before = len(bench.context(SELLER).observation.vector())

    for price in range(1, 9):
        bench.bid(price)

    assert len(bench.context(SELLER).observation.vector()) == before


def test_a_seat_observes_its_own_orders_and_no_other_seat_does() -> None:
    bench = market()
    bench.ask(90, 1)
    bench.ask(80, 2)
    bench.bid(30, 4)

    seller, buyer = bench.context(SELLER), bench.context(BUYER)

    assert own(seller, "MarketOrders") == [0, 0, 80, 3]
    assert own(buyer, "MarketOrders") == [30, 4, 0, 0]
    assert own(bench.context(OTHER), "MarketOrders") == [0, 0, 0, 0]
    assert "MarketOrders" not in _others(buyer, SELLER)


def test_a_trader_observes_money_units_prices_and_what_units_are_worth() -> None:
    bench = market()
    bench.ask(60, 1)
    bench.bid(70, 1)

    ctx = bench.context(BUYER)

    assert own(ctx, "MarketHoldings") == [500 - 60, 1, 0, 0]
    assert own(ctx, "MarketWorths") == [90, 110], "the second sack, and the first"
    assert public(ctx, "MarketPrices") == [1, 0, 0, 60]
    assert own(bench.context(SELLER), "MarketWorths") == [70, 90], "the third sack, and the second"
    assert "MarketWorths" not in _others(ctx, SELLER)


# Trading


def test_a_seat_observes_the_proposal_that_it_can_accept_and_its_own() -> None:
    bench = table(seats=3)
    bench.propose(TWO, ONE, buyer=True, amount=12, good_2=1)
    bench.propose(TWO, ONE, buyer=True, amount=15, good_2=1)
    bench.propose(ONE, THREE, buyer=True, amount=7, good_1=2)

    dialogues = own(bench.context(ONE), "TradingDialogues")

    none = [0.0] * 5
    assert dialogues[:2] == [0, 0], "no calls"
    assert dialogues[2:12] == [1, 0, 12, 0, 1, *none], "the oldest of the second seat's"
    assert dialogues[12:22] == none * 2, "nothing is agreed"
    assert dialogues[22:] == [*none, 1, 1, 7, 2, 0], "its own to the third seat"


def test_a_confirmed_proposal_is_observed_as_agreed_by_both_and_by_no_other_seat() -> None:
    bench = table(seats=3)
    made = bench.propose(TWO, ONE, buyer=True, amount=12, good_2=1)
    bench.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(made.seq))

    to_confirm = own(bench.context(TWO), "TradingDialogues")[2:7]
    bench.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(made.seq))

    assert to_confirm == [1, 1, 12, 0, 1]
    assert own(bench.context(ONE), "TradingDialogues")[12:17] == [1, 0, 12, 0, 1]
    assert own(bench.context(TWO), "TradingDialogues")[12:17] == [1, 1, 12, 0, 1]
    assert not any(own(bench.context(THREE), "TradingDialogues"))


@pytest.mark.parametrize(("buyer", "number"), [(True, 1), (False, 2)])
def test_a_call_of_another_seat_is_observed(buyer: bool, number: int) -> None:
    bench = table(seats=3)

    bench.do(THREE, "CALL_FOR_PROPOSALS", ProposalCall(buyer), ONE)

    assert own(bench.context(ONE), "TradingDialogues")[:2] == [0, number]
    assert own(bench.context(THREE), "TradingDialogues")[:2] == [0, 0]


@pytest.mark.parametrize(("tape", "shown"), [(Tape.PUBLIC, [1, 0, 20, 1, 0]), (Tape.PRIVATE, [0] * 5)])
def test_a_trade_changes_what_its_sides_observe_and_the_tape_where_it_is_public(
    tape: Tape, shown: list[float]
) -> None:
    bench = table(seats=3, tape=tape)
    before = own(bench.context(ONE), "TradingWorths")

    bench.submit(ONE, TWO, buyer=True, amount=20)
    bench.submit(TWO, ONE, buyer=False, amount=20)

    buyer, other = bench.context(ONE), bench.context(THREE)
    assert own(buyer, "TradingHoldings") == [180, 2, 2, 0]
    assert own(buyer, "LastTrade") == [1, 1, 20, 1, 0]
    assert own(bench.context(TWO), "LastTrade") == [1, 0, 20, 1, 0]
    assert own(other, "LastTrade") == [0] * 5
    assert public(other, "TradingActivity") == shown
    worths = own(buyer, "TradingWorths")
    assert worths[0] < before[0], "a third unit of the first good adds less than a second one"
    assert worths[2] == pytest.approx(before[0]), "the unit that was bought is the last one now"


def _others(ctx: AgentContext, seat: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = ctx.observation.global_info.get(seat, {})
    return found
