"""Proposers as the code that makes a session issues them."""

from __future__ import annotations

from negoplatform.core.record.notes_and_tasks_proposals import Proposer
from negoplatform.core.session import Session


def issued(session: Session, wanted: Proposer) -> Proposer:
    """Return a proposer that a session accepts, of the same capacity and name."""
    return session._proposers.issue(wanted.kind, wanted.name)
