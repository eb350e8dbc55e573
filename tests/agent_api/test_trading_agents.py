"""Transactions that the base class of traders remembers."""

from __future__ import annotations

from typing import Any

from negoplatform.agent_api import AcceptProposal, DeclineProposal, TradingAgent
from negoplatform.core.events import Event
from negoplatform.testing import TrialTable, trading_trial_games


class TakesAll(TradingAgent):
    """Agent that takes every proposal while it is not busy, and tells the test when it is."""

    def __init__(self) -> None:
        super().__init__()
        self.busy: list[bool] = []

    def on_propose(self, ctx: Any, event: Event) -> Any:
        proposal = ctx.trading.proposal(event.seq)
        self.busy.append(self.is_busy(ctx))
        if self.busy[-1]:
            return [DeclineProposal(event.seq)]
        return [AcceptProposal(event.seq), self.submit(ctx, proposal)]


def seated() -> tuple[TrialTable, TakesAll]:
    table, agent = TrialTable(trading_trial_games()[0]), TakesAll()
    table.seat(agent, at="agent_1")
    table.wait(2)
    return table, agent


def proposed(table: TrialTable) -> Event:
    return table.participant("agent_2").proposes("agent_1", buyer=False, amount=5, quantities={"good_1": 1})


def test_a_trader_is_busy_from_the_moment_of_its_decision() -> None:
    table, agent = seated()

    proposed(table)
    table.wait(0.1)
    assert "SUBMIT_TRANSACTION" not in table.kinds()
    proposed(table)
    table.wait(2)
    proposed(table)
    table.wait(2)

    assert agent.busy == [False, True, True]
    assert table.kinds().count("SUBMIT_TRANSACTION") == 1


def test_a_trader_is_free_again_once_its_transaction_is_settled() -> None:
    table, agent = seated()
    other = table.participant("agent_2")

    settled = proposed(table)
    table.wait(2)
    other.accepts_proposal(settled)
    other.submits(settled)
    proposed(table)
    table.wait(0.1)

    assert "transaction-confirmation" in table.kinds()
    assert agent.busy == [False, False]


def test_a_decision_whose_request_was_never_made_keeps_a_trader_busy_for_seconds_only() -> None:
    table, agent = seated()
    waiting = table.participant("agent_2").proposes(
        "agent_1", buyer=True, amount=5, quantities={"good_1": 50}
    )
    table.wait(2)
    assert "SUBMIT_TRANSACTION" not in table.kinds()

    table.wait(12)
    proposed(table)
    table.wait(0.1)

    assert table.context("agent_1").trading.proposal(waiting.seq) is not None
    assert agent.busy == [False, False]


def test_a_new_game_begins_without_a_transaction() -> None:
    table, agent = seated()
    proposal = proposed(table)
    table.wait(0.1)
    assert agent.is_busy(table.context("agent_1"))

    agent.reset()

    assert not agent.is_busy(table.context("agent_1"))
    assert table.context("agent_1").trading.proposal(proposal.seq) is not None
