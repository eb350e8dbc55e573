"""Checks of what an agent does in trading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.agent_api.trading_view import TradingView
from negoplatform.core.mechanisms.trading import (
    ACCEPT_PROPOSAL,
    CALL_FOR_PROPOSALS,
    PROPOSE,
    SUBMIT_TRANSACTION,
)
from negoplatform.core.mechanisms.trading_facts import TRANSACTION_CONFIRMATION
from negoplatform.testing.case_runner import CaseResult
from negoplatform.testing.finding import Remark, Severity

SMALLEST_LOSS = 1e-6
"""Loss of points from which one is reported; scores are sums of logarithms."""


def trading_remarks(played: CaseResult) -> Iterator[Remark]:
    """Yield remarks on transactions and proposals that lower the agent's own score."""
    for event, state in played.own_acts():
        if event.type not in (SUBMIT_TRANSACTION, PROPOSE):
            continue
        trading, asked = TradingView(state, played.case.seat), event.payload
        after = trading.score_after(buyer=asked.buyer, amount=asked.amount, quantities=asked.quantities)
        loss = trading.score() - after
        if loss <= SMALLEST_LOSS:
            continue
        where = f"{played.case.name}, at {event.t:g} s"
        if event.type == SUBMIT_TRANSACTION:
            sentence = (
                f"It submits a transaction that lowers its score by {loss:.2f}; submit only where "
                "ctx.trading.gain(proposal) is above 0."
            )
            yield Remark(("submits at a loss",), Severity.ERROR, where, sentence)
        else:
            sentence = (
                f"It proposes a transaction that would lower its score by {loss:.2f}; compare "
                "ctx.trading.score_after(…) with ctx.trading.score() before Propose(…)."
            )
            yield Remark(("proposes at a loss",), Severity.WARNING, where, sentence)


def trading_silence_remarks(games: Sequence[CaseResult]) -> list[Remark]:
    """Return remarks on what the agent did in no situation at all."""
    done = {event.type for played in games for event in played.events if event.sender == played.case.seat}
    where = f"all {len(games)} situations"
    if not done:
        sentence = (
            "It never does anything: no handler returned an action that was performed; override on_propose "
            "and on_accept_proposal, and return lists of actions."
        )
        return [Remark(("never", "answers"), Severity.WARNING, where, sentence)]
    remarks = []
    if not done & {PROPOSE, CALL_FOR_PROPOSALS}:
        sentence = (
            "It never proposes and never calls for proposals, so two of its kind never trade; return "
            "[Propose(…)] from a callback of Schedule(…) that on_game_data returns."
        )
        remarks.append(Remark(("never", "proposes"), Severity.WARNING, where, sentence))
    if ACCEPT_PROPOSAL not in done and SUBMIT_TRANSACTION not in done:
        sentence = (
            "It never accepts a proposal, not even one that raises its score; return "
            "[AcceptProposal(proposal.proposal_id), ctx.trading.submit(proposal)] from on_propose."
        )
        remarks.append(Remark(("never", "accepts"), Severity.WARNING, where, sentence))
    elif SUBMIT_TRANSACTION not in done:
        sentence = (
            "It accepts and never submits a transaction, so nothing that it agrees to is settled; return "
            "ctx.trading.submit(proposal) after AcceptProposal(…)."
        )
        remarks.append(Remark(("never", "submits"), Severity.WARNING, where, sentence))
    elif not any(event.type == TRANSACTION_CONFIRMATION for played in games for event in played.events):
        sentence = (
            "None of its transactions is settled: what it submits differs from what was agreed; submit "
            "ctx.trading.submit(proposal), which has the id, the price and the units of the proposal."
        )
        remarks.append(Remark(("never", "settles"), Severity.WARNING, where, sentence))
    chances = [played.confirmed for played in games if played.confirmed is not None]
    if SUBMIT_TRANSACTION in done and chances and not any(chances):
        sentence = (
            "It never submits the transaction of a proposal of its own that the other has accepted and "
            "submitted; return [AcceptProposal(…), ctx.trading.submit(proposal)] from on_accept_proposal."
        )
        remarks.append(
            Remark(
                ("never", "confirms"),
                Severity.WARNING,
                f"its own proposal is accepted, {len(chances)} times",
                sentence,
            )
        )
    return remarks
