"""The record as it is read: what follows from the events, what was proposed, and how the two combine."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, ProposeChange, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import (
    Event,
    EventType,
    Expression,
    Message,
    MessageSubtype,
    Preference,
    Relation,
)
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.notes_and_tasks_derivation import record_sections
from negoplatform.core.notes_and_tasks_updater import RecordUpdater
from negoplatform.core.record.notes_and_tasks import Task, TaskStatus, parse_template
from negoplatform.core.record.notes_and_tasks_proposals import PLATFORM_PROPOSER, Proposer, ProposerKind
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.testing import Scripted, TrialTable
from tests.games import three_seats, with_rules
from tests.proposers import issued

AGENT = Proposer(ProposerKind.SEAT, "agent")
ASSISTANT = Proposer(ProposerKind.ASSISTANT, "agenda")

ALL = {"bananas": (2, 2), "grain": (5, 0), "wood": (3, 0), "spices": (0, 3)}
"""Terms for every issue of resource_exchange, as units of the human and of the agent."""

EMPTY = {"agreed": [], "open": ["coins", "colour"], "disputed": [], "terms": {}, "final": False}


def section(table: TrialTable, name: str) -> Any:
    return table.session.get_state()[name]


def tasks(table: TrialTable) -> list[tuple[str, str, str]]:
    return [(task["agent_origin"], task["intent"], task["status"]) for task in section(table, "tasks")]


def verbs(table: TrialTable, proposer: Proposer = PLATFORM_PROPOSER) -> RecordUpdater:
    table.start()
    return RecordUpdater(table.session, issued(table.session, proposer))


def read(table: TrialTable, text: str, *acts: dict[str, Any]) -> Event:
    """Send typed words of the human that were read as some acts."""
    table.start()
    table.session.note(NoteKind.READING, seat="human", text=text, acts=[{"sure": 0.9, **act} for act in acts])
    return table.human.says(text)


# Tasks


def test_every_intention_is_a_task_the_refused_ones_too_and_no_event_is_added(table: TrialTable) -> None:
    table.human.says("Hello", MessageSubtype.GREETING)
    table.agent.offers(ALL)
    table.human.offers({"bananas": (3, 1)})
    table.human.shows(Expression.HAPPY)
    with pytest.raises(Refused):
        table.agent.accepts(99)
    before = list(table.events)

    assert tasks(table) == [
        ("human", "express", "done"),
        ("agent", "propose", "done"),
        ("human", "counter", "in_progress"),
        ("human", "express", "done"),
        ("agent", "accept", "done"),
    ]
    assert table.events == before


def test_a_task_holds_what_was_read_from_the_words(table: TrialTable) -> None:
    sent = read(table, "could you do better", {"subtype": "OFFER_REQUEST_POS"})

    (task,) = section(table, "tasks")

    assert (task["task_id"], task["intent"], task["status"]) == (f"event-{sent.seq}", "ask", "pending")
    assert task["metadata"]["text"] == "could you do better"
    assert task["metadata"]["reading"]["acts"] == [{"subtype": "OFFER_REQUEST_POS", "sure": 0.9}]


def test_the_experimenters_part_of_the_events_is_not_in_the_record(table: TrialTable) -> None:
    table.human.says("Hello")

    (task,) = section(table, "tasks")

    assert table.events[-1].decided_by == "human"
    assert "decided_by" not in task["metadata"]


# Deal


def test_the_deal_begins_with_every_issue_open() -> None:
    table = TrialTable(three_seats())

    deal = section(table, "deal")

    assert {key: deal[key] for key in EMPTY} == EMPTY
    assert deal["issues"] == {name: {"status": "open", "terms": {}} for name in ("coins", "colour")}


def test_an_issue_is_agreed_when_all_seats_latest_terms_are_the_same(table: TrialTable) -> None:
    table.human.offers({"bananas": (2, 2), "wood": (3, 0)})
    table.agent.offers({"bananas": (2, 2), "wood": (1, 2)})

    deal = section(table, "deal")

    assert (deal["agreed"], deal["disputed"], deal["open"]) == (["bananas"], ["wood"], ["grain", "spices"])
    assert deal["terms"] == {"bananas": {"human": 2, "agent": 2, "undecided": 0}}
    assert deal["issues"]["wood"] == {
        "status": "disputed",
        "terms": {
            "human": {"human": 3, "agent": 0, "undecided": 0},
            "agent": {"human": 1, "agent": 2, "undecided": 0},
        },
    }
    assert not deal["final"]


def test_a_deal_that_binds_is_final_with_all_of_its_terms(table: TrialTable) -> None:
    offer = table.human.offers(ALL)
    table.human.accepts(offer)
    table.agent.accepts(offer)

    deal = section(table, "deal")

    assert deal["final"]
    assert deal["agreed"] == list(ALL)
    assert deal["terms"]["grain"] == {"human": 5, "agent": 0, "undecided": 0}


def test_a_final_deal_counts_more_than_later_positions(game: GameSpec) -> None:
    table = TrialTable(with_rules(game, allow_partial=True))
    table.agent.offers({"bananas": (1, 3), "wood": (0, 3)})
    partial = table.human.offers({"bananas": (4, 0)})
    table.human.accepts(partial)
    table.agent.accepts(partial)

    deal = section(table, "deal")

    assert deal["final"]
    assert deal["terms"] == {"bananas": {"human": 4, "agent": 0, "undecided": 0}}
    assert deal["open"] == ["grain", "wood", "spices"]


def test_a_game_that_ends_without_a_deal_has_no_final_one(table: TrialTable) -> None:
    table.human.offers(ALL)
    table.agent.quits()

    assert not section(table, "deal")["final"]


# Participant


def test_stated_preferences_are_kept_by_seat_and_questions_are_not(table: TrialTable) -> None:
    table.start()
    said = [
        table.session.send_message(seat, Message("…", MessageSubtype.PREF_INFO, preference)).seq
        for seat, preference in [
            ("human", Preference("wood", Relation.BEST)),
            ("agent", Preference("wood", Relation.LESS, "grain")),
            ("human", Preference("wood", Relation.BEST, is_question=True)),
        ]
    ]
    plain = table.human.says("I need fruit.", MessageSubtype.PREF_INFO)

    assert section(table, "participant")["preferences"] == {
        "human": [
            {"seq": said[0], "issue1": "wood", "relation": "BEST"},
            {"seq": plain.seq, "text": "I need fruit."},
        ],
        "agent": [{"seq": said[1], "issue1": "wood", "relation": "LESS", "issue2": "grain"}],
    }


def test_preferences_are_read_from_typed_words(table: TrialTable) -> None:
    compared = {"issue1": "wood", "relation": "GREATER", "issue2": "grain", "is_question": False}
    sent = read(
        table,
        "hi, wood over grain, kids need bananas, you know",
        {"subtype": "GREETING"},
        {"subtype": "PREF_INFO", "preference": compared, "issue": "wood"},
        {"subtype": "PREF_INFO", "issue": "bananas", "need": "others"},
        {"subtype": "PREF_INFO"},
    )

    assert section(table, "participant")["preferences"]["human"] == [
        {"seq": sent.seq, "issue1": "wood", "relation": "GREATER", "issue2": "grain", "read": True},
        {"seq": sent.seq, "issue": "bananas", "need": "others", "read": True},
        {"seq": sent.seq, "text": sent.get_text(), "read": True},
    ]


def test_words_with_a_chosen_speech_act_are_not_read(table: TrialTable) -> None:
    table.start()
    acts = [{"subtype": "PREF_INFO", "sure": 0.9, "issue": "wood"}]
    table.session.note(NoteKind.READING, seat="human", text="Thanks", acts=acts)
    table.human.says("Thanks", MessageSubtype.THANKS)

    assert section(table, "participant")["preferences"] == {}


# Template


def session_with(template: dict[str, Any], game: GameSpec) -> Session:
    model = TrialTable(game).session
    return Session(
        game,
        mechanism=model._mechanism,
        clock=lambda: 0.0,
        log=lambda _event: None,
        publish=lambda _published: None,
        report=print,
        record_template=parse_template(template),
    )


PLAN = {
    "task_id": "plan",
    "timestamp": 0.0,
    "agent_origin": "agenda",
    "intent": "settle",
    "status": "pending",
}


def test_the_template_is_what_a_sessions_record_starts_from(game: GameSpec) -> None:
    template = {
        "participant": {"demographics": {}, "consent": None, "preferences": {"human": [{"text": "before"}]}},
        "deal": {"currency": "EUR"},
        "tasks": [PLAN],
    }
    session = session_with(template, game)

    state = session.get_state()

    assert state["participant"] == {
        "demographics": {},
        "consent": None,
        "preferences": {"human": [{"text": "before"}]},
    }
    assert state["deal"]["currency"] == "EUR"
    assert state["deal"]["open"] == ["bananas", "grain", "wood", "spices"]
    assert [task["task_id"] for task in state["tasks"]] == ["plan"]


def test_what_happens_stands_over_the_template_and_what_is_proposed_over_both(game: GameSpec) -> None:
    session = session_with({"participant": {"consent": False, "preferences": {}}, "tasks": [PLAN]}, game)
    session.start()
    session.send_message("human", Message("I need wood.", MessageSubtype.PREF_INFO))

    session.propose_change(issued(session, PLATFORM_PROPOSER), {"participant": {"consent": True}}, 9)
    session.propose_change(issued(session, ASSISTANT), {"tasks": [{"task_id": "plan", "status": "done"}]}, 9)

    state = session.get_state()
    assert state["participant"]["consent"] is True
    assert list(state["participant"]["preferences"]) == ["human"]
    assert [(task["task_id"], task["status"]) for task in state["tasks"]] == [
        ("plan", "done"),
        ("event-2", "done"),
    ]


@pytest.mark.parametrize(
    ("template", "place"),
    [({"deal": []}, "deal"), ({"moods": {}}, "moods"), ({"tasks": [{"task_id": "x"}]}, "tasks/x")],
)
def test_a_template_of_another_shape_is_refused_with_its_place(template: dict[str, Any], place: str) -> None:
    with pytest.raises(Refused, match=place):
        parse_template(template)


# Verbs and verdicts


def test_the_verbs_change_the_record_by_proposals_with_a_verdict(table: TrialTable) -> None:
    change = verbs(table)

    change.add_task(Task("plan", 1.0, "agenda", "settle"))
    change.update_deal({"currency": "EUR", "terms": {"wood": "all to the human"}})
    change.update_participant({"demographics": {"human": {"age": 30}}, "consent": {"human": True}})

    state = change.get_state()
    assert state["tasks"][-1]["task_id"] == "plan"
    assert (state["deal"]["currency"], state["deal"]["terms"]) == ("EUR", {"wood": "all to the human"})
    assert state["participant"]["demographics"] == {"human": {"age": 30}}
    assert state["participant"]["consent"] == {"human": True}
    assert [event.payload.accepted for event in table.events[1:]] == [True, True, True]


@pytest.mark.parametrize(
    ("proposer", "act"),
    [
        (AGENT, lambda change: change.update_deal({"final": True})),
        (AGENT, lambda change: change.update_participant({"consent": {"human": True}})),
        (AGENT, lambda change: change.add_task(Task("plan", 1.0, "human", "settle"))),
        (ASSISTANT, lambda change: change.update_deal({"final": True})),
        (AGENT, lambda change: change.propose({"notes": {"agent": {"x": 1}}}, base_version=-1)),
    ],
)
def test_a_verb_that_its_proposer_may_not_use_is_refused_with_a_reason(
    table: TrialTable, proposer: Proposer, act: Any
) -> None:
    change = verbs(table, proposer)
    before = change.get_state()

    with pytest.raises(Refused) as refused:
        act(change)

    (proposal,) = [event.payload for event in table.events if event.type == EventType.STATE_PROPOSED]
    assert (proposal.accepted, proposal.reason) == (False, str(refused.value))
    assert {**change.get_state(), "tasks": []} == {**before, "tasks": []}


def test_a_task_of_an_event_can_be_changed_in_part(table: TrialTable) -> None:
    question = table.human.says("What do you like?", MessageSubtype.PREF_REQUEST)
    name = f"event-{question.seq}"

    verbs(table, ASSISTANT).update_task(name, status=TaskStatus.DONE, metadata={"why": "rhetorical"})

    (task,) = section(table, "tasks")
    assert (task["agent_origin"], task["intent"], task["status"]) == ("human", "ask", "done")
    assert task["timestamp"] == question.t
    assert (task["metadata"]["text"], task["metadata"]["why"]) == ("What do you like?", "rhetorical")
    assert table.events[-1].payload.updates["tasks"][0]["agent_origin"] == "human", "the log has it in full"


def test_a_note_about_a_task_does_not_hold_back_its_progress(table: TrialTable) -> None:
    question = table.human.says("What do you like?", MessageSubtype.PREF_REQUEST)
    verbs(table, ASSISTANT).update_task(f"event-{question.seq}", metadata={"topic": "food"})

    answer = table.agent.says("Bananas.", MessageSubtype.PREF_INFO)

    task = section(table, "tasks")[0]
    assert (task["status"], task["metadata"]["topic"]) == ("done", "food")
    assert task["metadata"]["answered_by"] == answer.seq


def test_two_changes_of_one_task_in_one_proposal_are_one_change(table: TrialTable) -> None:
    question = table.human.says("What do you like?", MessageSubtype.PREF_REQUEST)
    name = f"event-{question.seq}"
    updates = [{"task_id": name, "status": "done"}, {"task_id": name, "intent": "probe"}]

    verbs(table, ASSISTANT).propose({"tasks": updates})

    (task,) = section(table, "tasks")
    assert (task["intent"], task["status"]) == ("probe", "done")


def test_no_seat_changes_what_another_intended(table: TrialTable) -> None:
    sent = table.human.says("Hello")
    change = verbs(table, AGENT)

    for claimed in ({}, {"agent_origin": "agent"}):
        with pytest.raises(Refused, match="tasks/human may only be changed by"):
            change.propose({"tasks": [{"task_id": f"event-{sent.seq}", "intent": "lie", **claimed}]})

    assert section(table, "tasks")[0]["intent"] == "tell"


def test_a_task_of_an_event_to_come_cannot_be_taken(table: TrialTable) -> None:
    table.start()
    with pytest.raises(Refused, match="tasks/event-4 is a name that only the task of an event has"):
        verbs(table, AGENT).add_task(Task("event-4", 0.0, "agent", "lie"))

    sent = table.human.says("Hello")
    table.session.propose_change(
        issued(table.session, Proposer(ProposerKind.SEAT, "human")),
        {"tasks": [{"task_id": "event-4", "intent": "ask"}]},
        0,
    )

    assert sent.seq == 4
    (task,) = [task for task in section(table, "tasks") if task["task_id"] == "event-4"]
    assert (task["agent_origin"], task["intent"]) == ("human", "ask")


@pytest.mark.parametrize(
    "updates",
    [
        {"tasks": "x"},
        {"tasks": [3]},
        {"tasks": [{"task_id": ["event-2"]}]},
        {"tasks": [{"task_id": "event-77", "status": "done"}]},
        {"tasks": None},
        3,
    ],
)
def test_what_is_no_change_of_tasks_is_refused_and_not_an_error(table: TrialTable, updates: Any) -> None:
    table.human.says("Hello")
    before = table.state.record

    with pytest.raises(Refused):
        table.session.propose_change(issued(table.session, ASSISTANT), updates, 0)

    assert table.state.record == before


def test_a_difference_shows_what_would_be_read_afterwards(table: TrialTable) -> None:
    question = table.human.says("What do you like?", MessageSubtype.PREF_REQUEST)
    name = f"event-{question.seq}"
    before = table.session.get_state()

    diff = verbs(table, ASSISTANT).get_proposed_state_diff({"tasks": [{"task_id": name, "status": "done"}]})

    assert diff.document()["changes"] == [[f"tasks/{name}/status", "pending", "done"]]
    assert diff.document()["proposed"]["tasks"][0]["status"] == "done"
    assert table.session.get_state() == before


# The agent's view


class Reader(NegotiationAgent):
    """Agent that reads the record at each message, and notes what it read."""

    def __init__(self) -> None:
        super().__init__()
        self.states: list[dict[str, Any]] = []

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.states.append(ctx.get_state())
        last = ctx.get_state()["tasks"][-1]
        return [ProposeChange({"notes": {ctx.seat: {"last": last["task_id"]}}}), SendMessage("I see.")]


def test_an_agents_context_is_built_after_the_commit(game: GameSpec) -> None:
    table, reader, logged = TrialTable(game), Reader(), list[int]()
    table.seat(reader)
    table.subscribe(lambda happened: logged.append(len(table.events)))
    table.start()

    sent = table.session.send_message(
        "human", Message("I need wood.", MessageSubtype.PREF_INFO, Preference("wood", Relation.BEST))
    )
    table.wait(3)

    (seen,) = reader.states
    assert seen["tasks"][-1]["task_id"] == f"event-{sent.seq}", "the very event that it answers"
    assert seen["participant"]["preferences"]["human"][-1]["seq"] == sent.seq
    assert section(table, "notes") == {"agent": {"last": f"event-{sent.seq}"}}


def test_a_context_shows_what_its_seat_may_see_and_nothing_else() -> None:
    table = TrialTable(three_seats())
    change = verbs(table)
    read_from = {"subtype": "PREF_INFO", "sure": 0.9, "issue": "coins"}
    table.session.note(NoteKind.READING, seat="red", text="coins!", acts=[read_from])
    open_words = table.participant("red").says("coins!")
    whisper = table.session.send_message(
        "red", Message("Not blue.", MessageSubtype.PREF_INFO), ActionOrigin(to=("green",))
    )
    with pytest.raises(Refused):
        table.participant("red").accepts(99)
    change.update_participant({"demographics": {"red": {"age": 30}}, "public": {"red": "a student"}})

    seen = {seat: table.context(seat).get_state() for seat in ("red", "green", "blue")}

    names = {seat: [task["task_id"] for task in state["tasks"]] for seat, state in seen.items()}
    both, refused = [f"event-{open_words.seq}", f"event-{whisper.seq}"], f"event-{whisper.seq + 1}"
    assert names == {"red": [*both, refused], "green": both, "blue": both[:1]}
    assert {seat: list(state["participant"]["preferences"]) for seat, state in seen.items()} == {
        "red": ["red"],
        "green": ["red"],
        "blue": [],
    }
    assert all(state["tasks"][0]["intent"] == "tell" for state in seen.values()), "readings are not shown"
    assert all(state["participant"]["public"] == {"red": "a student"} for state in seen.values())
    assert all("demographics" not in state["participant"] for state in seen.values())


def test_a_seat_reads_the_same_deal_as_the_experimenter(table: TrialTable) -> None:
    table.human.offers({"bananas": (2, 2), "wood": (3, 0)})
    table.agent.offers({"bananas": (2, 2)})

    assert table.context("agent").get_state()["deal"] == section(table, "deal")


def test_an_agent_may_finish_a_task_of_its_own_and_is_told_what_that_would_change(game: GameSpec) -> None:
    table = TrialTable(game)
    ask = SendMessage("What do you like?", MessageSubtype.PREF_REQUEST)
    finish = ProposeChange({"tasks": [{"task_id": "event-2", "status": "done"}]})
    table.seat(Scripted(ask, finish))
    table.wait(0.9)

    table.wait(2)

    (task,) = [task for task in section(table, "tasks") if task["intent"] == "ask"]
    assert task["status"] == "done"
    diff = table.context("agent").get_proposed_state_diff(
        {"tasks": [{"task_id": "event-2", "intent": "probe"}]}
    )
    assert diff.document()["changes"] == [["tasks/event-2/intent", "ask", "probe"]]


def test_what_is_read_is_a_copy_that_its_reader_may_change(table: TrialTable) -> None:
    table.human.offers(ALL)
    before = table.session.get_state()

    for state in (table.session.get_state(), table.context("agent").get_state()):
        state["deal"]["issues"].clear()
        state["tasks"][0]["metadata"]["offer"].clear()

    assert table.session.get_state() == before


def test_the_record_is_one_function_of_events_and_state(table: TrialTable) -> None:
    read(table, "wood for me", {"subtype": "OFFER_PROPOSE"})
    table.agent.offers(ALL)

    events = [event.redacted() for event in table.events]

    assert record_sections(table.state, iter(events))["tasks"] == section(table, "tasks")
    assert table.session.get_state() == table.session.get_state()
