"""NegoChat and its relatives at the table: what they say, offer, sign and note down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.events import (
    EndedBy,
    Event,
    EventType,
    Expression,
    Message,
    MessageSubtype,
    Preference,
    Relation,
)
from negoplatform.core.mechanisms.bargaining import may_be_bound
from negoplatform.core.record import get_state
from negoplatform.core.state import Phase
from negoplatform.domain.board import Standing
from negoplatform.domain.errors import NegoError
from negoplatform.domain.issue import QuantityIssue
from negoplatform.testing import TrialTable
from tests.agents.kinds import kinds_of
from tests.agents.more_games import EVERY_KIND, RULES, mixed
from tests.agents.seating import below_reservation, of, played, shipped
from tests.agents.test_shipped_agents import as_bytes, load
from tests.app import test_resume_tables as cut_off
from tests.games import categorical_only, make_game, three_seats

FAMILY = ("negochat", "negochat_a", "kb_agent", "qo_agent")

ISSUES = {"salary", "job", "car", "pension", "promotion", "hours"}


def table_with(name: str = "negochat", *, seconds: float = 7.0, seed: int = 1, **config: Any) -> TrialTable:
    """A job candidate table with an agent as the candidate, after its opening; a person is the employer."""
    table = TrialTable(load("job_candidate").settled(seed), seed=seed)
    table.seat(shipped(name, **config), "candidate")
    table.wait(seconds)
    return table


def offers(table: TrialTable) -> list[dict[str, Any]]:
    """The terms that the candidate has sent, offer by offer."""
    return [dict(event.get_offer().terms) for event in of(table, EventType.SEND_OFFER, "candidate")]


def words(table: TrialTable) -> list[str]:
    """What the candidate has said."""
    return [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "candidate")]


def last_words(table: TrialTable) -> Event:
    """The last thing that the candidate has said."""
    return of(table, EventType.SEND_MESSAGE, "candidate")[-1]


def accepts(table: TrialTable) -> list[Event]:
    """What the candidate has formally accepted."""
    return of(table, EventType.FORMAL_ACCEPT, "candidate")


def says(table: TrialTable, subtype: MessageSubtype, text: str = "A phrase.", wait: float = 6.0) -> None:
    """The employer says a phrase, and the candidate has time to answer."""
    table.party("employer").says(text, subtype)
    table.wait(wait)


def notes(table: TrialTable) -> dict[str, Any]:
    """What the candidate has noted down."""
    noted: dict[str, Any] = get_state(table.state.record)["notes"]["candidate"]
    return noted


def bound_below_reservation(table: TrialTable, seat: str) -> list[str]:
    """What a seat has offered or accepted that could be a deal, and is worth less to it than none."""
    parts = {
        repr(offer)
        for event in of(table, EventType.SEND_OFFER, seat)
        if not may_be_bound(table.state.game, offer := event.get_offer())
    }
    return [offer for offer in below_reservation(table, seat) if offer not in parts]


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
    table = table_with("negochat_a", seconds=8)

    (anchor,) = of(table, EventType.SEND_OFFER, "candidate")
    worth = table.state.game.preferences["candidate"].utility(anchor.get_offer())
    assert 4 <= anchor.t <= 6
    assert set(anchor.get_offer()) == ISSUES
    assert worth - 8 > 478 - 0.01, "no threshold of the first turn is lower"
    assert accepts(table) == []


def test_after_its_anchor_was_refused_negochat_a_goes_issue_by_issue() -> None:
    table = table_with("negochat_a", seconds=8)

    says(table, MessageSubtype.OFFER_REJECT)

    assert [len(terms) for terms in offers(table)] == [6, 1]


def test_an_anchor_that_is_formally_accepted_is_a_deal() -> None:
    table = table_with("negochat_a", seconds=8)

    table.party("employer").accepts()
    table.wait(3)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_an_offer_that_comes_before_the_opening_is_answered_first() -> None:
    table = table_with(seconds=1.5)
    table.party("employer").offers(hours="8 hours")

    table.wait(6)

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

    table.party("employer").offers(proposed)
    table.wait(6)

    assert table.context("candidate").board.standing("salary") is Standing.AGREED
    assert set(offers(table)[-1]) == {"salary", "job"}


def test_a_value_that_fits_is_taken_and_the_next_issue_proposed_with_it() -> None:
    table = table_with()

    table.party("employer").offers(pension="10%")
    table.wait(6)

    assert offers(table)[-1]["pension"] == "10%"
    assert set(offers(table)[-1]) == {"pension", "salary"}
    assert table.context("candidate").board.standing("pension") is Standing.AGREED


def test_a_value_that_does_not_fit_gets_another_value_of_the_same_issue() -> None:
    table = table_with()

    table.party("employer").offers(hours="10 hours", car="Without leased car", salary="60,000 USD")
    table.wait(6)

    assert set(offers(table)[-1]) == {"hours", "car", "salary"}
    assert offers(table)[-1] != {
        "hours": "10 hours",
        "car": "Without leased car",
        "salary": "60,000 USD",
    }
    assert last_words(table).payload.subtype is MessageSubtype.OFFER_REJECT


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
        says(table, MessageSubtype.OFFER_ACCEPT, wait=7)

    assert table.context("candidate").current_offer_sender == "candidate"
    assert set(offers(table)[-1]) == ISSUES
    assert len(accepts(table)) == 1
    assert table.state.phase is Phase.NEGOTIATING, "words alone make no deal"

    table.party("employer").accepts()

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_what_was_agreed_may_come_from_the_other_as_one_offer_and_is_signed() -> None:
    table = table_with()
    for _ in range(5):
        says(table, MessageSubtype.OFFER_ACCEPT, wait=7)
    agreed = {name: value for terms in offers(table) for name, value in terms.items()}

    sent = table.party("employer").offers(agreed)
    table.wait(6)

    assert [event.payload.offer_id for event in accepts(table)] == [sent.seq]


def test_a_no_to_the_whole_takes_up_the_last_issue_again() -> None:
    table = table_with(prior=[0, 1, 0])  # sure of its type, so that the no does not change what suits it
    for _ in range(6):
        says(table, MessageSubtype.OFFER_ACCEPT, wait=7)
    whole = offers(table)[-1]

    says(table, MessageSubtype.OFFER_REJECT, wait=7)

    assert set(offers(table)[-1]) == {"promotion"}
    assert offers(table)[-1]["promotion"] != whole["promotion"]


def test_what_is_agreed_is_not_refused_when_it_comes_again() -> None:
    table = table_with()
    table.party("employer").offers(salary="90,000 USD")
    table.wait(6)
    assert "salary" in offers(table)[-1]
    assert "job" in offers(table)[-1]

    table.party("employer").offers(salary="90,000 USD")
    table.wait(6)

    assert kinds_of(words(table)[-1]) == {"issue_settled_next"}
    assert "90,000 USD" in words(table)[-1]
    assert "Job description" in words(table)[-1], "and it says what is open"
    assert offers(table)[-1].keys() == {"job"}


def test_a_refusal_of_what_comes_again_says_what_stands() -> None:
    table = table_with()
    for _ in range(2):
        table.party("employer").offers(salary="60,000 USD", hours="10 hours", car="Without leased car")
        table.wait(6)

    assert kinds_of(words(table)[-1]) == {"issue_stands"}
    assert "8 hours" in words(table)[-1]


def test_an_offer_that_it_heard_before_is_new_again_when_it_stands_for_something_else() -> None:
    table = table_with()
    poor = {"salary": "60,000 USD", "hours": "10 hours", "car": "Without leased car"}
    for _ in range(4):
        table.party("employer").offers(poor)
        table.wait(6)
    says(table, MessageSubtype.OFFER_ACCEPT)
    before = len(words(table))

    table.party("employer").offers(poor)
    table.wait(6)

    assert len(words(table)) == before + 1


@pytest.mark.parametrize("how", ["no", "compromise"])
def test_a_no_to_the_anchor_is_not_met_with_joy(how: str) -> None:
    table = table_with("negochat_a", seconds=8)

    if how == "no":
        says(table, MessageSubtype.OFFER_REJECT)
    else:
        says(table, MessageSubtype.GENERIC, "Could we find a compromise?")

    assert kinds_of(words(table)[-1]) == {"issue_first"}


def test_a_bare_no_is_a_no_also_while_the_others_own_offer_is_on_the_table() -> None:
    table = table_with()
    table.party("employer").offers(salary="90,000 USD")
    table.wait(6)
    table.party("employer").offers(salary="90,000 USD")
    table.wait(2)
    open_issue = offers(table)[-1]["job"]
    table.wait(5)

    table.party("employer").says("no")
    table.wait(6)

    assert offers(table)[-1]["job"] != open_issue


def campsite(name: str = "negochat", **config: Any) -> TrialTable:
    """A campsite table after the opening."""
    table = TrialTable(load("campsite").settled(1), seed=1)
    table.seat(shipped(name, **config))
    table.wait(7)
    return table


def from_agent(table: TrialTable) -> list[str]:
    return [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]


def test_where_nothing_is_left_it_thinks_aloud_once_a_turn_and_asks_once() -> None:
    table = campsite(turn_seconds=100)
    for _ in range(10):
        table.human.says("No.", MessageSubtype.OFFER_REJECT)
        table.wait(7)

    said = [kinds_of(text) for text in from_agent(table)]

    assert said.count({"think_it_over"}) == 1
    assert said.count({"ask_what_to_change"}) == 1
    sent = [repr(event.get_offer()) for event in of(table, EventType.SEND_OFFER, "agent")]
    assert len(set(sent)) >= 2, "it does not stop at its first proposal"
    assert len(set(sent)) == len(sent), "and what was refused does not come back in the same turn"


def test_after_a_new_turn_it_comes_back_with_an_idea_of_its_own() -> None:
    table = campsite(turn_seconds=60, silence_seconds=1000)
    for _ in range(6):
        table.human.says("No.", MessageSubtype.OFFER_REJECT)
        table.wait(7)
    before = len(from_agent(table))

    table.wait(16)

    assert [kinds_of(text) for text in from_agent(table)[before:]] == [{"issue_idea"}]


def test_words_that_claim_to_give_way_come_with_less_for_itself_alone() -> None:
    table = table_with(prior=[0, 1, 0])
    says(table, MessageSubtype.OFFER_REJECT)
    utility, party = table.state.game.preferences["candidate"].utility, table.party("candidate").context()
    after, before = (utility(party.make_offer(terms)) for terms in reversed(offers(table)))

    assert after < before
    assert kinds_of(words(table)[-1]) == {"issue_gives_way"}


def test_what_is_more_for_itself_than_before_is_no_giving_way() -> None:
    table = campsite(turn_seconds=20, silence_seconds=1000)
    table.human.says("No.", MessageSubtype.OFFER_REJECT)
    table.wait(14)
    given_way = kinds_of(from_agent(table)[-1])
    points = table.state.game.preferences["agent"].utility

    table.human.says("Could we find a compromise?")
    table.wait(6)

    before, after = (points(event.get_offer()) for event in of(table, EventType.SEND_OFFER, "agent")[-2:])
    assert given_way == {"issue_gives_way"}
    assert after > before
    assert kinds_of(from_agent(table)[-1]) == {"issue_idea"}


def test_the_same_again_is_called_the_same() -> None:
    table = table_with(prior=[0, 1, 0])
    poor = {"salary": "60,000 USD", "hours": "10 hours", "car": "Without leased car"}
    table.party("employer").offers(poor)
    table.wait(6)
    first = kinds_of(words(table)[-1])

    table.party("employer").offers(poor | {"car": "No agreement"})
    table.wait(6)

    assert first == {"issue_counter"}
    assert kinds_of(words(table)[-1]) == {"issue_stands"}
    assert offers(table)[-1] == offers(table)[-2]


def test_kb_agent_says_that_its_offer_stands_when_it_is_not_yet_time_for_another() -> None:
    table = table_with("kb_agent", prior=[0, 1, 0])

    says(table, MessageSubtype.OFFER_REJECT)

    assert len(offers(table)) == 1
    assert kinds_of(words(table)[-1]) == {"whole_stands"}


# Whole offers


def whole(**changes: str) -> dict[str, str]:
    """A complete offer: the best for the candidate, with changes."""
    best = {
        "salary": "120,000 USD",
        "job": "Project manager",
        "car": "With leased car",
        "pension": "20%",
        "promotion": "Fast promotion track",
        "hours": "8 hours",
    }
    return best | changes


@pytest.mark.parametrize("name", FAMILY)
def test_a_whole_offer_that_is_good_enough_is_formally_accepted(name: str) -> None:
    table = table_with(name)

    table.party("employer").offers(whole())
    table.wait(6)

    assert len(accepts(table)) == 1


@pytest.mark.parametrize("name", FAMILY)
def test_a_whole_offer_that_is_not_is_refused_and_its_own_proposal_made(name: str) -> None:
    table = table_with(name)
    before = len(offers(table))

    poor = whole(salary="60,000 USD", car="Without leased car", hours="10 hours")
    table.party("employer").offers(poor)
    table.wait(6)

    assert accepts(table) == []
    assert "belief" in notes(table)
    assert len(words(table)) > 2 or len(offers(table)) > before


def test_a_new_turn_lets_it_accept_what_it_refused_before() -> None:
    table = table_with(types="published", turn_seconds=20)
    # 440 points: too few for the first turns, enough in the last.
    modest = whole(salary="90,000 USD", job="QA", hours="9 hours")
    assert table.state.game.preferences["candidate"].utility(
        table.party("candidate").context().make_offer(modest)
    ) == pytest.approx(475)
    table.party("employer").offers(modest)
    table.wait(6)
    before = list(accepts(table))

    table.wait(20 * 14)

    assert before == []
    assert len(accepts(table)) == 1
    assert table.context("candidate").current_offer_sender == "employer", "and what it signed is left there"


@pytest.mark.parametrize("name", FAMILY)
def test_a_whole_that_its_own_proposal_has_replaced_is_taken_up_when_it_is_good_enough(name: str) -> None:
    table = table_with(name, types="published", turn_seconds=20, prior=[0, 1, 0])
    modest = whole(salary="90,000 USD", job="QA", hours="9 hours")  # 475 points
    table.party("employer").offers(modest)
    table.wait(6)
    says(table, MessageSubtype.OFFER_REJECT)
    assert table.context("candidate").current_offer_sender == "candidate"
    assert accepts(table) == []

    table.wait(20 * 14)

    table.party("employer").accepts()
    assert table.state.ending is not None
    assert table.state.ending.deal == table.party("candidate").context().make_offer(modest)


def test_the_same_offer_again_and_again_gets_fewer_and_fewer_answers() -> None:
    table = table_with()
    for _ in range(6):
        table.party("employer").offers(salary="60,000 USD", hours="10 hours", car="Without leased car")
        table.wait(6)
    said = len(words(table))
    table.party("employer").offers(salary="60,000 USD", hours="10 hours", car="Without leased car")

    table.wait(6)

    assert len(words(table)) == said
    assert table.context("candidate").elapsed_time < 120


# Words


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize(
    "text", ["I offer 90,000 USD, project manager and a leased car.", "How about 120,000 USD?", "fgh jkl"]
)
def test_an_offer_in_words_is_asked_for_as_an_offer_and_moves_nothing(name: str, text: str) -> None:
    table = table_with(name)
    before = offers(table)

    says(table, MessageSubtype.GENERIC, text)

    assert "offer" in last_words(table).get_text().lower() or "propos" in last_words(table).get_text().lower()
    assert offers(table) == before
    assert accepts(table) == []


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize(
    "subtype",
    [
        MessageSubtype.THANKS,
        MessageSubtype.APOLOGY,
        MessageSubtype.PROMISE,
        MessageSubtype.CONFUSION,
        MessageSubtype.GENERIC_POS,
        MessageSubtype.GENERIC_NEG,
        MessageSubtype.PREF_REQUEST,
        MessageSubtype.PREF_WITHHOLD,
        MessageSubtype.BATNA_REQUEST,
        MessageSubtype.FAVOR_REQUEST,
        MessageSubtype.THREAT,
        MessageSubtype.TIMING_REQUEST,
        MessageSubtype.TIMING,
        MessageSubtype.OFFER_REQUEST_POS,
        MessageSubtype.OFFER_REQUEST_NEG,
        MessageSubtype.FAREWELL,
    ],
)
def test_it_answers_what_is_said(name: str, subtype: MessageSubtype) -> None:
    table = table_with(name)
    before = len(words(table))

    says(table, subtype)

    assert len(words(table)) == before + 1


def test_asked_about_an_issue_it_says_what_it_wants_there() -> None:
    table = table_with()
    question = Message(
        "What about the hours?",
        MessageSubtype.PREF_REQUEST,
        Preference("hours", Relation.BEST, is_question=True),
    )

    table.session.send_message("employer", question)
    table.wait(6)

    assert "8 hours" in words(table)[-1]


@pytest.mark.parametrize("style", ["warm", "neutral", "tough"])
def test_asked_what_it_needs_most_it_says_so_by_its_order_of_issues(style: str) -> None:
    table = table_with(style=style)
    says(table, MessageSubtype.OFFER_ACCEPT)  # the salary is settled

    table.party("employer").says("What do you need most?")
    table.wait(6)

    assert kinds_of(words(table)[-1], style) == {"need_most"}
    assert "job description" in words(table)[-1]
    assert "Project manager" in words(table)[-1]


def test_asked_what_matters_least_it_names_the_last_of_its_issues() -> None:
    table = table_with()
    table.party("employer").says("What matters least to you?")
    table.wait(6)

    assert kinds_of(words(table)[-1]) == {"need_least"}
    assert "promotion possibilities" in words(table)[-1]


@pytest.mark.parametrize("name", FAMILY)
def test_what_it_wants_none_of_the_other_may_have(name: str) -> None:
    points = {
        "human": {"pears": [0, 5, 9], "plums": [0, 1, 2]},
        "agent": {"pears": [0, -2, -4], "plums": [0, 5, 9]},
    }
    issues = (QuantityIssue("pears", 2), QuantityIssue("plums", 2))
    game = make_game(points, issues=issues, visible=("human",), deadline_seconds=300.0)
    table = TrialTable(game, seed=1)
    table.seat(shipped(name))
    table.wait(7)

    table.human.says("How many pears do you want?")
    table.wait(6)

    assert kinds_of(from_agent(table)[-1]) == {"issue_yours"}


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize(
    ("subtype", "kind"),
    [
        (MessageSubtype.GENERIC_NEG, "small_talk_neg"),
        (MessageSubtype.THREAT, "threat_answer"),
        (MessageSubtype.BATNA_REQUEST, "batna_request_answer"),
        (MessageSubtype.FAVOR_REQUEST, "favor_reject"),
        (MessageSubtype.PREF_INFO, "pref_noted"),
        (MessageSubtype.GENERIC, "ask_for_offer"),
    ],
)
def test_what_is_more_than_a_courtesy_is_always_answered(
    name: str, subtype: MessageSubtype, kind: str
) -> None:
    table = table_with(name)
    before = len(words(table))

    for _ in range(7):
        says(table, subtype, "Hm, well.")

    answers = words(table)[before:]
    assert len(answers) == 7
    assert all(kinds_of(text) & {kind, "ask_what_to_change"} for text in answers)
    assert max(Counter(answers).values()) <= 2


@pytest.mark.parametrize("name", FAMILY)
def test_courtesies_are_answered_three_times_in_a_row_and_the_silence_after_them_is_broken(name: str) -> None:
    table = table_with(name)
    table.wait(120)  # it has broken the silence as often as it does
    table.party("employer").offers(pension="10%")
    table.wait(120)
    before = len(words(table))
    for _ in range(6):
        says(table, MessageSubtype.THANKS)
    polite = words(table)[before:]

    table.wait(35)

    assert len(polite) == 3
    assert len(words(table)) > before + 3


def test_no_sentence_is_said_three_times_whatever_the_other_says() -> None:
    table = table_with(style="tough")
    for _ in range(12):
        for subtype in (MessageSubtype.OFFER_REJECT, MessageSubtype.THREAT, MessageSubtype.OFFER_REQUEST_POS):
            says(table, subtype)

    assert max(Counter(words(table)).values()) == 2


def test_several_things_said_at_once_get_one_answer() -> None:
    table = table_with()
    before = len(words(table))
    for text in ("Hm.", "Well.", "Let me see."):
        table.party("employer").says(text)

    table.wait(6)

    assert len(words(table)) == before + 1


def test_a_silence_is_broken_a_few_times_and_then_borne() -> None:
    table = table_with()
    opened = len(words(table))

    table.wait(40)
    once = words(table)[opened:]
    table.wait(300)

    assert len(once) == 1
    assert "Salary" in once[0]
    assert len(words(table)) == opened + 3


def test_when_time_is_short_it_says_so_and_offers_a_whole() -> None:
    table = table_with()
    table.wait(1680 - 7 - 31)
    before = len(words(table))
    assert all(len(terms) < 6 for terms in offers(table))

    table.wait(8)

    assert len(words(table)) == before + 1
    assert last_words(table).payload.subtype is MessageSubtype.TIMING_INFO
    assert set(offers(table)[-1]) == ISSUES


def test_it_answers_a_face_with_a_face_and_words() -> None:
    table = table_with()

    table.party("employer").shows(Expression.ANGRY)
    table.wait(4)

    assert of(table, EventType.SEND_EXPRESSION, "candidate")[-1].get_expression() is Expression.SURPRISED


# Pace


@pytest.mark.parametrize(("seconds", "least", "most"), [(4.0, 3.2, 4.8), (10.0, 8.0, 12.0)])
def test_it_answers_after_the_time_that_is_set(seconds: float, least: float, most: float) -> None:
    table = table_with(reply_seconds=seconds)
    table.wait(10)
    asked = table.party("employer").says("Well?", MessageSubtype.OFFER_REQUEST_POS)

    table.wait(15)

    assert least <= last_words(table).t - asked.t <= most


def test_it_can_follow_the_others_pace() -> None:
    table = table_with(follow_pace=True, silence_seconds=100)
    opened = of(table, EventType.SEND_OFFER, "candidate")[-1].t
    table.wait(opened + 12 - 7)
    asked = table.party("employer").offers(pension="10%")  # it took 12 seconds

    table.wait(20)

    assert 9.6 <= of(table, EventType.SEND_OFFER, "candidate")[-1].t - asked.t <= 14.4


def test_an_egyptian_that_follows_a_quick_partner_answers_after_sixteen_seconds_at_least() -> None:
    table = table_with(follow_pace=True, culture="egypt", silence_seconds=100)
    table.party("employer").offers(pension="10%")  # at once
    table.wait(1)
    asked = of(table, EventType.SEND_OFFER, "employer")[-1]

    table.wait(25)

    assert 12.8 <= of(table, EventType.SEND_OFFER, "candidate")[-1].t - asked.t <= 19.2


def test_a_quiet_one_offers_and_says_nothing() -> None:
    table = table_with(quiet=True)
    table.party("employer").offers(pension="10%")

    table.wait(6)

    assert words(table) == []
    assert of(table, EventType.SEND_EXPRESSION, "candidate") == []
    assert len(offers(table)) == 2


# The record


def test_what_is_in_use_and_what_is_believed_is_noted() -> None:
    table = table_with()
    noted = notes(table)

    assert noted["equipment"] == {
        "tables": "published",
        "types": "published: short_term, compromise, long_term",
        "turn_seconds": 120.0,
        "order": "usa: salary, job, pension, hours, car, promotion",
        "bids": "1296, all",
    }
    assert set(noted["belief"]["posterior"].values()) == {0.333}

    table.party("employer").offers(whole())
    table.wait(6)

    assert notes(table)["belief"]["posterior"] != noted["belief"]["posterior"]


def test_each_seed_draws_a_first_type() -> None:
    drawn = {notes(table_with(seconds=2, seed=seed))["belief"]["type"] for seed in range(1, 16)}

    assert drawn == {"short_term", "compromise", "long_term"}


# The relatives


def test_kb_agent_makes_a_new_whole_offer_every_second_turn() -> None:
    table = table_with("kb_agent", turn_seconds=30)
    table.wait(30 * 8)

    made = of(table, EventType.SEND_OFFER, "candidate")
    turns = [int(event.t // 30) + 1 for event in made]
    assert all(set(event.get_offer()) == ISSUES for event in made)
    assert turns[:3] == [1, 3, 5]


def test_kb_agent_asks_for_the_whole_of_a_part_that_it_likes() -> None:
    table = table_with("kb_agent")
    before = offers(table)

    table.party("employer").offers(car="With leased car", hours="8 hours", salary="120,000 USD")
    table.wait(6)

    assert offers(table) == before
    assert last_words(table).payload.subtype is MessageSubtype.OFFER_REQUEST_POS


@pytest.mark.parametrize(("said_yes", "accepted"), [(False, 1), (True, 0)])
def test_kb_agent_refuses_what_is_no_better_than_what_was_agreed_in_words(
    said_yes: bool, accepted: int
) -> None:
    table = table_with("kb_agent", prior=[0, 1, 0])  # its first offer is worth 540 to it
    if said_yes:
        says(table, MessageSubtype.OFFER_ACCEPT)
    before = len(accepts(table))

    table.party("employer").offers(whole(salary="60,000 USD"))  # 535, good enough for the first turn
    table.wait(6)

    assert len(accepts(table)) - before == accepted


def test_qo_agent_offers_what_ranks_highest_for_the_side_that_it_ranks_lowest_for() -> None:
    agent: Any = shipped("qo_agent", turn_seconds=30)
    table = TrialTable(load("job_candidate").settled(1))
    table.seat(agent, "candidate")
    table.wait(30 * 4)

    made = of(table, EventType.SEND_OFFER, "candidate")
    worths = [agent.ranks.worth(n) for n in agent.made]
    everything = range(len(agent.kit.space.bids))
    assert len({event.get_offer() for event in made}) == len(made) == 4
    assert worths == sorted(worths, reverse=True)
    assert worths[0] == pytest.approx(max(map(agent.ranks.worth, everything)))


# Every game


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("kind", EVERY_KIND)
def test_it_makes_deals_at_every_kind_of_game(kind: str, rules: str) -> None:
    at = (list(EVERY_KIND).index(kind) + list(RULES).index(rules)) % len(FAMILY)
    table = played(EVERY_KIND[kind](**RULES[rules]), "linear", FAMILY[at])

    assert table.errors == []
    assert of(table, EventType.AGENT_FAILED) == []
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    for seat in table.state.game.seats:
        assert bound_below_reservation(table, seat) == []


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("game", ["practice", "resource_exchange", "campsite", "land_sale"])
def test_two_of_a_kind_find_a_deal_at_the_shipped_games(name: str, game: str) -> None:
    table = played(load(game).settled(1), name, name, seconds=2000)

    assert table.errors == []
    assert of(table, EventType.AGENT_FAILED) == []
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    for seat in table.state.game.seats:
        assert bound_below_reservation(table, seat) == []


@pytest.mark.parametrize("name", ["negochat", "negochat_a"])
def test_where_a_part_could_be_a_deal_it_sends_wholes_alone(name: str) -> None:
    table = TrialTable(categorical_only(deadline_seconds=120.0, allow_partial=True))
    table.seat(shipped(name))
    table.wait(7)
    table.human.offers(colour="red")
    table.wait(6)
    table.human.says("No.", MessageSubtype.OFFER_REJECT)
    table.wait(6)

    sent = [event.get_offer() for event in of(table, EventType.SEND_OFFER, "agent")]

    assert sent
    assert all(table.state.game.is_complete(offer) for offer in sent)


def test_three_at_a_table_do_not_flood_it() -> None:
    table = played(three_seats(deadline_seconds=120.0), *FAMILY[:3])

    assert of(table, EventType.AGENT_FAILED) == []
    assert len(of(table, EventType.SEND_OFFER)) < 100


def test_preferences_that_are_shown_are_the_one_type() -> None:
    table = TrialTable(load("resource_exchange"))
    table.seat(shipped("negochat"))
    table.wait(2)

    noted = get_state(table.state.record)["notes"]["agent"]
    assert noted["belief"] == {"type": "known", "posterior": {"known": 1.0}}
    assert noted["equipment"]["tables"] == "computed"


@pytest.mark.parametrize("name", FAMILY)
def test_equal_seed_equal_log(name: str) -> None:
    first, second = (played(mixed(deadline_seconds=120.0), name, "conceder", seed=7) for _ in range(2))

    assert as_bytes(first) == as_bytes(second)


def without_versions(events: Sequence[Event]) -> list[Event]:
    """The same without the record's versions, which count the break as an event."""
    return [
        event._replace(payload=replace(event.payload, base_version=0))
        if event.type == EventType.STATE_PROPOSED
        else event
        for event in events
    ]


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("game", ["job_candidate", "campsite"])
def test_a_fresh_mind_that_hears_the_same_goes_on_the_same(name: str, game: str) -> None:
    spec = load(game).settled(3)
    agents = (name, "negochat")
    whole_game = cut_off.played(spec, agents)
    heard = [i for i, event in enumerate(whole_game) if event.type == EventType.SEND_OFFER]

    for cut in heard[2 : -1 : max(1, len(heard) // 5)]:
        again = cut_off.resumed(spec, agents, whole_game[: cut + 1])

        assert without_versions(cut_off.without_the_break(again)) == without_versions(whole_game), cut


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"tables": "old"}, "'tables' is one of auto, published, computed"),
        ({"types": "old"}, "'types' is one of auto, published, generated"),
        ({"thresholds": {"mirror": "high"}}, "'thresholds'"),
        ({"culture": "mars"}, "'culture' is one of usa, israel, egypt, own"),
        ({"turn_seconds": 0}, "'turn_seconds' is a number above 0"),
        ({"reply_seconds": 61}, "'reply_seconds' is a number from 0 to 60"),
        ({"style": "rude"}, "'style' is one of warm, neutral, tough"),
        ({"patience": 1}, "There is no setting 'patience'"),
    ],
)
def test_settings_that_make_no_sense_are_refused_with_a_sentence(config: dict[str, Any], reason: str) -> None:
    with pytest.raises(NegoError, match=reason):
        shipped("negochat", **config)
