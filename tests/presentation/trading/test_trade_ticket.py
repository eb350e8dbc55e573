"""The trade ticket: its effect on the score, why it cannot be proposed, and its history."""

from __future__ import annotations

import pytest

from negoplatform.core.mechanisms.trading_state import ProposalDeclined
from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.trading.ticket_history import TicketHistory
from negoplatform.presentation.trading.trade_ticket import (
    EMPTY_TICKET,
    TradeTicketDraft,
    answered_id,
    counter_draft,
    ticket_from_document,
)
from tests.mechanisms.trading_table import ONE, THREE, TWO
from tests.presentation.trading.seat_views import BUY_ONE, SeatViews


def test_the_ticket_shows_the_scores_of_the_worked_example() -> None:
    view = SeatViews().ticket(BUY_ONE.with_amount("10"))

    assert (view.score, view.change, view.versus) == ("213.86 → 259.31", "+45.45", NoDealComparison.BETTER)
    assert (view.can_propose, view.reason) == (True, "")
    assert [(row.units, row.held) for row in view.goods] == [(1, "1 → 2"), (0, "you have 2")]


def test_the_share_of_the_fee_is_in_the_score_and_in_words() -> None:
    view = SeatViews(fee=1.0).ticket(BUY_ONE.with_amount("10"))

    assert view.score == "213.86 → 258.81"
    assert view.fee == "Includes €0.50, your share of the fee"


def test_a_bundle_of_several_goods_has_one_price() -> None:
    view = SeatViews().ticket(BUY_ONE.with_units("good_2", 2).with_amount("30"))

    # 80 ln 2 + 20 ln (4 / 2) - 30 = 39.314, and the difference of the scores that are shown
    assert view.change == "+39.32"


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (EMPTY_TICKET, "Choose what you would like to buy."),
        (EMPTY_TICKET.with_side(buys=False), "Choose what you would like to sell."),
        (BUY_ONE, "Enter a price for all of it."),
        (BUY_ONE.with_amount("ten"), "Please enter an amount, such as 12.50."),
        (BUY_ONE.with_amount("250"), "You don’t have enough money: you have €200.00."),
        (
            BUY_ONE.with_side(buys=False).with_units("good_1", 2).with_amount("10"),
            "You don’t have that much to sell.",
        ),
    ],
)
def test_the_ticket_says_why_it_cannot_be_proposed(draft: TradeTicketDraft, reason: str) -> None:
    view = SeatViews().ticket(draft)

    assert (view.reason, view.can_propose) == (reason, False)


def test_with_several_others_one_has_to_be_chosen_and_with_one_it_is_chosen_already() -> None:
    nobody = TradeTicketDraft().with_units("good_1", 1).with_amount("10")

    assert SeatViews(seats=3).ticket(nobody).reason == "Choose with whom you would like to trade."
    assert SeatViews().ticket(nobody).can_propose


def test_a_seat_that_has_left_can_neither_be_chosen_nor_asked() -> None:
    views = SeatViews(seats=3)
    views.table.participant(TWO).quits()

    view = views.ticket(BUY_ONE.with_amount("10"))

    assert (view.reason, view.can_ask) == ("Rowan has left.", False)
    assert [is_here for _seat, _name, _mark, is_here in view.others] == [False, True]


def test_who_has_left_can_edit_nothing_more() -> None:
    views = SeatViews(seats=3)
    views.table.participant(ONE).quits()

    view = views.ticket(BUY_ONE.with_amount("10"))

    assert (view.can_edit, view.can_propose, view.can_ask) == (False, False, False)
    assert view.reason == "You have left the game. It ends when time is up."


def test_what_waiting_requests_would_cost_is_said_on_the_ticket() -> None:
    views = SeatViews()
    views.table.submit(ONE, TWO, buyer=True, amount=10)

    assert views.ticket(EMPTY_TICKET).locked == "Reserved for trades that wait: €10.00"


def test_a_counter_proposal_begins_with_the_terms_and_says_what_it_replaces() -> None:
    views = SeatViews()
    made = views.table.propose(TWO, ONE, buyer=False, amount=12.5, good_1=2)
    views.view()
    terms = views.history.proposals[made.seq].terms

    draft = counter_draft(views.state, ONE, terms)

    assert (draft.other, draft.buys, dict(draft.units), draft.amount) == (TWO, True, {"good_1": 2}, "12.50")
    assert views.ticket(draft).answering == "Replaces Rowan’s proposal"
    assert answered_id(views.state, ONE, draft) == made.seq


def test_a_counter_proposal_to_a_withdrawn_one_is_a_new_proposal() -> None:
    views = SeatViews()
    made = views.table.propose(TWO, ONE, buyer=False)
    views.view()
    draft = counter_draft(views.state, ONE, views.history.proposals[made.seq].terms)
    views.table.do(TWO, "DECLINE_PROPOSAL", ProposalDeclined(made.seq), ONE)

    assert answered_id(views.state, ONE, draft) is None
    assert "no longer open" in views.ticket(draft).answering


def test_a_proposal_for_somebody_else_answers_nothing() -> None:
    assert TradeTicketDraft(TWO, answers=7).with_other(THREE).answers is None


def test_a_ticket_comes_back_from_its_document_without_what_does_not_fit() -> None:
    game = SeatViews().state.game
    draft = BUY_ONE.with_amount("12,5")
    strange = {
        "other": "nobody",
        "units": {"good_1": 3, "silk": 2, "good_2": "x"},
        "amount": 5,
        "answers": -1,
    }

    assert ticket_from_document(draft.to_document(), game, ONE) == draft
    assert ticket_from_document(strange, game, ONE) == TradeTicketDraft().with_units("good_1", 3)
    assert ticket_from_document(None, game, ONE) == EMPTY_TICKET


def test_the_keystrokes_of_one_amount_are_undone_together() -> None:
    typed = TicketHistory().changed(BUY_ONE)
    for text in ("1", "12", "12."):
        typed = typed.changed(typed.draft.with_amount(text))

    undone = typed.undone()

    assert undone.draft == BUY_ONE
    assert undone.redone().draft == typed.draft
    assert undone.undone().draft == EMPTY_TICKET


def test_giving_up_a_counter_proposal_brings_back_the_ticket_before_it() -> None:
    mine = BUY_ONE.with_amount("5")
    first = TradeTicketDraft(TWO, answers=4).with_units("good_2", 1)
    second = TradeTicketDraft(TWO, answers=9).with_units("good_2", 2)

    countering = TicketHistory().changed(mine).answering(first).answering(second)

    assert countering.can_cancel
    assert countering.cancelled().draft == countering.sent().draft == mine
    game = SeatViews().state.game
    assert TicketHistory.from_document(countering.to_document(), game, ONE).cancelled().draft == mine
