"""Principals that fail or overreach end neither the session nor the part of another."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from negoplatform.agent_api.actions import ProposeChange, Schedule, SendMessage
from negoplatform.agent_api.principal import Command, Instruct, Instruction, SendInfo
from negoplatform.core.events import DecidedBy, EndedBy, Event, EventType, Failure, Message, Note
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.domain.command_settings import PrincipalTiming
from negoplatform.domain.errors import AgentError
from negoplatform.eventlog.rules_validator import LogValidator
from negoplatform.formats import sent_commands
from tests.hosting.principals import Commanded, Decide, given, notes
from tests.hosting.test_principal_host import once, session


def every_tick(decide: Decide) -> Any:
    return lambda: decide


def fails(_ctx: Any) -> Sequence[Instruction]:
    raise RuntimeError("no idea")


FAULTS: dict[str, Decide] = {
    "it raises": fails,
    "it returns a word": lambda _ctx: "tough",  # type: ignore[dict-item,return-value]
    "it commands a foreign seat": lambda _ctx: [Command("human", SendMessage("x"))],
    "it instructs itself": lambda _ctx: [Instruct("head", {"x": 1})],
    "it says nothing": lambda _ctx: [Instruct("agent")],
    "it commands a change of notes": lambda _ctx: [Command("agent", ProposeChange({"notes": {}}))],
    "it commands a callback": lambda _ctx: [Command("agent", Schedule(10, SendMessage("x")))],
    "it returns too many": lambda _ctx: [SendInfo("agent", {"x": 1})] * 101,
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_recorded_and_the_session_goes_on_without_the_principal(name: str) -> None:
    played = session({"head": every_tick(FAULTS[name])})

    events = played.play()

    failures = [event.payload for event in events if isinstance(event.payload, Failure)]
    assert {failure.seat for failure in failures} == {"head"}
    assert given(events) == []
    assert played.runner.session.state.ending is not None
    assert played.runner.session.state.ending.ended_by is EndedBy.TIMEOUT
    assert "own 25 {}" in [event.payload.text for event in events if event.type == EventType.SEND_MESSAGE]
    assert played.reruns() == []
    assert violations(played) == []


def test_after_the_allowed_failures_a_principal_is_not_asked_any_more() -> None:
    played = session({"head": every_tick(fails)}, PrincipalTiming(tick_interval=2))

    events = played.play()

    allowed = played.budget.strikes * (1 + played.budget.restarts)
    assert sum(isinstance(event.payload, Failure) for event in events) == allowed
    assert len(notes(events, NoteKind.MESSAGE_DELIVERED)) == allowed < 30 / 2


def test_a_huge_command_is_refused_with_its_reason_and_changes_nothing() -> None:
    played = session({"head": every_tick(lambda _ctx: [SendInfo("agent", {"x": "y" * 100_000})])})

    events = played.play()

    proposals = [event.payload for event in given(events)]
    assert proposals
    assert not any(proposal.accepted for proposal in proposals)
    assert "too large" in proposals[0].reason
    assert not played.runner.session.state.record.commands.to_dict().get("head")
    assert violations(played) == []


def test_waiting_commands_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sent_commands, "MOST_WAITING_COMMANDS", 20)
    many = [Command("agent", SendMessage(str(n))) for n in range(20)]
    played = session({"head": every_tick(lambda _ctx: many)})

    events = played.play()

    assert len(notes(events, NoteKind.COMMAND_TAKEN)) <= 7
    waiting = played.runner._hosts[0]._upstream.receive_upstream_actions()  # type: ignore[union-attr]
    assert 13 <= len(waiting) <= 20


def test_an_instruction_without_json_is_refused_where_it_is_made() -> None:
    with pytest.raises(AgentError, match=r"^Instruct: .*\.$"):
        Instruct("agent", {"x": object()})
    with pytest.raises(AgentError, match=r"^SendInfo: .*\.$"):
        SendInfo("agent", {"x": float("nan")})
    with pytest.raises(AgentError, match="nothing that can be commanded"):
        Command("agent", "tough")
    with pytest.raises(AgentError, match="needs an action"):
        Command("agent")


# Logs


def violations(played: Commanded, events: Sequence[Event] | None = None) -> list[str]:
    """Return why the events of a log could not have happened."""
    mechanism = mechanism_of(played.game.mechanism)
    validator, state = LogValidator(mechanism), initial_state(played.game, mechanism, "")
    found = []
    for event in played.events if events is None else events:
        reason = validator.find_violation(state, event)
        if reason:
            found.append(reason)
        before, state = state, apply(state, event.redacted(), mechanism)
        validator.advance(before, event, state)
    return found


@pytest.fixture
def commanded_once() -> Commanded:
    played = session({"head": once(Command("agent", SendMessage("On command.")))})
    played.play()
    return played


def test_a_log_with_commands_is_valid(commanded_once: Commanded) -> None:
    assert violations(commanded_once) == []


def changed(played: Commanded, change: Any) -> list[Event]:
    return [change(event) for event in played.events]


def test_a_forged_number_of_a_command_is_found(commanded_once: Commanded) -> None:
    def forge(event: Event) -> Event:
        return event._replace(cause=2) if event.decided_by is DecidedBy.PRINCIPAL else event

    assert violations(commanded_once, changed(commanded_once, forge)) == [
        "agent had taken no command that this answers"
    ]


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("advised", {"number": "x", "steps": []}, "numbered from 1 up"),
        ("advised", {"number": 1, "steps": "x"}, "steps of a suggestion or of advice are a list"),
        ("advice_answered", {"number": [1], "verdict": "used"}, "numbered from 1 up"),
        ("suggested", {"steps": []}, "numbered from 1 up"),
        ("suggestion_answered", {"number": 0, "verdict": "sent"}, "numbered from 1 up"),
    ],
)
def test_a_note_of_a_suggestion_or_of_advice_that_tables_cannot_read_is_found(
    commanded_once: Commanded, kind: str, data: dict[str, Any], reason: str
) -> None:
    forged = Note(NoteKind(kind), {"seat": "agent", **data})

    def forge(event: Event) -> Event:
        return event._replace(payload=forged) if isinstance(event.payload, Note) else event

    found = violations(commanded_once, changed(commanded_once, forge))

    assert any(reason in violation for violation in found)


def test_an_act_that_was_not_commanded_is_found(commanded_once: Commanded) -> None:
    (act,) = [event for event in commanded_once.events if event.decided_by is DecidedBy.PRINCIPAL]

    def forge(event: Event) -> Event:
        own = event.type == EventType.SEND_MESSAGE and event.decided_by is DecidedBy.AGENT
        return event._replace(decided_by=DecidedBy.PRINCIPAL, cause=act.cause) if own else event

    assert "all acts of the command" in violations(commanded_once, changed(commanded_once, forge))[-1]


def test_an_act_on_command_with_other_words_is_found(commanded_once: Commanded) -> None:
    def forge(event: Event) -> Event:
        on_command = event.decided_by is DecidedBy.PRINCIPAL
        return event._replace(payload=Message("My own words.")) if on_command else event

    (found,) = violations(commanded_once, changed(commanded_once, forge))

    assert found.endswith("has other contents")


def test_a_command_that_was_never_given_cannot_be_taken(commanded_once: Commanded) -> None:
    def forge(event: Event) -> Event:
        if isinstance(event.payload, Note) and event.payload.kind is NoteKind.COMMAND_TAKEN:
            data = {**event.payload.data, "number": "7"}
            return event._replace(payload=Note(NoteKind.COMMAND_TAKEN, data))
        return event

    assert "the command 1 of head was to be taken first" in violations(
        commanded_once, changed(commanded_once, forge)
    )


def test_a_command_for_a_foreign_seat_is_found_in_a_log(commanded_once: Commanded) -> None:
    def forge(event: Event) -> Event:
        proposal = event.payload
        if not isinstance(proposal, StateProposal):
            return event
        updates = FrozenJson(json.loads(proposal.updates.text.replace('"to":"agent"', '"to":"human"')))
        return event._replace(payload=replace(proposal, updates=updates))

    found = violations(commanded_once, changed(commanded_once, forge))

    assert found[0].startswith(
        "head could not give this command: A command is for one of those directly below"
    )
