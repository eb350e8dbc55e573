"""Persistence of one session's data while it is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from pydantic import ValidationError

from negoplatform.app.session.session_data_store import SessionDataStore, StoredDraft, StoredHost
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_template import record_template
from negoplatform.core.notes_and_tasks_derivation import proposed_sections
from negoplatform.core.record.notes_and_tasks import MEMORY_KEY, Record
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat


class SessionPersistence(Protocol):
    """Storage for data that survives a session."""

    def save_record(self, record: Record) -> None:
        """Save the record of accepted proposals, after a change."""
        ...

    def save_draft(self, draft: Mapping[str, Any]) -> None:
        """Save the participant's unsent draft."""
        ...

    def save_draft_of(self, seat: Seat, draft: Mapping[str, Any]) -> None:
        """Save the unsent draft of a person who has joined from another window."""
        ...

    def draft_of(self, seat: Seat) -> Mapping[str, Any] | None:
        """Return that draft; None: there is none."""
        ...


class SessionDataAutosave:
    """Data stored under one session's id, saved after every change.

    Args:
        data_dir: The user's folder.
        session_id: The session.
        report: Called with a sentence if something cannot be saved; the session goes on.
    """

    def __init__(self, data_dir: Path, session_id: str, report: Callable[[str], object]) -> None:
        self._store = SessionDataStore(data_dir, report=report)
        self._session_id = session_id
        self._report = report
        self._state = self._store.load(session_id)

    @property
    def draft(self) -> Mapping[str, Any]:
        """The participant's unsent draft."""
        draft: dict[str, Any] = self._state["draft"]
        return draft

    def agent_file(self, seat: Seat, kind: str = "agents") -> str | None:
        """Return the file of a seat's agent when the session was last played, ``PATH:Class``, or None.

        Args:
            seat: The seat.
            kind: ``agents``, ``advisers`` for the agent that advises the person in the seat, or
                ``principals`` and ``assistants`` for an assistant, by its name in place of the seat.
        """
        for run in reversed(self._state["sittings"]):
            agents = run.get(kind)
            file = agents.get(seat) if isinstance(agents, dict) else None
            if isinstance(file, str):
                return file
        return None

    def record_start(self, plan: SessionPlan, log: Path) -> None:
        """Record that the session is played, for the first time or again."""
        agents = {seat: agent.plugin.location for seat, agent in plan.agents.items()}
        self._state["participant"]["code"] = plan.participant
        sitting = {"game": plan.game.name, "log": str(log), "agents": agents}
        others = {
            "advisers": {seat: agent.plugin.location for seat, agent in plan.advisers.items()},
            "principals": {name: agent.plugin.location for name, agent in plan.principals.items()},
            "assistants": {name: agent.plugin.location for name, agent in plan.assistants.items()},
        }
        self._state["sittings"].append(
            {**sitting, **{kind: files for kind, files in others.items() if files}}
        )
        self._save()

    def save_record(self, record: Record) -> None:
        """Save the record of accepted proposals, after a change."""
        self._state["record"] = proposed_sections(record, record_template())
        notes = record.notes.to_dict()
        self._state["memory"] = {seat: own[MEMORY_KEY] for seat, own in notes.items() if MEMORY_KEY in own}
        self._save()

    def save_draft(self, draft: Mapping[str, Any]) -> None:
        """Save the participant's unsent draft."""
        self._state["draft"] = dict(draft)
        self._save()

    def save_draft_of(self, seat: Seat, draft: Mapping[str, Any]) -> None:
        """Save the unsent draft of a person who has joined from another window; drop what is no draft."""
        try:
            checked = StoredDraft.model_validate(dict(draft))
        except ValidationError as error:
            self._report(
                f"The draft of {seat} cannot be kept: {error.error_count()} of its values are wrong."
            )
            return
        self._state.setdefault("drafts", {})[seat] = checked.model_dump(exclude_unset=True)
        self._save()

    def draft_of(self, seat: Seat) -> Mapping[str, Any] | None:
        """Return that draft; None: there is none."""
        draft: Mapping[str, Any] | None = self._state.get("drafts", {}).get(seat)
        return draft

    @property
    def host(self) -> StoredHost | None:
        """The port and the codes of the host that ran the session before; None: there are none."""
        found = self._state.get("host")
        return None if found is None else StoredHost.model_validate(found)

    def save_host(self, host: StoredHost | None) -> None:
        """Save how windows join, or that none will join again; not while the session runs."""
        self._state["host"] = None if host is None else host.model_dump()
        self._save()

    def delete(self) -> None:
        """Delete the data: the session was never started."""
        self._store.delete(self._session_id)

    def _save(self) -> None:
        try:
            self._store.save(self._session_id, self._state)
        except NegoError as error:
            self._report(str(error))
