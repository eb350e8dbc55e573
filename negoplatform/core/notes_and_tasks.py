"""The session's record: information besides the game and the board, as one frozen value.

Sections are kept as JSON text. A reader always gets a fresh copy, so no object is shared between a copy and
the session's own value.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from negoplatform.domain.errors import Refused
from negoplatform.domain.offer import exact_str

MAX_DEPTH = 20
"""Levels of nested objects and lists, at most."""

MAX_EXACT_INTEGER = 2**53
"""Largest integer that is the same number in every reader of JSON."""

SECTIONS = ("participant", "tasks", "deal", "annotations", "notes", "commands")
"""Sections of a record."""

RecordPath = tuple[str, ...]
"""Path in a record, such as ``("notes", "agent")``."""

canonical_json = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode
"""Encoder of a JSON value as text: one text for each value, with sorted keys and without spaces."""


def format_path(path: RecordPath) -> str:
    """Return a path as it is written in a sentence, such as ``notes/agent``; safe to print anywhere."""
    text = "/".join(part if len(part) <= 60 else f"{part[:60]}…" for part in path)
    return "".join(c if c.isprintable() else "?" for c in text)


def copy_json(value: object, largest: int | None = None) -> Any:
    """Return a fresh copy made of plain dicts, lists, texts, numbers, booleans and None alone.

    Args:
        value: A presumed JSON value; tuples count as lists.
        largest: Bytes of JSON that it may have; None for no limit.

    Raises:
        Refused: If it is no JSON value (a number that is not finite, a key that is no text), is nested
            deeper than 20 levels, or is too large; the sentence names the place.
    """
    too_large = f"This is too large: at most {(largest or 0) // 1024} kB of JSON can be kept at once."
    left = [largest] if largest is not None else None
    copied = _copy(value, (), left, too_large)
    if largest is not None and len(canonical_json(copied).encode("utf-8")) > largest:
        raise Refused(too_large)
    return copied


def _copy(value: Any, path: RecordPath, left: list[int] | None, too_large: str) -> Any:
    # Each value takes a byte at least. Counting on the way stops at a value that contains itself, twice, in
    # time.
    if left is not None:
        left[0] -= 1
        if left[0] < 0:
            raise Refused(too_large)
    # The type, not isinstance: an object may claim any class, and a subclass may run code of its own.
    kind = type(value)
    if value is None or kind is bool:
        return value
    if issubclass(kind, str):
        return _copy_text(exact_str(value), path)
    if issubclass(kind, int):
        whole = int.__add__(value, 0)
        if abs(whole) > MAX_EXACT_INTEGER:
            raise Refused(f"{_at(path)} is a number too large to be kept exactly; write it as text.")
        return whole
    if issubclass(kind, float):
        number = float.__add__(value, 0.0)
        if not isfinite(number):
            raise Refused(f"{_at(path)} is no finite number, and JSON holds no other.")
        return number
    if kind is FrozenJson:
        value, kind = value.to_dict(), dict
    if issubclass(kind, dict | list | tuple) and len(path) >= MAX_DEPTH:
        raise Refused(f"{_at(path)} is nested too deeply: {MAX_DEPTH} levels are the most.")
    if issubclass(kind, dict):
        pairs = [(_key(key, path), item) for key, item in dict.items(value)]
        return {key: _copy(item, (*path, key), left, too_large) for key, item in pairs}
    if issubclass(kind, list | tuple):
        items = list.__iter__(value) if issubclass(kind, list) else tuple.__iter__(value)
        return [_copy(item, (*path, str(i)), left, too_large) for i, item in enumerate(items)]
    raise Refused(f"{_at(path)} is no JSON value but of type {kind.__name__}.")


def _key(key: Any, path: RecordPath) -> str:
    if not issubclass(type(key), str):
        raise Refused(f"A key in {_at(path)} is no text, and JSON has no other keys.")
    return _copy_text(exact_str(key), path)


def _copy_text(text: str, path: RecordPath) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Refused(f"{_at(path)} holds half of a character, which cannot be written down.") from None
    return text


def _at(path: RecordPath) -> str:
    return format_path(path) or "This"


class FrozenJson(Mapping[str, Any]):
    """An immutable JSON object; every reader gets a fresh copy.

    Equal when the JSON is equal, whatever the order of keys. 1 and 1.0 and true are three values.

    Args:
        value: The object.

    Raises:
        Refused: If it is no JSON object.
    """

    __slots__ = ("_text",)
    _text: str

    def __init__(self, value: Mapping[str, Any] = {}) -> None:
        copied = copy_json(value)
        if type(copied) is not dict:
            raise Refused("Only an object in braces { } can be kept here.")
        object.__setattr__(self, "_text", canonical_json(copied))

    @property
    def text(self) -> str:
        """Object as JSON text with sorted keys."""
        return self._text

    def to_dict(self) -> dict[str, Any]:
        """Return a fresh copy that its reader may change."""
        copied: dict[str, Any] = json.loads(self._text)
        return copied

    def __getitem__(self, key: str) -> Any:
        return self.to_dict()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a FrozenJson cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a FrozenJson cannot be changed")

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, FrozenJson) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"FrozenJson({self.to_dict()!r})"

    def __reduce__(self) -> tuple[type[FrozenJson], tuple[dict[str, Any]]]:
        return FrozenJson, (self.to_dict(),)


EMPTY_JSON = FrozenJson()


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
        participant: Stated preferences, demographics, consent.
        tasks: The parties' intentions, in the order in which they came up.
        deal: The settled terms, per issue.
        annotations: The assistants' observations.
        notes: By seat: the agent's own notes.
        commands: The wizard's commands.
        versions: The seq of the last accepted change of each part. Parts are the sections, but each
            seat's notes (``notes/agent``) and each origin's tasks (``tasks/agent``) are separate parts:
            a seat cannot see the others', so a change there must not make its own proposals stale.
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


def visible_record(record: Record, seat: str) -> Record:
    """Return a seat's view of a record: its own notes and its own tasks, with their versions."""
    notes = record.notes.to_dict()
    own = (f"notes/{seat}", f"tasks/{seat}")
    versions = {part: seq for part, seq in record.versions.items() if part in own}
    return Record(
        notes=FrozenJson({seat: notes[seat]} if seat in notes else {}),
        tasks=tuple(task for task in record.tasks if task.agent_origin == seat),
        versions=FrozenJson(versions),
        version=max(versions.values(), default=0),
    )


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
