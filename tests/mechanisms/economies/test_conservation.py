"""Money and units: none is made or lost, whatever the seats try, and wherever a log is cut off."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from negoplatform.core.events import Event
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.mechanisms.double_auction_state import (
    DecisionMade,
    MarketAccount,
    OrderPlaced,
    double_auction_state,
    market_terms,
)
from negoplatform.core.mechanisms.harberger import FINAL_DECLARE, harberger_parameters
from negoplatform.core.mechanisms.market import DECIDE
from negoplatform.core.mechanisms.market_terms import CarryOver
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.mechanisms.trading_state import trading_state
from negoplatform.core.state import Phase, State
from negoplatform.domain.game import GameSpec
from tests.mechanisms.bench import played, resumed
from tests.mechanisms.cases import CASES, plays
from tests.mechanisms.economies.busy import busy_market_plays, busy_trading_plays, economy_of
from tests.mechanisms.economies.land import OWNERS, SPECULATORS, land_market
from tests.mechanisms.market_case import market_acts
from tests.mechanisms.moves import Move, Play, TriedAct
from tests.mechanisms.test_laws import law


def states_of(state: State, events: Sequence[Event]) -> list[tuple[Event, State]]:
    """Return every event with the state after it."""
    mechanism = mechanism_of(state.game.mechanism)
    now, found = initial_state(state.game, mechanism), []
    for event in events:
        now = apply(now, event.redacted(), mechanism)
        found.append((event, now))
    return found


def endowed(game: GameSpec) -> tuple[int, list[int]]:
    """Return the money and the units of each good that all seats begin with."""
    endowments = list(economy_of(game).endowments.values())
    units = [sum(column) for column in zip(*(endowment.units for endowment in endowments), strict=True)]
    return sum(endowment.money for endowment in endowments), units


def trading_losses(state: State, events: Sequence[Event]) -> list[Event]:
    """Return the events after which more is missing than the fees of the trades so far, or is below 0."""
    money, units = endowed(state.game)
    trades, fee = 0, round(economy_of(state.game).terms.fee * 100)
    found = []
    for event, now in states_of(state, events):
        trades += event.type == "transaction-confirmation"
        accounts = list(trading_state(now).accounts.values())
        is_all_there = (
            sum(account.money for account in accounts) == money - trades * fee
            and [sum(column) for column in zip(*(each.units for each in accounts), strict=True)] == units
        )
        if not is_all_there or any(account.money < 0 or min(account.units) < 0 for account in accounts):
            found.append(event)
    return found


@law
@given(data=st.data())
def test_trading_moves_money_and_units_and_takes_nothing_but_the_fees(data: st.DataObject) -> None:
    play = data.draw(plays(CASES["trading"]) | busy_trading_plays())
    bench = played(play)

    assert bench.events
    assert trading_losses(bench.state, bench.events) == []
    cut = data.draw(st.integers(1, len(bench.events)))
    if not any(event.type == "GAME_END" for event in bench.events[:cut]):
        again = resumed(play, bench, cut)
        assert trading_losses(again.state, again.events) == []


def complete(state: State, events: Sequence[Event]) -> list[tuple[Event, State]]:
    """Return those states behind which no fact of the same act is still to come."""
    found = states_of(state, events)
    following = [event for event, _ in found[1:]]
    return [
        pair
        for pair, after in zip(found, [*following, None], strict=True)
        if after is None or after.type not in mechanism_of("market").facts
    ]


def committed(state: State, account: MarketAccount) -> bool:
    """Return whether an account never owes more than it has."""
    places = range(len(account.money))
    return all(
        account.free_money(condition) >= 0
        and all(account.free_units(condition, good) >= 0 for good in range(len(account.units[condition])))
        for condition in places
    )


def market_losses(state: State, events: Sequence[Event]) -> list[Event]:
    """Return the events after which money or units are missing, or are promised twice, between two acts."""
    money, units = endowed(state.game)
    conditions = len(market_terms(state.game).conditions) or 1
    found = []
    for event, now in complete(state, events):
        market = double_auction_state(now)
        accounts = list(market.accounts.values())
        promised = [0] * conditions
        for number, book in enumerate(market.books):
            bids = sum(order.price * order.quantity for order in book.queue(OrderSide.BID))
            promised[number // len(units)] += bids
        if not all(committed(now, account) for account in accounts) or any(
            sum(account.money[condition] for account in accounts) != money
            or units_of(accounts, condition) != units
            or sum(account.committed_money[condition] for account in accounts) != promised[condition]
            for condition in range(conditions)
        ):
            found.append(event)
    return found


def units_of(accounts: Sequence[MarketAccount], condition: int) -> list[int]:
    """Return the units of each good under a condition, over all accounts."""
    rows = [account.units[condition] for account in accounts]
    return [sum(column) for column in zip(*rows, strict=True)]


@law
@given(data=st.data())
def test_a_market_moves_money_and_units_and_takes_nothing(data: st.DataObject) -> None:
    play = data.draw(plays(CASES["market"]) | busy_market_plays())
    bench = played(play)

    assert bench.events
    assert market_losses(bench.state, bench.events) == []
    cut = data.draw(st.integers(1, len(bench.events)))
    if not any(event.type == "GAME_END" for event in bench.events[:cut]):
        again = resumed(play, bench, cut)
        assert market_losses(again.state, again.events) == []


@law
@given(data=st.data())
def test_the_gains_of_all_periods_add_up_to_what_the_units_gained_in_worth(data: st.DataObject) -> None:
    play = data.draw(busy_market_plays())
    terms = market_terms(play.game)
    if terms.conditions or terms.phases:
        return
    bench = played(play)
    bench.wait_until(1000)
    results: dict[str, list[float]] = {}
    for event in bench.events:
        if event.type == "period-result":
            results.setdefault(event.data["seat"], []).append(event.data["gain"])

    mechanism = mechanism_of("market")

    if bench.state.ending is not None and len(next(iter(results.values()), [])) == terms.periods.count:
        for seat, gains in results.items():
            total = sum(gains) if terms.periods.carry is CarryOver.RESET else gains[-1]
            assert mechanism.points(bench.state, seat) == total


# The land market


@st.composite
def land_plays(draw: DrawFn) -> Play:
    """Draw a play of the land market from its declarations to its end."""
    game = land_market()

    def declaration(seat: str) -> Move:
        values = {name: draw(st.integers(0, 100)) * 10 for name in ("no_project", "project")}
        return TriedAct(seat, DECIDE, DecisionMade(FrozenJson(values)))

    def speculation(seat: str) -> Move:
        plots = draw(st.lists(st.sampled_from(OWNERS), unique=True))
        return TriedAct(seat, DECIDE, DecisionMade(FrozenJson({"plots": plots})))

    def some(moves: list[Move], seconds: float) -> list[Move]:
        return [*(move for move in moves if draw(st.booleans())), seconds]

    def orders() -> list[Move]:
        return draw(st.lists(market_acts(game), min_size=5, max_size=25))

    def trades() -> list[Move]:
        units = draw(st.lists(st.integers(1, 3), min_size=1, max_size=6))
        return [
            TriedAct(
                draw(st.sampled_from(game.seats)),
                "PLACE_ORDER",
                order_at(side, draw(st.sampled_from([20, 40, 41])), count, condition),
            )
            for count in units
            for side in OrderSide
            for condition in ("no_project", "project")
        ]

    moves: list[Move] = [
        *some([declaration(seat) for seat in OWNERS], 120.0),
        *some([speculation(seat) for seat in SPECULATORS], 60.0),
        *orders(),
        *trades(),
        180.0,
        *some([declaration(seat) for seat in OWNERS], 120.0),
        *some([speculation(seat) for seat in SPECULATORS], 60.0),
        600.0,
    ]
    return Play(game, moves)


def order_at(side: OrderSide, price: float, count: int, condition: str) -> OrderPlaced:
    """Return an order of shares."""
    return OrderPlaced(side, price, count, "share", condition)


def check_land(state: State, events: Sequence[Event]) -> None:
    """Check that what is missing at the end are the taxes, and what is more are the plots and the payout."""
    game, market = state.game, double_auction_state(state)
    money, (shares,) = endowed(game)
    winner = market_terms(game).conditions.index(market.realised)
    parameters = harberger_parameters(game)
    published = [event for event in events if event.type == "declarations"]
    taxed = [
        sum(round(plot["values"][winner] * rate) for plot in event.data["plots"])
        for event, rate in zip(
            published, (parameters.initial_tax_rate, parameters.final_tax_rate), strict=True
        )
    ]
    plots = sum(
        round(event.data["property"]["values"][winner] * 100)
        for event in events
        if event.type == "property-value"
    )

    accounts = list(market.accounts.values())

    assert sum(account.units[winner][0] for account in accounts) == shares
    assert taxed[1] >= 0
    # The first tax goes to nobody. What the last one takes is what the shares pay.
    assert sum(account.money[winner] for account in accounts) == money - taxed[0] + plots
    other = 1 - winner
    assert sum(account.money[other] for account in accounts) == money


@pytest.mark.timeout(300)
@law
@given(data=st.data())
def test_the_land_market_accounts_for_taxes_plots_and_shares(data: st.DataObject) -> None:
    play = data.draw(land_plays())
    bench = played(play)
    assert bench.state.phase is not Phase.NEGOTIATING
    assert FINAL_DECLARE in {
        event.data.get("phase_name") for event in bench.events if event.type == "phase-transition"
    }

    check_land(bench.state, bench.events)
    ends = [i for i, event in enumerate(bench.events) if event.type == "GAME_END"]
    again = resumed(play, bench, data.draw(st.integers(1, ends[0])))
    check_land(again.state, again.events)
