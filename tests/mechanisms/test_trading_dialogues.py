"""Dialogues of trading: calls, proposals, acceptances and refusals, and the requests that go with them."""

from __future__ import annotations

import pytest

from negoplatform.core.mechanisms.trading_checks import MOST_PROPOSALS
from negoplatform.core.mechanisms.trading_state import (
    MOST_CALLS,
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
    ProposalStatus,
)
from negoplatform.core.visibility import Observer, visible_event
from negoplatform.domain.errors import Refused
from negoplatform.domain.trading.economy import Quantities
from tests.mechanisms.trading_table import ONE, THREE, TWO, table


def test_a_dialogue_leads_from_a_call_to_a_transaction() -> None:
    market = table()

    call = market.do(ONE, "CALL_FOR_PROPOSALS", ProposalCall(True, ("good_1",)), TWO)
    made = ProposalMade(False, 10, Quantities({"good_1": 1}), answers=call.seq)
    proposal = market.do(TWO, "PROPOSE", made, ONE)
    market.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(proposal.seq))
    market.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(proposal.seq))
    for seat in (ONE, TWO):
        trading = market.context(seat).trading
        (live,) = trading.proposals
        assert live.status is ProposalStatus.MATCHED
        asked = trading.submit(live).as_act()
        market.do(seat, asked.type, asked.payload)

    assert market.scores() == [259.31, 142.96]
    assert market.context(ONE).trading.proposals == ()


def test_a_dialogue_binds_nobody() -> None:
    market = table()
    proposal = market.propose(TWO, ONE, buyer=False)
    market.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(proposal.seq))
    market.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(proposal.seq))

    market.wait(100)

    assert market.scores() == [213.86, 141.59]


def test_only_the_two_of_a_dialogue_see_it() -> None:
    market = table(seats=3)

    proposal = market.propose(TWO, ONE, buyer=False)

    assert visible_event(proposal, Observer(ONE)) is not None
    assert visible_event(proposal, Observer(THREE)) is None
    assert market.context(THREE).trading.proposals == ()


def test_a_proposal_that_answers_another_takes_its_place() -> None:
    market = table()
    first = market.propose(ONE, TWO, buyer=True, amount=5)

    answer = ProposalMade(False, 12, Quantities({"good_1": 1}), answers=first.seq)
    second = market.do(TWO, "PROPOSE", answer, ONE)

    assert [each.proposal_id for each in market.context(ONE).trading.proposals] == [second.seq]
    with pytest.raises(Refused, match="no longer open"):
        market.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(first.seq))


def test_a_proposal_is_accepted_by_its_recipient_first() -> None:
    market = table()
    proposal = market.propose(ONE, TWO, buyer=True)

    with pytest.raises(Refused, match="agent_2 has to accept your proposal first"):
        market.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(proposal.seq))
    market.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(proposal.seq))
    with pytest.raises(Refused, match="already accepted"):
        market.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(proposal.seq))


def test_a_third_seat_cannot_answer_a_proposal() -> None:
    market = table(seats=3)
    proposal = market.propose(ONE, TWO, buyer=True)

    for answer in (ProposalAccepted(proposal.seq), ProposalDeclined(proposal.seq)):
        kind = "ACCEPT_PROPOSAL" if isinstance(answer, ProposalAccepted) else "DECLINE_PROPOSAL"
        with pytest.raises(Refused, match="no longer open"):
            market.do(THREE, kind, answer, ONE)


def test_accepting_is_legal_for_the_seat_whose_turn_it_is_and_which_can_do_its_side() -> None:
    market = table()
    dear = market.propose(TWO, ONE, buyer=False, amount=201)
    assert "ACCEPT_PROPOSAL" not in market.context(ONE).legal
    cheap = market.propose(TWO, ONE, buyer=False, amount=200)

    def able() -> list[bool]:
        return ["ACCEPT_PROPOSAL" in market.context(seat).legal for seat in (ONE, TWO)]

    assert able() == [True, False]
    market.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(cheap.seq))
    assert able() == [False, True]
    with pytest.raises(Refused, match="You don’t have enough money"):
        market.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(dear.seq))


def test_declining_takes_a_request_back() -> None:
    market = table()
    proposal = market.propose(ONE, TWO, buyer=True)
    market.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(proposal.seq))
    market.submit(TWO, ONE, buyer=False, its_id=f"t-{proposal.seq}")

    market.do(TWO, "DECLINE_PROPOSAL", ProposalDeclined(proposal.seq))

    (error,) = market.facts("transaction-error")
    assert error.data["error_code"] == "TRANSACTION_WITHDRAWN"
    assert market.context(TWO).trading.pending == ()
    with pytest.raises(Refused, match="no longer open"):
        market.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(proposal.seq))


def test_a_counter_proposal_takes_back_the_requests_of_the_proposal_that_it_replaces() -> None:
    market = table()
    first = market.propose(ONE, TWO, buyer=True)
    market.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(first.seq))
    market.submit(TWO, ONE, buyer=False, its_id=f"t-{first.seq}")

    market.do(TWO, "PROPOSE", ProposalMade(False, 90, Quantities({"good_1": 1}), first.seq), ONE)
    market.submit(ONE, TWO, buyer=True, its_id=f"t-{first.seq}")

    (error,) = market.facts("transaction-error")
    assert error.data["error_code"] == "TRANSACTION_WITHDRAWN"
    assert market.facts("transaction-confirmation") == []


def test_an_answer_to_a_call_takes_back_no_request() -> None:
    market = table()
    call = market.do(ONE, "CALL_FOR_PROPOSALS", ProposalCall(True), TWO)
    market.submit(TWO, ONE, buyer=False, its_id=f"t-{call.seq}")

    market.do(TWO, "PROPOSE", ProposalMade(False, 90, Quantities({"good_1": 1}), call.seq), ONE)

    assert market.facts("transaction-error") == []


def test_a_seat_has_so_many_proposals_open_at_a_time() -> None:
    market = table()
    made = [market.propose(ONE, TWO, buyer=True, amount=1) for _ in range(MOST_PROPOSALS)]

    with pytest.raises(Refused, match="Too many of your proposals are open; withdraw one first"):
        market.propose(ONE, TWO, buyer=True, amount=1)
    assert "PROPOSE" not in market.context(ONE).legal
    market.do(ONE, "DECLINE_PROPOSAL", ProposalDeclined(made[0].seq))
    market.propose(ONE, TWO, buyer=True, amount=1)
    market.propose(TWO, ONE, buyer=True, amount=1)


def test_the_oldest_calls_give_way() -> None:
    market = table()
    calls = [market.do(ONE, "CALL_FOR_PROPOSALS", ProposalCall(True), TWO) for _ in range(MOST_CALLS + 5)]

    for seat in (ONE, TWO):
        assert [call.call_id for call in market.context(seat).trading.calls] == [
            call.seq for call in calls[5:]
        ]


@pytest.mark.parametrize("its_id", ["t-٣", "t-", "t-07", "t-1e3", "T-3"])
def test_an_id_that_only_looks_like_a_proposal_s_is_that_of_no_proposal(its_id: str) -> None:
    market = table()
    market.propose(ONE, TWO, buyer=True)

    market.submit(ONE, TWO, buyer=True, its_id=its_id)
    market.submit(TWO, ONE, buyer=False, its_id=its_id)

    assert len(market.facts("transaction-confirmation")) == 1
    assert len(market.context(ONE).trading.proposals) == 1
