"""Offers, and the conditions under which they bind."""

from __future__ import annotations

import pytest

from negoplatform.agent_api.actions import Action, FormalAccept
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import EndedBy, Event, EventType
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.domain.errors import OfferError, Refused
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.issue_status_board import IssueStatus
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.testing import TrialTable
from tests.games import three_seats, with_rules

ALL = {"bananas": 3, "grain": 1, "wood": 2, "spices": 1}
OTHER = {"bananas": 1, "grain": 1, "wood": 1, "spices": 1}
PARTIAL = {"bananas": {"human": 1, "agent": 1}}

both_rules = pytest.mark.parametrize("rule", list(Acceptance))


def table_under(game: GameSpec, rule: Acceptance, *, allow_partial: bool = False) -> TrialTable:
    return TrialTable(with_rules(game, acceptance=rule, allow_partial=allow_partial))


def three_under(rule: Acceptance, *, allow_partial: bool = False) -> TrialTable:
    return TrialTable(three_seats(acceptance=rule, allow_partial=allow_partial))


def ended(table: TrialTable) -> bool:
    return table.state.ending is not None


# Effects of an offer on the board


def test_an_offer_stays_exactly_what_was_sent(table: TrialTable) -> None:
    sent = table.human.offers(PARTIAL)

    on_table = bargaining_state(table.state).on_table
    assert on_table is not None
    assert on_table.offer == sent.get_offer() == Offer({"bananas": Allocation({"human": 1, "agent": 1}, 2)})


def test_a_partial_offer_changes_only_its_own_issues_on_the_board(table: TrialTable) -> None:
    table.human.offers(ALL)
    before = table.context("human").board

    table.human.offers(PARTIAL)

    after = table.context("human").board
    assert after.terms("bananas")["human"] == Allocation({"human": 1, "agent": 1}, 2)
    for issue in ("grain", "wood", "spices"):
        assert after.terms(issue) == before.terms(issue)


def test_the_board_keeps_what_each_seat_said_last(table: TrialTable) -> None:
    table.human.offers(bananas={"human": 3, "agent": 1}, wood={"human": 3})
    table.agent.offers(bananas={"human": 1, "agent": 3}, grain={"human": 5})
    board = table.context("human").board

    assert board.terms("bananas")["human"] == Allocation({"human": 3, "agent": 1})
    assert board.terms("bananas")["agent"] == Allocation({"human": 1, "agent": 3})
    assert board.standing("bananas") is IssueStatus.DISPUTED
    assert board.standing("wood") is IssueStatus.OPEN


def test_an_issue_on_which_all_stand_for_the_same_is_agreed(table: TrialTable) -> None:
    table.human.offers(bananas={"human": 3, "agent": 1})

    table.agent.offers(bananas={"human": 3, "agent": 1})

    assert table.context("human").board.standing("bananas") is IssueStatus.AGREED


def test_two_partial_offers_that_make_a_whole_bind_nothing(table: TrialTable) -> None:
    table.human.offers(bananas=2, grain=2)
    table.agent.offers(wood=1, spices=1)

    for seat in (table.human, table.agent):
        with pytest.raises(Refused, match="leaves something undecided"):
            seat.accepts()
    assert not ended(table)


@pytest.mark.parametrize(
    ("offer", "reason"),
    [
        (Offer(), "The offer is empty"),
        (Offer({"gold": "all"}), "no issue 'gold'"),
        (Offer({"bananas": Allocation({"human": 9})}), "add up to 9, but there are 4"),
        (Offer({"bananas": Allocation({"human": 1})}), "add up to 1, but there are 4"),
        (Offer({"bananas": Allocation({"ghost": 4})}), "there is no seat 'ghost'"),
        (Offer({"bananas": "many"}), "divided in units"),
    ],
)
def test_an_offer_that_does_not_fit_the_game_is_refused(table: TrialTable, offer: Offer, reason: str) -> None:
    table.start()

    with pytest.raises(OfferError, match=reason):
        table.session.send_offer("human", offer)

    assert bargaining_state(table.state).on_table is None
    assert table.events[-1].type == EventType.ACTION_REFUSED


# Before anything is on the table


@both_rules
def test_two_accepts_on_an_untouched_board_close_nothing(game: GameSpec, rule: Acceptance) -> None:
    table = table_under(game, rule)

    for seat in (table.human, table.agent):
        with pytest.raises(Refused, match="There’s no offer on the table yet"):
            seat.accepts()

    assert not ended(table)
    assert not table.context("human").can_formally_accept()


class Eager(NegotiationAgent):
    """Agent that accepts at once, whatever is on the table."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [FormalAccept(delay_ms=2000)]


@both_rules
def test_an_accept_decided_on_an_untouched_board_does_not_bind_what_comes_after(
    game: GameSpec, rule: Acceptance
) -> None:
    table = table_under(game, rule)
    table.seat(Eager())
    table.wait(1)
    offer = table.human.offers(ALL)
    if rule is Acceptance.BOTH_CONFIRM:
        table.human.accepts(offer)

    table.wait(5)

    assert table.kinds()[-1] == "ACTION_REFUSED"
    assert not ended(table)


# both_confirm


def test_under_both_confirm_the_maker_has_to_accept_too(game: GameSpec) -> None:
    table = table_under(game, Acceptance.BOTH_CONFIRM)
    offer = table.human.offers(ALL)

    table.agent.accepts(offer)
    before = ended(table)
    table.human.accepts(offer)

    assert not before
    assert ended(table)


def test_under_both_confirm_the_maker_may_be_the_first_to_accept(game: GameSpec) -> None:
    table = table_under(game, Acceptance.BOTH_CONFIRM)
    offer = table.human.offers(ALL)

    table.human.accepts(offer)
    before = ended(table)
    table.agent.accepts(offer)

    assert not before
    assert ended(table)


def test_under_both_confirm_three_seats_have_to_accept() -> None:
    table = three_under(Acceptance.BOTH_CONFIRM)
    offer = table.participant("red").offers(coins=(2, 1, 1), colour="red")
    ends = []

    for seat in ("green", "red", "blue"):
        table.participant(seat).accepts(offer)
        ends.append(ended(table))

    assert ends == [False, False, True]


# maker_accepts


def test_under_maker_accepts_the_other_alone_makes_the_deal(game: GameSpec) -> None:
    table = table_under(game, Acceptance.MAKER_ACCEPTS)
    offer = table.human.offers(ALL)

    table.agent.accepts(offer)

    assert ended(table)


def test_under_maker_accepts_the_maker_has_nothing_left_to_accept(game: GameSpec) -> None:
    table = table_under(game, Acceptance.MAKER_ACCEPTS)
    offer = table.human.offers(ALL)

    with pytest.raises(Refused, match="already accepted"):
        table.human.accepts(offer)

    assert not table.context("human").can_formally_accept()
    assert table.context("agent").can_formally_accept()


def test_under_maker_accepts_both_others_of_three_have_to_accept() -> None:
    table = three_under(Acceptance.MAKER_ACCEPTS)
    offer = table.participant("red").offers(coins=(2, 1, 1), colour="red")

    table.participant("green").accepts(offer)
    before = ended(table)
    table.participant("blue").accepts(offer)

    assert not before
    assert ended(table)


def test_under_maker_accepts_a_partial_offer_is_nobodys_acceptance(game: GameSpec) -> None:
    table = table_under(game, Acceptance.MAKER_ACCEPTS)

    table.human.offers(PARTIAL)

    assert bargaining_state(table.state).accepted_by == ()


# Partial offers


@both_rules
def test_a_partial_offer_cannot_be_accepted(game: GameSpec, rule: Acceptance) -> None:
    table = table_under(game, rule)
    table.human.offers(PARTIAL)

    with pytest.raises(Refused, match="leaves something undecided"):
        table.agent.accepts()

    assert not table.context("agent").can_formally_accept()
    assert bargaining_state(table.state).accepted_by == ()


@both_rules
def test_a_partial_offer_can_be_accepted_where_the_game_allows_it(game: GameSpec, rule: Acceptance) -> None:
    table = table_under(game, rule, allow_partial=True)
    offer = table.human.offers(PARTIAL)

    table.agent.accepts(offer)
    if rule is Acceptance.BOTH_CONFIRM:
        table.human.accepts(offer)

    assert table.state.ending is not None
    assert table.state.ending.deal == offer.get_offer()


def test_undecided_units_of_a_partial_deal_go_to_nobody(game: GameSpec) -> None:
    table = table_under(game, Acceptance.MAKER_ACCEPTS, allow_partial=True)
    table.agent.accepts(table.human.offers(PARTIAL))

    points = {seat: mechanism_of("bargaining").points(table.state, seat) for seat in ("human", "agent")}

    assert points == {"human": 4, "agent": 1}


def test_what_is_not_named_in_a_partial_deal_is_no_part_of_it(game: GameSpec) -> None:
    table = table_under(game, Acceptance.MAKER_ACCEPTS, allow_partial=True)
    table.human.offers(ALL)
    table.agent.accepts(table.human.offers(PARTIAL))

    assert table.state.ending is not None
    assert table.state.ending.deal == Offer({"bananas": Allocation({"human": 1, "agent": 1}, 2)})


def test_three_seats_may_agree_on_a_part() -> None:
    table = three_under(Acceptance.MAKER_ACCEPTS, allow_partial=True)
    offer = table.participant("green").offers(coins={"red": 1, "green": 1})

    table.participant("red").accepts(offer)
    table.participant("blue").accepts(offer)

    assert table.state.ending is not None
    assert mechanism_of("bargaining").points(table.state, "blue") == 0


# A new offer


@both_rules
def test_a_new_offer_clears_acceptances(game: GameSpec, rule: Acceptance) -> None:
    table = table_under(game, rule)
    first = table.human.offers(ALL)
    if rule is Acceptance.BOTH_CONFIRM:
        table.human.accepts(first)

    second = table.agent.offers(OTHER)

    assert bargaining_state(table.state).accepted_by == (
        () if rule is Acceptance.BOTH_CONFIRM else ("agent",)
    )
    assert not ended(table)
    assert second.seq != first.seq


@both_rules
def test_the_same_offer_sent_again_is_another_offer(game: GameSpec, rule: Acceptance) -> None:
    table = table_under(game, rule)
    first = table.human.offers(ALL)
    table.human.offers(ALL)

    with pytest.raises(Refused, match="no longer on the table"):
        table.agent.accepts(first)


def test_a_new_partial_offer_clears_acceptances_too(game: GameSpec) -> None:
    table = table_under(game, Acceptance.BOTH_CONFIRM)
    offer = table.human.offers(ALL)
    table.human.accepts(offer)

    table.agent.offers(PARTIAL)

    with pytest.raises(Refused, match="no longer on the table"):
        table.agent.accepts(offer)
    assert bargaining_state(table.state).accepted_by == ()


@both_rules
def test_an_acceptance_of_one_of_three_is_cleared_by_a_new_offer(rule: Acceptance) -> None:
    table = three_under(rule)
    first = table.participant("red").offers(coins=(2, 1, 1), colour="red")
    table.participant("green").accepts(first)
    second = table.participant("blue").offers(coins=(1, 1, 2), colour="blue")

    table.participant("red").accepts(second)
    if rule is Acceptance.BOTH_CONFIRM:
        table.participant("blue").accepts(second)

    assert not ended(table)


# Accepts name their offer


@both_rules
def test_an_offer_that_was_replaced_cannot_be_accepted(game: GameSpec, rule: Acceptance) -> None:
    table = table_under(game, rule)
    first = table.agent.offers(ALL)
    table.agent.offers(OTHER)

    with pytest.raises(Refused, match="no longer on the table"):
        table.human.accepts(first)

    assert not ended(table)


class AcceptsSlowly(NegotiationAgent):
    """Agent that accepts each offer two seconds after its decision."""

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [FormalAccept(delay_ms=2000)]


def test_an_agents_accept_binds_the_offer_that_it_decided_on_and_no_later_one(game: GameSpec) -> None:
    table = table_under(game, Acceptance.MAKER_ACCEPTS)
    table.seat(AcceptsSlowly())
    table.human.offers(ALL)
    table.wait(2.5)
    worse = table.human.offers(OTHER)

    table.wait(1)

    assert table.kinds()[-1] == "ACTION_REFUSED"
    assert not ended(table)
    table.wait(2)
    assert table.state.ending is not None
    assert table.state.ending.deal_id == worse.seq


def test_nobody_accepts_twice(table: TrialTable) -> None:
    offer = table.human.offers(ALL)
    table.human.accepts(offer)

    with pytest.raises(Refused, match="already accepted"):
        table.human.accepts(offer)

    assert not table.context("human").can_formally_accept()


def test_an_offer_that_never_was_cannot_be_accepted(table: TrialTable) -> None:
    table.human.offers(ALL)

    with pytest.raises(Refused, match="no longer on the table"):
        table.agent.accepts(999)


def test_an_offer_is_known_by_the_number_of_its_event(table: TrialTable) -> None:
    table.human.says("Look:")
    offer = table.human.offers(ALL)

    assert table.context("agent").current_offer_id == offer.seq == 3


# can_formally_accept


@both_rules
def test_nothing_can_be_accepted_once_the_game_is_over(game: GameSpec, rule: Acceptance) -> None:
    table = table_under(game, rule)
    table.human.offers(ALL)
    before = table.context("agent").can_formally_accept()
    table.human.quits()

    assert before
    assert not table.context("agent").can_formally_accept()


@both_rules
@pytest.mark.parametrize("allow_partial", [False, True])
@pytest.mark.parametrize("terms", [ALL, PARTIAL, None])
def test_can_formally_accept_is_true_exactly_when_an_accept_is_not_refused(
    game: GameSpec, rule: Acceptance, *, allow_partial: bool, terms: dict[str, int] | None
) -> None:
    for seat in ("human", "agent"):
        table = table_under(game, rule, allow_partial=allow_partial)
        table.start()
        if terms is not None:
            table.human.offers(terms)
        promised = table.context(seat).can_formally_accept()

        try:
            table.participant(seat).accepts()
        except Refused:
            kept = False
        else:
            kept = True

        assert promised is kept


# The end


def test_an_agreement_says_what_was_agreed_and_who_closed_it(table: TrialTable) -> None:
    offer = table.human.offers(ALL)
    table.human.accepts(offer)
    table.agent.accepts(offer)

    ending = table.events[-1].payload

    assert (ending.ended_by, ending.by, ending.deal, ending.deal_id) == (
        EndedBy.AGREEMENT,
        "agent",
        offer.get_offer(),
        offer.seq,
    )


@both_rules
def test_one_who_walks_away_ends_the_game_for_everyone(rule: Acceptance) -> None:
    table = three_under(rule)
    table.participant("red").offers(coins=(2, 1, 1), colour="red")

    table.participant("blue").quits()

    ending = table.state.ending
    assert ending is not None
    assert (ending.ended_by, ending.by, ending.deal) == (EndedBy.QUIT, "blue", None)


def test_the_deal_is_worth_what_its_utility_says(table: TrialTable) -> None:
    offer = table.human.offers(ALL)
    table.human.accepts(offer)
    table.agent.accepts(offer)

    points = {seat: mechanism_of("bargaining").points(table.state, seat) for seat in ("human", "agent")}

    assert points == {"human": 4 * 3 + 3 * 1 + 2 * 2 + 1 * 1, "agent": 1 * 1 + 2 * 4 + 3 * 1 + 4 * 2}
