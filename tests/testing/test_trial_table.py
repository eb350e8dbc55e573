"""The table for tests: an agent that fails there fails its author's test, with an explicit message."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.agent_api import PlaceOrder, Refused
from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.core.events import Event
from negoplatform.testing import AgentFailed, TrialTable, trial_games


class Shouts(NegotiationAgent):
    """Agent that greets, and fails when the other side shouts."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("Welcome!")]

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        if event.get_text() == "What?!":
            raise ValueError("too loud")
        return SendMessage("Hush.")  # type: ignore[return-value]  # the brackets are forgotten on purpose


def seated(*, agents_may_fail: bool = False) -> TrialTable:
    table = TrialTable(trial_games()[0], agents_may_fail=agents_may_fail)
    table.seat(Shouts())
    table.wait(2)
    return table


def test_an_agent_that_returns_no_list_fails_the_test_with_what_was_wrong() -> None:
    table = seated()

    table.human.says("Hello!")
    with pytest.raises(
        AgentFailed, match=r"'agent' failed at 2 s: on_send_message returned a SendMessage; return a list"
    ):
        table.wait(1)


def test_what_an_agent_raised_is_the_cause_so_that_its_line_is_shown() -> None:
    table = seated()

    table.human.says("What?!")
    with pytest.raises(AgentFailed, match=r"It raised ValueError \(too loud\)") as failed:
        table.play_out()

    assert isinstance(failed.value.__cause__, ValueError)


def test_a_failure_is_told_once_and_the_time_has_passed() -> None:
    table = seated()
    table.human.says("Hello!")
    with pytest.raises(AgentFailed):
        table.wait(5)

    assert table.human.context().elapsed_time == 7
    table.wait(1)


def test_of_a_failure_that_has_no_error_of_its_own_no_other_is_the_cause() -> None:
    table = seated()
    table.human.says("What?!")
    with pytest.raises(AgentFailed):
        table.wait(1)

    table.session.record_agent_failure("agent", "It was slow.")
    with pytest.raises(AgentFailed, match="It was slow") as failed:
        table.wait(1)

    assert failed.value.__cause__ is None


def test_a_test_that_means_an_agent_to_fail_looks_at_what_happens_then() -> None:
    table = seated(agents_may_fail=True)

    table.human.says("What?!")
    table.wait(5)

    assert table.kinds()[-1] == "AGENT_FAILED"
    assert [str(error) for error in table.errors] == ["too loud"]


# Other kinds of game


def test_a_trade_is_read_as_what_its_two_sides_do() -> None:
    table = TrialTable(find_game("tac_trading", Path("nowhere")))
    buyer, seller = table.participant("agent_1"), table.participant("agent_2")

    call = buyer.calls_for_proposals("agent_2", buyer=True, goods=["good_1"])
    proposal = seller.proposes("agent_1", buyer=False, amount=10, quantities={"good_1": 1}, answers=call)
    buyer.accepts_proposal(proposal)
    seller.accepts_proposal(proposal)
    buyer.submits(proposal)
    seller.submits(proposal)

    assert table.kinds()[-1] == "transaction-confirmation"
    assert buyer.context().trading.holdings == {"good_1": 2, "good_2": 2}
    assert seller.context().trading.money == 110


def test_a_request_can_differ_from_its_proposal_and_a_proposal_can_be_declined() -> None:
    table = TrialTable(find_game("tac_trading", Path("nowhere")))
    buyer, seller = table.participant("agent_1"), table.participant("agent_2")
    proposal = seller.proposes("agent_1", buyer=False, amount=10, quantities={"good_1": 1})

    buyer.submits(proposal)
    seller.submits(proposal, amount=11)
    buyer.declines(proposal)

    errors = [event.data["error_code"] for event in table.events if event.type == "transaction-error"]
    assert errors == ["TRANSACTION_NOT_MATCHING", "TRANSACTION_WITHDRAWN"]
    with pytest.raises(Refused, match="no longer open"):
        seller.submits(proposal)


def test_orders_meet_in_a_market_and_what_is_left_can_be_cancelled() -> None:
    table = TrialTable(find_game("grain_market", Path("nowhere")))
    buyer, seller = table.participant("human"), table.participant("seller_1")

    ask = seller.places_order("ask", 80, 3)
    buyer.places_order("bid", 90)
    seller.cancels(ask)

    assert buyer.context().market.units == 1
    assert buyer.context().market.cash == 420
    assert buyer.context().market.best_ask is None
    with pytest.raises(Refused, match="no longer in the book"):
        seller.cancels(ask)


def test_decisions_are_made_and_the_test_moves_the_clock_from_phase_to_phase() -> None:
    table = TrialTable(find_game("land_market", Path("nowhere")))
    table.participant("owner_1").decides(no_project=500, project=300)

    table.wait(119)
    assert table.context("owner_2").market.phase_number == 1
    table.wait(1)
    assert table.context("owner_2").market.phase_number == 2

    table.participant("speculator_1").decides(plots=["owner_2"])
    table.participant("speculator_2").decides(plots=[])
    assert table.context("owner_2").market.is_open


def test_any_action_of_another_kind_can_be_performed() -> None:
    table = TrialTable(find_game("grain_market", Path("nowhere")))

    event = table.participant("human").performs(PlaceOrder("bid", 50, delay_ms=9000))

    assert (event.type, event.t) == ("PLACE_ORDER", 0)


def test_endowments_that_a_game_draws_are_drawn_from_the_seed() -> None:
    game = find_game("tac_market", Path("nowhere"))

    holdings = [TrialTable(game, seed=seed).context("red").trading.holdings for seed in (1, 1, 2)]

    assert holdings[0] == holdings[1] != holdings[2]
