"""Market: orders, trades by price and time, private accounts, periods, phases and decisions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.events import EndedBy, Event
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.market_state import MarketState
from negoplatform.core.mechanisms.double_auction_state import (
    DecisionMade,
    OrderCancelled,
    OrderPlaced,
    double_auction_state,
)
from negoplatform.core.mechanisms.market_terms import (
    CarryOver,
    DecisionField,
    DecisionKind,
    Identities,
    MarketPeriods,
    MarketPhase,
    MarketTerms,
)
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.visibility import Observer, view_of, visible_event
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec, Rules, economy_of
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import Currency, Economy, Endowment, Good
from negoplatform.domain.trading.worth import ConditionWorth, UnitWorth
from negoplatform.testing import TrialTable
from tests.mechanisms.bench import Bench

BUYER, SELLER, OTHER = "buyer", "seller", "other"


def grain_market(**terms: Any) -> GameSpec:
    """Return a market with one buyer and two sellers of grain, for one period of 60 seconds unless given."""
    settings: dict[str, Any] = {"periods": MarketPeriods(seconds=60), "orders_per_seat": 3, **terms}
    worth = UnitWorth(((110, 90, 70),))
    return GameSpec(
        name="grain",
        issues=(),
        seats=(BUYER, SELLER, OTHER),
        preferences=SeatMap(),
        mechanism="market",
        rules=Rules(),
        economy=Economy(
            (Good("grain", "Grain"),),
            Currency("€", 0),
            SeatMap(
                [(BUYER, Endowment(500, (0,))), (SELLER, Endowment(0, (3,))), (OTHER, Endowment(0, (3,)))]
            ),
            SeatMap((seat, worth) for seat in (BUYER, SELLER, OTHER)),
            MarketTerms(**settings),
        ),
    )


class Market(TrialTable):
    """Table with the acts of a market game."""

    def bid(self, price: float, quantity: int = 1, *, seat: Seat = BUYER, **more: Any) -> Event:
        """Place a bid."""
        self.start()
        return self.session.act(seat, "PLACE_ORDER", OrderPlaced("bid", price, quantity, **more))  # type: ignore[arg-type]  # becomes a side

    def ask(self, price: float, quantity: int = 1, *, seat: Seat = SELLER, **more: Any) -> Event:
        """Place an ask."""
        self.start()
        return self.session.act(seat, "PLACE_ORDER", OrderPlaced("ask", price, quantity, **more))  # type: ignore[arg-type]  # becomes a side

    def cancel(self, order: Event, *, seat: Seat | None = None) -> Event:
        """Cancel an order."""
        return self.session.act(seat or order.sender, "CANCEL_ORDER", OrderCancelled(order.seq))

    def decide(self, seat: Seat, **values: Any) -> Event:
        """Make a decision."""
        self.start()
        return self.session.act(seat, "DECIDE", DecisionMade(FrozenJson(values)))

    def facts(self, kind: str) -> list[Event]:
        """Return the facts of a type."""
        return [event for event in self.events if event.type == kind]

    def gains(self) -> dict[Seat, Any]:
        """Return every seat's points at the end."""
        mechanism = mechanism_of("market")
        return {seat: mechanism.points(self.state, seat) for seat in self.state.game.seats}

    def prices(self) -> list[tuple[int, int]]:
        """Return price and quantity of each trade."""
        return [(event.data["price"], event.data["quantity"]) for event in self.facts("contract-fulfilled")]


def market(**terms: Any) -> Market:
    """Return a table at the beginning of such a market."""
    made = Market(grain_market(**terms))
    made.start()
    return made


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


# Periods and phases


def test_orders_go_at_the_end_of_a_period_and_the_market_closes() -> None:
    table = market(periods=MarketPeriods(2, 20, 5))
    table.bid(10)

    table.wait(21)

    assert len(table.facts("delete-order")) == 1
    with pytest.raises(Refused, match="The market is closed now"):
        table.bid(10)
    table.wait(5)
    table.bid(10)
    assert table.context(BUYER).market.period == 2


def test_the_game_has_run_its_course_after_the_last_period() -> None:
    table = market(periods=MarketPeriods(2, 20, 5))

    table.wait(46)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.COMPLETED
    assert table.state.ended_at == 45.0


@pytest.mark.parametrize(("carry", "units"), [(CarryOver.RESET, 0), (CarryOver.KEEP, 1)])
def test_money_and_goods_are_kept_or_begin_anew(carry: CarryOver, units: int) -> None:
    table = market(periods=MarketPeriods(2, 20, 5, carry))
    table.ask(60)
    table.bid(60)

    table.wait(21)

    assert table.context(BUYER).market.units == units
    assert table.context(BUYER).market.standing == 50
    table.wait(30)
    assert table.gains() == {BUYER: 50, SELLER: -10, OTHER: 0}


def test_gains_are_those_of_the_worth_table() -> None:
    table = market()
    table.ask(60, 2)
    table.bid(80, 2)

    table.wait(61)

    # Two units that cost 120 are worth 110 + 90; the seller gives up its last two, worth 70 + 90.
    assert table.gains() == {BUYER: 80, SELLER: -40, OTHER: 0}


def decisions_first(**more: Any) -> Market:
    """Return a market in which the two sellers decide before they trade."""
    declare = MarketPhase(
        "declare",
        30,
        decide=(
            DecisionField("value", low=0, high=100, step=5),
            DecisionField("side", DecisionKind.ONE_OF, values=("left", "right")),
        ),
        by=(SELLER, OTHER),
    )
    return market(phases=(declare, MarketPhase("market", 20, trade=True)), periods=MarketPeriods(), **more)


def test_a_phase_of_decisions_ends_when_all_have_decided() -> None:
    table = decisions_first()

    table.decide(SELLER, value=50, side="left")
    assert table.context(OTHER).market.phase_number == 1
    table.decide(OTHER, value=0, side="right")

    (made,) = table.facts("decisions-made")
    assert made.data == {"phase_name": "declare", "seats": [SELLER, OTHER]}
    assert table.context(OTHER).market.is_open


def test_a_phase_of_decisions_ends_when_its_time_is_up() -> None:
    table = decisions_first()
    table.decide(SELLER, value=50, side="left")

    table.wait(31)

    (made,) = table.facts("decisions-made")
    assert (made.t, made.data["seats"]) == (30.0, [SELLER])


def test_nobody_sees_what_another_decides() -> None:
    table = decisions_first()

    act = table.decide(SELLER, value=50, side="left")

    assert visible_event(act, Observer(OTHER)) is None
    assert table.context(OTHER).mechanism_state.decisions == SeatMap([(OTHER, ())])


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"value": 50}, "side: choose a value"),
        ({"value": 101, "side": "left"}, "value: choose a number from 0 to 100"),
        ({"value": 52, "side": "left"}, "value: choose a number in steps of 5"),
        ({"value": True, "side": "left"}, "value: choose a number from 0 to 100"),
        ({"value": 50, "side": "up"}, "side: choose one of left, right"),
        ({"value": 50, "side": "left", "colour": "red"}, "There is no decision 'colour' here"),
    ],
)
def test_a_wrong_decision_is_refused_with_a_reason(values: dict[str, Any], sentence: str) -> None:
    table = decisions_first()

    with pytest.raises(Refused, match=sentence):
        table.decide(SELLER, **values)


def test_who_does_not_decide_has_nothing_to_decide() -> None:
    table = decisions_first()

    assert table.context(BUYER).market.decisions == ()
    with pytest.raises(Refused, match="nothing for you to decide"):
        table.decide(BUYER, value=50, side="left")


# Conditions


def weather_game(realised: str) -> GameSpec:
    """Return a market in which grain is worth something in dry weather only."""
    game = grain_market(conditions=("dry", "wet"), realised=realised)
    worth = ConditionWorth((("dry", UnitWorth(((100, 100, 100),))), ("wet", UnitWorth(((0, 0, 0),)))))
    economy = replace(economy_of(game), worths=SeatMap((seat, worth) for seat in game.seats))
    return replace(game, economy=economy)


def test_only_what_was_traded_under_the_condition_that_holds_counts() -> None:
    table = Market(weather_game("dry"))
    table.ask(40, condition="dry")
    table.bid(40, condition="dry")
    table.ask(1, 3, condition="wet")
    table.bid(1, 3, condition="wet")

    assert table.context(BUYER).market.standing is None
    table.wait(61)

    (known,) = table.facts("condition-realised")
    assert known.data == {"condition": "dry", "winningCondition": 0}
    assert table.gains() == {BUYER: 60, SELLER: -60, OTHER: 0}


def test_a_condition_is_drawn_by_the_seed_and_hidden_from_the_seats() -> None:
    drawn = set()
    for seed in range(12):
        table = Market(weather_game("drawn"), seed=seed)
        table.start()
        economy = view_of(table.state, Observer(BUYER)).state.game.economy
        assert economy is not None
        assert economy.chance == 0
        table.wait(61)
        (known,) = table.facts("condition-realised")
        drawn.add(known.data["condition"])
    assert drawn == {"dry", "wet"}


# Leaving


def test_who_leaves_takes_its_orders_along() -> None:
    table = market()
    table.ask(50)

    table.session.formal_quit(SELLER)

    assert len(table.facts("delete-order")) == 1
    assert table.state.ending is None
    with pytest.raises(Refused, match="You’ve left the market"):
        table.ask(50)


def test_the_market_is_over_when_one_seat_is_left() -> None:
    table = market()

    table.session.formal_quit(SELLER)
    table.session.formal_quit(OTHER)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.COMPLETED


# Time, and what is hidden


def test_an_order_leaves_in_time_whatever_the_fraction_of_its_due_time() -> None:
    table = market(order_lifetime_seconds=7.3)
    table.wait(25.957)  # and 25.957 + 7.3 - 7.3 is a little less than 25.957
    order = table.bid(10)

    table.wait(7.3)

    (gone,) = table.facts("delete-order")
    assert (gone.t, gone.data) == (33.257, {"order": {"id": order.seq}})


@pytest.mark.parametrize("late", [0.004, 0.9])
def test_late_timers_do_not_move_the_phases_behind_the_deadline(late: float) -> None:
    game = replace(
        grain_market(periods=MarketPeriods(3, 20, 0, CarryOver.RESET)), rules=Rules(deadline_seconds=60)
    )
    bench = Bench(game)

    for ends in (20, 40):
        bench._clock.advance_to(ends + late)
        bench.wait_until(ends + late)
    bench.wait_until(61)

    assert [event.t for event in bench.events if event.type == "phase-transition"] == [
        0,
        20 + late,
        40 + late,
    ]
    assert bench.events[-1].payload.ended_by is EndedBy.COMPLETED


def test_a_phase_is_not_shortened_by_much_where_a_clock_stood_still() -> None:
    bench = Bench(grain_market(periods=MarketPeriods(2, 20)))

    bench._clock.advance_to(50)
    bench.wait_until(50)
    bench.wait_until(69.9)
    running = bench.state.ending
    bench.wait_until(70)

    assert running is None
    assert bench.state.ended_at == 70


def test_the_condition_that_the_game_gives_is_seen_by_nobody_before_the_end() -> None:
    table = Market(weather_game("wet"))
    table.start()

    for seat in (BUYER, None):
        economy = view_of(table.state, Observer(seat)).state.game.economy
        assert economy is not None
        assert economy.terms.realised == "drawn"
    table.wait(61)
    (known,) = table.facts("condition-realised")
    assert known.data["condition"] == "wet"


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
