"""Talk of agents at tables of three and four: to whom, about whose offer, and when they are silent."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from negoplatform.core.events import Event, EventType, Message, MessageSubtype
from negoplatform.core.session import BY_HUMAN
from negoplatform.domain.agreement_rules import Agreement, Turns
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.testing import TrialTable
from tests.agents.seating import TALKERS, below_reservation, of, shipped
from tests.many_seats import EVERY_GAME, heirs
from tests.sweeps import sampled

ALL_TALKERS = ("fair", *TALKERS)


def table_of(game: GameSpec, *names: str, seed: int = 1) -> TrialTable:
    """Return a table with agents in all seats but the first, which is scripted."""
    table = TrialTable(game, seed=seed)
    for seat, name in zip(game.seats[1:], names, strict=True):
        table.seat(shipped(name), seat)
    return table


def says(table: TrialTable, text: str, *to: str, subtype: MessageSubtype = MessageSubtype.GENERIC) -> int:
    """Say something as the first seat; return the number of events before the answers."""
    table.start()
    seat = table.state.game.seats[0]
    table.session.send_message(seat, Message(text, subtype), BY_HUMAN._replace(to=to))
    return len(table.events)


def said(table: TrialTable, since: int = 0) -> list[Event]:
    """Return the agents' messages since a number of events."""
    first = table.state.game.seats[0]
    return [
        event
        for event in table.events[since:]
        if event.type == EventType.SEND_MESSAGE and event.sender != first
    ]


def settled(*names: str, seed: int = 1) -> TrialTable:
    """Return a table of heirs after its greetings."""
    table = table_of(heirs(), *names, seed=seed)
    table.wait(9)
    return table


@pytest.mark.parametrize(("name", "game"), sampled(ALL_TALKERS, list(EVERY_GAME)))
def test_agents_do_not_talk_to_each_other_without_end(name: str, game: str) -> None:
    table = TrialTable(EVERY_GAME[game]())
    for seat in table.state.game.seats:
        table.seat(shipped(name), seat)

    table.wait(310)

    messages = of(table, EventType.SEND_MESSAGE)
    assert of(table, EventType.AGENT_FAILED) == []
    assert len(messages) < 120
    assert len(of(table, EventType.ACTION_REFUSED)) <= 12
    for seat in table.state.game.seats:
        assert below_reservation(table, seat) == []


@pytest.mark.parametrize("names", [("fair", "conceding"), ("negochat", "building"), ("qo_agent", "lying")])
def test_a_question_to_one_is_answered_by_that_one(names: Sequence[str]) -> None:
    table = settled(*names)

    since = says(table, "Kim, are you a bot?")
    table.wait(14)

    assert {event.sender for event in said(table, since) if "Dana" in event.get_text()} == {"kim"}


TO_KIM = (
    "Kim, what do you think?",
    "What do you think Kim?",
    "And you, Kim? What matters most to you?",
    "Robin wants the garden. Kim, do you want it too?",
    "Kim is the garden important for you?",
    "Kim, what do you think of Robin's idea?",
)


@pytest.mark.parametrize("text", TO_KIM)
@pytest.mark.parametrize("names", [("conceding", "building"), ("negochat", "fair")])
def test_a_question_to_one_by_name_is_left_to_that_one(names: Sequence[str], text: str) -> None:
    table = settled(*names)

    since = says(table, text)
    table.wait(14)

    to_dana = {event.sender for event in said(table, since) if "Dana" in event.get_text()}
    assert to_dana <= {"kim"}


@pytest.mark.parametrize("names", [("conceding", "building"), ("negochat", "fair"), ("fair", "conceding")])
def test_a_greeting_of_one_by_name_is_left_to_that_one(names: Sequence[str]) -> None:
    table = table_of(heirs(), *names)

    since = says(table, "Hi Kim, how are you?")
    table.wait(6)

    assert {event.sender for event in said(table, since) if "Dana" in event.get_text()} <= {"kim"}


@pytest.mark.parametrize("name", ALL_TALKERS)
def test_what_is_asked_in_private_is_answered_by_its_reader_alone(name: str) -> None:
    table = settled(name, name)

    since = says(table, "You get 2 chairs, ok?", "kim")
    table.wait(14)

    private = [event for event in said(table, since) if event.to]
    own = (MessageSubtype.FAVOR_REQUEST, MessageSubtype.OFFER_PROPOSE)  # what Robin says unasked
    answers = [event for event in said(table, since) if event.payload.subtype not in own]
    assert {event.sender for event in private} <= {"kim"}
    assert [event for event in answers if event.sender == "robin" and "Dana" in event.get_text()] == []


def test_you_in_private_is_whoever_reads_it() -> None:
    table = settled("conceding", "conceding")

    says(table, "You get 2 chairs", "kim")
    table.wait(1)

    reading = table.context("kim").reading
    assert reading is not None
    assert reading.offer == Offer({"chairs": Allocation({"kim": 2}, 2)})


def test_a_question_to_all_is_answered_by_all() -> None:
    table = settled("fair", "conceding")

    since = says(table, "What matters most to you?")
    table.wait(15)

    answers = [event for event in said(table, since) if event.payload.subtype is MessageSubtype.PREF_INFO]
    to_dana = [event for event in answers if "Dana" in event.get_text()]
    assert sorted(event.sender for event in to_dana) == ["kim", "robin"]


def test_what_one_question_was_is_not_answered_by_everyone() -> None:
    table = settled("fair", "conceding")

    since = says(table, "Who of you has read the newspaper?")
    table.wait(12)

    to_dana = [event for event in said(table, since) if event.get_text().startswith("Dana")]
    assert {event.sender for event in to_dana} == {"robin"}


def test_a_private_question_gets_a_private_answer() -> None:
    table = settled("fair", "conceding")

    since = says(table, "What do you really want?", "kim")
    table.wait(14)

    answers = [event for event in said(table, since) if event.sender == "kim"]
    assert answers
    assert answers[0].to == ("dana",)
    assert not answers[0].get_text().startswith("Dana")


def test_a_message_to_another_seat_is_neither_seen_nor_answered() -> None:
    table = settled("fair", "conceding")
    since = says(table, "What do you really want?", "kim")
    table.wait(9)

    assert all("robin" not in event.to for event in table.events[since - 1 :] if event.to)
    assert [
        event for event in said(table, since) if event.sender == "robin" and "Dana" in event.get_text()
    ] == []


def test_a_no_is_answered_by_the_maker_of_the_offer() -> None:
    table = table_of(heirs(), "conceding", "conceding")
    table.wait(35)
    maker = table.context("dana").current_offer_sender

    since = says(table, "No, that is too little for me.")
    table.wait(9)

    answers = [
        event for event in said(table, since) if event.payload.subtype is not MessageSubtype.GENERIC_POS
    ]
    assert answers
    assert answers[0].sender == maker


def test_thanks_are_for_the_one_who_has_answered() -> None:
    table = settled("fair", "conceding")
    says(table, "Kim, are you a bot?")
    table.wait(8)

    since = says(table, "thank you")
    table.wait(5)

    assert {event.sender for event in said(table, since) if "Dana" in event.get_text()} == {"kim"}


def test_an_answer_is_not_answered_again() -> None:
    table = table_of(heirs(), "conceding", "conceding")

    table.wait(60)

    talk = [
        event
        for event in said(table)
        if event.payload.subtype in (MessageSubtype.CONFIRMATION, MessageSubtype.GENERIC_POS)
    ]
    assert len(talk) <= 4


def test_an_earlier_offer_is_named_as_that_of_its_maker() -> None:
    table = TrialTable(heirs())
    for seat, name in zip(heirs().seats, ("fair", "conceding", "negochat"), strict=True):
        table.seat(shipped(name), seat)
    table.wait(300)
    offers: dict[object, str] = {}
    named = []
    for event, after in zip(table.events, table.events[1:], strict=False):
        if event.type == EventType.SEND_OFFER:
            offers.setdefault(event.get_offer(), event.sender)
        elif event.type == EventType.SEND_MESSAGE and after.type == EventType.SEND_OFFER:
            maker = offers.get(after.get_offer())
            if maker not in (None, event.sender):
                named.append((maker, event.get_text()))

    assert named, "some agent has taken up another's offer"
    assert all(text.startswith(str(maker).capitalize()) for maker, text in named)


def test_nobody_speaks_for_two_where_there_are_three() -> None:
    words = ("we both", "both of us", "you and me", "us both")
    for seed in range(1, 6):
        table = TrialTable(heirs(), seed=seed)
        for seat, name in zip(heirs().seats, ("building", "favours_fair", "competitive"), strict=True):
            table.seat(shipped(name), seat)
        table.wait(310)

        texts = [event.get_text().lower() for event in of(table, EventType.SEND_MESSAGE)]
        assert not [text for text in texts if any(word in text for word in words)]


def test_an_offer_that_is_liked_is_accepted_by_all_in_turn() -> None:
    table = table_of(heirs(), "fair", "conceding")
    table.wait(250)
    table.participant("dana").offers(paintings=(0, 4, 2), chairs=(2, 0, 2), garden="kim")

    table.wait(15)

    assert {event.sender for event in of(table, EventType.FORMAL_ACCEPT)} >= {"robin", "kim"}


def test_a_favour_is_asked_of_one_and_granted_by_that_one() -> None:
    table = TrialTable(heirs(), seed=4)
    for seat in heirs().seats:
        table.seat(shipped("favours_fair"), seat)

    table.wait(40)

    asked = [
        e for e in of(table, EventType.SEND_MESSAGE) if e.payload.subtype is MessageSubtype.FAVOR_REQUEST
    ]
    granted = [
        e for e in of(table, EventType.SEND_MESSAGE) if e.payload.subtype is MessageSubtype.FAVOR_ACCEPT
    ]
    assert asked
    for event in granted:
        name = event.sender.capitalize()
        assert any(name in request.get_text() for request in asked), "only whoever was asked says yes"


@pytest.mark.parametrize("name", ALL_TALKERS)
def test_a_majority_is_enough_where_the_rules_say_so(name: str) -> None:
    game = heirs(agreement=Agreement.MAJORITY, acceptance="maker_accepts")
    table = TrialTable(game)
    for seat in game.seats:
        table.seat(shipped(name), seat)

    table.wait(310)

    assert of(table, EventType.AGENT_FAILED) == []
    ending = table.state.ending
    assert ending is not None
    assert ending.ended_by.value in ("agreement", "timeout")


@pytest.mark.parametrize("name", ALL_TALKERS)
def test_in_turns_somebody_moves_until_the_end(name: str) -> None:
    game = heirs(turns=Turns.ALTERNATING)
    table = TrialTable(game)
    for seat in game.seats:
        table.seat(shipped(name), seat)

    table.wait(310)

    ending = table.state.ending
    offers = [event.t for event in of(table, EventType.SEND_OFFER)]
    assert ending is not None
    assert of(table, EventType.ACTION_REFUSED) == []
    assert ending.ended_by.value == "agreement" or offers[-1] > 200, (
        "nobody waits for a turn that never comes"
    )


@pytest.mark.parametrize("name", ALL_TALKERS)
def test_equal_seeds_make_equal_tables_of_four(name: str) -> None:
    logs = []
    for _ in range(2):
        table = TrialTable(EVERY_GAME["harvest"](deadline_seconds=60.0), seed=3)
        for seat in table.state.game.seats:
            table.seat(shipped(name), seat)
        table.wait(65)
        logs.append([(event.t, event.sender, repr(event.payload)) for event in table.events])

    assert logs[0] == logs[1]
