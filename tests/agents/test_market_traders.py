"""The shipped agents of markets: zero intelligence, ZIP, and the player of the land market."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from negoplatform.agent_api import AgentContext, AgentError
from negoplatform.agent_api.base import check_agent_plays
from negoplatform.agent_api.market_view import MarketView
from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.visibility import Observer, view_of
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable, agent_class
from negoplatform.testing.check import load_checked_agents
from negoplatform.testing.trial_economies import market_trial_games

AUCTION = {
    found.name: found.agent_class for found in load_checked_agents(bundled("agents") / "double_auction.py")
}
LAND_TRADER = agent_class(bundled("agents") / "land_trader.py")
STALL = market_trial_games()[0]
"""A buyer, to whom units are worth 14, 12, 10 and 8, and a seller, to whom four are worth 9, 7, 5 and 3."""


def everywhere(name: str, game: Any, *, seed: int = 1) -> TrialTable:
    """Return a table with an agent in every seat."""
    table = TrialTable(game, seed=seed)
    for seat in game.seats:
        table.seat(AUCTION[name](), seat)
    return table


class LowestDraws(Random):
    """Random numbers at the lower end of every range."""

    def uniform(self, a: float, b: float) -> float:
        return a


# Zero intelligence and ZIP alike


@pytest.mark.parametrize("game", market_trial_games()[:3], ids=lambda game: game.name)
@pytest.mark.parametrize("name", AUCTION)
def test_no_order_loses_by_the_worth_of_its_unit(name: str, game: Any) -> None:
    table = everywhere(name, game)
    sides = set()

    def look(published: PublishedEvent) -> None:
        if published.event.type == "PLACE_ORDER":
            seat, order = published.event.sender, published.event.payload
            book = MarketView(published.state, seat).book(order.good, order.condition)
            worth = book.next_value(1 if order.side == "bid" else -1)
            assert worth is not None
            assert order.price <= worth if order.side == "bid" else order.price >= worth
            sides.add(order.side)

    table.subscribe(look)
    table.play_out()

    assert sides == {"bid", "ask"}
    assert "contract-fulfilled" in table.kinds()


def efficiency(table: TrialTable, best: float) -> float:
    """Return the gains of all seats as a share of the best possible."""
    points = [mechanism_of("market").points(table.state, seat) for seat in table.state.game.seats]
    return sum(point for point in points if point is not None) / best


@pytest.mark.parametrize(("name", "least"), [("zero_intelligence", 0.9), ("zip", 0.95)])
def test_nearly_all_gains_from_trade_are_made(name: str, least: float) -> None:
    # 120 - 50, 115 - 55 … 85 - 85 in each of three periods: 8 units.
    best = 3 * sum(gap for gap in range(70, -1, -10))
    shares = []
    for seed in (1, 2):
        table = everywhere(name, find_game("grain_market", Path("nowhere")), seed=seed)
        table.play_out()
        shares.append(efficiency(table, best))

    assert sum(shares) / len(shares) > least


# Zero intelligence


@pytest.mark.parametrize(("side", "limit", "least", "most"), [("bid", 14, 1, 14), ("ask", 3, 3, 20)])
def test_prices_are_drawn_evenly_from_all_that_cannot_lose(
    side: str, limit: float, least: float, most: float
) -> None:
    agent: Any = AUCTION["zero_intelligence"]()
    table = TrialTable(STALL)
    table.start()
    table.wait(1)
    ctx = table.context("buyer")
    drawn = [agent.price(ctx, ctx.market, side, limit) for _ in range(2000)]

    steps = {least + 0.5 * step for step in range(int(2 * (most - least)) + 1)}
    assert set(drawn) == steps
    assert sum(drawn) / len(drawn) == pytest.approx((least + most) / 2, abs=0.4)


# ZIP: Cliff and Bruten (1997), section 4


def learning(seat: str, margin: float) -> tuple[Any, AgentContext]:
    """Return a ZIP trader with a margin for a limit of 14 (buyer) or 3 (seller), and its context."""
    agent: Any = AUCTION["zip"](seat)
    agent.configure({})
    agent.reset()
    table = TrialTable(STALL)
    table.start()
    table.wait(1)
    ctx = table.context(seat)
    agent.on_game_start(ctx, None)
    agent.margins["flour", "", "bid" if seat == "buyer" else "ask"] = margin
    return agent, ctx


@pytest.mark.parametrize(
    ("seat", "shout", "price", "traded", "direction"),
    [
        # A buyer who would pay 10 (14 less 2/7): trades raise its margin where it would have paid that much,
        ("buyer", "bid", 9, True, -1),
        ("buyer", "ask", 9, True, -1),
        # and lower it where a seller came for a price that it would not have paid.
        ("buyer", "ask", 11, True, 1),
        ("buyer", "bid", 11, True, 0),
        # Bids that nobody has met lower it unless its own would have been better; asks do not matter.
        ("buyer", "bid", 11, False, 1),
        ("buyer", "bid", 10, False, 1),
        ("buyer", "bid", 9, False, 0),
        ("buyer", "ask", 11, False, 0),
        # A seller who would take 6 (3 and as much again): the mirror image.
        ("seller", "ask", 7, True, 1),
        ("seller", "bid", 7, True, 1),
        ("seller", "bid", 5, True, -1),
        ("seller", "ask", 5, True, 0),
        ("seller", "ask", 5, False, -1),
        ("seller", "ask", 6, False, -1),
        ("seller", "ask", 7, False, 0),
        ("seller", "bid", 5, False, 0),
    ],
)
def test_zip_moves_its_price_in_the_directions_of_the_paper(
    seat: str, shout: str, price: float, traded: bool, direction: int
) -> None:
    side, limit, margin = ("bid", 14, -2 / 7) if seat == "buyer" else ("ask", 3, 1.0)
    agent, ctx = learning(seat, margin)

    agent.learn(ctx, ctx.market, shout, price, traded=traded)

    change = limit * (agent.margins["flour", "", side] - margin)
    assert (change > 0) - (change < 0) == direction


def test_zip_with_nothing_left_to_trade_raises_its_margin_and_does_not_lower_it() -> None:
    agent, ctx = learning("seller", 1.0)
    agent.limit = lambda ctx, book, side: None
    agent.limits["flour", "", "ask"] = 3

    agent.learn(ctx, ctx.market, "bid", 5, traded=True)
    assert agent.margins["flour", "", "ask"] == 1.0
    agent.learn(ctx, ctx.market, "bid", 8, traded=True)
    assert agent.margins["flour", "", "ask"] > 1.0


@pytest.mark.parametrize(("seat", "price"), [("buyer", 19), ("seller", 1)])
def test_no_margin_of_zip_becomes_a_loss(seat: str, price: float) -> None:
    agent, ctx = learning(seat, -0.01 if seat == "buyer" else 0.01)

    for _ in range(20):
        agent.learn(ctx, ctx.market, "ask" if seat == "buyer" else "bid", price, traded=True)

    assert agent.margins["flour", "", "bid" if seat == "buyer" else "ask"] == 0


def test_zip_takes_a_share_of_the_way_to_its_target_and_of_its_last_step() -> None:
    agent, ctx = learning("seller", 1.0)
    agent.rate, agent.memory = 0.4, 0.1
    still = AgentContext(view_of(ctx._view.state, Observer("seller")), now=1, rng=LowestDraws(1))
    key = ("flour", "", "ask")

    agent.learn(still, still.market, "bid", 8, traded=True)  # target 8, from 6
    first = 0.9 * 0.4 * (8 - 6)
    assert 3 * (1 + agent.margins[key]) == pytest.approx(6 + first)
    agent.learn(still, still.market, "bid", 8, traded=True)
    second = 0.9 * 0.4 * (8 - 6 - first) + 0.1 * first
    assert 3 * (1 + agent.margins[key]) == pytest.approx(6 + first + second)


def test_zip_aims_a_little_beyond_a_price_by_a_relative_and_an_absolute_step() -> None:
    targets = []
    for seed in range(200):
        agent, ctx = learning("seller", 1.0)
        agent.rate, agent.memory = 1.0, 0.0
        drawn = AgentContext(view_of(ctx._view.state, Observer("seller")), now=1, rng=Random(seed))
        agent.learn(drawn, drawn.market, "bid", 8, traded=True)
        targets.append(3 * (1 + agent.margins["flour", "", "ask"]))

    assert 8 <= min(targets) < 8.05
    assert 8.35 < max(targets) <= 8 * 1.05 + 0.05 * 0.5


def test_zip_draws_its_learning_rate_momentum_and_first_margins_as_in_the_paper() -> None:
    rates, memories, margins = [], [], {"bid": [], "ask": []}  # type: ignore[var-annotated]
    for seed in range(100):
        agent, ctx = learning("seller", 1.0)
        drawn = AgentContext(view_of(ctx._view.state, Observer("seller")), now=1, rng=Random(seed))
        agent.on_game_start(drawn, None)
        rates.append(agent.rate)
        memories.append(agent.memory)
        for side, found in margins.items():
            found.append(agent.margin(drawn, ("cloth", "", side)))

    assert 0.1 <= min(rates) < 0.15
    assert 0.45 < max(rates) <= 0.5
    assert 0 <= min(memories) < 0.01
    assert 0.09 < max(memories) <= 0.1
    assert all(-0.35 <= margin <= -0.05 for margin in margins["bid"])
    assert all(0.05 <= margin <= 0.35 for margin in margins["ask"])


# The land market


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_land_traders_really_trade_shares(seed: int) -> None:
    game = find_game("land_market", Path("nowhere")).resolve_profiles(seed)
    table = TrialTable(game, seed=seed)
    for seat in game.seats:
        table.seat(LAND_TRADER(), seat)

    table.play_out()

    trades = [event for event in table.events if event.type == "contract-fulfilled"]
    assert len(trades) >= 5
    assert "ACTION_REFUSED" not in table.kinds()
    declared = [event.payload.values.to_dict() for event in table.events if event.type == "DECIDE"]
    assert len(declared) == 10  # three owners and two speculators, twice


def test_a_land_trader_declares_from_three_quarters_of_the_worth_to_all_of_it() -> None:
    game = find_game("land_market", Path("nowhere")).resolve_profiles(4)
    table = TrialTable(game)
    table.seat(LAND_TRADER(), "owner_1")
    table.wait(5)

    worths = next(
        event.data["property"]["values"]
        for event in table.events
        if event.type == "property-value" and "owner_1" in event.to
    )
    declared = next(event.payload.values.to_dict() for event in table.events if event.type == "DECIDE")

    for worth, said in zip(worths, declared.values(), strict=True):
        assert 0.75 * worth - 5 <= said <= worth + 5  # in steps of 10


def test_a_speculator_buys_only_plots_declared_below_the_middle_of_their_range() -> None:
    game = find_game("land_market", Path("nowhere")).resolve_profiles(4)
    table = TrialTable(game)
    table.seat(LAND_TRADER(), "speculator_1")
    table.participant("owner_1").decides(no_project=300, project=200)  # 200 to 500 with the project
    table.participant("owner_2").decides(no_project=500, project=700)  # 350 to 700
    table.participant("developer").decides(no_project=100, project=1000)  # 500 to 1,000

    table.wait(5)

    bought = next(event.payload.values.to_dict() for event in table.events if event.sender == "speculator_1")
    assert bought == {"plots": ["owner_1"]}


def test_a_land_trader_refuses_other_markets_before_they_begin() -> None:
    agent = LAND_TRADER("buyer")
    agent.configure({})

    with pytest.raises(AgentError, match="plays markets with the rules harberger, and stall has none"):
        check_agent_plays(agent, STALL)
