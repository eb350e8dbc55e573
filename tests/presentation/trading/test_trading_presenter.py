"""Header, goods, transcript, acts and result of a trading game."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from negoplatform.agent_api.actions import MechanismAct
from negoplatform.core.events import Event, EventType, Refusal
from negoplatform.core.mechanisms.trading_state import ProposalAccepted, ProposalDeclined, Tape
from negoplatform.domain.trading.economy import Currency
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.trading.money_texts import change_between
from negoplatform.presentation.trading.trading_acts import (
    TICKET,
    ActTracker,
    confirm_acts,
    propose_acts,
)
from negoplatform.presentation.trading.trading_rules import trading_help
from tests.mechanisms.trading_table import ONE, THREE, TWO
from tests.presentation.trading.seat_views import BUY_ONE, SeatViews


def types(acts: Sequence[MechanismAct]) -> list[str]:
    """Return the types of acts."""
    return [act.type for act in acts]


def outcome(kind: str, sender: str = ONE, reason: str = "") -> Event:
    """Return an event as the tracker reads it: an act, or its refusal."""
    payload: Any = Refusal(kind, reason) if reason else None
    event = SimpleNamespace(type=EventType.ACTION_REFUSED if reason else kind, sender=sender, payload=payload)
    return cast("Event", event)


def test_the_header_has_the_score_and_what_the_ticket_would_make_of_it() -> None:
    views = SeatViews()
    before = views.presenter.header(views.state, 0)
    views.presenter.prepared = BUY_ONE.with_amount("10")

    after = views.presenter.header(views.state, 0)

    assert (before.points, before.words, before.compared) == ("213.86", "your score", "")
    assert (after.points, after.compared) == ("213.86", "259.31 with this ticket (+45.45)")
    # The score is what it is; only what the ticket would make of it is better.
    assert (after.versus, after.colours_points) == (NoDealComparison.BETTER, False)


def test_each_good_has_what_the_next_and_the_last_unit_are_worth() -> None:
    account = SeatViews().view().account

    assert (account.money, account.locked) == ("€200.00", "")
    assert [(row.units, row.next_worth, row.last_worth) for row in account.goods] == [
        (1, "+55.45", "keep the last one"),
        (2, "+8.11", "last -13.86"),
    ]


def test_a_good_of_which_there_is_none_has_no_last_unit() -> None:
    views = SeatViews()
    views.table.submit(ONE, TWO, buyer=False, amount=10)
    views.table.submit(TWO, ONE, buyer=True, amount=10)

    assert next((row.units, row.last_worth) for row in views.view().account.goods) == (0, "")


def test_the_transcript_says_in_words_who_did_what() -> None:
    views = SeatViews(seats=3, tape=Tape.PUBLIC)
    number = views.table.propose(ONE, TWO, buyer=True, amount=10).seq
    views.table.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(number), ONE)
    views.table.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(number), TWO)
    views.table.submit(ONE, TWO, buyer=True, its_id=f"t-{number}")
    views.table.submit(TWO, ONE, buyer=False, its_id=f"t-{number}")
    views.table.submit(TWO, THREE, buyer=False, its_id="x")
    views.table.submit(THREE, TWO, buyer=True, its_id="x")
    declined = views.table.propose(THREE, ONE, buyer=True, amount=5).seq
    views.table.do(ONE, "DECLINE_PROPOSAL", ProposalDeclined(declined), THREE)

    assert views.lines() == [
        "You proposed to buy 1 × good_1 from Rowan for €10.00",
        "Rowan accepts your proposal: 1 × good_1 for €10.00",
        "You confirmed the trade with Rowan: 1 × good_1 for €10.00",
        "You bought 1 × good_1 from Rowan for €10.00",
        "Noa bought 1 × good_1 from Rowan for €10.00",
        "Noa proposes to buy 1 × good_1 from you for €5.00",
        "You declined Noa’s proposal: 1 × good_1 for €5.00",
    ]


def test_another_seat_says_how_many_of_its_proposals_wait_or_that_it_has_left() -> None:
    views = SeatViews(seats=3)
    views.table.propose(TWO, ONE, buyer=False)
    views.table.participant(THREE).quits()

    assert views.presenter.seat_row(views.state, TWO).activity == "1 proposal for you"
    assert views.presenter.seat_row(views.state, THREE).activity == "has left"


def test_an_acceptance_and_the_request_of_its_transaction_are_one_script() -> None:
    views = SeatViews()
    number = views.table.propose(TWO, ONE, buyer=False).seq
    proposal = views.table.context(ONE).trading.proposal(number)
    assert proposal is not None

    acts = confirm_acts(views.state, ONE, proposal)

    assert types(acts) == ["ACCEPT_PROPOSAL", "SUBMIT_TRANSACTION"]
    assert acts[1].payload.transaction_id == f"t-{number}"


def test_only_what_is_missing_of_a_confirmation_is_done() -> None:
    views = SeatViews()
    number = views.table.propose(TWO, ONE, buyer=False).seq
    views.table.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(number), TWO)
    accepted = views.table.context(ONE).trading.proposal(number)
    assert accepted is not None

    again = confirm_acts(views.state, ONE, accepted)
    views.table.submit(ONE, TWO, buyer=True, its_id=f"t-{number}")

    assert types(again) == ["SUBMIT_TRANSACTION"]
    assert confirm_acts(views.state, ONE, accepted) == []


def test_a_ticket_becomes_a_proposal_in_the_game_s_money() -> None:
    (act,) = propose_acts(SeatViews().state, ONE, BUY_ONE, 1250)

    assert (act.type, act.to, act.payload.amount) == ("PROPOSE", (TWO,), 12.5)


def test_a_refusal_is_told_at_the_place_where_the_act_was_done() -> None:
    views = SeatViews()
    tracker = ActTracker(ONE)
    number = views.table.propose(TWO, ONE, buyer=False).seq
    proposal = views.table.context(ONE).trading.proposal(number)
    assert proposal is not None
    tracker.add(TICKET, propose_acts(views.state, ONE, BUY_ONE, 1000))
    tracker.add(number, confirm_acts(views.state, ONE, proposal))

    of_another = tracker.resolve(outcome("PROPOSE", sender=TWO))
    done = tracker.resolve(outcome("PROPOSE"))
    halfway = tracker.resolve(outcome("ACCEPT_PROPOSAL"))
    refused = tracker.resolve(outcome("SUBMIT_TRANSACTION", reason="No."))

    assert of_another is halfway is None
    assert done is not None
    assert (done.place, done.reason) == (TICKET, "")
    assert refused is not None
    assert (refused.place, refused.reason) == (number, "No.")
    assert not tracker.is_waiting(number)


def test_acts_that_were_never_taken_do_not_block_their_place_for_ever() -> None:
    clock = [0.0]
    tracker = ActTracker(ONE, now=lambda: clock[0])
    acts = propose_acts(SeatViews().state, ONE, BUY_ONE, 1000)
    tracker.add(TICKET, acts)
    at_once = tracker.is_waiting(TICKET)

    clock[0] = 60.0

    assert (at_once, tracker.is_waiting(TICKET)) == (True, False)


def test_the_result_has_the_first_and_the_last_holdings_and_the_trades() -> None:
    views = SeatViews()
    views.table.submit(ONE, TWO, buyer=True)
    views.table.submit(TWO, ONE, buyer=False)
    views.table.participant(TWO).quits()

    result = views.presenter.result(views.state, None)

    assert result.points == "Your score: 259.31"
    assert (result.compared, result.better) == ("+45.45 compared with the start", 1)
    assert [row[:2] for row in result.rows] == [
        ("Money", "€200.00 → €190.00"),
        ("good_1", "1 → 2"),
        ("good_2", "2"),
    ]
    assert result.facts == (
        ("Score at the start", "213.86"),
        ("Trades", "1"),
        ("Bought 1 × good_1 from Rowan", "€10.00"),
    )


def test_the_result_of_a_game_with_a_fee_says_what_was_paid_in_fees() -> None:
    views = SeatViews(fee=1.0)
    for its_id in ("x", "y"):
        views.table.submit(ONE, TWO, buyer=True, its_id=its_id)
        views.table.submit(TWO, ONE, buyer=False, its_id=its_id)

    result = views.presenter.result(views.state, None)

    assert result.rows[0][1] == "€200.00 → €179.00"
    assert ("Fees paid", "€1.00") in result.facts


def test_a_change_is_the_difference_of_the_scores_that_are_shown() -> None:
    assert change_between(284.904, 290.256, Currency("€", 2)) == pytest.approx(5.36)
    assert change_between(284.896, 290.264, Currency("€", 2)) == pytest.approx(5.36)


def test_the_rules_say_what_a_seat_begins_with_and_nothing_of_the_others() -> None:
    views = SeatViews(fee=1.0)

    rules = views.presenter.rules(views.state.game)

    assert "You begin with €200.00." in rules.matters
    assert "Your score at the start: 213.86." in rules.matters
    kept = "Keep at least one of each good: having none of one takes 20,000.00 or more from your score."
    assert kept in rules.matters
    assert "Each trade costs €1.00; buyer and seller pay half each." in rules.how
    assert "Only you can see what goods are worth to you." in rules.who_sees


def test_the_help_is_the_same_for_one_and_for_several_others_but_for_the_tabs() -> None:
    one, several = trading_help(ENGLISH), trading_help(ENGLISH, several=True)

    assert "a tab for each of the others" in " ".join(several.places)
    assert "a tab for each of the others" not in " ".join(one.places)
    assert one.sections == several.sections
