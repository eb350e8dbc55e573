"""Ledger of each party's intentions, refused ones included, derived from the events alone."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import (
    DecidedBy,
    Event,
    EventType,
    Expression,
    Message,
    MessageSubtype,
    Refusal,
    Relation,
)
from negoplatform.core.events import Preference as Stated
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.intention_ledger import INTENT_OF_MESSAGE, intentions, ledger
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks import (
    EMPTY_RECORD,
    Record,
    Task,
    TaskStatus,
    get_state,
    parse_record,
)
from negoplatform.core.session import ActionOrigin
from negoplatform.domain.errors import Refused
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.formats.interpretations import dump_interpretation
from negoplatform.language import DialogueAct, Interpretation
from negoplatform.testing import TrialTable
from tests.games import three_seats

ALL = {"bananas": 3, "grain": 1, "wood": 2, "spices": 1}
OTHER = {"bananas": 1, "grain": 1, "wood": 1, "spices": 1}


def entry(table: TrialTable, event: Event) -> Task:
    (found,) = [task for task in intentions(table.events) if task.task_id == f"event-{event.seq}"]
    return found


def wanted(table: TrialTable) -> list[tuple[str, str]]:
    return [(task.agent_origin, task.intent) for task in intentions(table.events)]


def with_tasks(*tasks: Task) -> Record:
    return parse_record({**get_state(EMPTY_RECORD), "tasks": [task.document() for task in tasks]})


# Entries


def test_every_act_of_a_party_is_entered_in_order(table: TrialTable) -> None:
    table.human.says("Hello", MessageSubtype.GREETING)
    table.agent.offers(ALL)
    table.human.offers(OTHER)
    table.agent.shows(Expression.SAD)
    table.agent.accepts()
    table.human.quits()

    assert wanted(table) == [
        ("human", "express"),
        ("agent", "propose"),
        ("human", "counter"),
        ("agent", "express"),
        ("agent", "accept"),
        ("human", "quit"),
    ]


def test_time_presence_and_what_the_platform_records_are_not_entered(table: TrialTable) -> None:
    table.human.types()
    table.human.drafts()
    table.session.record_agent_failure("agent", "It raised.")
    table.wait(20)

    assert EventType.TIME in table.kinds(without=frozenset())
    assert intentions(table.events) == []


def test_a_refused_move_is_entered_with_its_reason(table: TrialTable) -> None:
    table.start()
    with pytest.raises(Refused):
        table.human.accepts(7)

    (tried,) = intentions(table.events)

    refusal = table.events[-1]
    assert tried == Task(
        task_id=f"event-{refusal.seq}",
        timestamp=refusal.t,
        agent_origin="human",
        intent="accept",
        status=TaskStatus.DONE,
        metadata=FrozenJson(
            {
                "seq": refusal.seq,
                "event": "ACTION_REFUSED",
                "action": "FORMAL_ACCEPT",
                "refused": "There’s no offer on the table yet.",
                "decided_by": "human",
            }
        ),
    )


def test_a_refused_offer_against_anothers_was_a_counter_and_leaves_that_one_open(table: TrialTable) -> None:
    standing = table.agent.offers(ALL)
    with pytest.raises(Refused):
        table.session.send_offer("human", Offer({"gold": "all"}))

    assert wanted(table)[-1] == ("human", "counter")
    assert entry(table, standing).status is TaskStatus.IN_PROGRESS


def test_a_refused_sign_of_presence_is_no_intention(table: TrialTable) -> None:
    table.start()
    with pytest.raises(Refused):
        table.session.show_typing("human", 0)

    assert table.events[-1].type == EventType.ACTION_REFUSED
    assert intentions(table.events) == []


def test_a_refused_change_of_the_record_is_no_move_at_the_table() -> None:
    refusal = Refusal(EventType.STATE_PROPOSED, "deal may only be changed by the platform.")

    assert intentions([Event(2, 1.0, EventType.ACTION_REFUSED, PLATFORM, refusal, ("agent",))]) == []


def test_an_entry_says_when_what_and_by_whom(table: TrialTable) -> None:
    table.wait(2.5)
    stated = Stated("bananas", Relation.GREATER, "wood")
    message = Message("I like bananas", MessageSubtype.PREF_INFO, stated, batna=4)

    sent = table.session.send_message("agent", message, ActionOrigin(DecidedBy.WIZARD))

    assert entry(table, sent).timestamp == 2.5
    assert entry(table, sent).intent == "tell"
    assert entry(table, sent).metadata == FrozenJson(
        {
            "seq": sent.seq,
            "event": "SEND_MESSAGE",
            "text": "I like bananas",
            "subtype": "PREF_INFO",
            "preference": {
                "issue1": "bananas",
                "relation": "GREATER",
                "issue2": "wood",
                "is_question": False,
            },
            "batna": 4,
            "decided_by": "wizard",
        }
    )


def test_an_offer_is_entered_with_its_terms(table: TrialTable) -> None:
    sent = table.human.offers(bananas={"human": 3})

    said = entry(table, sent).metadata

    assert said["offer_id"] == sent.seq
    assert said["offer"] == {"bananas": {"human": 3, "undecided": 1}}


def test_every_subtype_of_message_has_an_intent() -> None:
    assert set(INTENT_OF_MESSAGE) == set(MessageSubtype)


@pytest.mark.parametrize(
    ("subtype", "intent"),
    [
        (MessageSubtype.OFFER_PROPOSE, "propose"),
        (MessageSubtype.OFFER_ACCEPT, "accept"),
        (MessageSubtype.OFFER_REJECT, "reject"),
        (MessageSubtype.BATNA_REQUEST, "ask"),
        (MessageSubtype.GENERIC, "tell"),
        (MessageSubtype.THANKS, "express"),
        (MessageSubtype.PREF_WITHHOLD, "stall"),
        (MessageSubtype.PROMISE, "promise"),
        (MessageSubtype.THREAT_POS, "threaten"),
    ],
)
def test_what_a_message_is_meant_to_do_follows_from_its_subtype(
    table: TrialTable, subtype: MessageSubtype, intent: str
) -> None:
    assert entry(table, table.human.says("…", subtype)).intent == intent


def test_words_that_carry_a_question_about_preferences_ask(table: TrialTable) -> None:
    question = Stated("bananas", Relation.BEST, is_question=True)
    table.start()

    sent = table.session.send_message("human", Message("Is it bananas?", preference=question))

    assert entry(table, sent).intent == "ask"
    assert entry(table, sent).status is TaskStatus.PENDING


# Typed words


def read_as(*acts: MessageSubtype, text: str = "words", **more: object) -> dict[str, Any]:
    """Return the data of a note about words that were read as some acts."""
    reading = Interpretation(text, tuple(DialogueAct(act, 0.9) for act in acts), **more)  # type: ignore[arg-type]  # fields by name
    return dump_interpretation("human", reading, "en")


def typed(table: TrialTable, data: dict[str, Any], answer: dict[str, Any] | None = None) -> Event:
    """Send a message that was read, and record the answer to its reading."""
    table.start()
    note = table.session.note(NoteKind.READING, **data)
    sent = table.human.says(data["text"])
    if answer is not None:
        table.session.note(
            NoteKind.READING_ANSWERED, **{"reading": note.seq, "message": sent.seq, "offer": None, **answer}
        )
    return sent


@pytest.mark.parametrize(
    ("data", "intent"),
    [
        (read_as(MessageSubtype.GREETING), "express"),
        (read_as(MessageSubtype.GREETING, MessageSubtype.PREF_INFO), "tell"),
        (read_as(MessageSubtype.PREF_INFO, MessageSubtype.OFFER_PROPOSE), "propose"),
        (read_as(MessageSubtype.BATNA_REQUEST), "ask"),
        (read_as(MessageSubtype.PREF_WITHHOLD), "stall"),
        (read_as(MessageSubtype.OFFER_ACCEPT, accepts=True), "accept"),
        (read_as(MessageSubtype.OFFER_PROPOSE, accepts=True, adapts=True), "propose"),
        (read_as(), "tell"),
    ],
)
def test_typed_words_are_meant_as_they_were_read(
    table: TrialTable, data: dict[str, Any], intent: str
) -> None:
    sent = typed(table, data)

    assert entry(table, sent).intent == intent


def test_a_proposal_in_words_against_anothers_offer_is_a_counter(table: TrialTable) -> None:
    table.agent.offers(ALL)

    read = typed(table, read_as(MessageSubtype.OFFER_PROPOSE))
    chosen = table.human.says("I propose …", MessageSubtype.OFFER_PROPOSE)

    assert [entry(table, sent).intent for sent in (read, chosen)] == ["counter", "counter"]


@pytest.mark.parametrize(
    ("verdict", "intent"),
    [("offered", "propose"), ("edited", "propose"), ("accepted", "accept"), ("only_said", "tell")],
)
def test_what_their_sender_confirmed_counts_more_than_what_was_read(
    table: TrialTable, verdict: str, intent: str
) -> None:
    sent = typed(table, read_as(MessageSubtype.PREF_INFO), {"verdict": verdict})

    assert entry(table, sent).intent == intent
    assert entry(table, sent).metadata["reading"]["verdict"] == verdict


def test_an_entry_holds_what_was_read(table: TrialTable) -> None:
    act = DialogueAct(MessageSubtype.PREF_INFO, 0.8125, Stated("wood", Relation.BEST), issue="wood")
    offer = Offer({"wood": Allocation({"human": 2, "agent": 0})})
    reading = Interpretation("2 wood for me, I need it", (act,), (offer,), 0.75, about=("wood",), soft=True)

    sent = typed(table, dump_interpretation("human", reading, "en"), {"verdict": "offered", "offer": 9})

    assert entry(table, sent).metadata["reading"] == {
        "seq": sent.seq - 1,
        "acts": [
            {
                "subtype": "PREF_INFO",
                "sure": 0.812,
                "preference": {
                    "issue1": "wood",
                    "relation": "BEST",
                    "issue2": None,
                    "is_question": False,
                },
                "issue": "wood",
            }
        ],
        "offers": [{"wood": {"human": 2, "agent": 0, "undecided": 0}}],
        "sure": 0.75,
        "about": ["wood"],
        "soft": True,
        "verdict": "offered",
        "offer_id": 9,
    }


def test_typed_words_may_ask_and_reject(table: TrialTable) -> None:
    offer = table.agent.offers(ALL)
    question = typed(table, read_as(MessageSubtype.PREF_REQUEST))
    typed(table, read_as(MessageSubtype.OFFER_REJECT))
    answer = table.agent.says("Bananas", MessageSubtype.PREF_INFO)

    assert outcome(table, offer) == "rejected"
    assert entry(table, question).metadata["answered_by"] == answer.seq


def test_a_speech_act_that_its_sender_chose_is_not_read_otherwise(table: TrialTable) -> None:
    table.start()
    table.session.note(NoteKind.READING, **read_as(MessageSubtype.OFFER_ACCEPT, accepts=True))

    sent = table.human.says("Thanks.", MessageSubtype.THANKS)

    assert entry(table, sent).intent == "express"


@pytest.mark.parametrize(
    "data",
    [
        {"seat": "human", "text": "words"},
        {"seat": "human", "text": "words", "acts": "none"},
        {"seat": "human", "text": "words", "acts": [["PREF_INFO", 1]]},
        {"seat": "human", "text": "words", "acts": [{"subtype": "SING", "sure": 1}]},
        {"seat": "human", "text": "words", "acts": [{"subtype": "THANKS", "sure": None}]},
    ],
)
def test_a_note_that_cannot_be_read_leaves_the_words_as_they_are(
    table: TrialTable, data: dict[str, Any]
) -> None:
    sent = typed(table, data)

    assert entry(table, sent).intent == "tell"
    assert "reading" not in entry(table, sent).metadata


# Progress of intentions


def test_an_offer_is_in_progress_while_it_is_on_the_table(table: TrialTable) -> None:
    sent = table.human.offers(ALL)
    table.agent.says("Hm")

    assert entry(table, sent).status is TaskStatus.IN_PROGRESS


def outcome(table: TrialTable, offer: Event) -> str:
    task = entry(table, offer)
    assert task.status is TaskStatus.DONE
    return str(task.metadata["outcome"])


def test_an_offer_is_done_when_it_is_countered(table: TrialTable) -> None:
    first = table.human.offers(ALL)
    second = table.agent.offers(OTHER)

    assert outcome(table, first) == "countered"
    assert entry(table, second).status is TaskStatus.IN_PROGRESS


def test_an_offer_is_done_when_its_maker_replaces_it(table: TrialTable) -> None:
    first = table.human.offers(ALL)
    second = table.human.offers(OTHER)

    assert outcome(table, first) == "replaced"
    assert entry(table, second).intent == "propose"


def test_an_offer_is_done_when_another_accepts_it_but_not_when_its_maker_does(table: TrialTable) -> None:
    sent = table.human.offers(ALL)

    table.human.accepts()
    assert entry(table, sent).status is TaskStatus.IN_PROGRESS
    table.agent.accepts()
    assert outcome(table, sent) == "accepted"


def test_an_offer_is_done_when_another_rejects_it_in_words(table: TrialTable) -> None:
    sent = table.human.offers(ALL)

    table.human.says("No, wait", MessageSubtype.OFFER_REJECT)
    assert entry(table, sent).status is TaskStatus.IN_PROGRESS
    table.agent.says("No", MessageSubtype.OFFER_REJECT)
    assert outcome(table, sent) == "rejected"


def test_an_offer_is_done_when_the_game_ends(table: TrialTable) -> None:
    sent = table.human.offers(ALL)

    table.agent.quits()

    assert outcome(table, sent) == "ended"


def test_the_first_answer_to_an_offer_is_the_one_that_counts(table: TrialTable) -> None:
    sent = table.human.offers(ALL)
    table.agent.says("No", MessageSubtype.OFFER_REJECT)
    table.agent.offers(OTHER)

    assert outcome(table, sent) == "rejected"


def test_a_question_is_pending_until_another_speaks(table: TrialTable) -> None:
    question = table.human.says("What do you like?", MessageSubtype.PREF_REQUEST)

    table.human.says("Well?")
    table.agent.shows(Expression.HAPPY)
    table.agent.offers(ALL)
    assert entry(table, question).status is TaskStatus.PENDING
    answer = table.agent.says("Bananas", MessageSubtype.PREF_INFO)
    assert entry(table, question).status is TaskStatus.DONE
    assert entry(table, question).metadata["answered_by"] == answer.seq


def test_an_offer_answers_the_question_for_one(table: TrialTable) -> None:
    question = table.human.says("Make me an offer", MessageSubtype.OFFER_REQUEST_POS)

    table.agent.offers(ALL)

    assert entry(table, question).status is TaskStatus.DONE


def test_a_question_that_nobody_answered_stays_pending_after_the_end(table: TrialTable) -> None:
    question = table.human.says("What do you like?", MessageSubtype.PREF_REQUEST)

    table.agent.quits()

    assert entry(table, question).status is TaskStatus.PENDING


def test_only_who_heard_a_question_can_answer_it() -> None:
    table = TrialTable(three_seats())
    table.start()
    asked = Message("What do you like?", MessageSubtype.PREF_REQUEST)
    question = table.session.send_message("red", asked, ActionOrigin(to=("green",)))

    table.participant("blue").says("Nice day")
    table.session.send_message("green", Message("Psst"), ActionOrigin(to=("blue",)))
    assert entry(table, question).status is TaskStatus.PENDING
    table.session.send_message("green", Message("Coins"), ActionOrigin(to=("red",)))
    assert entry(table, question).status is TaskStatus.DONE


def test_a_rejection_whispered_to_a_third_seat_leaves_the_offer_open() -> None:
    table = TrialTable(three_seats())
    offer = table.participant("red").offers(colour="red")

    whisper = Message("Never", MessageSubtype.OFFER_REJECT)
    table.session.send_message("green", whisper, ActionOrigin(to=("blue",)))

    assert entry(table, offer).status is TaskStatus.IN_PROGRESS


def test_the_intentions_are_the_same_however_often_they_are_computed(table: TrialTable) -> None:
    table.human.offers(ALL)
    table.agent.offers(OTHER)
    before = list(table.events)

    assert intentions(table.events) == intentions(iter(table.events))
    assert table.events == before


# With the record


def recorded(
    sent: Event, status: TaskStatus = TaskStatus.PENDING, *, origin: str = "human", **metadata: object
) -> Task:
    """Return a task of a record about the intention behind an event."""
    return Task(f"event-{sent.seq}", 0.0, origin, "stall", status, FrozenJson(metadata))


def test_what_the_record_says_of_an_intention_wins_and_adds_to_what_the_event_said(table: TrialTable) -> None:
    sent = table.human.says("Hello")

    (task,) = ledger(table.events, with_tasks(recorded(sent, why="late")))

    assert task.intent == "stall"
    assert (task.metadata["text"], task.metadata["why"]) == ("Hello", "late")


def test_a_record_can_finish_an_intention_and_cannot_reopen_it(table: TrialTable) -> None:
    question = table.human.says("What do you like?", MessageSubtype.PREF_REQUEST)
    statement = table.human.says("I wait.")

    tasks = ledger(
        table.events,
        with_tasks(recorded(question, TaskStatus.DONE), recorded(statement, TaskStatus.PENDING)),
    )

    assert [task.status for task in tasks] == [TaskStatus.DONE, TaskStatus.DONE]


def test_no_record_replaces_what_an_event_said_when_and_by_whom(table: TrialTable) -> None:
    table.wait(3)
    sent = table.human.says("Hello")

    (task,) = ledger(table.events, with_tasks(recorded(sent, text="Die!", seq=1)))

    assert (task.timestamp, task.metadata["text"], task.metadata["seq"]) == (3.0, "Hello", sent.seq)


def test_a_task_that_takes_the_name_of_anothers_intention_is_left_out(table: TrialTable) -> None:
    sent = table.human.says("Hello")

    tasks = ledger(table.events, with_tasks(recorded(sent, origin="agent")))

    assert tasks == intentions(table.events)


def test_the_records_further_tasks_come_after_the_intentions(table: TrialTable) -> None:
    table.human.says("Hello")
    settle = Task("settle-wood", 3.0, "agenda", "settle", TaskStatus.PENDING)

    tasks = ledger(table.events, with_tasks(settle))

    assert [task.task_id for task in tasks] == ["event-2", "settle-wood"]
    assert tasks[1] == settle
