"""NegoChat's messages, their pace, and its notes."""

from __future__ import annotations

from collections import Counter

import pytest

from negoplatform.core.events import (
    EventType,
    Expression,
    Message,
    MessageSubtype,
    Preference,
    Relation,
)
from negoplatform.domain.issue import QuantityIssue
from negoplatform.testing import TrialTable
from tests.agents.kinds import kinds_of
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
from tests.agents.seating import of, shipped
from tests.games import make_game

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

    table.participant("employer").says("What do you need most?")
    table.wait(6)

    assert kinds_of(words(table)[-1], style) == {"need_most"}
    assert "job description" in words(table)[-1]
    assert "Project manager" in words(table)[-1]


def test_asked_what_matters_least_it_names_the_last_of_its_issues() -> None:
    table = table_with()
    table.participant("employer").says("What matters least to you?")
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
    table.participant("employer").offers(pension="10%")
    table.wait(120)
    before = len(words(table))
    for _ in range(6):
        says(table, MessageSubtype.THANKS)
    polite = words(table)[before:]

    table.wait(70)

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
        table.participant("employer").says(text)

    table.wait(6)

    assert len(words(table)) == before + 1


def test_a_silence_is_broken_a_few_times_and_then_borne() -> None:
    table = table_with()
    opened = len(words(table))

    table.wait(40)
    once = words(table)[opened:]
    table.wait(300)

    assert len(once) == 1
    assert "salary" in once[0]
    assert len(words(table)) == opened + 2


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

    table.participant("employer").shows(Expression.ANGRY)
    table.wait(4)

    assert of(table, EventType.SEND_EXPRESSION, "candidate")[-1].get_expression() is Expression.SURPRISED


# Pace


@pytest.mark.parametrize(("seconds", "least", "most"), [(4.0, 3.2, 4.8), (10.0, 8.0, 12.0)])
def test_it_answers_after_the_time_that_is_set(seconds: float, least: float, most: float) -> None:
    table = table_with(reply_seconds=seconds)
    table.wait(10)
    asked = table.participant("employer").says("Well?", MessageSubtype.OFFER_REQUEST_POS)

    table.wait(15)

    assert least <= last_words(table).t - asked.t <= most


def test_it_can_follow_the_others_pace() -> None:
    table = table_with(follow_pace=True, silence_seconds=100)
    opened = of(table, EventType.SEND_OFFER, "candidate")[-1].t
    table.wait(opened + 12 - 7)
    asked = table.participant("employer").offers(pension="10%")  # it took 12 seconds

    table.wait(20)

    assert 9.6 <= of(table, EventType.SEND_OFFER, "candidate")[-1].t - asked.t <= 14.4


def test_an_egyptian_that_follows_a_quick_partner_answers_after_sixteen_seconds_at_least() -> None:
    table = table_with(follow_pace=True, culture="egypt", silence_seconds=100)
    table.participant("employer").offers(pension="10%")  # at once
    table.wait(1)
    asked = of(table, EventType.SEND_OFFER, "employer")[-1]

    table.wait(25)

    assert 12.8 <= of(table, EventType.SEND_OFFER, "candidate")[-1].t - asked.t <= 19.2


def test_a_quiet_one_offers_and_says_nothing() -> None:
    table = table_with(quiet=True)
    table.participant("employer").offers(pension="10%")

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

    table.participant("employer").offers(whole())
    table.wait(6)

    assert notes(table)["belief"]["posterior"] != noted["belief"]["posterior"]


def test_each_seed_draws_a_first_type() -> None:
    drawn = {notes(table_with(seconds=2, seed=seed))["belief"]["type"] for seed in range(1, 16)}

    assert drawn == {"short_term", "compromise", "long_term"}
