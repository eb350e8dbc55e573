"""The changes of a session's record that one proposer asks for, as methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.core.events import Event
from negoplatform.core.record.notes_and_tasks import Task, TaskStatus
from negoplatform.core.record.notes_and_tasks_proposals import (
    Proposer,
    add_task,
    update_deal,
    update_participant,
)
from negoplatform.core.record.notes_and_tasks_update_merge import StateDiff
from negoplatform.core.session import BY_HUMAN, ActionOrigin, Session


class RecordUpdater:
    """Changes of a session's record in the name of one proposer.

    It writes nothing itself: every method is a proposal to ``Session.propose_change``, which records a
    verdict with its reason.

    Args:
        session: The session.
        proposer: The proposer.
        origin: The origin of the proposals.
    """

    def __init__(self, session: Session, proposer: Proposer, origin: ActionOrigin = BY_HUMAN) -> None:
        self._session = session
        self._proposer = proposer
        self._origin = origin

    def get_state(self) -> dict[str, Any]:
        """Return the record's sections, a copy that its reader may change without any effect."""
        return self._session.get_state()

    def get_proposed_state_diff(self, proposed_updates: Mapping[str, Any]) -> StateDiff:
        """Return the changes that some updates would make, without proposing them."""
        return self._session.get_proposed_state_diff(proposed_updates)

    def propose(self, updates: Mapping[str, Any], base_version: int | None = None) -> Event:
        """Propose updates, as in ``deep_merge``; return the event with the verdict.

        Args:
            updates: The changes, by section.
            base_version: The version of the record that the proposer knew; None: the newest.

        Raises:
            Refused: With the reason, after it was logged.
        """
        newest = self._session.state.record.version
        known = newest if base_version is None else base_version
        return self._session.propose_change(self._proposer, updates, known, self._origin)

    def add_task(self, task: Task) -> Event:
        """Propose a new task, or another version of a known one; raises as :meth:`propose`."""
        return self.propose(add_task(task))

    def update_task(
        self,
        task_id: str,
        *,
        status: TaskStatus | None = None,
        intent: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Event:
        """Propose to change what is given of a known task, also of one that follows from an event.

        Args:
            task_id: Its name, such as ``event-7``.
            status: Its progress.
            intent: Its intention, in one word.
            metadata: Further information, merged into the present one.

        Raises:
            Refused: As by :meth:`propose`.
        """
        changes = {"status": status and status.value, "intent": intent, "metadata": metadata}
        named = {name: value for name, value in changes.items() if value is not None}
        return self.propose({"tasks": [{"task_id": task_id, **named}]})

    def update_deal(self, updates: Mapping[str, Any]) -> Event:
        """Propose to change the section about the deal; raises as :meth:`propose`."""
        return self.propose(update_deal(updates))

    def update_participant(self, updates: Mapping[str, Any]) -> Event:
        """Propose to change the section about the participant; raises as :meth:`propose`."""
        return self.propose(update_participant(updates))
