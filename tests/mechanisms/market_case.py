"""Games and acts of markets, for the laws."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from negoplatform.core.events import (
    NOTHING,
)
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.mechanisms.double_auction_state import (
    DecisionMade,
    OrderCancelled,
    OrderPlaced,
    double_auction_state,
)
from negoplatform.core.mechanisms.market import CANCEL_ORDER, DECIDE, PLACE_ORDER
from negoplatform.core.mechanisms.market_checks import possible_order
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
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, Rules, Visibility
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import Currency, Economy, Endowment, Good
from negoplatform.domain.trading.worth import ConditionWorth, UnitWorth
from tests.mechanisms.moves import SEATS, MechanismCase, Move, TriedAct, tried_act


@st.composite
def market_games(draw: DrawFn) -> GameSpec:
    """Draw a market with one or two goods, conditions or none, and phases of all kinds."""
    seats = draw(st.sampled_from(SEATS))
    goods = draw(st.sampled_from([(Good("grain"),), (Good("grain"), Good("wool", "Wool"))]))
    conditions = draw(st.sampled_from([(), ("dry", "wet")]))
    decide = MarketPhase(
        "declare",
        draw(st.sampled_from([2, 7.5])),
        decide=(DecisionField("value"), DecisionField("whom", DecisionKind.SOME_OF, values=seats)),
        by=draw(st.sampled_from([(), seats[:1]])),
    )
    trade, pause = MarketPhase("market", draw(st.sampled_from([3, 40])), trade=True), MarketPhase("rest", 1)
    phases = draw(st.sampled_from([(), (decide, trade), (trade, pause, decide)]))
    carry = draw(st.sampled_from(CarryOver))
    periods = (
        MarketPeriods()
        if phases
        else MarketPeriods(draw(st.integers(1, 3)), 6, draw(st.sampled_from([0, 1.5])), carry)
    )
    terms = MarketTerms(
        lowest=draw(st.sampled_from([0, 1])),
        highest=draw(st.sampled_from([4, 200])),
        orders_per_seat=draw(st.sampled_from([1, 2, 50])),
        order_lifetime_seconds=draw(st.sampled_from([None, None, 1.5])),
        identities=draw(st.sampled_from(Identities)),
        conditions=conditions,
        realised=draw(st.sampled_from(["drawn", *conditions])),
        periods=periods,
        phases=phases,
    )
    money, units = st.sampled_from([0, 1, 35, 5000]), st.integers(0, 3)
    tables = UnitWorth(((9, 7, 3),) * len(goods))
    worth: Any = ConditionWorth(tuple((name, tables) for name in conditions)) if conditions else tables
    return GameSpec(
        name="stall",
        issues=(),
        seats=seats,
        preferences=SeatMap(),
        visibility=SeatMap(
            (seat, draw(st.sampled_from([Visibility.PUBLIC, Visibility.OWNER]))) for seat in seats
        ),
        rules=Rules(deadline_seconds=draw(st.sampled_from([None, 500.0]))),
        title="Stall",
        mechanism="market",
        economy=Economy(
            goods,
            Currency("€", 0),
            SeatMap((seat, Endowment(draw(money), tuple(draw(units) for _ in goods))) for seat in seats),
            SeatMap((seat, worth) for seat in seats),
            terms,
            draw(st.integers(0, 3)),
        ),
    )


def market_acts(game: GameSpec) -> SearchStrategy[Move]:
    """Return acts of a market, allowed or not."""
    seats = st.sampled_from(game.seats)
    orders = st.builds(
        OrderPlaced,
        st.sampled_from(OrderSide),
        st.sampled_from([0, 1, 2, 3, 4, 0.5, 300]),
        st.sampled_from([1, 1, 2, 3, 900]),
        st.sampled_from(["grain", "grain", "wool", None, "salt"]),
        st.sampled_from(["dry", "wet", None, None]),
        st.sampled_from([False, False, False, True]),
    )
    placed = st.builds(tried_act, seats, st.just(PLACE_ORDER), orders)
    possible = seats.map(lambda seat: lambda state: valid_market_act(state, seat, PLACE_ORDER))
    cancelled = seats.map(lambda seat: lambda state: valid_market_act(state, seat, CANCEL_ORDER))
    decided = seats.map(lambda seat: lambda state: valid_market_act(state, seat, DECIDE))
    odd = st.builds(
        tried_act,
        seats,
        st.just(DECIDE),
        st.sampled_from(
            [
                DecisionMade(FrozenJson(values))
                for values in ({}, {"value": 900}, {"value": 3.5, "whom": []}, {"price": 3})
            ]
        ),
    )
    return st.one_of(placed, placed, placed, possible, possible, cancelled, decided, odd)


def valid_market_act(state: State, seat: Seat, kind: str) -> TriedAct:
    """Return an act of a market that is accepted where its type is legal."""
    market = double_auction_state(state)
    match kind:
        case "PLACE_ORDER":
            return TriedAct(seat, kind, possible_order(state, seat) or OrderPlaced(OrderSide.BID, 1))
        case "CANCEL_ORDER":
            return TriedAct(seat, kind, OrderCancelled(next(iter(market.own_orders[seat]), 99)))
        case "DECIDE":
            return TriedAct(seat, kind, DecisionMade(FrozenJson({"value": 3, "whom": [seat]})))
        case _:
            return TriedAct(seat, kind, NOTHING)


MARKET = MechanismCase("market", market_games, market_acts, valid_market_act)
