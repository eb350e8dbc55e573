"""Pace of answers: reading, typing, waiting while the other types, and answers that are dropped."""

from __future__ import annotations

from itertools import pairwise

import pytest

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.core.events import EventType, Expression, MessageSubtype, Preference, Relation
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.strategies.dialogue.talk_pace import (
    MAX_READING_SECONDS,
    MAX_TYPING_WAIT,
    MIN_MESSAGE_DISTANCE,
    OFFER_PAUSE_MS,
    TYPING_BOUNDS,
    joined_messages,
    looking_seconds,
    paced,
    reading_seconds,
    typing_seconds,
)
from negoplatform.testing import TrialTable
from tests.agents.seating import of
from tests.strategies.expressive.table import comes_from, offered, quiet, said, seated, words

GREEDY = {"food": (3, 0), "water": (3, 0), "firewood": (3, 0)}

LONG_AGO = float("inf")


# Seconds


def test_a_longer_message_takes_longer_to_read_and_to_type_within_bounds() -> None:
    short, long, endless = "No.", "I need some more water for my three children.", "word " * 500

    assert reading_seconds(short) < reading_seconds(long) < reading_seconds(endless) == MAX_READING_SECONDS
    assert typing_seconds(short) == TYPING_BOUNDS[0]
    assert typing_seconds(short) < typing_seconds(long) < typing_seconds(endless) == TYPING_BOUNDS[1]


def test_an_offer_with_more_terms_takes_longer_to_look_at() -> None:
    one = Offer({"day": "Friday"})
    many = Offer({f"issue{n}": "a" for n in range(40)})

    assert looking_seconds(EMPTY_OFFER) < looking_seconds(one) < looking_seconds(many) == MAX_READING_SECONDS


@pytest.mark.parametrize("text", ["Hi", "No.", "I need some more water for my three children."])
def test_no_answer_takes_less_than_a_second_and_a_half(text: str) -> None:
    assert reading_seconds(text) + typing_seconds(text) >= 1.5


# Scripts


def test_neighbouring_messages_are_one_with_the_more_telling_speech_act() -> None:
    script: list[Action] = [
        SendMessage("Thanks."),
        SendMessage("How about this?", MessageSubtype.OFFER_PROPOSE),
        SendMessage("I’m hungry."),
        SendOffer(EMPTY_OFFER),
        SendMessage("Well?"),
    ]

    joined = joined_messages(script)

    texts = [action.text for action in joined if isinstance(action, SendMessage)]
    assert texts == ["Thanks. How about this? I’m hungry.", "Well?"]
    assert joined[0].subtype is MessageSubtype.OFFER_PROPOSE  # type: ignore[union-attr]


def test_a_joined_message_keeps_its_statement_and_two_statements_stay_apart() -> None:
    best, worst = Preference("food", Relation.BEST), Preference("water", Relation.WORST)
    fact, other = (SendMessage("So.", MessageSubtype.PREF_INFO, preference=it) for it in (best, worst))
    limit, another = (SendMessage("Then.", MessageSubtype.BATNA_INFO, batna=it) for it in (5.0, 6.0))

    one = joined_messages([SendMessage("I see."), fact, limit])
    two = joined_messages([fact, other])
    limits = joined_messages([limit, another])

    assert [(action.preference, action.batna) for action in one] == [(best, 5.0)]  # type: ignore[union-attr]
    assert [action.preference for action in two] == [best, worst]  # type: ignore[union-attr]
    assert [action.batna for action in limits] == [5.0, 6.0]  # type: ignore[union-attr]


def test_a_joined_message_is_dropped_only_if_all_of_its_parts_may_be() -> None:
    may, must = (SendMessage("So.", flushable=flushable) for flushable in (True, False))

    kept, dropped = joined_messages([may, must]), joined_messages([may, may])

    assert [kept[0].flushable, dropped[0].flushable] == [False, True]


def test_faces_come_at_once_words_after_the_sign_of_typing_and_the_offer_with_its_words() -> None:
    script: list[Action] = [
        SendMessage("How about this?"),
        SendExpression(Expression.HAPPY),
        SendOffer(EMPTY_OFFER),
    ]

    timed, seconds = paced(script, LONG_AGO)

    milliseconds = round(1000 * typing_seconds("How about this?"))
    assert timed == [
        SendExpression(Expression.HAPPY),
        ShowTyping(milliseconds),
        SendMessage("How about this?", delay_ms=milliseconds),
        SendOffer(EMPTY_OFFER),
    ]
    assert seconds == milliseconds / 1000


@pytest.mark.parametrize("action", [SendOffer(EMPTY_OFFER), FormalAccept()])
def test_an_act_without_words_comes_after_a_pause(action: SendOffer | FormalAccept) -> None:
    timed, seconds = paced([action], LONG_AGO)

    assert [each.delay_ms for each in timed] == [OFFER_PAUSE_MS]  # type: ignore[union-attr]
    assert seconds == OFFER_PAUSE_MS / 1000


def test_a_message_keeps_its_distance_from_the_one_before() -> None:
    soon, _ = paced([SendMessage("Hi")], 0.3)
    late, _ = paced([SendMessage("Hi")], LONG_AGO)

    assert soon[-1].delay_ms == 1000 * (MIN_MESSAGE_DISTANCE - 0.3)  # type: ignore[union-attr]
    assert late[-1].delay_ms == 1000 * TYPING_BOUNDS[0]  # type: ignore[union-attr]


def test_a_delay_of_its_own_stays_and_a_callback_comes_after_what_is_said_before_it() -> None:
    callback = Schedule(500, lambda _: [])

    timed, seconds = paced([SendMessage("Hi", delay_ms=40), SendMessage("Bye"), callback], LONG_AGO)

    assert timed[0] == SendMessage("Hi", delay_ms=40) or seconds > 1
    assert timed[-1].delay_ms == 500 + 1000 * seconds  # type: ignore[union-attr]


# At a table


def test_an_answer_comes_after_reading_and_typing() -> None:
    table = seated(quiet())
    asked = table.human.says("What matters most to you?")

    table.wait(15)

    answer = said(table)[-1]
    text = asked.get_text()
    assert answer.t - asked.t >= reading_seconds(text) + typing_seconds(answer.get_text()) - 0.1
    assert answer.t - asked.t >= 1.5


def test_what_is_said_in_a_row_gets_one_answer_in_one_message() -> None:
    table = seated(quiet())
    before = len(words(table))

    table.human.says("Are you a real person?")
    table.wait(0.5)
    table.human.says("And what matters most to you?")
    table.wait(0.5)
    table.human.offers(GREEDY)
    table.wait(15)

    told = words(table)[before:]
    assert len(told) == 1
    assert comes_from(told[0], "person_program")
    assert comes_from(told[0], "pref_info_best")
    assert len(offered(table)) == 1


def test_two_messages_of_the_agent_are_two_seconds_apart() -> None:
    table = seated(quiet())

    for text in (
        "Hello!",
        "How are you?",
        "What do you need?",
        "Why?",
        "Are you a bot?",
        "Make me an offer.",
    ):
        table.human.says(text)
        table.wait(3.6)
    table.wait(10)

    times = [event.t for event in said(table)]
    assert len(times) > 3
    assert all(later - earlier >= MIN_MESSAGE_DISTANCE - 0.01 for earlier, later in pairwise(times))


def test_an_answer_waits_while_the_other_types() -> None:
    table = seated(quiet())
    before = len(words(table))
    table.human.says("What matters most to you?")

    for _ in range(12):
        table.human.types()
        table.wait(0.5)
    while_typing = len(words(table))
    table.wait(6)

    assert while_typing == before
    assert len(words(table)) == before + 1


def test_it_waits_ten_seconds_at_most() -> None:
    table = seated(quiet())
    asked = table.human.says("What matters most to you?")

    for _ in range(60):
        table.human.types()
        table.wait(0.5)

    answer = said(table)[-1]
    assert comes_from(answer.get_text(), "pref_info_best")
    assert MAX_TYPING_WAIT < answer.t - asked.t < MAX_TYPING_WAIT + 6


def test_who_has_sent_a_message_types_no_more() -> None:
    table = seated(quiet())
    table.human.types()
    asked = table.human.says("Are you a real person?")

    table.wait(8)

    assert said(table)[-1].t - asked.t < 5


def typing(table: TrialTable) -> int:
    return len(of(table, EventType.TYPING, "agent"))


def test_an_answer_that_is_being_typed_is_dropped_and_redone_when_the_other_speaks() -> None:
    table = seated(quiet())
    before, signs = len(words(table)), typing(table)
    table.human.says("Are you a real person?")
    while typing(table) == signs:
        table.wait(0.1)

    table.human.says("And what matters most to you?")
    table.wait(15)

    told = words(table)[before:]
    assert len(told) == 1
    assert comes_from(told[0], "person_program")
    assert comes_from(told[0], "pref_info_best")


def test_an_offer_that_is_being_introduced_is_not_made_when_the_other_offers_first() -> None:
    table = seated(quiet())
    signs = typing(table)
    table.human.says("Your offer?", MessageSubtype.OFFER_REQUEST_POS)
    while typing(table) == signs:
        table.wait(0.1)

    theirs = table.human.offers(GREEDY)
    table.wait(15)

    assert len(offered(table)) == 1
    assert offered(table)[0].seq > theirs.seq + 1
    assert len(words(table)) == 2


def test_what_was_dropped_costs_no_sentence_and_no_concession() -> None:
    calm, hasty = seated(quiet()), seated(quiet())
    for table in (calm, hasty):
        table.human.says("Your offer?", MessageSubtype.OFFER_REQUEST_POS)
        table.wait(12)
        table.human.offers(GREEDY)
        signs = typing(table)
        while typing(table) == signs:
            table.wait(0.1)
        if table is hasty:
            table.human.says("Well?")
        table.wait(15)

    assert len(offered(hasty)) == len(offered(calm)) == 2
    assert offered(hasty)[-1].get_offer() == offered(calm)[-1].get_offer()


def test_shortly_before_the_deadline_it_answers_in_time() -> None:
    table = seated(quiet())
    table.wait(590)
    before = len(words(table))

    table.human.says("What matters most to you, and why do you want all of the food and all of the water?")
    table.wait(4.9)

    assert len(words(table)) > before
