"""NegoChat at the table: its opening, settling issue by issue, and signing."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import (
    EndedBy,
    EventType,
    MessageSubtype,
)
from negoplatform.core.state import Phase
from negoplatform.domain.issue_status_board import IssueStatus
from negoplatform.testing import TrialTable
from tests.agents.kinds import kinds_of, parts_of
from tests.agents.negochat_table import (
    FAMILY,
    ISSUES,
    accepts,
    from_agent,
    last_words,
    notes,
    offers,
    says,
    table_with,
    whole,
    words,
)
from tests.agents.seating import load, of, shipped

# Opening


def test_negochat_greets_and_opens_with_a_value_of_the_first_issue_alone() -> None:
    table = table_with()

    first = of(table, EventType.SEND_MESSAGE, "candidate")[0]
    assert first.payload.subtype is MessageSubtype.GREETING
    assert [set(terms) for terms in offers(table)] == [{"salary"}]


def test_egyptians_begin_with_the_job() -> None:
    table = table_with(culture="egypt")

    assert [set(terms) for terms in offers(table)] == [{"job"}]


def test_negochat_a_opens_with_a_complete_offer_about_five_seconds_after_the_start() -> None:
    table = table_with("negochat_a", seconds=9)

    (anchor,) = of(table, EventType.SEND_OFFER, "candidate")
    worth = table.state.game.preferences["candidate"].utility(anchor.get_offer())
    assert 4 <= anchor.t <= 6
    assert set(anchor.get_offer()) == ISSUES
    assert worth - 8 > 478 - 0.01, "no threshold of the first turn is lower"
    assert accepts(table) == []


def test_after_its_anchor_was_refused_negochat_a_goes_issue_by_issue() -> None:
    table = table_with("negochat_a", seconds=9)

    says(table, MessageSubtype.OFFER_REJECT)

    assert [len(terms) for terms in offers(table)] == [6, 1]


def test_an_anchor_that_is_formally_accepted_is_a_deal() -> None:
    table = table_with("negochat_a", seconds=9)

    table.participant("employer").accepts()
    table.wait(3)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_an_offer_that_comes_before_the_opening_is_answered_first() -> None:
    table = table_with(seconds=1.5)
    table.participant("employer").offers(hours="8 hours")

    table.wait(9)

    (terms,) = offers(table)
    assert terms["hours"] == "8 hours"
    assert set(terms) == {"hours", "salary"}


# Issue by issue


def test_a_yes_in_words_settles_the_proposal_and_binds_nobody() -> None:
    table = table_with()
    (proposed,) = offers(table)

    says(table, MessageSubtype.OFFER_ACCEPT, "Yes, fine.")

    assert offers(table)[-1].items() > proposed.items()
    assert set(offers(table)[-1]) == {"salary", "job"}
    assert accepts(table) == []


def test_the_same_terms_as_an_offer_are_a_yes_and_stand_on_the_board_as_agreed() -> None:
    table = table_with()
    (proposed,) = offers(table)

    table.participant("employer").offers(proposed)
    table.wait(9)

    assert table.context("candidate").board.standing("salary") is IssueStatus.AGREED
    assert set(offers(table)[-1]) == {"salary", "job"}


def test_a_value_that_fits_is_taken_and_the_next_issue_proposed_with_it() -> None:
    table = table_with()

    table.participant("employer").offers(pension="10%")
    table.wait(9)

    assert offers(table)[-1]["pension"] == "10%"
    assert set(offers(table)[-1]) == {"pension", "salary"}
    assert table.context("candidate").board.standing("pension") is IssueStatus.AGREED


def test_a_value_that_does_not_fit_gets_another_value_of_the_same_issue() -> None:
    table = table_with(talkativeness=0)

    table.participant("employer").offers(hours="10 hours", car="Without leased car", salary="60,000 USD")
    table.wait(9)

    assert set(offers(table)[-1]) == {"hours", "car", "salary"}
    assert offers(table)[-1] != {
        "hours": "10 hours",
        "car": "Without leased car",
        "salary": "60,000 USD",
    }
    assert kinds_of(last_words(table).get_text()) == {"counter_terms"}


def test_after_a_no_it_proposes_another_value() -> None:
    table = table_with()
    (proposed,) = offers(table)

    says(table, MessageSubtype.OFFER_REJECT)

    assert set(offers(table)[-1]) == {"salary"}
    assert offers(table)[-1] != proposed


def test_a_wish_for_a_compromise_gets_another_value_too() -> None:
    table = table_with()
    (proposed,) = offers(table)

    says(table, MessageSubtype.GENERIC, "Could we find a compromise?")

    assert set(offers(table)[-1]) == {"salary"}
    assert offers(table)[-1] != proposed


def test_step_by_step_it_comes_to_a_whole_that_it_signs() -> None:
    table = table_with()
    for _ in range(6):
        says(table, MessageSubtype.OFFER_ACCEPT, wait=9)

    assert table.context("candidate").current_offer_sender == "candidate"
    assert set(offers(table)[-1]) == ISSUES
    assert len(accepts(table)) == 1
    assert table.state.phase is Phase.NEGOTIATING, "words alone make no deal"

    table.participant("employer").accepts()

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_what_was_agreed_may_come_from_the_other_as_one_offer_and_is_signed() -> None:
    table = table_with()
    for _ in range(5):
        says(table, MessageSubtype.OFFER_ACCEPT, wait=9)
    agreed = {name: value for terms in offers(table) for name, value in terms.items()}

    sent = table.participant("employer").offers(agreed)
    table.wait(9)

    assert [event.payload.offer_id for event in accepts(table)] == [sent.seq]


def test_a_no_to_the_whole_takes_up_the_last_issue_again() -> None:
    table = table_with(prior=[0, 1, 0])  # sure of its type, so the no does not change its offers
    for _ in range(6):
        says(table, MessageSubtype.OFFER_ACCEPT, wait=9)
    whole = offers(table)[-1]

    says(table, MessageSubtype.OFFER_REJECT, wait=9)

    assert set(offers(table)[-1]) == {"promotion"}
    assert offers(table)[-1]["promotion"] != whole["promotion"]


def test_what_is_agreed_is_not_refused_when_it_comes_again() -> None:
    table = table_with(talkativeness=0)
    table.participant("employer").offers(salary="90,000 USD")
    table.wait(9)
    assert "salary" in offers(table)[-1]
    assert "job" in offers(table)[-1]

    table.participant("employer").offers(salary="90,000 USD")
    table.wait(9)

    assert parts_of(words(table)[-1]) == [{"took_terms"}, {"same_again"}]
    assert "90,000 USD" in words(table)[-1]
    assert "ob as a project manager" in words(table)[-1], "and it says what is open"
    assert offers(table)[-1].keys() == {"job"}


def test_what_it_has_refused_and_comes_again_is_called_the_same() -> None:
    table = table_with(talkativeness=0)
    poor = {"salary": "60,000 USD", "hours": "10 hours", "car": "Without leased car"}
    table.participant("employer").offers(poor)
    table.wait(9)
    before = offers(table)

    table.participant("employer").offers(poor)
    table.wait(9)

    assert kinds_of(words(table)[-1]) == {"react_same"}
    assert offers(table) == before


def test_what_was_refused_before_it_agreed_to_something_better_gets_a_counter_offer_again() -> None:
    table = table_with(prior=[0, 1, 0])
    for hours in ("10 hours", "9 hours"):
        table.participant("employer").offers(hours=hours)
        table.wait(9)
    agreed = offers(table)[-1]["hours"]
    before = len(offers(table))

    table.participant("employer").offers(hours="10 hours")
    table.wait(9)

    assert agreed == "9 hours"
    assert [terms["hours"] for terms in offers(table)[before:]] == ["8 hours"]


def test_an_offer_that_it_heard_before_is_new_again_when_it_stands_for_something_else() -> None:
    table = table_with()
    poor = {"salary": "60,000 USD", "hours": "10 hours", "car": "Without leased car"}
    for _ in range(4):
        table.participant("employer").offers(poor)
        table.wait(9)
    says(table, MessageSubtype.OFFER_ACCEPT)
    before = len(words(table))

    table.participant("employer").offers(poor)
    table.wait(9)

    assert len(words(table)) == before + 1


@pytest.mark.parametrize("how", ["no", "compromise"])
def test_a_no_to_the_anchor_is_not_met_with_joy(how: str) -> None:
    table = table_with("negochat_a", talkativeness=0)

    if how == "no":
        says(table, MessageSubtype.OFFER_REJECT)
    else:
        says(table, MessageSubtype.GENERIC, "Could we find a compromise?")

    assert parts_of(words(table)[-1]) == [{"same_again"}], "its first issue is as it was in the anchor"
    faces = of(table, EventType.SEND_EXPRESSION, "candidate")
    assert [event.seq for event in faces] == [faces[0].seq], "and it only smiled when it said hello"


def test_a_bare_no_is_a_no_also_while_the_others_own_offer_is_on_the_table() -> None:
    table = table_with()
    table.participant("employer").offers(salary="90,000 USD")
    table.wait(9)
    table.participant("employer").offers(salary="90,000 USD")
    table.wait(2)
    open_issue = offers(table)[-1]["job"]
    table.wait(5)

    table.participant("employer").says("no")
    table.wait(9)

    assert offers(table)[-1]["job"] != open_issue


def campsite(name: str = "negochat", **config: Any) -> TrialTable:
    """Return a campsite table after the opening."""
    table = TrialTable(load("campsite").resolve_profiles(1), seed=1)
    table.seat(shipped(name, **config))
    table.wait(9)
    return table


def test_where_nothing_is_left_it_thinks_aloud_once_a_turn_and_asks_once() -> None:
    table = campsite(turn_seconds=100)
    for _ in range(10):
        table.human.says("No.", MessageSubtype.OFFER_REJECT)
        table.wait(9)

    said = [kinds_of(text) for text in from_agent(table)]

    assert said.count({"think_it_over"}) == 1
    assert said.count({"ask_what_to_change"}) == 1
    sent = [repr(event.get_offer()) for event in of(table, EventType.SEND_OFFER, "agent")]
    assert len(set(sent)) >= 2, "it does not stop at its first proposal"
    assert len(set(sent)) == len(sent), "and what was refused does not come back in the same turn"


def test_after_a_new_turn_it_comes_back_with_an_idea_and_says_why_it_asks_for_more() -> None:
    table = campsite(turn_seconds=70, silence_seconds=1000, talkativeness=0)
    for _ in range(6):
        table.human.says("No.", MessageSubtype.OFFER_REJECT)
        table.wait(9)
    before = len(from_agent(table))
    points = table.state.game.preferences["agent"].utility
    last = of(table, EventType.SEND_OFFER, "agent")[-1].get_offer()

    table.wait(16)

    assert points(of(table, EventType.SEND_OFFER, "agent")[-1].get_offer()) > points(last)
    assert [kinds_of(text) for text in from_agent(table)[before:]] == [{"take_back"}]


def test_words_that_claim_to_give_way_come_with_less_for_itself_alone() -> None:
    table = table_with(prior=[0, 1, 0], talkativeness=0)
    says(table, MessageSubtype.OFFER_REJECT)
    utility, party = (
        table.state.game.preferences["candidate"].utility,
        table.participant("candidate").context(),
    )
    after, before = (utility(party.make_offer(terms)) for terms in reversed(offers(table)))

    assert after < before
    assert kinds_of(words(table)[-1]) == {"concede"}


def test_what_is_more_for_itself_than_before_is_owned_up_to() -> None:
    table = campsite(turn_seconds=20, silence_seconds=1000, talkativeness=0)
    table.human.says("No.", MessageSubtype.OFFER_REJECT)
    table.wait(14)
    given_way = kinds_of(from_agent(table)[-1])
    points = table.state.game.preferences["agent"].utility

    table.human.says("Could we find a compromise?")
    table.wait(9)

    before, after = (points(event.get_offer()) for event in of(table, EventType.SEND_OFFER, "agent")[-2:])
    assert given_way == {"concede"}
    assert after > before
    assert kinds_of(from_agent(table)[-1]) == {"take_back"}


def test_the_same_again_is_called_the_same() -> None:
    table = table_with(prior=[0, 1, 0], talkativeness=0)
    poor = {"salary": "60,000 USD", "hours": "10 hours", "car": "Without leased car"}
    table.participant("employer").offers(poor)
    table.wait(9)
    first = kinds_of(words(table)[-1])

    table.participant("employer").offers(poor | {"car": "No agreement"})
    table.wait(9)

    assert first == {"counter_terms"}
    assert parts_of(words(table)[-1])[-1] == {"same_again"}
    assert offers(table)[-1] == offers(table)[-2]


def test_kb_agent_says_that_its_offer_stands_when_it_is_not_yet_time_for_another() -> None:
    table = table_with("kb_agent", prior=[0, 1, 0])

    says(table, MessageSubtype.OFFER_REJECT)

    assert len(offers(table)) == 1
    assert kinds_of(words(table)[-1]) == {"stand_by"}


def test_a_yes_to_what_it_can_add_nothing_to_is_sent_as_agreed_terms() -> None:
    table = campsite(turn_seconds=1000, silence_seconds=1000, talkativeness=0)
    for _ in range(3):
        table.human.says("No.", MessageSubtype.OFFER_REJECT)
        table.wait(9)
    last = of(table, EventType.SEND_OFFER, "agent")[-1].get_offer()
    before = len(of(table, EventType.SEND_OFFER, "agent"))
    table.human.offers(food=(3, 0))  # so that its own terms are no longer on the table
    table.wait(9)

    table.human.says("Yes, fine.", MessageSubtype.OFFER_ACCEPT)
    table.wait(9)

    assert kinds_of(from_agent(table)[-1]) == {"took_last"}
    assert [event.get_offer() for event in of(table, EventType.SEND_OFFER, "agent")[before:]] == [last]


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_no_that_tells_nothing_leaves_it_with_the_type_that_it_drew(seed: int) -> None:
    table = table_with(types="generated", seed=seed)
    drawn = notes(table)["belief"]
    says(table, MessageSubtype.OFFER_ACCEPT)

    says(table, MessageSubtype.OFFER_REJECT)

    assert set(drawn["posterior"].values()) == {0.333}
    assert notes(table)["belief"] == drawn


def test_an_answer_that_is_under_way_is_sent_although_the_other_speaks() -> None:
    table = table_with()
    table.participant("employer").offers(pension="10%")
    table.wait(3.6)
    before = len(offers(table))

    table.participant("employer").says("Hm, one more thing.")
    table.wait(9)

    assert "pension" in offers(table)[before]


# Whole offers


@pytest.mark.parametrize("name", FAMILY)
def test_a_whole_offer_that_is_good_enough_is_formally_accepted(name: str) -> None:
    table = table_with(name)

    table.participant("employer").offers(whole())
    table.wait(9)

    assert len(accepts(table)) == 1


@pytest.mark.parametrize("name", FAMILY)
def test_a_whole_offer_that_is_not_is_refused_and_its_own_proposal_made(name: str) -> None:
    table = table_with(name)
    before = len(offers(table))

    poor = whole(salary="60,000 USD", car="Without leased car", hours="10 hours")
    table.participant("employer").offers(poor)
    table.wait(9)

    assert accepts(table) == []
    assert "belief" in notes(table)
    assert len(words(table)) > 2 or len(offers(table)) > before


def test_a_new_turn_lets_it_accept_what_it_refused_before() -> None:
    table = table_with(types="published", turn_seconds=20)
    # 440 points: too few for the first turns, enough in the last.
    modest = whole(salary="90,000 USD", job="QA", hours="9 hours")
    assert table.state.game.preferences["candidate"].utility(
        table.participant("candidate").context().make_offer(modest)
    ) == pytest.approx(475)
    table.participant("employer").offers(modest)
    table.wait(9)
    before = list(accepts(table))

    table.wait(20 * 14)

    assert before == []
    assert len(accepts(table)) == 1
    assert table.context("candidate").current_offer_sender == "employer", "and what it signed is left there"


@pytest.mark.parametrize("name", FAMILY)
def test_a_whole_that_its_own_proposal_has_replaced_is_taken_up_when_it_is_good_enough(name: str) -> None:
    table = table_with(name, types="published", turn_seconds=20, prior=[0, 1, 0])
    modest = whole(salary="90,000 USD", job="QA", hours="9 hours")  # 475 points
    table.participant("employer").offers(modest)
    table.wait(9)
    says(table, MessageSubtype.OFFER_REJECT)
    assert table.context("candidate").current_offer_sender == "candidate"
    assert accepts(table) == []

    table.wait(20 * 14)

    table.participant("employer").accepts()
    assert table.state.ending is not None
    assert table.state.ending.deal == table.participant("candidate").context().make_offer(modest)


def test_the_same_offer_again_and_again_gets_fewer_and_fewer_answers() -> None:
    table = table_with()
    for _ in range(6):
        table.participant("employer").offers(salary="60,000 USD", hours="10 hours", car="Without leased car")
        table.wait(9)
    said = len(words(table))
    table.participant("employer").offers(salary="60,000 USD", hours="10 hours", car="Without leased car")

    table.wait(9)

    assert len(words(table)) == said
    assert table.context("candidate").elapsed_time < 120
