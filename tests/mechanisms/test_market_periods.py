"""Periods and phases of a market, its conditions, seats that leave, and time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.events import EndedBy
from negoplatform.core.mechanisms.market_terms import (
    CarryOver,
    DecisionField,
    DecisionKind,
    MarketPeriods,
    MarketPhase,
)
from negoplatform.core.visibility import Observer, view_of, visible_event
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec, Rules, economy_of
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.trading.worth import ConditionWorth, UnitWorth
from tests.mechanisms.bench import Bench
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER, Market, grain_market, market

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
