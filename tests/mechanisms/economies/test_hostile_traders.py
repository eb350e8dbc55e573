"""Agents that try what they must not, flood a game, or change what they were given."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.agent_api import (
    AcceptProposal,
    AgentContext,
    CallForProposals,
    CancelOrder,
    Decide,
    Event,
    NegotiationAgent,
    PlaceOrder,
    Propose,
    SubmitTransaction,
)
from negoplatform.agent_api.actions import Action
from negoplatform.core.events import EventType
from negoplatform.core.mechanisms.double_auction_state import double_auction_state
from negoplatform.core.mechanisms.trading_state import trading_state
from negoplatform.domain.errors import AgentError
from tests.mechanisms.grain_market import BUYER, SELLER, Market, grain_market
from tests.mechanisms.trading_table import ONE, THREE, TWO, Table, worked_example

JUNK: list[Any] = [-1, -0.5, float("nan"), float("inf"), 10**400, True, "1", None, [], {}]


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: repr(junk)[:9])
def test_an_action_with_a_number_that_is_none_is_refused_where_it_is_made(junk: Any) -> None:
    made: list[Any] = [
        lambda: Propose(TWO, True, junk, {"good_1": 1}),
        lambda: Propose(TWO, True, 1, {"good_1": junk}),
        lambda: SubmitTransaction("x", True, TWO, junk, {"good_1": 1}),
        lambda: SubmitTransaction("x", True, TWO, 1, {"good_1": junk}),
        lambda: PlaceOrder("bid", junk),
        lambda: PlaceOrder("bid", 1, junk),
        lambda: AcceptProposal(junk),
        lambda: CancelOrder(junk),
    ]

    for make in made:
        with pytest.raises(AgentError):
            make()


@pytest.mark.parametrize("junk", [3, None, 1.5, "wool", b"x", [3]], ids=repr)
def test_goods_that_are_no_names_with_numbers_are_refused_where_they_are_given(junk: Any) -> None:
    for make in (
        lambda: Propose(TWO, True, 1, junk),
        lambda: SubmitTransaction("x", True, TWO, 1, junk),
        lambda: CallForProposals(TWO, True, junk),
    ):
        with pytest.raises(AgentError):
            make()


def test_a_decision_that_is_no_json_or_too_large_is_refused_where_it_is_made() -> None:
    for values in ({"value": float("nan")}, {"value": object()}, {1: 2}, {"value": "x" * 20_000}):
        with pytest.raises(AgentError):
            Decide(values)  # type: ignore[arg-type]  # that is what is tried


class Vandal(NegotiationAgent):
    """Agent that changes everything it was given, as far as it can be changed."""

    mechanisms = ("trading", "market")

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Change what is there."""
        own: Any = ctx.trading if ctx.game.mechanism == "trading" else ctx.market
        for name in ("money", "cash", "holdings", "trades"):
            with pytest.raises(AttributeError):
                setattr(own, name, 10**6)
        data = event.data if event.type[0].islower() else {}
        for value in [data, *[getattr(own, name, None) for name in ("holdings", "free_goods", "game_data")]]:
            if isinstance(value, dict):
                value.clear()
        if ctx.game.mechanism == "trading":
            own.game_data.utility_params.clear()
            own.get_state_update().holdings.clear()
        else:
            own.trades.clear()
            own.orders("bid").clear()
        return []


def test_what_an_agent_changes_changes_nothing() -> None:
    trading, market = Table(worked_example(seats=3)), Market(grain_market())
    trading.seat(Vandal(), THREE)
    market.seat(Vandal(), SELLER)
    trading.start()
    trading.submit(ONE, TWO, buyer=True)
    trading.submit(TWO, ONE, buyer=False)
    trading.propose(ONE, THREE, buyer=True, amount=1)
    market.bid(60, 2)
    market.ask(50, seat="other")

    trading.wait(3)
    market.wait(3)

    assert trading.scores() == [259.31, 142.96]
    assert trading.context(THREE).trading.holdings == {"good_1": 1, "good_2": 2}
    assert trading.context(THREE).trading.game_data.utility_params == [80.0, 20.0]
    assert len(market.context(SELLER).market.trades) == 1
    for table in (trading, market):
        assert all(event.type != EventType.AGENT_FAILED for event in table.events)


class Flooder(NegotiationAgent):
    """Agent that answers every event with as many acts as one answer may have, while it has any."""

    mechanisms = ("trading", "market")

    def __init__(self, script: list[Action]) -> None:
        super().__init__()
        self.script = script

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Return the next of them at once."""
        found, self.script = self.script[:100], self.script[100:]
        return found


def test_a_flood_of_orders_leaves_as_many_in_the_book_as_a_seat_may_have() -> None:
    table = Market(grain_market(orders_per_seat=3))
    table.seat(Flooder([PlaceOrder("bid", 1 + n % 9) for n in range(300)]), BUYER)
    table.start()

    table.wait(59)

    assert len(double_auction_state(table.state).own_orders[BUYER]) == 3
    assert len(table.facts("add-order")) == 3
    refused = [event for event in table.events if event.type == EventType.ACTION_REFUSED]
    assert len(refused) == 297
    assert table.ask(9).sender == SELLER


def test_a_flood_of_proposals_and_requests_is_limited_and_the_others_trade_on() -> None:
    script: list[Action] = [Propose(TWO, True, 1, {"good_1": 1}) for _ in range(120)]
    script += [SubmitTransaction(f"n{n}", True, TWO, 1, {"good_1": 1}) for n in range(60)]
    table = Table(worked_example(seats=3, request_expires_seconds=300))
    table.seat(Flooder(script), THREE)
    table.start()

    table.wait(20)

    trading = trading_state(table.state)
    assert len(trading.proposals[THREE]) == 100
    assert len(trading.requests[THREE]) == 50
    table.submit(ONE, TWO, buyer=True)
    table.submit(TWO, ONE, buyer=False)
    assert table.scores() == [259.31, 142.96]


class Thief(NegotiationAgent):
    """Agent that acts on everything that is not its own."""

    mechanisms = ("trading", "market")

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Accept, cancel and request what belongs to others, by guessed ids."""
        if event.type != EventType.TIME:
            return []
        if ctx.game.mechanism == "market":
            return [CancelOrder(n) for n in range(1, 40)]
        accepted: list[Action] = [AcceptProposal(n) for n in range(1, 40)]
        taken = [SubmitTransaction(its_id, True, TWO, 0, {"good_1": 1}) for its_id in ("x", "t-5")]
        return [*accepted, *taken]


def test_what_belongs_to_others_cannot_be_accepted_cancelled_or_taken_over() -> None:
    trading, market = Table(worked_example(seats=3)), Market(grain_market())
    trading.seat(Thief(), THREE)
    market.seat(Thief(), SELLER)
    trading.start()
    trading.propose(ONE, TWO, buyer=True)
    trading.submit(ONE, TWO, buyer=True)
    order = market.bid(60, 2)

    trading.wait(12)
    market.wait(12)

    assert [each.status for each in trading.context(ONE).trading.proposals] == ["open"]
    trading.submit(TWO, ONE, buyer=False)
    assert trading.scores() == [259.31, 142.96]
    assert double_auction_state(market.state).books[0].get(order.seq) is not None
    for table in (trading, market):
        refused = [event for event in table.events if event.type == EventType.ACTION_REFUSED]
        assert len(refused) >= 39
