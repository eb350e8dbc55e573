"""Order book, account, trades and outcomes in a participant's window."""

from __future__ import annotations

from negoplatform.core.mechanisms.market_terms import CarryOver, Identities, MarketPeriods
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.domain.trading.economy import Currency
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.market.amounts import Amounts, NumberScale
from negoplatform.presentation.table.result_view import end_view
from negoplatform.presentation.time_and_points_text import duration_text
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER
from tests.presentation.market.seen_market import NAMES, SeenMarket


def test_the_book_adds_up_the_units_of_a_price_and_marks_own_ones() -> None:
    seen = SeenMarket()
    seen.table.bid(40, 2)
    seen.table.ask(60)
    seen.table.ask(60, seat=OTHER)
    seen.table.ask(55, seat=OTHER)

    book = seen.view.book

    assert [(row.price, row.quantity, row.own, row.who) for row in book.asks] == [
        ("€55", 1, 0, "Noa"),
        ("€60", 2, 0, "2 orders"),
    ]
    assert [(row.price, row.quantity, row.own, row.who) for row in book.bids] == [("€40", 2, 2, "You")]
    assert book.between == "Spread €15"


def test_hidden_identities_name_nobody_and_own_trades_are_known_all_the_same() -> None:
    seen = SeenMarket(identities=Identities.HIDDEN)
    seen.table.ask(60)
    seen.table.ask(70, seat=OTHER)
    seen.table.bid(60)

    assert [row.who for row in seen.view.book.asks] == [""]
    assert [(row.text, row.own) for row in seen.view.tape] == [("You bought", OrderSide.BID)]
    assert [point.own for point in seen.view.chart.points] == [True]


def test_the_account_says_what_the_next_unit_is_worth_and_what_was_gained() -> None:
    seen = SeenMarket()
    seen.table.ask(60)
    seen.table.bid(60)

    account = seen.view.account

    assert account.next_unit == "€90"
    assert account.gained == "€50"
    assert [(row.label, row.worth, row.status, row.result) for row in account.ladder] == [
        ("Unit 1", "€110", "done", "bought at €60: +€50"),
        ("Unit 2", "€90", "next", ""),
        ("Unit 3", "€70", "later", ""),
    ]


def test_a_seller_sees_first_what_costs_least_to_sell() -> None:
    seen = SeenMarket(SELLER)
    seen.table.ask(80)
    seen.table.bid(80)

    account = seen.view.account

    assert [(row.worth, row.status, row.result) for row in account.ladder] == [
        ("€70", "done", "sold at €80: +€10"),
        ("€90", "next", ""),
        ("€110", "later", ""),
    ]


def test_money_that_bids_may_cost_is_not_free() -> None:
    seen = SeenMarket()
    seen.table.bid(40, 2)

    assert ("Money", "€500 (€420 free)") in seen.view.account.rows


def test_outcomes_are_told_one_after_the_other() -> None:
    seen = SeenMarket()
    notices = []
    order = seen.table.bid(40, 3)
    notices.append(seen.view.ticket.notice.text)
    seen.table.ask(40)
    notices.append(seen.view.ticket.notice.text)
    seen.table.cancel(order)
    notices.append(seen.view.ticket.notice.text)
    seen.table.ask(50)
    seen.table.bid(50, 2, now=True)
    notices.append(seen.view.ticket.notice.text)

    assert notices == [
        "Your bid for 3 at €40 each is in the book.",
        "You bought 1 at €40. 2 more is still in the book.",
        "Your bid of €40 is cancelled.",
        "You bought 1 at €50. 1 more was not to be had at this price.",
    ]


def test_a_changed_order_is_told_as_one_that_is_in_the_book() -> None:
    seen = SeenMarket(orders_per_seat=1)
    first = seen.table.bid(40)
    assert seen.view.ticket.notice.text == "Your bid of €40 is in the book."

    seen.table.cancel(first)
    seen.table.bid(42)

    assert seen.view.ticket.notice.text == "Your bid of €42 is in the book."


def test_what_had_happened_before_a_window_opened_is_not_told() -> None:
    seen = SeenMarket()
    seen.table.bid(40)

    fresh = seen.presenter.outcomes(seen.state.game)
    fresh.update(seen.state)

    assert fresh.notice.text == ""


def test_a_chart_goes_on_in_the_next_period_and_the_result_has_each() -> None:
    periods = MarketPeriods(count=2, seconds=60, break_seconds=10, carry=CarryOver.RESET)
    seen = SeenMarket(periods=periods)
    seen.table.ask(60)
    seen.table.bid(60)
    seen.table.wait(75)
    seen.table.ask(80)
    seen.table.bid(80)

    chart = seen.view.chart
    seen.table.wait(60)
    result = seen.presenter.result(seen.state, None)

    assert [(point.period, point.price) for point in chart.points] == [(1, 60), (2, 80)]
    assert chart.points[1].t == 5
    assert result.points == "You gained €80."
    assert [row[:2] for row in result.rows] == [("Period 1", "+€50"), ("Period 2", "+€30")]


def test_a_break_has_a_clock_and_shows_the_results_so_far() -> None:
    periods = MarketPeriods(count=2, seconds=60, break_seconds=10, carry=CarryOver.RESET)
    seen = SeenMarket(periods=periods)
    seen.table.wait(62)

    view = seen.view

    assert (view.phase.title, view.phase.clock) == ("Break before period 2 of 2", "00:08")
    assert view.decision is not None
    assert view.decision.decided == (("Period 1", "€0"),)


def test_amounts_are_written_as_the_language_does() -> None:
    german = Language("de", ENGLISH._catalogue)
    english, euro = Amounts(Currency("€", 2), ENGLISH), Amounts(Currency("€", 2), german)

    assert [english.text(4100), english.text(4150), english.signed(-300)] == ["€41", "€41.50", "-€3"]
    assert euro.text(123450) == "1.234,50 €"


def test_a_typed_number_may_have_either_separator_and_the_unit() -> None:
    scale = NumberScale(0, 2000, 0.5, "€")

    found = [scale.parse(text, ENGLISH).number for text in ("€41", "41,5", "1,500", "1.500 €", "-3", "x")]

    assert found == [41, 41.5, 1500, 1500, None, None]


def test_the_transcript_has_the_phases_and_the_results_but_not_the_trades() -> None:
    periods = MarketPeriods(count=2, seconds=60, break_seconds=10, carry=CarryOver.RESET)
    seen = SeenMarket(periods=periods)
    seen.table.ask(60)
    seen.table.bid(60)
    seen.table.wait(71)

    lines = [
        line.text
        for event in seen.state.transcript_of(seen.seat)
        for line in seen.presenter.transcript_entries(seen.state, event)
    ]

    assert lines == [
        "The market game starts",
        "Period 1 begins.",
        "Period 1 is over. You gained €50.",
        "The market is closed for a break.",
        "Period 2 begins.",
    ]


def test_after_the_last_period_no_next_unit_is_shown_and_the_units_of_that_period_keep_their_prices() -> None:
    seen = SeenMarket(periods=MarketPeriods(2, 20, 5, CarryOver.RESET))
    for price in (60, 70):
        seen.table.ask(price)
        seen.table.bid(price)
        seen.table.wait(26)

    view = seen.view
    result = seen.presenter.result(seen.state, None)

    assert seen.state.ending is not None
    assert (view.account.next_unit, view.chart.next_worth) == ("", None)
    assert [(row.status, row.result) for row in view.account.ladder][:1] == [("done", "bought at €70: +€40")]
    assert "next" not in {row.status for row in view.account.ladder}
    assert ("Gained in earlier periods", "€50") in view.account.rows
    assert result.points == "You gained €90."
    assert [name for name, _ in result.facts] == ["Units of Grain traded"]


def test_what_is_left_at_the_end_is_told_where_nothing_begins_anew() -> None:
    seen = SeenMarket(periods=MarketPeriods(2, 20, 5, CarryOver.KEEP))
    seen.table.ask(60)
    seen.table.bid(60)
    seen.table.wait(46)

    assert ("Money at the end", "€440") in seen.presenter.result(seen.state, None).facts


def test_in_a_break_before_which_everyone_began_anew_no_unit_counts_as_traded() -> None:
    seen = SeenMarket(periods=MarketPeriods(2, 20, 5, CarryOver.RESET))
    seen.table.ask(60)
    seen.table.bid(60)
    seen.table.wait(21)

    assert [row.status for row in seen.view.account.ladder] == ["next", "later", "later"]


def test_an_own_order_that_has_become_a_loss_says_so() -> None:
    seen = SeenMarket()
    seen.table.bid(75)
    seen.table.bid(85)
    (first, second) = seen.view.account.orders

    seen.table.ask(90, 2)
    seen.table.bid(90, 2)
    (later, sooner) = seen.view.account.orders

    assert (first.warning, second.warning) == ("", "")
    assert later.warning == "You’d lose €75!", "there is no worth of a fourth unit"
    assert sooner.warning == "You’d lose €15!"


def test_units_at_several_prices_have_no_price_of_their_own() -> None:
    seen = SeenMarket()
    seen.table.ask(40)
    seen.table.ask(50)

    seen.table.bid(50, 2)

    assert seen.view.ticket.notice.text == "You bought 2 for €90 in all."


def test_after_a_trade_the_book_does_not_say_that_nobody_sells_yet() -> None:
    seen = SeenMarket()
    before = seen.view.book.between
    seen.table.ask(40)
    seen.table.bid(40)

    assert (before, seen.view.book.between) == ("No orders yet.", "No orders now · last trade €40")


def test_the_result_says_how_long_a_trader_who_left_has_played() -> None:
    seen = SeenMarket()
    seen.table.wait(10)
    seen.table.session.formal_quit(BUYER)
    left_at = seen.now
    seen.table.wait(700)
    work = seen.presenter.result(seen.state, None)
    result = end_view(seen.state, seen.seat, NAMES, ENGLISH, work=work, finished=True, can_talk=False)

    assert ("You played for", duration_text(left_at, ENGLISH)) in result.facts
    assert seen.state.ended_at is not None
    assert seen.state.ended_at > left_at + 30
