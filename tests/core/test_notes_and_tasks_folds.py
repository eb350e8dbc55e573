"""Properties of the record and its log: folds, views of seats, and verdicts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.record.notes_and_tasks import (
    EMPTY_RECORD,
    Record,
    TaskStatus,
    get_state,
)
from negoplatform.core.record.notes_and_tasks_proposals import (
    PLATFORM_PROPOSER,
    Proposer,
    ProposerKind,
    StateProposal,
    apply_proposal,
    review_proposal,
)
from negoplatform.core.record.record_visibility import RecordReader, visible_proposal, visible_record
from tests.core.record_keeper import (
    AGENT,
    ASSISTANT,
    HUMAN,
    PRINCIPAL,
    PRINCIPAL_READER,
    SEATS,
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


PROPOSERS = [AGENT, HUMAN, ASSISTANT, WIZARD, PRINCIPAL, PLATFORM_PROPOSER]
READERS = [*map(seat_reader, SEATS), seat_reader("human", "x", "insights"), PRINCIPAL_READER, SYSTEM_READER]
small = st.dictionaries(
    st.sampled_from("xy"),
    st.integers(0, 9)
    | st.none()
    | st.just([1])
    | st.fixed_dictionaries({"$append": st.lists(st.integers(0, 9), max_size=2)})
    | st.dictionaries(st.sampled_from("pq"), st.booleans() | st.none(), max_size=2),
    max_size=2,
)
some_tasks = st.lists(
    st.builds(
        task, st.sampled_from(["t1", "t2", "t3"]), st.sampled_from([*SEATS, "insights"]), metadata=small
    )
    | st.fixed_dictionaries(
        {"task_id": st.sampled_from(["t1", "t2", "t3", "t4"])},
        optional={"status": st.sampled_from(TaskStatus).map(str), "metadata": small},
    ),
    max_size=3,
)
some_commands = st.dictionaries(
    st.sampled_from(["head", "chief", "wizard", "agent"]),
    small
    | st.dictionaries(
        st.sampled_from("123"),
        st.fixed_dictionaries(
            {"to": st.sampled_from([*SEATS, "head", "head", *SEATS, None, 5])}, optional={"mandate": small}
        )
        | small
        | st.none(),
        max_size=3,
    )
    | st.none(),
    max_size=2,
)
some_updates = st.fixed_dictionaries(
    {},
    optional={
        "participant": small
        | st.fixed_dictionaries({"public": small | st.none()}, optional={"age": st.integers(18, 99)}),
        "tasks": some_tasks,
        "deal": small,
        "annotations": small,
        "notes": st.dictionaries(st.sampled_from(SEATS), small | st.none(), max_size=2),
        "commands": small | some_commands,
    },
)
within_rights = st.one_of(
    *[
        st.tuples(
            st.just(Proposer(ProposerKind.SEAT, seat)),
            st.fixed_dictionaries(
                {}, optional={"notes": st.fixed_dictionaries({seat: small}), "tasks": some_tasks}
            ),
        )
        for seat in SEATS
    ],
    st.tuples(
        st.just(ASSISTANT),
        st.fixed_dictionaries(
            {}, optional={"annotations": st.fixed_dictionaries({"insights": small}), "tasks": some_tasks}
        ),
    ),
    st.tuples(st.just(PLATFORM_PROPOSER), some_updates),
    st.tuples(
        st.just(PRINCIPAL),
        st.fixed_dictionaries({"commands": some_commands.map(lambda given: {"head": {}, **given})}),
    ),
    st.tuples(st.just(WIZARD), st.fixed_dictionaries({"commands": some_commands})),
)
some_proposals = st.lists(
    st.tuples(within_rights | st.tuples(st.sampled_from(PROPOSERS), some_updates), st.integers(0, 12)),
    max_size=12,
)


def played(proposals: list[tuple[tuple[Proposer, Json], int]]) -> Keeper:
    keeper = Keeper()
    for (proposer, updates), age in proposals:
        keeper.propose(proposer, updates, max(0, keeper.record.version - max(0, age - 9)))
    return keeper


def fold(log: list[tuple[int, StateProposal]]) -> Record:
    record = EMPTY_RECORD
    for seq, proposal in log:
        record = apply_proposal(record, proposal, seq)
    return record


@given(some_proposals)
def test_the_log_folds_to_the_record_that_the_session_had(
    proposals: list[tuple[tuple[Proposer, Json], int]],
) -> None:
    keeper = played(proposals)
    written = [
        (seq, json.loads(json.dumps(proposal.updates.to_dict())), proposal) for seq, proposal in keeper.log
    ]

    read = [
        (
            seq,
            StateProposal(kept.proposer, kept.base_version, FrozenJson(updates), kept.accepted, kept.reason),
        )
        for seq, updates, kept in written
    ]

    assert fold(read) == keeper.record


@pytest.mark.parametrize("seat", ["human", "agent"])
def test_of_the_participant_a_seat_sees_what_is_declared_public_and_nothing_else(
    keeper: Keeper, seat: str
) -> None:
    told = {"demographics": {"human": {"age": 30}}, "public": {"age_group": "18 to 40"}}
    keeper.accepted(PLATFORM_PROPOSER, {"participant": told})
    keeper.accepted(PLATFORM_PROPOSER, {"participant": {"consent": {"human": True}}})

    seen = visible_record(keeper.record, seat_reader(seat))
    proposals = [visible_proposal(proposal, seat_reader(seat)) for _, proposal in keeper.log]

    assert seen.participant.to_dict() == {"public": {"age_group": "18 to 40"}}
    assert seen.version == 1, "a change that it cannot see leaves no trace"
    assert [None if each is None else each.updates.to_dict() for each in proposals] == [
        {"participant": {"public": {"age_group": "18 to 40"}}},
        None,
    ]


@given(some_proposals, st.sampled_from(READERS))
def test_what_a_reader_sees_folds_to_its_part_of_the_record(
    proposals: list[tuple[tuple[Proposer, Json], int]], reader: RecordReader
) -> None:
    keeper = played(proposals)

    visible = [
        (seq, seen) for seq, kept in keeper.log if (seen := visible_proposal(kept, reader)) is not None
    ]

    assert fold(visible) == visible_record(keeper.record, reader)


@given(some_proposals)
def test_a_verdict_that_accepts_is_what_is_then_committed(
    proposals: list[tuple[tuple[Proposer, Json], int]],
) -> None:
    keeper = Keeper()
    for (proposer, updates), _ in proposals:
        verdict = review_proposal(keeper.record, proposer, keeper.record.version, updates)
        keeper.propose(proposer, updates)
        assert get_state(verdict.record) == get_state(keeper.record)


@given(some_proposals)
def test_what_was_accepted_is_accepted_again_where_it_stands_in_the_log(
    proposals: list[tuple[tuple[Proposer, Json], int]],
) -> None:
    record = EMPTY_RECORD

    for seq, kept in played(proposals).log:
        if kept.accepted:
            assert review_proposal(record, kept.proposer, kept.base_version, kept.updates).proposal == kept
        record = apply_proposal(record, kept, seq)
