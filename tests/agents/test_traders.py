"""The shipped agents of trading: the baseline of the competition, and the one that talks."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api import MessageSubtype, NegotiationAgent
from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.core.events import Event
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable
from negoplatform.testing.check import load_checked_agents
from negoplatform.testing.trial_economies import trading_trial_games

TRADERS: dict[str, Any] = {
    found.name: found.agent_class for found in load_checked_agents(bundled("agents") / "tac.py")
}


def seated(name: str, *, seed: int = 1) -> TrialTable:
    """Return a table with an agent in the seat agent_1, two seconds after the start."""
    table = TrialTable(find_game("tac_trading", Path("nowhere")), seed=seed)
    table.seat(TRADERS[name](), "agent_1")
    table.wait(2)
    return table


def done(table: TrialTable, kind: str, seat: str = "agent_1") -> list[Event]:
    """Return what a seat did, of one type."""
    return [event for event in table.events if event.type == kind and event.sender == seat]


@pytest.mark.parametrize("name", TRADERS)
def test_a_proposal_that_raises_its_score_is_accepted_and_submitted(name: str) -> None:
    table = seated(name)
    other = table.participant("agent_2")

    proposal = other.proposes("agent_1", buyer=False, amount=15, quantities={"good_1": 2})
    table.wait(1.5)
    other.accepts_proposal(proposal)
    other.submits(proposal)

    assert [event.payload.proposal_id for event in done(table, "ACCEPT_PROPOSAL")] == [proposal.seq]
    assert table.context("agent_1").trading.holdings == {"good_1": 3, "good_2": 2}


@pytest.mark.parametrize("name", TRADERS)
def test_a_confirmation_that_comes_after_its_own_request_has_expired_is_settled_too(name: str) -> None:
    table = seated(name)
    other = table.participant("agent_2")
    proposal = other.proposes("agent_1", buyer=False, amount=15, quantities={"good_1": 2})
    table.wait(35)
    assert table.context("agent_1").trading.pending == ()

    other.accepts_proposal(proposal)
    other.submits(proposal)
    table.wait(3)

    assert table.context("agent_1").trading.holdings["good_1"] == 3


def test_a_late_confirmation_of_what_no_longer_raises_its_score_is_declined_at_once() -> None:
    table = seated("tac_baseline")
    other = table.participant("agent_2")
    late = other.proposes("agent_1", buyer=False, amount=45, quantities={"good_1": 1})
    table.wait(35)
    cheap = other.proposes("agent_1", buyer=False, amount=1, quantities={"good_1": 1})
    table.wait(1.5)
    other.accepts_proposal(cheap)
    other.submits(cheap)
    assert table.context("agent_1").trading.holdings["good_1"] == 2

    other.accepts_proposal(late)
    other.submits(late)
    table.wait(3)

    assert late.seq in [event.payload.proposal_id for event in done(table, "DECLINE_PROPOSAL")]
    assert table.context("agent_2").trading.pending == ()


@pytest.mark.parametrize("name", TRADERS)
@pytest.mark.parametrize("amount", [60, 190])
def test_a_proposal_that_lowers_its_score_is_declined(name: str, amount: int) -> None:
    table = seated(name)

    proposal = table.participant("agent_2").proposes(
        "agent_1", buyer=False, amount=amount, quantities={"good_1": 1}
    )
    table.wait(3)

    assert [event.payload.proposal_id for event in done(table, "DECLINE_PROPOSAL")] == [proposal.seq]
    assert done(table, "SUBMIT_TRANSACTION") == []


@pytest.mark.parametrize("apart", [0.3, 1.5], ids=["before it has submitted", "while it waits"])
def test_the_baseline_waits_for_one_transaction_at_a_time(apart: float) -> None:
    table = seated("tac_baseline")
    other = table.participant("agent_2")

    for _ in range(2):
        other.proposes("agent_1", buyer=False, amount=15, quantities={"good_1": 1})
        table.wait(apart)
    table.wait(2)

    assert len(done(table, "SUBMIT_TRANSACTION")) == 1
    assert len(done(table, "DECLINE_PROPOSAL")) == 1


def test_the_baseline_withdraws_a_proposal_that_nobody_answers() -> None:
    table = seated("tac_baseline")

    table.wait(90)

    first = done(table, "PROPOSE")[0]
    withdrawn = next(
        event for event in done(table, "DECLINE_PROPOSAL") if event.payload.proposal_id == first.seq
    )
    assert 40 < withdrawn.t - first.t < 52


def test_the_baseline_asks_for_no_more_than_the_others_can_have() -> None:
    table = seated("tac_baseline")

    table.wait(290)

    asked = [event.payload for event in done(table, "PROPOSE") if not event.payload.buyer]
    assert asked
    assert max(proposal.amount for proposal in asked) <= 200
    assert all("good_1" not in proposal.quantities for proposal in asked)  # its last one: nothing to sell


@pytest.mark.parametrize("takes", [0.1, 0.5])
def test_the_baseline_learns_the_markup_that_others_take(takes: float) -> None:
    table = seated("tac_baseline")
    ctx, agent = table.context("agent_1"), TRADERS["tac_baseline"]()
    agent.reset()
    for markup in (0.02, 0.1, 0.25, 0.5, 0.8):
        for _ in range(60):
            agent.asked["agent_2"] = ("good_2", True, markup, 0.0, 5)
            agent.learn(ctx, "agent_2", accepted=markup <= takes)

    chosen = [agent.best_markup(ctx, "good_2", True) for _ in range(100)]

    assert chosen.count(takes) > 80


@pytest.mark.parametrize("seed", range(1, 6))
def test_two_baselines_both_gain(seed: int) -> None:
    table = TrialTable(find_game("tac_trading", Path("nowhere")), seed=seed)
    for seat in ("agent_1", "agent_2"):
        table.seat(TRADERS["tac_baseline"](), seat)
    table.start()
    before = {seat: table.context(seat).trading.score() for seat in ("agent_1", "agent_2")}

    table.play_out()

    for seat, score in before.items():
        assert table.context(seat).trading.score() > score


def test_no_trade_of_the_baseline_lowers_its_score_with_fees_and_three_seats() -> None:
    table = TrialTable(trading_trial_games()[1])
    for seat in table.state.game.seats:
        table.seat(TRADERS["tac_baseline"](), seat)
    scores: list[dict[str, float]] = []
    table.subscribe(
        lambda _: scores.append(
            {seat: table.context(seat).trading.score() for seat in table.state.game.seats}
        )
    )

    table.play_out()

    assert table.kinds().count("transaction-confirmation") >= 2
    for before, after in pairwise(scores):
        assert all(after[seat] >= before[seat] - 1e-9 for seat in before)


@pytest.mark.parametrize("name", TRADERS)
def test_a_confirmation_that_comes_too_late_does_not_keep_it_from_trading(name: str) -> None:
    table = seated(name)
    other = table.participant("agent_2")
    other.proposes("agent_1", buyer=False, amount=15, quantities={"good_1": 1})
    table.wait(33)
    made = len(done(table, "PROPOSE"))

    table.wait(60)
    again = other.proposes("agent_1", buyer=False, amount=15, quantities={"good_1": 1})
    table.wait(1.5)
    other.accepts_proposal(again)
    other.submits(again)

    assert len(done(table, "PROPOSE")) > made
    assert table.context("agent_1").trading.holdings["good_1"] == 2


@pytest.mark.parametrize("name", TRADERS)
def test_a_trade_that_was_declined_is_not_asked_for_again_at_once(name: str) -> None:
    table = seated(name)
    other = table.participant("agent_2")
    declined: list[tuple[float, Any]] = []

    for _ in range(60):
        table.wait(1)
        for proposal in table.context("agent_2").trading.proposals:
            declined.append((table.events[-1].t, proposal))
            other.declines(proposal.proposal_id)

    assert len(declined) >= 2
    for (_, earlier), (_, later) in pairwise(declined):
        same = (earlier.buyer, earlier.units) == (later.buyer, later.units)
        assert not same or (later.amount > earlier.amount) is later.buyer


# The talking trader


def test_the_talking_trader_gives_reason_and_price_before_each_proposal() -> None:
    table = seated("talking_trader")

    table.wait(130)

    made = done(table, "PROPOSE")
    assert len(made) >= 2
    for proposal in made:
        words = max(
            (event for event in done(table, "SEND_MESSAGE") if event.seq < proposal.seq),
            key=lambda event: event.seq,
        )
        assert "agent_2" in words.to
        assert f"€{proposal.payload.amount:.2f}" in words.get_text()
        assert words.get_text().endswith("?")


@pytest.mark.parametrize("name", TRADERS)
@pytest.mark.parametrize("buyer", [True, False])
def test_a_call_for_proposals_is_answered_with_what_it_asks_for(name: str, buyer: bool) -> None:
    table = seated(name)

    call = table.participant("agent_2").calls_for_proposals("agent_1", buyer=buyer, goods=["good_2"])
    table.wait(2)

    (made,) = [event.payload for event in done(table, "PROPOSE")]
    assert (made.buyer, made.answers, dict(made.quantities)) == (not buyer, call.seq, {"good_2": 1})


@pytest.mark.parametrize("name", TRADERS)
@pytest.mark.parametrize("kind", ["buy", "sell"])
def test_whoever_asks_for_an_offer_in_words_gets_one_of_that_kind(name: str, kind: str) -> None:
    table = seated(name)

    words = f"What would you {kind}? Please make me an offer."
    table.participant("agent_2").says(words, MessageSubtype.OFFER_REQUEST_POS)
    table.wait(2)

    (made,) = [event.payload for event in done(table, "PROPOSE")]
    assert made.buyer is (kind == "buy")


def test_the_talking_trader_asks_for_a_proposal_where_a_price_is_only_said() -> None:
    table = seated("talking_trader")

    for _ in range(2):
        table.participant("agent_2").says("I would sell you wool for 20.")
        table.wait(2)

    said = [event.get_text() for event in done(table, "SEND_MESSAGE")]
    assert said[0].startswith("Hello! ")
    assert said.count("Please propose that on your ticket, then I can answer.") == 1


def test_the_talking_trader_says_why_it_declines_and_thanks_for_a_trade() -> None:
    table = seated("talking_trader")
    other = table.participant("agent_2")

    other.proposes("agent_1", buyer=False, amount=190, quantities={"good_1": 1})
    table.wait(2)
    other.proposes("agent_1", buyer=True, amount=0, quantities={"good_1": 1})
    table.wait(2)
    proposal = other.proposes("agent_1", buyer=False, amount=15, quantities={"good_1": 1})
    table.wait(1.5)
    other.accepts_proposal(proposal)
    other.submits(proposal)
    table.wait(1.5)

    said = [event.get_text() for event in done(table, "SEND_MESSAGE")]
    assert "That’s more than it’s worth to me." in said
    assert "For that price I’d rather keep it." in said
    assert said[-1] == "Thank you, that suits us both."


def test_a_reply_names_no_worth_of_its_own() -> None:
    table = seated("talking_trader")

    table.participant("agent_2").proposes("agent_1", buyer=False, amount=190, quantities={"good_1": 1})
    table.wait(1.2)

    declined = done(table, "SEND_MESSAGE")[-1].get_text()
    assert not any(sign.isdigit() for sign in declined)


def test_every_trader_is_a_person_by_name() -> None:
    agents: list[NegotiationAgent] = [made() for made in TRADERS.values()]
    for agent in agents:
        agent.configure({})

    assert [agent.get_name() for agent in agents] == ["Sasha", "Noor"]
