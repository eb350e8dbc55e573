"""Proposals as cards: their state, their effect, what can be done with them, and their tabs."""

from __future__ import annotations

import pytest

from negoplatform.core.events import EndedBy
from negoplatform.core.mechanisms.trading_state import (
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
)
from negoplatform.domain.trading.economy import Quantities
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.trading.dialogue_history import CardState, DialogueHistory
from negoplatform.presentation.trading.lowered_score import lowered_score, lowered_score_question
from negoplatform.presentation.trading.proposal_cards import (
    ENDED_SECONDS,
    MOST_ENDED,
    ProposalCardView,
    error_text,
)
from tests.mechanisms.trading_table import ONE, THREE, TWO
from tests.presentation.trading.seat_views import SeatViews


def only_card(views: SeatViews) -> ProposalCardView:
    """Return the only card."""
    (card,) = views.cards()
    return card


def test_a_card_says_what_the_trade_would_do_to_the_score() -> None:
    views = SeatViews()
    views.table.propose(TWO, ONE, buyer=False, amount=10)

    card = only_card(views)

    assert card.heading == "Rowan proposes"
    assert card.terms == "You buy 1 × good_1 for €10.00"
    assert card.effect == "Your score would be 259.31 (+45.45)"
    assert (card.versus, card.lowers) == (NoDealComparison.BETTER, False)
    assert (card.accept, card.counter, card.decline) == ("Accept", "Counter", "Decline")


def test_a_trade_that_lowers_the_score_is_marked_and_asks_with_both_scores() -> None:
    views = SeatViews()
    views.table.propose(TWO, ONE, buyer=False, amount=90)
    card = only_card(views)
    terms = views.history.proposals[card.proposal_id].terms

    lowered = lowered_score(views.state, ONE, terms)
    assert lowered is not None
    question = lowered_score_question(views.state, card.terms, lowered, ENGLISH)

    assert (card.lowers, card.versus) == (True, NoDealComparison.WORSE)
    assert question.warning == "This lowers your score from 213.86 to 179.31."


def test_a_trade_that_pays_only_by_itself_asks_because_of_the_trades_that_wait() -> None:
    views = SeatViews()
    views.table.submit(ONE, TWO, buyer=True, amount=10)
    number = views.table.propose(TWO, ONE, buyer=False, amount=40).seq

    (card,) = views.cards()
    terms = views.history.proposals[number].terms
    lowered = lowered_score(views.state, ONE, terms)
    assert lowered is not None
    question = lowered_score_question(views.state, card.terms, lowered, ENGLISH)

    assert card.effect == "Your score would be 229.31 (+15.45)"
    assert (card.hint, card.lowers) == ("After the trades that wait: -7.56", True)
    assert question.warning == "After the trades that wait, this lowers your score from 259.31 to 251.75."


def test_what_the_participant_cannot_pay_cannot_be_accepted_and_the_card_says_why() -> None:
    views = SeatViews()
    views.table.propose(TWO, ONE, buyer=False, amount=500)

    card = only_card(views)

    assert (card.can_accept, card.hint) == (False, "You don’t have enough money for this.")


@pytest.mark.parametrize(
    ("by_me", "acts", "state", "heading", "accept", "decline"),
    [
        (True, "", CardState.OPEN, "Your proposal – waiting for Rowan", "", "Withdraw"),
        (
            True,
            "A",
            CardState.ACCEPTED,
            "Rowan accepts your proposal – confirm it to trade",
            "Confirm trade",
            "Call off",
        ),
        (True, "D", CardState.DECLINED, "Rowan declined your proposal", "", ""),
        (True, "d", CardState.WITHDRAWN, "You withdrew your proposal", "", ""),
        (False, "a", CardState.ACCEPTED, "Accepted – confirm it to trade", "Confirm trade", "Call off"),
        (False, "aA", CardState.MATCHED, "Accepted – confirm it to trade", "Confirm trade", "Call off"),
        (False, "d", CardState.DECLINED, "You declined Rowan’s proposal", "", ""),
        (False, "D", CardState.WITHDRAWN, "Rowan withdrew this proposal", "", ""),
    ],
)
def test_a_card_shows_its_state_and_the_act_that_is_open(
    by_me: bool, acts: str, state: CardState, heading: str, accept: str, decline: str
) -> None:
    views = SeatViews()
    pair = (ONE, TWO) if by_me else (TWO, ONE)
    number = views.table.propose(*pair, buyer=by_me, amount=10).seq
    for act in acts:
        seat, other = (ONE, TWO) if act.islower() else (TWO, ONE)
        accepts = act in "aA"
        payload = ProposalAccepted(number) if accepts else ProposalDeclined(number)
        views.table.do(seat, "ACCEPT_PROPOSAL" if accepts else "DECLINE_PROPOSAL", payload, other)

    card = only_card(views)

    assert (card.state, card.heading) == (state, heading)
    assert (card.accept, card.decline) == (accept, decline)


def test_a_confirmed_trade_waits_and_then_is_told_as_done() -> None:
    views = SeatViews()
    number = views.table.propose(TWO, ONE, buyer=False, amount=10).seq
    views.table.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(number), TWO)
    views.table.submit(ONE, TWO, buyer=True, its_id=f"t-{number}")

    waiting = views.view()
    views.table.submit(TWO, ONE, buyer=False, its_id=f"t-{number}")
    done = only_card(views)

    assert waiting.dialogues.cards[0].heading == "You have confirmed – waiting for Rowan"
    assert waiting.dialogues.cards[0].accept == ""
    assert [row.text for row in waiting.requests] == ["Buy 1 × good_1 from Rowan for €10.00"]
    assert (done.state, done.terms) == (CardState.SETTLED, "You bought 1 × good_1 for €10.00")
    assert (done.heading, done.effect, done.has_controls) == ("Traded with Rowan", "", False)


def test_a_confirmation_that_has_expired_can_be_given_again_and_the_card_says_why() -> None:
    views = SeatViews(request_expires_seconds=5)
    number = views.table.propose(TWO, ONE, buyer=False, amount=10).seq
    views.table.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(number), TWO)
    views.table.submit(ONE, TWO, buyer=True, its_id=f"t-{number}")
    views.table.wait(6)

    card = only_card(views)

    assert (card.accept, card.can_accept) == ("Confirm trade", True)
    assert card.heading == "Not confirmed in time – you can still confirm it"
    assert card.problem == "Rowan didn’t confirm it in time."


def test_an_own_proposal_that_was_accepted_says_how_long_the_other_side_waits() -> None:
    views = SeatViews(request_expires_seconds=20)
    number = views.table.propose(ONE, TWO, buyer=True, amount=10).seq
    views.table.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(number), ONE)
    views.table.submit(TWO, ONE, buyer=False, its_id=f"t-{number}")
    t = views.state.t

    hints = [views.view(now=t + late).dialogues.cards[0].hint for late in (0, 0.5, 19.5)]
    keys = {views.presenter.time_key(views.state, t + late) for late in (0, 0.5, 1.5)}
    views.table.wait(21)
    late = only_card(views)

    assert hints == ["Confirm within 20 s", "Confirm within 20 s", "Confirm within 1 s"]
    assert len(keys) == 2
    assert (late.heading, late.hint) == ("Not confirmed in time – you can still confirm it", "")
    assert late.problem == "You didn’t confirm it in time."


@pytest.mark.parametrize(
    ("by", "heading"), [(TWO, "Rowan declined your proposal"), (ONE, "You withdrew your proposal")]
)
def test_an_own_proposal_that_came_to_nothing_can_be_put_on_the_ticket_again(by: str, heading: str) -> None:
    views = SeatViews()
    number = views.table.propose(ONE, TWO, buyer=True, amount=10).seq
    views.table.do(by, "DECLINE_PROPOSAL", ProposalDeclined(number), ONE if by == TWO else TWO)

    card = only_card(views)

    assert (card.heading, card.counter, card.accept, card.decline) == (heading, "Propose again", "", "")


def test_what_has_just_ended_stays_among_the_open_proposals_for_a_moment() -> None:
    views = SeatViews(seats=3)
    number = views.table.propose(TWO, ONE, buyer=False, amount=30).seq
    views.table.do(TWO, "DECLINE_PROPOSAL", ProposalDeclined(number), ONE)
    t = views.state.t

    shown = [[card.heading for card in views.view(now=t + late).dialogues.cards] for late in (0, 9, 11)]

    assert shown == [["Rowan withdrew this proposal"]] * 2 + [[]]


def test_no_tab_and_no_card_waits_for_an_answer_once_the_game_is_over() -> None:
    views = SeatViews(seats=3)
    views.table.propose(TWO, ONE, buyer=False, amount=30)

    views.table.session.end(EndedBy.TIMEOUT)
    view = views.view().dialogues

    assert [tab.title for tab in view.tabs] == ["Open", "Rowan", "Noa"]
    assert [card.heading for card in view.cards] == ["No trade: the game is over"]


def test_the_seconds_of_a_waiting_request_count_down() -> None:
    views = SeatViews()
    views.table.submit(ONE, TWO, buyer=True)
    t = views.state.t

    assert [views.view(now=t + late).requests[0].seconds for late in (0, 0.5, 29.5, 40)] == [
        "30 s",
        "30 s",
        "1 s",
        "0 s",
    ]


def test_an_answer_takes_the_place_of_what_it_answers() -> None:
    views = SeatViews()
    number = views.table.propose(TWO, ONE, buyer=False, amount=30).seq
    views.table.do(ONE, "PROPOSE", ProposalMade(True, 20, Quantities({"good_1": 1}), number), TWO)

    first, second = views.cards()

    assert (first.state, first.heading) == (CardState.ANSWERED, "You answered with another proposal")
    assert (second.state, second.is_mine) == (CardState.OPEN, True)


def test_a_call_for_proposals_can_be_answered_until_it_has_been() -> None:
    views = SeatViews()
    views.table.do(TWO, "CALL_FOR_PROPOSALS", ProposalCall(True, ("good_2",)), ONE)

    asked = only_card(views)
    views.table.propose(ONE, TWO, buyer=False, amount=20, good_2=1)

    assert (asked.terms, asked.counter) == ("Rowan would like to buy: good_2", "Make a proposal")
    assert [card.is_mine for card in views.cards()] == [True]


def test_with_several_others_each_has_a_tab_that_counts_what_waits_for_the_participant() -> None:
    views = SeatViews(seats=3)
    views.table.propose(TWO, ONE, buyer=False)
    views.table.propose(TWO, ONE, buyer=False, amount=11)
    number = views.table.propose(THREE, ONE, buyer=False).seq
    views.table.do(THREE, "DECLINE_PROPOSAL", ProposalDeclined(number), ONE)
    views.table.propose(ONE, THREE, buyer=True)

    tabs = views.view().dialogues.tabs

    assert [tab.title for tab in tabs] == ["Open (2)", "Rowan •2", "Noa"]
    cards = views.view(now=views.state.t + ENDED_SECONDS).dialogues.cards
    assert [card.other for card in cards] == [TWO, TWO, THREE]
    assert [card.state for card in views.cards(THREE)] == [CardState.WITHDRAWN, CardState.OPEN]


def test_only_the_newest_of_the_ended_proposals_are_shown() -> None:
    views = SeatViews()
    numbers = [views.table.propose(TWO, ONE, buyer=False).seq for _ in range(MOST_ENDED + 3)]
    for number in numbers:
        views.table.do(TWO, "DECLINE_PROPOSAL", ProposalDeclined(number), ONE)

    assert [card.proposal_id for card in views.cards()] == numbers[3:]


def test_a_history_that_is_read_step_by_step_is_the_same_as_one_that_is_read_at_once() -> None:
    views = SeatViews(seats=3)
    for other in (TWO, THREE, TWO):
        number = views.table.propose(other, ONE, buyer=False).seq
        views.view()
        views.table.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(number), other)
        views.view()
    at_once = DialogueHistory(ONE)

    at_once.update(views.state)

    assert dict(at_once.proposals) == dict(views.history.proposals)


def test_what_others_propose_to_each_other_is_nowhere_to_be_seen() -> None:
    views = SeatViews(seats=3)
    views.table.propose(TWO, THREE, buyer=True)

    assert views.cards() == ()
    assert views.lines() == []


@pytest.mark.parametrize("lacks", ["money", "to sell"])
def test_who_lacks_something_is_told_apart_where_one_name_begins_with_the_other(lacks: str) -> None:
    views = SeatViews()

    def told(name: str) -> str:
        reason = f"{name} does not have enough {lacks}."
        data = {"error_code": "TRANSACTION_NOT_VALID", "pair": [ONE, TWO], "dropped": [ONE], "reason": reason}
        return error_text(data, views.state, ONE, {TWO: "Rowan"}, ENGLISH)

    assert told(ONE) == "You don’t have enough for it any more."
    assert told(f"{ONE}st") == "Rowan doesn’t have enough for it."


def test_nobody_is_asked_to_propose_after_leaving_or_after_the_end() -> None:
    views = SeatViews(3)
    before = views.view().dialogues.empty

    views.table.participant(ONE).quits()

    assert before == "No open proposals. Make one on the right, or ask for one."
    assert views.view().dialogues.empty == ""
