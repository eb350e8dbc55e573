"""NegoChat's messages, their pace, and its notes."""

from __future__ import annotations

from itertools import pairwise
from statistics import mean
from typing import Any

import pytest

from negoplatform.core.events import (
    EventType,
    Expression,
    MessageSubtype,
    Preference,
    Relation,
)
from negoplatform.domain.issue import QuantityIssue
from negoplatform.language.generation import VOICES, templates
from negoplatform.strategies.dialogue.sentences import normalized_sentences
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind, kinds_of, parts_of
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
    ("text", "kinds"),
    [
        (
            "I offer 90,000 USD, project manager and a leased car.",
            {"send_as_offer_open", "send_as_offer_no"},
        ),
        ("How about 60,000 USD?", {"send_as_offer_open", "send_as_offer_no"}),
        ("fgh jkl", {"unclear"}),
    ],
)
def test_an_offer_in_words_is_judged_in_words_and_moves_nothing(
    name: str, text: str, kinds: set[str]
) -> None:
    table = table_with(name, talkativeness=0)
    before = offers(table)

    says(table, MessageSubtype.GENERIC, text)

    assert any(has_kind(last_words(table).get_text(), kind) for kind in kinds)
    assert offers(table) == before
    assert accepts(table) == []


def test_a_whole_in_words_that_is_good_enough_is_asked_for_as_an_offer_and_then_accepted() -> None:
    table = table_with(talkativeness=0)
    says(
        table,
        MessageSubtype.GENERIC,
        "I offer 120,000 USD, project manager, a leased car, a pension of 20%, fast promotion and 8 hours.",
    )
    answer = last_words(table).get_text()
    unsent = list(accepts(table))

    table.participant("employer").offers(whole())
    table.wait(9)

    assert kinds_of(answer) == {"send_as_offer_look"}
    assert unsent == []
    assert len(accepts(table)) == 1


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


def test_asked_about_an_issue_it_says_what_it_would_like_there() -> None:
    table = table_with(talkativeness=0)

    table.participant("employer").says("What about the hours?")
    table.wait(9)

    assert kinds_of(words(table)[-1]) == {"wish"}
    assert "8 hours a day" in words(table)[-1]


@pytest.mark.parametrize("voice", VOICES)
def test_asked_what_it_needs_most_it_names_what_is_worth_most_to_it_in_its_voice(voice: str) -> None:
    table = table_with(persona=voice, talkativeness=0)

    table.participant("employer").says("What do you need most?")
    table.wait(9)

    assert kinds_of(words(table)[-1], voice) == {"pref_info_best"}
    assert last_words(table).payload.preference == Preference("car", Relation.BEST)


def test_asked_what_matters_least_it_names_what_is_worth_least_to_it() -> None:
    table = table_with(talkativeness=0)

    table.participant("employer").says("What matters least to you?")
    table.wait(9)

    assert kinds_of(words(table)[-1]) == {"pref_info_worst"}
    assert last_words(table).payload.preference == Preference("promotion", Relation.WORST)


def test_a_reserved_one_names_nothing_and_a_lying_one_something_else() -> None:
    told: list[tuple[Any, Any, Any]] = []
    for honesty in ("reserved", "lying"):
        table = table_with(honesty=honesty, talkativeness=0)
        table.participant("employer").says("What do you need most?")
        table.wait(9)
        told.append(
            (parts_of(words(table)[-1]), last_words(table).payload.preference, notes(table).get("lie"))
        )

    (withheld, nothing, no_lie), (claimed, claim, lie) = told
    assert (withheld, nothing, no_lie) == ([{"pref_withhold"}], None, None)
    assert claimed == [{"pref_info_best"}]
    assert claim != Preference("car", Relation.BEST)
    assert lie["about"] == "preference"


@pytest.mark.parametrize("name", FAMILY)
def test_of_what_it_wants_none_of_it_would_leave_all_to_the_other(name: str) -> None:
    points = {
        "human": {"pears": [0, 5, 9], "plums": [0, 1, 2]},
        "agent": {"pears": [0, -2, -4], "plums": [0, 5, 9]},
    }
    issues = (QuantityIssue("pears", 2), QuantityIssue("plums", 2))
    game = make_game(points, issues=issues, visible=("human",), deadline_seconds=300.0)
    table = TrialTable(game, seed=1)
    table.seat(shipped(name, talkativeness=0))
    table.wait(9)

    table.human.says("How many pears do you want?")
    table.wait(9)

    assert kinds_of(from_agent(table)[-1]) == {"wish"}
    assert "2 pears for you" in from_agent(table)[-1]


ANSWERS = {
    MessageSubtype.THREAT: {"threat_answer"},
    MessageSubtype.BATNA_REQUEST: {"batna_request_answer"},
    MessageSubtype.FAVOR_REQUEST: {"favor_reject"},
    MessageSubtype.PREF_INFO: {"pref_noted", "confirmation"},
    MessageSubtype.GENERIC: {"unclear", "unclear_offer"},
}


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("subtype", ANSWERS)
def test_what_is_more_than_a_courtesy_is_answered_as_long_as_there_is_something_new_to_say(
    name: str, subtype: MessageSubtype
) -> None:
    table = table_with(name, talkativeness=0)
    before = len(words(table))
    for _ in range(12):
        says(table, subtype, "Fgh jkl.")

    answers = words(table)[before:]

    left = sum(len(templates("en", "warm")[kind]) for kind in ANSWERS[subtype])
    assert [text for text in answers if not kinds_of(text) & ANSWERS[subtype]] == []
    assert len(answers) == len(set(answers)) == min(left, 12)


@pytest.mark.parametrize("name", FAMILY)
def test_courtesies_are_answered_twice_in_a_row_and_the_silence_after_them_is_broken(name: str) -> None:
    table = table_with(name)
    table.wait(120)  # it has broken the silence as often as it does
    table.participant("employer").offers(pension="10%")
    table.wait(120)
    before = len(words(table))
    for _ in range(6):
        says(table, MessageSubtype.THANKS)
    polite = words(table)[before:]

    table.wait(70)

    assert len(polite) == 2
    assert len(words(table)) > before + 2


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("voice", VOICES)
def test_no_sentence_is_said_twice_whatever_the_other_says(name: str, voice: str) -> None:
    table = table_with(name, persona=voice, talkativeness=1)
    for _ in range(12):
        for subtype in (MessageSubtype.OFFER_REJECT, MessageSubtype.THREAT, MessageSubtype.OFFER_REQUEST_POS):
            says(table, subtype)

    said = [sentence for text in words(table) for sentence in normalized_sentences(text)]
    assert len(said) > 12
    assert len(said) == len(set(said))


def test_several_things_said_at_once_get_one_answer() -> None:
    table = table_with(talkativeness=0)
    before = len(words(table))
    for text in ("Are you a real person?", "Well.", "What matters most to you?"):
        table.participant("employer").says(text)

    table.wait(9)

    (answer,) = words(table)[before:]
    assert has_kind(answer, "person_program")
    assert has_kind(answer, "pref_info_best")


def test_a_remark_that_needs_no_answer_gets_none() -> None:
    table = table_with()
    before = len(words(table))

    says(table, MessageSubtype.GENERIC, "Hm.")

    assert words(table)[before:] == []


def test_it_does_not_answer_while_the_other_types_but_for_ten_seconds_at_most() -> None:
    table = table_with(talkativeness=0)
    person = table.participant("employer")
    asked = person.says("What matters most to you?")
    for _ in range(20):
        table.session.show_typing("employer", 1500)
        table.wait(1)

    waited = last_words(table).t - asked.t
    assert 10 <= waited <= 10 + 4


def test_it_answers_at_once_when_the_other_has_stopped_typing() -> None:
    table = table_with(talkativeness=0)
    person = table.participant("employer")
    asked = person.says("What matters most to you?")
    for _ in range(6):
        table.session.show_typing("employer", 1000)
        table.wait(1)

    table.wait(9)

    assert 6 <= last_words(table).t - asked.t <= 6 + 4


def test_a_silence_is_broken_a_few_times_and_then_borne() -> None:
    table = table_with()
    opened = len(words(table))

    table.wait(40)
    once = words(table)[opened:]
    table.wait(300)

    assert [kinds_of(text) for text in once] == [{"idle_prompt"}]
    assert len(words(table)) == opened + 2


def test_when_time_is_short_it_says_so_and_offers_a_whole() -> None:
    table = table_with(talkativeness=0)
    table.wait(1680 - 9 - 31)
    before = len(words(table))
    assert all(len(terms) < 6 for terms in offers(table))

    table.wait(8)

    assert len(words(table)) == before + 1
    assert kinds_of(last_words(table).get_text()) == {"final_whole"}
    assert set(offers(table)[-1]) == ISSUES


@pytest.mark.parametrize(
    ("shown", "answered", "kind"),
    [
        (Expression.HAPPY, Expression.HAPPY, "face_happy"),
        (Expression.SAD, Expression.SAD, "face_sad"),
        (Expression.ANGRY, Expression.SAD, "face_angry"),
    ],
)
def test_it_answers_a_face_with_a_face_and_words(shown: Expression, answered: Expression, kind: str) -> None:
    table = table_with()

    table.participant("employer").shows(shown)
    table.wait(4)

    assert of(table, EventType.SEND_EXPRESSION, "candidate")[-1].get_expression() is answered
    assert kinds_of(words(table)[-1]) == {kind}


def test_without_faces_it_answers_a_face_with_words_alone() -> None:
    table = table_with(faces=False)

    table.participant("employer").shows(Expression.ANGRY)
    table.wait(4)

    assert of(table, EventType.SEND_EXPRESSION, "candidate") == []
    assert kinds_of(words(table)[-1]) == {"face_angry"}


# Pace


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("seconds", [4.0, 10.0])
def test_it_answers_after_about_the_time_that_is_set(seconds: float, quiet: bool) -> None:
    pauses = []
    for seed in range(1, 9):
        table = table_with(reply_seconds=seconds, quiet=quiet, seed=seed, talkativeness=0)
        table.wait(10)
        asked = table.participant("employer").says("Let's meet halfway.")
        table.wait(20)
        pauses.append(of(table, EventType.SEND_OFFER, "candidate")[-1].t - asked.t)

    assert mean(pauses) == pytest.approx(seconds, rel=0.25)
    assert 0.7 * seconds <= min(pauses) <= max(pauses) <= 1.2 * seconds + 2, "it types for 3.5 s at most"


@pytest.mark.parametrize("name", FAMILY)
def test_an_agent_that_is_set_to_answer_at_once_reads_and_types_all_the_same(name: str) -> None:
    table = table_with(name, reply_seconds=0)
    asked = table.participant("employer").says("Are you a real person?")

    table.wait(9)

    assert 1.5 <= last_words(table).t - asked.t <= 6


@pytest.mark.parametrize("name", FAMILY)
def test_its_messages_are_two_seconds_apart_and_words_come_with_their_offer(name: str) -> None:
    table = table_with(name, seconds=3)
    person = table.participant("employer")
    for _ in range(4):
        person.says("What matters most to you?")
        person.offers(pension="10%")
        table.wait(9)
        person.says("No.", MessageSubtype.OFFER_REJECT)
        table.wait(9)

    times = [event.t for event in of(table, EventType.SEND_MESSAGE, "candidate")]
    made = [event.t for event in of(table, EventType.SEND_OFFER, "candidate")]
    assert len(times) > 6
    assert [b - a for a, b in pairwise(times) if b - a < 2] == []
    assert [t for t in made if any(0 < abs(t - said) < 2 for said in times)] == []


def test_it_can_follow_the_others_pace() -> None:
    table = table_with(follow_pace=True, silence_seconds=100)
    opened = of(table, EventType.SEND_OFFER, "candidate")[-1].t
    table.wait(opened + 12 - 9)
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

    table.wait(9)

    assert words(table) == []
    assert of(table, EventType.SEND_EXPRESSION, "candidate") == []
    assert len(offers(table)) == 2


@pytest.mark.parametrize("name", FAMILY)
def test_a_quiet_one_makes_the_same_offers_as_one_that_talks(name: str) -> None:
    made = []
    for quiet in (False, True):
        table = table_with(name, quiet=quiet, prior=[0, 1, 0])
        person = table.participant("employer")
        for subtype in (
            MessageSubtype.OFFER_REJECT,
            MessageSubtype.OFFER_REQUEST_NEG,
            MessageSubtype.OFFER_ACCEPT,
        ):
            says(table, subtype)
            person.offers(pension="10%", car="Without leased car")
            table.wait(9)
        made.append(offers(table))

    assert made[0]
    assert made[0] == made[1]


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
    table.wait(9)

    assert notes(table)["belief"]["posterior"] != noted["belief"]["posterior"]


def test_each_seed_draws_a_first_type() -> None:
    drawn = {notes(table_with(seconds=2, seed=seed))["belief"]["type"] for seed in range(1, 16)}

    assert drawn == {"short_term", "compromise", "long_term"}
