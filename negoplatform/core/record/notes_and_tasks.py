"""The session's record: information besides the game and the board, as one frozen value.

Sections are kept as JSON text. A reader always gets a fresh copy, so no object is shared between a copy and
the session's own value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from negoplatform.core.immutable.frozen_json import EMPTY_JSON, FrozenJson, format_path
from negoplatform.domain.errors import Refused

SECTIONS = ("participant", "tasks", "deal", "annotations", "notes", "commands")
"""Sections of a record."""

PUBLIC_KEY = "public"
"""Key of the participant's section for what every seat may see; the rest is for the experimenter alone."""


MEMORY_KEY = "memory"
"""Key of an agent's notes for what it keeps from one round to the next."""


class TaskStatus(StrEnum):
    """Progress of a task."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Task:
    """Intention of a party or an assistant.

    Args:
        task_id: Its name, unique in a record.
        timestamp: Session time in seconds at which it came up.
        agent_origin: Its origin: a seat, or the name of an assistant. It never changes.
        intent: The intention, in one word.
        status: The progress.
        metadata: Further information, as JSON.
    """

    task_id: str
    timestamp: float
    agent_origin: str
    intent: str
    status: TaskStatus = TaskStatus.PENDING
    metadata: FrozenJson = EMPTY_JSON

    def document(self) -> dict[str, Any]:
        """Return the task as a fresh JSON value."""
        return {
            "task_id": self.task_id,
            "timestamp": self.timestamp,
            "agent_origin": self.agent_origin,
            "intent": self.intent,
            "status": self.status.value,
            "metadata": self.metadata.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Record:
    """Information of a session besides game and board.

    Args:
        participant: Demographics, consent; under ``public`` what is declared public.
        tasks: The parties' intentions, in the order in which they came up.
        deal: The settled terms, per issue.
        annotations: The assistants' observations.
        notes: By seat: the agent's own notes.
        commands: The commands of the wizard and of principals, by who gives them; see
            ``core/record/commands.py``.
        versions: The seq of the last accepted change of each part. Parts are the sections, but each
            seat's notes (``notes/agent``), each origin's tasks (``tasks/agent``), each assistant's
            annotations (``annotations/agenda``), each principal's commands (``commands/head``), and each of
            these that is addressed (``commands/head/1``) are separate parts: a seat cannot see the others',
            so a change there must not make its own proposals stale. So is ``participant/public``, because
            every seat sees it.
        version: The seq of the last accepted change of any.
    """

    participant: FrozenJson = EMPTY_JSON
    tasks: tuple[Task, ...] = ()
    deal: FrozenJson = EMPTY_JSON
    annotations: FrozenJson = EMPTY_JSON
    notes: FrozenJson = EMPTY_JSON
    commands: FrozenJson = EMPTY_JSON
    versions: FrozenJson = EMPTY_JSON
    version: int = 0

    def version_of(self, path: str) -> int:
        """Return the seq of the last accepted change of a part, or of any part within it; 0 before any."""
        return max(
            (seq for part, seq in self.versions.items() if (part + "/").startswith(path + "/")), default=0
        )


EMPTY_RECORD = Record()
"""The record without any information."""


def get_state(record: Record) -> dict[str, Any]:
    """Return the sections of a record as a fresh JSON value, which its reader may change without effect."""
    return {
        "participant": record.participant.to_dict(),
        "tasks": [task.document() for task in record.tasks],
        "deal": record.deal.to_dict(),
        "annotations": record.annotations.to_dict(),
        "notes": record.notes.to_dict(),
        "commands": record.commands.to_dict(),
    }


def parse_record(
    state: Mapping[str, Any], versions: Mapping[str, int] = EMPTY_JSON, version: int = 0
) -> Record:
    """Return the record with these sections.

    Raises:
        Refused: If they do not have the shape of a record; the sentence names the place.
    """
    try:
        form = _RecordModel.model_validate(state)
    except ValidationError as error:
        raise Refused(_sentence(error, state)) from None
    if len({task.task_id for task in form.tasks}) < len(form.tasks):
        raise Refused("tasks holds two tasks with one task_id; merge them.")
    return Record(
        participant=FrozenJson(form.participant),
        tasks=tuple(task.value() for task in form.tasks),
        deal=FrozenJson(form.deal),
        annotations=FrozenJson(form.annotations),
        notes=FrozenJson(form.notes),
        commands=FrozenJson(form.commands),
        versions=FrozenJson(versions),
        version=version,
    )


def parse_template(sections: Mapping[str, Any]) -> Record:
    """Return the initial content of a record; sections that it leaves out are empty.

    Raises:
        Refused: If they do not have the shape of a record; the sentence names the place.
    """
    return parse_record({**get_state(EMPTY_RECORD), **sections})


def carried_sections(record: Record, seats: Mapping[str, str]) -> dict[str, Any]:
    """Return the sections with which the next session of the same agents begins, as a fresh JSON value.

    These are the participant's section and, of the agents' notes, what is under ``memory``.

    Args:
        record: The record at the end of a session.
        seats: The seat of each agent in the next session, by its seat in that one.
    """
    notes = record.notes.to_dict()
    kept = {
        now: {MEMORY_KEY: notes[before][MEMORY_KEY]}
        for before, now in seats.items()
        if MEMORY_KEY in notes.get(before, {})
    }
    sections = {"participant": record.participant.to_dict(), "notes": kept}
    return {name: section for name, section in sections.items() if section}


# Schema

_Name = Annotated[str, Field(min_length=1, max_length=200)]


class _StrictRecordModel(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, frozen=True)


class _TaskModel(_StrictRecordModel):
    task_id: _Name
    timestamp: Annotated[float, Field(ge=0)]
    agent_origin: _Name
    intent: _Name
    status: Literal["pending", "in_progress", "done"]
    metadata: dict[str, Any] = {}

    def value(self) -> Task:
        metadata = FrozenJson(self.metadata)
        return Task(
            self.task_id, self.timestamp, self.agent_origin, self.intent, TaskStatus(self.status), metadata
        )


class _RecordModel(_StrictRecordModel):
    participant: dict[str, Any]
    tasks: list[_TaskModel]
    deal: dict[str, Any]
    annotations: dict[str, Any]
    notes: dict[str, dict[str, Any]]
    commands: dict[str, Any]


_EXPECTED = {
    "dict_type": "an object in braces { }",
    "list_type": "a list in brackets [ ]",
    "string_type": "a text",
    "float_type": "a number",
    "string_too_short": "a text that is not empty",
    "string_too_long": "a text of at most 200 characters",
    "greater_than_equal": "a number from 0 up",
    "literal_error": "pending, in_progress or done",
}
"""Descriptions of the expected values, by pydantic's error types."""


def _sentence(error: ValidationError, state: Mapping[str, Any]) -> str:
    fault = error.errors(include_url=False)[0]
    place = format_path(tuple(_place(fault["loc"], state))) or "The record"
    match fault["type"]:
        case "missing":
            return f"{place} is missing and cannot be left out."
        case "extra_forbidden":
            return f"{place} is not known here; check its spelling."
        case kind if kind in _EXPECTED:
            return f"{place} does not fit: {_EXPECTED[kind]} belongs there."
        case _:
            return f"{place} does not fit: {fault['msg'].rstrip('.')}."


def _place(location: tuple[int | str, ...], state: Mapping[str, Any]) -> Iterable[str]:
    """Return a location with the name of the task in place of its number."""
    for at, part in enumerate(location):
        if at == 1 and isinstance(part, int):
            task = state["tasks"][part]
            named = task.get("task_id") if isinstance(task, dict) else None
            yield named if isinstance(named, str) else str(part)
        else:
            yield str(part)
