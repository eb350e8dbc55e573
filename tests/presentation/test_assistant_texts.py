"""Plans, insights and summaries of assistants in words, and who is sent them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.playback.playback import ObservedEvent, mark_of
from negoplatform.app.session.windows.attached_windows import AttachedWindows
from negoplatform.app.session.windows.session_feed import FeedAssistant, FeedItem, JoinRole, RoleKind
from negoplatform.cli.render.transcript import event_line
from negoplatform.core.events import Event, EventType, Failure, Note
from negoplatform.core.immutable.frozen_json import EMPTY_JSON
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks import parse_template
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind, StateProposal
from negoplatform.core.state import State
from negoplatform.core.visibility import observer_of, view_of
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.command_settings import PrincipalSpec
from negoplatform.domain.joining_settings import WizardMode
from negoplatform.domain.seat_map import PLATFORM, SeatMap
from negoplatform.eventlog.observer_export import filter_log
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import replay, steps
from negoplatform.presentation.assistant_texts import (
    coach_items,
    insight_lines,
    plan_items,
    summary_facts,
)
from negoplatform.presentation.event_texts import event_text
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.replay.act_words import act_words
from negoplatform.presentation.replay.event_details import event_details
from negoplatform.presentation.replay.seat_occupant_names import participants_of
from negoplatform.presentation.replay.timeline_view import timeline_rows
from tests.app.simulation.test_assistants_in_simulations import played

NAMES = {"agent": "Rowan"}
SPECS = (
    AssistantSpec("agenda", seat="agent"),
    AssistantSpec("insights", seat="agent"),
    AssistantSpec("debrief", seat="human"),
    AssistantSpec("coach", "agenda", seat="human", coach=True),
)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> SessionLog:
    return played(tmp_path_factory.mktemp("logs"), "practice", ["conceder", "linear"], SPECS)


@pytest.fixture(scope="module")
def final(log: SessionLog) -> State:
    return replay(log).state


@pytest.fixture(scope="module")
def middle(log: SessionLog) -> State:
    """Return the state after the first offer and what assistants proposed then."""
    return next(step.state for step in steps(log) if step.state.record.annotations.get("insights"))


def test_the_participant_sees_the_plan_of_the_coach_as_a_checklist(middle: State) -> None:
    view = view_of(middle, observer_of(middle.game, "human")).state

    items = coach_items(view, "human", NAMES, ENGLISH)

    assert {"Apples", "Day"} <= {item.text for item in items}
    assert (
        coach_items(view_of(middle, observer_of(middle.game, "agent")).state, "agent", NAMES, ENGLISH) == ()
    )


@pytest.mark.parametrize("code", ["de", "he"])
def test_a_plan_is_shown_in_the_language_of_the_window(middle: State, code: str) -> None:
    annotations = {
        "task_structure": [
            {"intent": "answer_offer", "status": "in_progress", "metadata": {"of": "agent"}},
            {"intent": "answer_questions", "status": "pending", "metadata": {"count": 2}},
        ]
    }

    english = plan_items(annotations, middle.game, NAMES, ENGLISH)
    other = plan_items(annotations, middle.game, NAMES, Language.load(code))

    assert [item.text for item in english] == ["Answer the offer of Rowan", "Answer 2 questions"]
    assert all(a.text != b.text for a, b in zip(english, other, strict=True))


def test_a_task_of_a_coach_is_one_short_line(middle: State) -> None:
    view = view_of(middle, observer_of(middle.game, "human")).state
    plan = [{"intent": "a\nb\u2028" + "c" * 5000, "status": "pending"}] * 60
    record = parse_template({"annotations": {"coach": {"task_structure": plan}}})

    items = coach_items(view._replace(record=record), "human", NAMES, ENGLISH)

    assert {item.text for item in items} == {"a b " + "c" * 43 + "…"}
    assert len(items) == 40


def test_the_insights_of_the_wizard_say_how_the_other_moves_and_what_to_do(final: State) -> None:
    annotations = {
        **final.record.annotations.to_dict()["insights"],
        "next_steps": [{"code": "give_on", "of": "human", "issue": "day"}, {"code": "own_idea"}],
    }

    lines = insight_lines(annotations, final.game, {"human": "Ada"}, ENGLISH)

    assert lines[0] in ("Ada is conceding", "Ada holds firm", "Ada is asking for more")
    assert lines[1].startswith("Estimated priorities of Ada: ")
    assert lines[-2] == "Day seems to matter most to Ada: a concession there is worth most."
    assert lines[-1] == "own idea"


def test_a_step_that_names_no_seat_or_issue_is_shown_as_its_code(final: State) -> None:
    steps = [{"code": "hold_firm"}, {"code": "give_on", "of": "agent"}, {"code": "time_is_short"}]

    shown = insight_lines({"next_steps": steps}, final.game, NAMES, ENGLISH)

    assert shown == ("hold firm", "give on", "The time is nearly up.")


def test_the_result_has_the_facts_of_the_debriefing(final: State) -> None:
    view = view_of(final, observer_of(final.game, "human")).state

    facts = dict(summary_facts(view, "human", NAMES, ENGLISH))

    assert {"Proposed by", "Offers", "Messages"} <= set(facts)
    assert summary_facts(view_of(final, observer_of(final.game, "agent")).state, "agent", {}, ENGLISH) == ()


@pytest.mark.parametrize(
    "annotations",
    [
        None,
        3,
        {},
        {"task_structure": 3, "next_steps": "x", "others": [], "summary": {"items": 1}},
        {"task_structure": [1, {"intent": 5, "status": {}}], "next_steps": [{"code": 1}, {}]},
        {"others": {"agent": 1, "human": {"pattern": 2, "offers": 1, "priorities": [{"weight": True}]}}},
        {"task_structure": [{"intent": "settle_issue", "status": "done", "metadata": [1]}]},
    ],
)
def test_annotations_of_any_shape_are_shown_without_an_error(final: State, annotations: Any) -> None:
    plan_items(annotations, final.game, NAMES, ENGLISH)
    insight_lines(annotations, final.game, NAMES, ENGLISH)


def test_the_replay_names_the_assistant_and_the_places_that_it_changes(log: SessionLog) -> None:
    event = next(
        event
        for event in log.events
        if event.type == EventType.STATE_PROPOSED and event.payload.proposer.name == "agenda"
    )

    moment = ObservedEvent(event.seq, event, "", None)
    contents = dict(event_details(moment, log.header.game, participants_of(log.header, ENGLISH), ENGLISH)[1])

    assert event_text(event, None, NAMES, ENGLISH) == "agenda changes the record"
    assert contents["proposer"] == "assistant agenda"
    assert contents["tasks/agenda/issue/apples"].startswith('{"intent": "settle_issue", "status": "pending"')


def sentences(log: SessionLog, name: str, translate: Language = ENGLISH) -> list[str]:
    """Return the proposals of an assistant as the replay has them."""
    words = act_words(log.events, log.header.game, NAMES, translate)
    return [
        words.text(event)
        for event in log.events
        if event.type == EventType.STATE_PROPOSED and event.payload.proposer.name == name
    ]


def test_the_replay_says_what_an_assistant_plans_reports_and_sums_up(log: SessionLog) -> None:
    assert sentences(log, "agenda")[0].startswith("The assistant agenda plans: ☐\u00a0")
    assert sentences(log, "insights")[-1].startswith("The assistant insights reports: ")
    assert sentences(log, "debrief")[0].startswith("The assistant debrief sums up: ")
    assert sentences(log, "agenda", Language.load("de"))[0].startswith("Der Assistent agenda plant: ☐\u00a0")
    assert sentences(log, "agenda", Language.load("he"))[0].startswith("תוכנית של העוזר agenda: ☐\u00a0")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", "The assistant agenda failed: It raised ValueError."),
        ("de", "Assistent agenda ausgefallen: It raised ValueError."),
        ("he", "תקלה בעוזר agenda\u200f: It raised ValueError."),
    ],
)
def test_the_replay_names_the_assistant_that_failed(log: SessionLog, code: str, expected: str) -> None:
    words = act_words((), log.header.game, NAMES, Language.load(code))
    failure = Failure("agenda", "It raised ValueError.", 1)

    assert words.text(Event(3, 1.0, EventType.AGENT_FAILED, PLATFORM, failure)) == expected


def test_the_replay_names_the_principal_that_failed(log: SessionLog) -> None:
    game = replace(log.header.game, principals=SeatMap({"head": PrincipalSpec("head", over=("agent",))}))
    event = Event(3, 1.0, EventType.AGENT_FAILED, PLATFORM, Failure("head", "It hangs.", 1))

    assert act_words((), game, NAMES, ENGLISH).text(event) == "The principal head failed: It hangs."


def test_the_printed_transcript_has_proposals_in_words_and_with_step_as_json(log: SessionLog) -> None:
    event = next(event for event in log.events if event.type == EventType.STATE_PROPOSED)

    assert "(The assistant agenda plans: ☐\u00a0" in event_line(log, event)
    assert '"task_structure":' in event_line(log, event, step=True)


def test_the_printed_transcript_names_the_assistant_that_failed(log: SessionLog) -> None:
    event = Event(3, 1.0, EventType.AGENT_FAILED, PLATFORM, Failure("agenda", "It raised ValueError.", 1))

    assert event_line(log, event) == "    1.000 s  (The assistant agenda failed: It raised ValueError.)"


def test_the_replay_says_who_was_refused_and_why(log: SessionLog) -> None:
    event = next(event for event in log.events if event.type == EventType.STATE_PROPOSED)
    refused = replace(event.payload, accepted=False, reason="It is too late.")
    event = event._replace(payload=refused)

    words = act_words((), log.header.game, NAMES, ENGLISH)
    facts, contents = event_details(
        ObservedEvent(event.seq, event, "", None),
        log.header.game,
        participants_of(log.header, ENGLISH),
        ENGLISH,
    )

    name = refused.proposer.name
    assert words.text(event) == f"A change of the record by {name} was refused: It is too late."
    assert dict(facts)["From"] == f"Assistant {name}"
    assert dict(contents)["Verdict"] == "Refused by the session"
    assert dict(contents)["Reason"] == "It is too late."


def test_assistants_commands_and_advice_have_rows_of_their_own_on_the_timeline(log: SessionLog) -> None:
    order = StateProposal(Proposer(ProposerKind.PRINCIPAL, "head"), 0, EMPTY_JSON, accepted=True)
    payloads = [order, Note(NoteKind.COMMAND_TAKEN), Note(NoteKind.ADVISED), Note(NoteKind.WORDS_LEFT)]
    events = [
        *log.events,
        *(
            Event(0, 0.0, EventType.STATE_PROPOSED if one is order else EventType.NOTE, PLATFORM, one)
            for one in payloads
        ),
    ]

    rows = timeline_rows([ObservedEvent(0, event, "", mark_of(event)) for event in events], ENGLISH)

    counts = {row.name: len(row.moments) for row in rows}
    proposals = sum(event.type == EventType.STATE_PROPOSED for event in log.events)
    assert (counts["Commands"], counts["Advice"], counts["Assistants"]) == (2, 1, proposals)


def fed(log: SessionLog, role: JoinRole) -> list[FeedItem]:
    """Return everything that the window of a role is sent in the course of a session."""
    items: list[FeedItem] = []
    windows = AttachedWindows(lambda: log.header)
    windows.attach(role, items.append, begun=True)
    for step in steps(log):
        windows.publish(step.event)
        windows.put_wizard("agent", WizardMode.ASSISTED, step.state)
    return items


def test_the_wizard_is_sent_agenda_and_insights_of_the_own_seat_alone(log: SessionLog) -> None:
    items = [item for item in fed(log, JoinRole(RoleKind.WIZARD, "agent")) if isinstance(item, FeedAssistant)]

    assert {(item.name, item.kind) for item in items} == {
        ("agenda", AssistantKind.AGENDA),
        ("insights", AssistantKind.INSIGHTS),
    }


@pytest.mark.parametrize("role", [JoinRole(RoleKind.SEAT, "human"), JoinRole(RoleKind.PUBLIC)])
def test_no_insights_and_no_hidden_agenda_are_sent_to_a_participant_or_a_spectator(
    log: SessionLog, role: JoinRole
) -> None:
    text = repr(fed(log, role))

    assert "insights" not in text
    assert "next_steps" not in text
    assert "agenda/" not in text
    assert ("coach/deal" in text) is (role.kind is RoleKind.SEAT)


@pytest.mark.parametrize("view", ["human", "agent", "public"])
def test_an_exported_log_names_no_assistant_that_its_reader_does_not_see(
    log: SessionLog, view: str, tmp_path: Path
) -> None:
    seen = filter_log(log, view)

    shown = {"coach", "debrief"} if view == "human" else set()
    assert set(seen.header.game.assistants) == shown
    assert {name: who.agent for name, who in seen.header.assistants.items()} == dict.fromkeys(shown)
    assert "insights" not in repr(seen.events)
