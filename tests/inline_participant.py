"""Participant without a thread: their proposals are performed at once."""

from __future__ import annotations

from contextlib import suppress
from queue import SimpleQueue
from typing import cast

from negoplatform.app.session.participant_actions import ParticipantProposal, ProposalPerformer
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_seat import ParticipantSeat, SessionUpdate
from negoplatform.domain.errors import Refused
from negoplatform.testing import TrialTable


class AtOnce:
    """Stand-in for a live session that performs proposals at once and counts them."""

    def __init__(self, table: TrialTable, seat: str = "human") -> None:
        self.seat = seat
        self.updates: SimpleQueue[SessionUpdate] = SimpleQueue()
        self.proposed = 0
        self._table = table
        self._performer = ProposalPerformer(table.session, seat)

    def propose(self, *script: ParticipantProposal) -> None:
        self.proposed += 1
        self._table.start()
        with suppress(Refused):
            self._performer.perform(script)


def participant_at(table: AtOnce) -> ParticipantController:
    """Return a participant controller for such a session."""
    return ParticipantController(cast("ParticipantSeat", table))
