"""Ticket: what an order would gain, why it cannot be placed, and what its buttons send."""

from __future__ import annotations

import pytest

from negoplatform.agent_api.mechanism_actions import CancelOrder, PlaceOrder
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.domain.errors import Refused
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.market.ticket_view import stepped_price
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER
from tests.presentation.market.seen_market import SeenMarket


def test_the_ticket_says_what_a_bid_would_gain_on_the_next_unit() -> None:
    ticket = SeenMarket().writes("98").ticket

    assert ticket.advice == "Worth €110 to you. You’d gain €12 on this unit."
    assert ticket.tone == "good"


def test_a_bid_above_the_worth_is_warned_about_and_can_be_placed_all_the_same() -> None:
    ticket = SeenMarket().writes("120").ticket

    assert ticket.advice == "Worth €110 to you. You’d lose €10!"
    assert ticket.tone == "bad"
    assert ticket.place.actions


def test_several_units_are_worth_what_each_further_one_is_worth() -> None:
    ticket = SeenMarket().writes("85", "3").ticket

    assert ticket.advice == "3 units are worth €270 to you. You’d gain €15."


def test_units_that_are_worth_nothing_are_not_counted_as_worth_something() -> None:
    seen = SeenMarket()
    several = seen.writes("10", "5").ticket.advice
    seen.table.bid(60, 2)

    assert several == "3 of 5 units are worth something to you: €270 in all. You’d gain €220."
    assert seen.writes("10", "3").ticket.advice == (
        "1 of 3 units is worth something to you: €70. You’d gain €40."
    )


def test_units_of_other_bids_count_as_bought_before() -> None:
    seen = SeenMarket()
    seen.table.bid(60)

    assert seen.writes("80").ticket.advice == "Worth €90 to you. You’d gain €10 on this unit."


def test_an_order_that_trades_at_once_is_valued_at_the_prices_in_the_book() -> None:
    seen = SeenMarket()
    seen.table.ask(40)

    assert seen.writes("100").ticket.advice == "Worth €110 to you. You’d gain €70 on this unit."


def test_a_seller_begins_with_selling_and_gains_what_is_above_the_worth() -> None:
    ticket = SeenMarket(SELLER).writes("75").ticket

    assert ticket.draft.side is OrderSide.ASK
    assert ticket.advice == "Worth €70 to you. You’d gain €5 on this unit."


def test_the_button_that_takes_sends_exactly_the_price_that_it_names() -> None:
    seen = SeenMarket()
    seen.table.ask(41)
    button = seen.view.ticket.take

    assert button.text == "Buy at €41"
    assert button.actions == (PlaceOrder("bid", 41, 1, good="grain", now=True),)


def test_a_price_that_is_gone_buys_nothing_and_the_ticket_says_so() -> None:
    seen = SeenMarket()
    first = seen.table.ask(41)
    (order,) = seen.view.ticket.take.actions
    seen.table.cancel(first)
    seen.table.ask(43, seat=OTHER)

    seen.outcomes.on_sent([order])
    act = order.as_act()
    with pytest.raises(Refused, match="Nobody sells at this price now"):
        seen.table.session.act(BUYER, act.type, act.payload)

    notice = seen.view.ticket.notice
    assert (notice.text, notice.tone) == ("Nobody sells at €41 any more, so nothing was bought.", "bad")
    assert not seen.table.facts("contract-fulfilled")


def test_taking_several_units_takes_no_more_than_there_are_at_the_best_price() -> None:
    seen = SeenMarket()
    seen.table.ask(41, 2)
    seen.table.ask(45, seat=OTHER)

    button = seen.writes("", "3").ticket.take

    assert button.text == "Buy 2 of 3 at €41"
    assert button.gain == "You’d gain €118."


def test_taking_at_a_loss_says_so_at_the_button() -> None:
    seen = SeenMarket()
    seen.table.ask(130)

    button = seen.view.ticket.take

    assert (button.gain, button.tone) == ("You’d lose €20!", "bad")


def test_own_orders_are_not_what_can_be_bought() -> None:
    seen = SeenMarket(SELLER)
    seen.table.ask(41)
    seen.table.ask(45, seat=OTHER)
    seen.draft = seen.draft.with_side(OrderSide.BID)

    button = seen.view.ticket.take

    assert button.text == "Buy at €45"
    assert button.actions == ()


def test_the_only_order_that_a_game_allows_is_changed_and_not_refused() -> None:
    seen = SeenMarket(orders_per_seat=1)
    first = seen.table.bid(60)

    button = seen.writes("62").ticket.place

    assert button.text == "Change bid to €62"
    assert button.actions == (CancelOrder(first.seq), PlaceOrder("bid", 62, 1, good="grain"))


def test_the_money_of_a_changed_bid_is_free_for_the_new_one() -> None:
    seen = SeenMarket(orders_per_seat=1, highest=1000)
    seen.table.bid(400)

    assert seen.writes("500").ticket.place.actions
    assert seen.writes("501").ticket.problem == (
        "You don’t have enough money: €100 is free, and €400 more is in the bid that this one replaces."
    )


def test_a_price_outside_of_the_range_or_between_steps_cannot_be_placed() -> None:
    seen = SeenMarket(tick=5, lowest=5)

    assert seen.writes("300").ticket.problem == "Must be €5 to €200 in steps of €5."
    assert seen.writes("42").ticket.place.actions == ()
    assert seen.writes("forty").ticket.problem == "Please enter a number: €5 to €200 in steps of €5."
    assert seen.writes("").ticket.problem == ""


def test_enter_says_of_an_impossible_price_what_is_wrong_with_it_and_not_that_there_is_none() -> None:
    seen = SeenMarket(tick=5, lowest=5)

    assert seen.writes("300").ticket.place.why == "Must be €5 to €200 in steps of €5."
    assert seen.writes("40", "0").ticket.place.why == seen.writes("40", "0").ticket.problem != ""
    assert seen.writes("").ticket.place.why == "Type a price first, or choose one in the book."


def test_more_units_than_one_has_cannot_be_sold() -> None:
    seen = SeenMarket(SELLER)

    problem = seen.writes("50", "4").ticket.problem

    assert problem == "You don’t have that many units to sell: you have 3 free units."


def test_a_closed_market_takes_no_orders() -> None:
    seen = SeenMarket()
    seen.table.wait(61)

    ticket = seen.writes("50").ticket

    assert not ticket.can_edit
    assert ticket.place.actions == ticket.take.actions == ()


def test_the_first_step_of_an_empty_price_leads_to_the_market() -> None:
    seen = SeenMarket()
    seen.table.bid(40, seat=BUYER)
    draft = seen.draft.ticket

    first = stepped_price(seen.state, 0, draft, 1, ENGLISH)
    second = stepped_price(seen.state, 0, seen.draft.with_price(first).ticket, 1, ENGLISH)

    assert (first, second) == ("40", "41")


def test_a_price_that_does_not_fit_is_what_keeps_the_order_back() -> None:
    seen = SeenMarket()

    assert seen.writes("201").ticket.place.why == "Must be €1 to €200."
    assert seen.writes("12.5").ticket.problem == "Must be €1 to €200 in steps of €1."


def test_the_ticket_says_what_was_placed_before_it_checks_the_next_order() -> None:
    seen = SeenMarket(SELLER, orders_per_seat=1)
    seen.writes("80", "3")
    seen.table.ask(80, 3)

    placed = seen.view.ticket
    changed = seen.writes("81", "4").ticket

    assert (placed.problem, placed.notice.text) == ("", "Your ask for 3 at €80 each is in the book.")
    assert changed.problem == "You don’t have that many units to sell: you have 3 free units."


def test_an_order_that_meets_another_one_says_that_it_trades_at_once() -> None:
    seen = SeenMarket()
    seen.table.ask(40)

    assert seen.writes("60").ticket.place.gain == "trades at once at €40"
    assert seen.writes("60", "3").ticket.place.gain == "1 of 3 trades at once"
    assert seen.writes("39").ticket.place.gain == ""


def test_a_changed_order_names_its_units() -> None:
    seen = SeenMarket(orders_per_seat=1)
    seen.table.bid(60)

    assert seen.writes("62").ticket.place.text == "Change bid to €62"
    assert seen.writes("60", "3").ticket.place.text == "Change bid: 3 at €60"
