"""Keeper of a record, and proposers of changes of it."""

from __future__ import annotations

from typing import Any

from negoplatform.core.record.notes_and_tasks import (
    EMPTY_RECORD,
    get_state,
)
from negoplatform.core.record.notes_and_tasks_proposals import (
    Proposer,
    ProposerKind,
    StateProposal,
    apply_proposal,
    review_proposal,
)
from negoplatform.core.record.record_visibility import RecordReader

SEATS = ("agent", "human")
AGENT = Proposer(ProposerKind.SEAT, "agent")
HUMAN = Proposer(ProposerKind.SEAT, "human")
ASSISTANT = Proposer(ProposerKind.ASSISTANT, "insights")
WIZARD = Proposer(ProposerKind.WIZARD, "wizard")

PRINCIPAL = Proposer(ProposerKind.PRINCIPAL, "head")

Json = dict[str, Any]


def seat_reader(seat: str, *assistants: str) -> RecordReader:
    """Return a seat as a reader of the record, whose participant is shown what some assistants write."""
    return RecordReader(
        Proposer(ProposerKind.SEAT, seat),
        notes=seat,
        origins=(seat, *assistants),
        annotators=assistants,
        addressees=(seat,),
    )


PRINCIPAL_READER = RecordReader(PRINCIPAL, givers=("head",), addressees=("head",))
SYSTEM_READER = RecordReader(None, givers=("head", "chief"), addressees=SEATS)


def task(task_id: str = "t1", origin: str = "agent", **more: Any) -> Json:
    """Return a task of the record."""
    return {
        "task_id": task_id,
        "timestamp": 1.0,
        "agent_origin": origin,
        "intent": "propose",
        "status": "pending",
        "metadata": {"issue": "bananas"},
        **more,
    }


class Keeper:
    """Keeper of a record that commits as a session does: review, log, and only then update."""

    def __init__(self) -> None:
        self.record = EMPTY_RECORD
        self.log: list[tuple[int, StateProposal]] = []

    def propose(self, proposer: Proposer, updates: Any, base_version: int | None = None) -> StateProposal:
        """Review a proposal, log it and apply it."""
        known = self.record.version if base_version is None else base_version
        proposal = review_proposal(self.record, proposer, known, updates).proposal
        seq = 3 * len(self.log) + 1
        after = apply_proposal(self.record, proposal, seq)
        self.log.append((seq, proposal))
        self.record = after
        return proposal

    def accepted(self, proposer: Proposer, updates: Any, base_version: int | None = None) -> Json:
        """Return the state after a proposal, which has to be accepted."""
        proposal = self.propose(proposer, updates, base_version)
        assert proposal.accepted, proposal.reason
        return get_state(self.record)

    def refused(self, proposer: Proposer, updates: Any, base_version: int | None = None) -> str:
        """Return the reason for which a proposal is refused."""
        before = self.record
        proposal = self.propose(proposer, updates, base_version)
        assert not proposal.accepted
        assert self.record is before
        return proposal.reason
