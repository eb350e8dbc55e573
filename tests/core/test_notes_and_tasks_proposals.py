"""Proposals: permissions, versions, and their complete history in the log."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.record.notes_and_tasks import (
    EMPTY_RECORD,
    Task,
    TaskStatus,
    get_state,
)
from negoplatform.core.record.notes_and_tasks_proposals import (
    LARGEST_PART,
    PLATFORM_PROPOSER,
    WRITE_PERMISSIONS,
    Proposer,
    ProposerKind,
    StateProposal,
    add_task,
    review_proposal,
    update_deal,
    update_participant,
)
from negoplatform.core.record.notes_and_tasks_update_merge import LARGEST_UPDATE, get_proposed_state_diff
from negoplatform.core.record.record_visibility import visible_proposal, visible_record
from tests.core.record_keeper import (
    AGENT,
    ASSISTANT,
    HUMAN,
    PRINCIPAL,
    PRINCIPAL_READER,
    SYSTEM_READER,
    WIZARD,
    Json,
    Keeper,
    seat_reader,
    task,
)


@pytest.fixture
def keeper() -> Keeper:
    return Keeper()


# Permissions


@pytest.mark.parametrize(
    ("proposer", "updates"),
    [
        (AGENT, {"notes": {"agent": {"plan": "wait"}}}),
        (AGENT, {"tasks": [task()]}),
        (ASSISTANT, {"annotations": {"insights": {"pattern": "concedes"}}}),
        (ASSISTANT, {"tasks": [task(origin="human"), task("t2", "insights")]}),
        (WIZARD, {"commands": {"next": "accept"}}),
        (
            PLATFORM_PROPOSER,
            {"participant": {"likes": "grain"}, "deal": {"grain": 1}, "notes": {"human": {}}},
        ),
    ],
)
def test_each_may_change_what_is_theirs(keeper: Keeper, proposer: Proposer, updates: Json) -> None:
    state = keeper.accepted(proposer, updates)

    assert all(state[section] == update for section, update in updates.items())


@pytest.mark.parametrize(
    ("proposer", "updates", "reason"),
    [
        (
            AGENT,
            {"notes": {"human": {"x": 1}}},
            "notes/human may only be changed by the seat 'human' or the platform, not by the seat 'agent'.",
        ),
        (
            AGENT,
            {"notes": {"agent": {}, "human": None}},
            "notes/human may only be changed by the seat 'human' or the platform, not by the seat 'agent'.",
        ),
        (AGENT, {"notes": None}, "notes may only be changed by the platform, not by the seat 'agent'."),
        (AGENT, {"notes": []}, "notes may only be changed by the platform, not by the seat 'agent'."),
        (
            AGENT,
            {"tasks": [task(origin="human")]},
            "tasks/human may only be changed by the seat 'human' or an assistant or the platform, "
            "not by the seat 'agent'.",
        ),
        (
            AGENT,
            {"tasks": None},
            "tasks may only be changed by an assistant or the platform, not by the seat 'agent'.",
        ),
        (
            AGENT,
            {"annotations": {}},
            "annotations may only be changed by the platform, not by the seat 'agent'.",
        ),
        (
            ASSISTANT,
            {"annotations": {"agenda": {"plan": 1}}},
            "annotations/agenda may only be changed by the assistant 'agenda' or the platform, "
            "not by the assistant 'insights'.",
        ),
        (
            ASSISTANT,
            {"commands": {}},
            "commands may only be changed by the wizard or the platform, not by an assistant.",
        ),
        (
            ASSISTANT,
            {"notes": {"agent": {}}},
            "notes/agent may only be changed by the seat 'agent' or the platform, not by an assistant.",
        ),
        (WIZARD, {"deal": {}}, "deal may only be changed by the platform, not by the wizard."),
        (WIZARD, {"participant": {}}, "participant may only be changed by the platform, not by the wizard."),
        (
            PLATFORM_PROPOSER,
            {"weather": {}},
            "weather is no section of the record; "
            "it has participant, tasks, deal, annotations, notes, commands.",
        ),
    ],
)
def test_what_is_not_theirs_is_refused_with_the_place_and_who_may(
    keeper: Keeper, proposer: Proposer, updates: Json, reason: str
) -> None:
    assert keeper.refused(proposer, updates) == reason


def test_a_seat_cannot_touch_anothers_task_by_leaving_out_whose_it_is(keeper: Keeper) -> None:
    keeper.accepted(HUMAN, {"tasks": [task("theirs", "human")]})

    reason = keeper.refused(AGENT, {"tasks": [{"task_id": "theirs", "status": "done"}]})

    assert reason.startswith("tasks/human may only be changed by the seat 'human'")


@pytest.mark.parametrize("claimed", ["agent", "human"])
def test_a_seat_cannot_take_over_anothers_task_by_claiming_it(keeper: Keeper, claimed: str) -> None:
    keeper.accepted(HUMAN, {"tasks": [task("theirs", "human")]})
    mine = task("mine", "agent")

    theirs = {"task_id": "theirs", "agent_origin": claimed, "status": "done"}
    claim = keeper.refused(AGENT, {"tasks": [mine, theirs]})
    gift = keeper.refused(AGENT, {"tasks": [mine, {"task_id": "mine", "agent_origin": "human"}]})

    assert claim.startswith("tasks/human may only be changed by the seat 'human'")
    assert gift == "tasks/mine/agent_origin cannot change: a task stays whose it is."


def test_a_seat_whose_name_holds_a_slash_is_no_part_of_another(keeper: Keeper) -> None:
    keeper.accepted(Proposer(ProposerKind.SEAT, "agent/2"), {"notes": {"agent/2": {"x": 1}}})

    reason = keeper.refused(AGENT, {"notes": {"agent/2": {"x": 2}}})

    assert reason.startswith("notes/agent/2 may only")
    assert get_state(visible_record(keeper.record, seat_reader("agent")))["notes"] == {}


def test_who_may_change_what_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        WRITE_PERMISSIONS[ProposerKind.SEAT] = ()  # type: ignore[index]  # what is tried


# Shape, size, version


@pytest.mark.parametrize(
    ("updates", "reason"),
    [
        ({"notes": {"agent": {"x": float("nan")}}}, "notes/agent/x is no finite number"),
        ({"notes": {"agent": {"x": object()}}}, "notes/agent/x is no JSON value"),
        ({"notes": {"agent": {"x": "y" * LARGEST_UPDATE}}}, "at most 64 kB"),
        (["notes"], "A proposal is an object"),
        (None, "A proposal is an object"),
        ({}, "names nothing to change"),
        ({"notes": {}}, "names nothing to change"),
        ({"tasks": []}, "names nothing to change"),
        ({"notes": {"agent": "words"}}, "notes/agent does not fit: an object"),
        ({"tasks": [task(status="stuck")]}, "tasks/t1/status does not fit"),
        ({"tasks": [task(mood="good")]}, "tasks/t1/mood is not known"),
        ({"tasks": [task(intent=None)]}, "tasks/t1/intent is missing"),
        ({"tasks": [{"task_id": "t9", "status": "done"}]}, "tasks/t9 is new, so it has to say whose it is"),
    ],
)
def test_what_does_not_fit_the_record_is_refused(keeper: Keeper, updates: Any, reason: str) -> None:
    assert reason in keeper.refused(AGENT, updates)


@pytest.mark.parametrize("section", ["participant", "tasks", "deal", "annotations", "notes", "commands"])
def test_no_section_can_be_removed(keeper: Keeper, section: str) -> None:
    assert (
        keeper.refused(PLATFORM_PROPOSER, {section: None}) == f"{section} is missing and cannot be left out."
    )


def test_nobody_can_fill_the_record_without_end(keeper: Keeper) -> None:
    page = "x" * 60_000
    for number in range(LARGEST_PART // 60_000):
        keeper.accepted(AGENT, {"notes": {"agent": {str(number): page}}})

    assert "notes/agent is full" in keeper.refused(AGENT, {"notes": {"agent": {"more": page}}})
    keeper.accepted(HUMAN, {"notes": {"human": {"mine": page}}})
    keeper.accepted(AGENT, {"notes": {"agent": {"0": None}}})


def test_what_was_proposed_for_an_older_version_is_refused(keeper: Keeper) -> None:
    keeper.accepted(ASSISTANT, {"annotations": {"insights": {"x": 1}}})
    known = keeper.record.version
    keeper.accepted(ASSISTANT, {"annotations": {"insights": {"x": 2}}})

    reason = keeper.refused(ASSISTANT, {"annotations": {"insights": {"x": 3}}}, base_version=known)

    assert reason.startswith("annotations/insights has changed since: its version is 4")
    keeper.accepted(ASSISTANT, {"annotations": {"insights": {"x": 3}}}, base_version=keeper.record.version)


def test_a_change_elsewhere_makes_nothing_stale(keeper: Keeper) -> None:
    keeper.accepted(AGENT, {"notes": {"agent": {"x": 1}}, "tasks": [task()]})
    known = visible_record(keeper.record, seat_reader("agent")).version
    keeper.accepted(HUMAN, {"notes": {"human": {"x": 1}}, "tasks": [task("h1", "human")]})
    keeper.accepted(WIZARD, {"commands": {"x": 1}})
    updates = {"notes": {"agent": {"x": 2}}, "tasks": [task(status="done")]}

    proposal = keeper.propose(AGENT, updates, base_version=known)

    assert proposal.accepted, proposal.reason
    state = get_state(keeper.record)
    assert state["notes"]["agent"] == {"x": 2}
    assert {each["task_id"]: each["status"] for each in state["tasks"]} == {"t1": "done", "h1": "pending"}


def test_a_change_of_a_part_makes_what_names_the_whole_stale(keeper: Keeper) -> None:
    keeper.accepted(AGENT, {"tasks": [task()]})

    reason = keeper.refused(ASSISTANT, {"tasks": [{"task_id": "t1", "status": "done"}]}, base_version=0)

    assert reason.startswith("tasks/agent has changed since")


@pytest.mark.parametrize("version", [-1, True, 1.0, None, "1"])
def test_a_base_version_is_a_whole_number(keeper: Keeper, version: Any) -> None:
    verdict = review_proposal(EMPTY_RECORD, AGENT, version, {"notes": {"agent": {}}})

    assert not verdict.accepted
    assert verdict.reason.startswith("base_version is a whole number")
    assert type(verdict.proposal.base_version) is int


def test_json_is_looked_at_before_rights_rights_before_shape_and_shape_before_versions(
    keeper: Keeper,
) -> None:
    keeper.accepted(PLATFORM_PROPOSER, {"notes": {"agent": {"x": 1}}})
    wrong_everywhere: Json = {"notes": {"human": {"x": float("nan")}, "agent": "words"}}

    assert "no finite number" in keeper.refused(AGENT, wrong_everywhere, 0)
    wrong_everywhere["notes"]["human"]["x"] = 1
    assert "may only be changed" in keeper.refused(AGENT, wrong_everywhere, 0)
    del wrong_everywhere["notes"]["human"]
    assert "does not fit" in keeper.refused(AGENT, wrong_everywhere, 0)
    wrong_everywhere["notes"]["agent"] = {}
    assert "has changed since" in keeper.refused(AGENT, wrong_everywhere, 0)


# Contents of the log


def test_a_refused_proposal_is_kept_with_its_reason(keeper: Keeper) -> None:
    keeper.refused(WIZARD, {"deal": {"grain": 1}})

    ((_, kept),) = keeper.log
    assert kept == StateProposal(
        WIZARD,
        0,
        FrozenJson({"deal": {"grain": 1}}),
        accepted=False,
        reason="deal may only be changed by the platform, not by the wizard.",
    )


def test_what_cannot_be_written_down_is_kept_empty(keeper: Keeper) -> None:
    proposal = keeper.propose(AGENT, {"notes": {"agent": {"x": {1, 2}}}})

    assert proposal.updates == FrozenJson({})
    assert proposal.reason == "notes/agent/x is no JSON value but of type set."


def test_what_is_kept_of_an_accepted_one_is_no_larger_than_a_proposal_may_be(keeper: Keeper) -> None:
    owner = Proposer(ProposerKind.SEAT, "a" * 150)
    keeper.accepted(owner, {"tasks": [task(str(number), owner.name) for number in range(100)]})
    short: Json = {"tasks": [{"task_id": str(number), "metadata": {"x": 500 * "y"}} for number in range(100)]}

    reason = keeper.refused(owner, short)

    assert len(json.dumps(short)) < LARGEST_UPDATE
    assert "at most 64 kB" in reason


def test_a_judgement_by_itself_changes_nothing() -> None:
    verdict = review_proposal(EMPTY_RECORD, AGENT, 0, {"notes": {"agent": {"x": 1}}})

    assert verdict.accepted
    assert get_state(verdict.record)["notes"] == {"agent": {"x": 1}}
    assert get_state(EMPTY_RECORD)["notes"] == {}


def test_what_was_proposed_does_not_change_with_the_proposers_own_copy(keeper: Keeper) -> None:
    updates: Json = {"notes": {"agent": {"plan": ["wait"]}}}
    proposal = keeper.propose(AGENT, updates)

    updates["notes"]["agent"]["plan"].append("accept")

    assert proposal.updates.to_dict() == {"notes": {"agent": {"plan": ["wait"]}}}
    assert get_state(keeper.record)["notes"] == {"agent": {"plan": ["wait"]}}
    with pytest.raises(FrozenInstanceError):
        proposal.accepted = False  # type: ignore[misc]  # what is tried


def test_an_accepted_change_carries_the_seq_of_its_event(keeper: Keeper) -> None:
    keeper.accepted(AGENT, {"notes": {"agent": {}}, "tasks": [task()]})
    keeper.refused(AGENT, {"deal": {}})
    keeper.accepted(PLATFORM_PROPOSER, {"deal": {"x": 1}})

    assert keeper.record.versions == FrozenJson({"notes/agent": 1, "tasks/agent": 1, "deal": 7})
    assert keeper.record.version == 7


def test_a_seat_sees_neither_others_proposals_nor_who_made_those_that_concern_it(keeper: Keeper) -> None:
    keeper.accepted(AGENT, {"tasks": [task()]})
    updates = {"tasks": [{"task_id": "t1", "status": "done"}], "annotations": {"insights": {"x": "secret"}}}
    proposal = keeper.propose(ASSISTANT, updates)

    seen = visible_proposal(proposal, seat_reader("agent"))

    done = {"task_id": "t1", "status": "done", "agent_origin": "agent"}
    assert seen == StateProposal(PLATFORM_PROPOSER, 0, FrozenJson({"tasks": [done]}), accepted=True)
    assert visible_proposal(proposal, seat_reader("human")) is None
    assert visible_proposal(keeper.propose(AGENT, {"notes": {"human": {}}}), seat_reader("human")) is None


def test_a_seat_sees_its_own_proposals_with_their_verdict(keeper: Keeper) -> None:
    refused = keeper.propose(AGENT, {"deal": {}})

    assert visible_proposal(refused, seat_reader("agent")) is refused


# Commands


GIVEN: Json = {"head": {"1": {"to": "agent", "mandate": {"reservation_value": 40}}}}


def test_a_command_is_seen_by_its_addressee_and_its_giver_alone(keeper: Keeper) -> None:
    given = keeper.propose(PRINCIPAL, {"commands": {"head": {**GIVEN["head"], "2": {"to": "human"}}}})

    seen = visible_proposal(given, seat_reader("agent"))

    assert seen == StateProposal(PLATFORM_PROPOSER, 0, FrozenJson({"commands": GIVEN}), accepted=True)
    assert visible_record(keeper.record, seat_reader("agent")).commands == FrozenJson(GIVEN)
    assert visible_proposal(given, seat_reader("friend")) is None
    for reader in (PRINCIPAL_READER, SYSTEM_READER):
        assert visible_record(keeper.record, reader).commands == keeper.record.commands


@pytest.mark.parametrize(
    "change",
    [
        {"head": {"1": {"to": "human"}}},
        {"head": {"1": {"mandate": {"reservation_value": 10}}}},
        {"head": {"1": None}},
        {"head": None},
        {"head": "gone"},
        GIVEN,
    ],
)
@pytest.mark.parametrize("proposer", [PRINCIPAL, WIZARD, PLATFORM_PROPOSER])
def test_a_command_stays_as_it_was_given(keeper: Keeper, proposer: Proposer, change: Json) -> None:
    keeper.accepted(PRINCIPAL, {"commands": GIVEN})

    reason = keeper.refused(proposer, {"commands": change})

    assert reason == "commands/head/1 has been given already, and stays as it is; give a new command."


def test_what_was_no_command_does_not_become_one_in_parts(keeper: Keeper) -> None:
    keeper.accepted(PRINCIPAL, {"commands": {"head": {"1": {"mandate": {"budget": 5}}}}})

    assert "commands/head/1 has been given" in keeper.refused(
        PRINCIPAL, {"commands": {"head": {"1": {"to": "agent"}}}}
    )


def test_two_new_commands_do_not_make_each_other_stale(keeper: Keeper) -> None:
    keeper.accepted(PRINCIPAL, {"commands": GIVEN}, base_version=0)

    keeper.accepted(PRINCIPAL, {"commands": {"head": {"2": {"to": "human"}}}}, base_version=0)

    assert set(keeper.record.versions) == {"commands/head/1", "commands/head/2"}


def test_a_principal_sees_its_refused_proposals_and_those_of_no_other(keeper: Keeper) -> None:
    refused = keeper.propose(PRINCIPAL, {"commands": {"chief": {"1": {"to": "head"}}}})
    given = keeper.propose(WIZARD, {"commands": {"chief": {"1": {"to": "head"}, "2": {"to": "agent"}}}})

    assert visible_proposal(refused, PRINCIPAL_READER) is refused
    assert visible_proposal(refused, SYSTEM_READER) is None
    seen = visible_proposal(given, PRINCIPAL_READER)
    assert seen is not None
    assert seen.updates.to_dict() == {"commands": {"chief": {"1": {"to": "head"}}}}


def test_a_participant_sees_what_its_coach_writes_and_nothing_of_another_assistant(keeper: Keeper) -> None:
    by_coach = {"annotations": {"coach": {"next": "wood"}}, "tasks": [task("c1", "coach")]}
    keeper.accepted(Proposer(ProposerKind.ASSISTANT, "coach"), by_coach)
    keeper.accepted(
        ASSISTANT, {"annotations": {"insights": {"style": "tough"}}, "tasks": [task("i1", "insights")]}
    )

    seen = visible_record(keeper.record, seat_reader("human", "coach"))

    assert get_state(seen) == {**get_state(EMPTY_RECORD), **by_coach}
    assert get_state(visible_record(keeper.record, seat_reader("human"))) == get_state(EMPTY_RECORD)


# Previews of a change


def test_a_difference_shows_what_is_touched_before_and_after(keeper: Keeper) -> None:
    keeper.accepted(PLATFORM_PROPOSER, {"deal": {"bananas": 1, "wood": 2}, "tasks": [task(), task("t2")]})
    updates = {
        "deal": {"bananas": 3, "wood": None, "grain": [5]},
        "tasks": [{"task_id": "t1", "status": "done"}],
    }

    diff = get_proposed_state_diff(keeper.record, updates)

    assert json.loads(json.dumps(diff.document())) == {
        "base_version": keeper.record.version,
        "current": {"deal": {"bananas": 1, "wood": 2}, "tasks": [{"task_id": "t1", "status": "pending"}]},
        "proposed": {"deal": {"bananas": 3, "grain": [5]}, "tasks": [{"task_id": "t1", "status": "done"}]},
        "changes": [
            ["tasks/t1/status", "pending", "done"],
            ["deal/bananas", 1, 3],
            ["deal/wood", 2, None],
            ["deal/grain", None, [5]],
        ],
    }


def test_a_difference_commits_nothing_and_is_fresh_each_time(keeper: Keeper) -> None:
    before = keeper.record
    diff = get_proposed_state_diff(before, {"deal": {"grain": [5]}})

    diff.document()["proposed"]["deal"]["grain"].append(6)
    diff.proposed["deal"]["grain"].append(6)

    assert diff.document()["proposed"] == {"deal": {"grain": [5]}}
    assert get_state(before) == get_state(EMPTY_RECORD)


def test_what_changes_nothing_makes_no_difference(keeper: Keeper) -> None:
    keeper.accepted(PLATFORM_PROPOSER, {"deal": {"bananas": 1}})

    assert get_proposed_state_diff(keeper.record, {"deal": {"bananas": 1}}).changes == ()


# Proposals of the platform


def test_the_platforms_own_updates_are_proposals_like_others(keeper: Keeper) -> None:
    wanted = Task("t1", 2.0, "human", "ask", TaskStatus.PENDING, FrozenJson({"about": ["wood"]}))

    keeper.accepted(PLATFORM_PROPOSER, add_task(wanted))
    keeper.accepted(PLATFORM_PROPOSER, update_deal({"wood": {"agreed": True}}))
    keeper.accepted(PLATFORM_PROPOSER, update_participant({"age": 30}))

    assert keeper.record.tasks == (wanted,)
    assert get_state(keeper.record)["deal"] == {"wood": {"agreed": True}}
    assert get_state(keeper.record)["participant"] == {"age": 30}


def test_a_kind_of_proposer_that_does_not_exist_cannot_be_made_up() -> None:
    with pytest.raises(ValueError, match="root"):
        Proposer("root", "agent")  # type: ignore[arg-type]  # what is tried
