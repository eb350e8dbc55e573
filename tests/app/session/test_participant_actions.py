"""Scripts of a participant's proposals, as the session's thread carries them out."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from negoplatform.agent_api.actions import FormalQuit, SendMessage, ShowTyping
from negoplatform.app.session.participant_actions import (
    AbortGame,
    ParticipantProposal,
    ProposalPerformer,
    RecordNote,
)
from negoplatform.core.events import EndedBy, EventType
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.errors import Refused
from negoplatform.hosting.seat_actions import AcceptOffer
from negoplatform.testing import TrialTable


@pytest.fixture
def performer(table: TrialTable) -> ProposalPerformer:
    table.start()
    return ProposalPerformer(table.session, "human")


def test_the_first_refusal_drops_the_rest_of_a_script(
    table: TrialTable, performer: ProposalPerformer
) -> None:
    with pytest.raises(Refused, match="no offer on the table"):
        performer.perform([SendMessage("Deal?"), AcceptOffer(7), SendMessage("Deal!")])

    assert table.kinds() == ["GAME_START", "SEND_MESSAGE", "ACTION_REFUSED"]


def test_a_script_that_leaves_records_why_and_aborts_the_game(
    table: TrialTable, performer: ProposalPerformer
) -> None:
    performer.perform([RecordNote(NoteKind.WINDOW_CLOSED, {"seat": "human"}), AbortGame("Closed.")])

    assert table.kinds() == ["GAME_START", "NOTE", "GAME_END"]
    assert (table.events[-1].payload.ended_by, table.events[-1].payload.by) == (EndedBy.ABORTED, "human")


def test_a_participant_and_an_agent_propose_the_same_values(
    table: TrialTable, performer: ProposalPerformer
) -> None:
    performer.perform([ShowTyping(700), FormalQuit()])

    assert [event.type for event in table.events[1:3]] == [EventType.TYPING, EventType.FORMAL_QUIT]
    assert table.events[1].payload.duration_ms == 700


def test_no_proposal_can_be_changed_once_it_is_made() -> None:
    for proposal in get_args(ParticipantProposal):
        assert proposal.__dataclass_params__.frozen, proposal

    with pytest.raises(FrozenInstanceError):
        AcceptOffer(3).offer_id = 4  # type: ignore[misc]
