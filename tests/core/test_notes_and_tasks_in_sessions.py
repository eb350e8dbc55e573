"""Proposals to change the record: only the session writes, and every refusal gives a reason."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.agent_api.actions import ProposeChange, SendMessage
from negoplatform.core.events import Event, EventType
from negoplatform.core.intention_ledger import ledger
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind, StateProposal
from negoplatform.core.visibility import PUBLIC, Observer, view_of, visible_event
from negoplatform.domain.errors import AgentError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.testing import Scripted, TrialTable
from tests.proposers import issued

AGENT = Proposer(ProposerKind.SEAT, "agent")
ASSISTANT = Proposer(ProposerKind.ASSISTANT, "insights")
MOOD = {"notes": {"agent": {"mood": "hopeful"}}}


@pytest.fixture
def table(game: GameSpec) -> TrialTable:
    table = TrialTable(game)
    table.start()
    return table


def proposed(table: TrialTable) -> list[StateProposal]:
    return [event.payload for event in table.events if event.type == EventType.STATE_PROPOSED]


def test_an_accepted_proposal_is_logged_and_changes_the_record(table: TrialTable) -> None:
    event = table.session.propose_change(issued(table.session, AGENT), MOOD, base_version=0)

    assert table.session.get_state()["notes"] == {"agent": {"mood": "hopeful"}}
    assert (event.sender, event.payload.accepted, event.payload.reason) == ("agent", True, "")


def test_a_refused_proposal_is_logged_with_its_reason_and_changes_nothing(table: TrialTable) -> None:
    before = table.state.record

    with pytest.raises(Refused, match="deal"):
        table.session.propose_change(issued(table.session, AGENT), {"deal": {"price": 3}}, base_version=0)

    assert table.state.record == before
    (kept,) = proposed(table)
    assert not kept.accepted
    assert "deal" in kept.reason
    assert table.kinds()[-1] == EventType.ACTION_REFUSED, "the one who asked is told"


def test_a_proposal_on_an_old_version_is_refused(table: TrialTable) -> None:
    first = table.session.propose_change(
        issued(table.session, ASSISTANT), {"annotations": {"insights": {"pace": "slow"}}}, base_version=0
    )

    with pytest.raises(Refused, match="has changed since"):
        table.session.propose_change(
            issued(table.session, ASSISTANT), {"annotations": {"insights": {"pace": "quick"}}}, base_version=0
        )
    table.session.propose_change(
        issued(table.session, ASSISTANT),
        {"annotations": {"insights": {"pace": "quick"}}},
        base_version=first.seq,
    )

    assert table.session.get_state()["annotations"] == {"insights": {"pace": "quick"}}


def test_a_version_that_nobody_can_know_yet_counts_as_the_newest(table: TrialTable) -> None:
    event = table.session.propose_change(
        issued(table.session, ASSISTANT), {"annotations": {"insights": {"pace": "slow"}}}, base_version=10**9
    )

    assert event.payload.base_version < event.seq


def test_nobody_sits_in_a_strangers_seat(table: TrialTable) -> None:
    stranger = Proposer(ProposerKind.SEAT, "ghost")

    with pytest.raises(Refused, match="Nobody sits at 'ghost'"):
        table.session.propose_change(
            issued(table.session, stranger), {"notes": {"ghost": {}}}, base_version=0
        )

    assert table.session.get_state()["notes"] == {}


def test_changing_what_a_reader_was_given_changes_nothing(table: TrialTable) -> None:
    table.session.propose_change(issued(table.session, AGENT), MOOD, base_version=0)

    table.session.get_state()["notes"]["agent"]["mood"] = "angry"

    assert table.session.get_state()["notes"]["agent"]["mood"] == "hopeful"


def test_a_diff_says_what_would_change_and_changes_nothing(table: TrialTable) -> None:
    diff = table.session.get_proposed_state_diff(MOOD)

    assert diff.document()["proposed"] == MOOD
    assert diff.document()["changes"] == [["notes/agent", None, {"mood": "hopeful"}]]
    assert table.session.get_state()["notes"] == {}


def test_no_public_name_of_the_session_commits_without_a_verdict() -> None:
    from negoplatform.core.session import Session

    public = {name for name in vars(Session) if not name.startswith("_")}

    assert not public & {"update_state", "add_task", "update_deal", "update_participant", "apply_proposal"}


def test_an_agent_notes_what_it_thinks_and_reads_it_again(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(Scripted(ProposeChange(MOOD), SendMessage("Hello.")))

    table.wait(2)

    assert table.context("agent").get_state()["notes"] == {"agent": {"mood": "hopeful"}}
    assert table.context("human").get_state()["notes"] == {}


def test_an_agent_hears_why_its_proposal_was_refused(game: GameSpec) -> None:
    table = TrialTable(game)
    agent = Scripted(ProposeChange({"participant": {"mood": "bored"}}))
    table.seat(agent)

    table.wait(2)

    (heard,) = [event for event in agent.received_events if event.type == EventType.ACTION_REFUSED]
    assert heard.payload.action == EventType.STATE_PROPOSED
    assert "participant" in heard.payload.reason


@pytest.mark.parametrize(
    "updates", [None, 3, {"notes": float("nan")}, {1: {}}, {"notes": {"agent": object()}}]
)
def test_what_is_no_json_is_no_action(updates: Any) -> None:
    with pytest.raises(AgentError, match="ProposeChange"):
        ProposeChange(updates)


def test_nobody_else_sees_a_seats_notes_and_nobody_at_the_table_an_assistants(table: TrialTable) -> None:
    own = table.session.propose_change(issued(table.session, AGENT), MOOD, base_version=0)
    insight = table.session.propose_change(
        issued(table.session, ASSISTANT), {"annotations": {"insights": {"pace": "slow"}}}, base_version=0
    )

    seen = {
        name: [visible_event(event, observer) is not None for event in (own, insight)]
        for name, observer in (
            ("agent", Observer("agent")),
            ("human", Observer("human")),
            ("public", PUBLIC),
        )
    }

    assert seen == {"agent": [True, False], "human": [False, False], "public": [False, False]}
    assert view_of(table.state, Observer("human")).state.record.version == 0


def test_every_partys_intentions_are_in_the_ledger_the_refused_ones_too(table: TrialTable) -> None:
    def by(tasks: list[Any]) -> list[tuple[str, str]]:
        return [(task.agent_origin, task.intent) for task in tasks]

    table.human.says("Good morning.")
    with pytest.raises(Refused):
        table.human.accepts(7)
    offer: Event = table.human.offers(next(table.state.game.outcomes()))
    table.agent.accepts(offer)

    tasks = ledger(table.events, table.state.record)

    assert by(tasks) == [("human", "tell"), ("human", "accept"), ("human", "propose"), ("agent", "accept")]
    assert "no offer on the table" in tasks[1].metadata["refused"]


def test_a_proposal_that_would_be_endless_as_text_is_refused_when_it_is_made() -> None:
    laughs: list[Any] = [1]
    for _ in range(15):
        laughs = [laughs] * 10

    with pytest.raises(AgentError, match="too large"):
        ProposeChange({"notes": {"agent": {"laughs": laughs}}})


def test_two_notes_of_one_answer_are_both_kept(game: GameSpec) -> None:
    table = TrialTable(game)
    more = ProposeChange({"notes": {"agent": {"plan": "wait"}}})
    table.seat(Scripted(ProposeChange(MOOD), more))

    table.wait(2)

    assert table.session.get_state()["notes"] == {"agent": {"mood": "hopeful", "plan": "wait"}}


def test_an_agent_that_names_the_version_that_it_knew_is_told_when_it_has_changed(game: GameSpec) -> None:
    table = TrialTable(game)
    late = ProposeChange({"notes": {"agent": {"mood": "calm"}}}, base_version=0)
    table.seat(Scripted(ProposeChange(MOOD), late))

    table.wait(2)

    assert [proposal.accepted for proposal in proposed(table)] == [True, False]
    assert table.session.get_state()["notes"] == {"agent": {"mood": "hopeful"}}


def test_a_refused_note_is_in_the_ledger(table: TrialTable) -> None:
    with pytest.raises(Refused):
        table.session.propose_change(issued(table.session, AGENT), {"deal": {"price": 3}}, base_version=0)

    (task,) = ledger(table.events, table.state.record)

    assert (task.agent_origin, task.intent) == ("agent", "note")
    assert "deal" in task.metadata["refused"]


def test_an_agent_may_look_at_the_table_in_numbers(game: GameSpec) -> None:
    table = TrialTable(game)
    table.human.offers(next(game.outcomes()))

    seen = table.context("agent").observation

    assert len(seen.vector()) > 10
    assert "Limits" in seen.local
    assert seen.timestamp == table.context("agent").elapsed_time
