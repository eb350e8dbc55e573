"""Merging of updates into a record, and their differences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from negoplatform.core.immutable.frozen_json import (
    FrozenJson,
    RecordPath,
    canonical_json,
    copy_json,
    format_path,
)
from negoplatform.core.record.notes_and_tasks import Record, get_state, parse_record
from negoplatform.domain.errors import Refused

LARGEST_UPDATE = 64 * 1024
"""Bytes of JSON in one proposal, at most."""

APPEND = "$append"
"""Marker: ``{"$append": [...]}`` in the place of a list adds to its end."""


def deep_merge(current: Mapping[str, Any], updates: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state after updates: a new dict that shares nothing with either.

    Objects are merged key by key; None deletes a key; ``{"$append": [...]}`` adds to a list; anything else
    replaces the old value. ``tasks`` is merged by task_id: an existing task keeps all that its update does
    not name, a new one is added at the end, two new ones with one id become one.

    Args:
        current: The sections of a record, as :func:`get_state` gives them.
        updates: The changes, in the same shape.

    Raises:
        Refused: If something has a shape that cannot be merged; the sentence names the place.
    """
    return _merge_objects(copy_json(current), copy_json(updates), ())


def _merge_objects(current: dict[str, Any], updates: dict[str, Any], path: RecordPath) -> dict[str, Any]:
    """Merge updates into an object; both arguments may be modified."""
    for key, update in updates.items():
        here = (*path, key)
        if update is None:
            current.pop(key, None)
        elif here == ("tasks",):
            current[key] = _merge_tasks(current.get(key, []), update)
        elif type(update) is dict and APPEND in update:
            current[key] = _append(current.get(key), update, here)
        elif type(update) is dict:
            inside = current.get(key)
            current[key] = _merge_objects(inside if type(inside) is dict else {}, update, here)
        else:
            current[key] = update
    return current


def _append(current: object, update: dict[str, Any], path: RecordPath) -> list[Any]:
    more = update[APPEND]
    if len(update) > 1 or type(more) is not list:
        raise Refused(
            f"{format_path(path)} does not fit: {APPEND} takes a list, and nothing stands beside it."
        )
    if current is None:
        return more
    if type(current) is not list:
        raise Refused(f"{format_path(path)} is no list, so nothing can be appended to it.")
    return [*current, *more]


def _merge_tasks(current: object, updates: object) -> list[dict[str, Any]]:
    by_id = dict(task_updates(current))
    for task_id, update in task_updates(updates):
        there = by_id.get(task_id, {})
        origin = there.get("agent_origin", update.get("agent_origin"))
        if update.get("agent_origin", origin) != origin:
            where = format_path(("tasks", task_id, "agent_origin"))
            raise Refused(f"{where} cannot change: a task stays whose it is.")
        by_id[task_id] = _merge_objects(there, update, ("tasks", task_id))
    return list(by_id.values())


def task_updates(updates: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the tasks of a list, each with its task_id.

    Raises:
        Refused: If it is no list of tasks.
    """
    if type(updates) is not list:
        raise Refused("tasks does not fit: a list of tasks belongs there, each with its task_id.")
    for number, update in enumerate(updates):
        task_id = update.get("task_id") if type(update) is dict else None
        if type(task_id) is not str:
            raise Refused(f"tasks/{number} does not fit: a task belongs there, with its task_id.")
        yield task_id, update


def checked_updates(updates: object) -> dict[str, Any]:
    """Return updates as a fresh JSON object.

    Raises:
        Refused: If they are none, or of more than 64 kB or 20 levels.
    """
    copied = copy_json(updates, LARGEST_UPDATE)
    if type(copied) is not dict:
        raise Refused("A proposal is an object of sections and their changes.")
    return copied


@dataclass(frozen=True, slots=True)
class Change:
    """Change of one place: ``before`` and ``after`` as JSON text, None for no value."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class StateDiff:
    """Changes that a proposal would make.

    Args:
        base_version: The version of the record that the proposal is based on.
        current: The record now, as far as the proposal touches it.
        proposed: The same after the proposal.
        changes: Each place whose value would change.
    """

    base_version: int
    current: FrozenJson
    proposed: FrozenJson
    changes: tuple[Change, ...]

    def document(self) -> dict[str, Any]:
        """Return the difference as fresh JSON; a change is ``[path, before, after]``, null for no value."""
        return {
            "base_version": self.base_version,
            "current": self.current.to_dict(),
            "proposed": self.proposed.to_dict(),
            "changes": [
                [change.path, *(text and json.loads(text) for text in (change.before, change.after))]
                for change in self.changes
            ],
        }


def get_proposed_state_diff(
    record: Record,
    proposed_updates: Mapping[str, Any],
    sections: Callable[[Record], dict[str, Any]] = get_state,
) -> StateDiff:
    """Return the changes that updates would make now; whether they are allowed is for the session to decide.

    Args:
        record: The record.
        proposed_updates: The updates.
        sections: Returns the sections of a record as their reader sees them.

    Raises:
        Refused: If they cannot be merged, or the record would lose its shape.
    """
    updates = checked_updates(proposed_updates)
    merged = parse_record(deep_merge(get_state(record), updates), record.versions, record.version)
    before, after = _by_id(sections(record)), _by_id(sections(merged))
    named = _by_id(updates)
    return StateDiff(
        base_version=record.version,
        current=FrozenJson(_without_ids(_restricted(before, named))),
        proposed=FrozenJson(_without_ids(_restricted(after, named))),
        changes=tuple(_changes(before, after, ())),
    )


def _by_id(state: dict[str, Any]) -> dict[str, Any]:
    if state.get("tasks") is None:
        return state
    tasks: dict[str, Any] = {}
    for task_id, task in task_updates(state["tasks"]):
        tasks[task_id] = {**tasks.get(task_id, {}), **task}
    return {**state, "tasks": tasks}


def _without_ids(state: dict[str, Any]) -> dict[str, Any]:
    return {**state, "tasks": list(state["tasks"].values())} if "tasks" in state else state


def _restricted(value: Any, named: Any) -> Any:
    """Return the part of a value that updates name."""
    if not isinstance(value, dict) or not isinstance(named, dict):
        return value
    return {key: _restricted(value[key], inside) for key, inside in named.items() if key in value}


def _changes(before: object, after: object, path: RecordPath) -> Iterator[Change]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from _changes(before.get(key, _MISSING), after.get(key, _MISSING), (*path, key))
        return
    was, becomes = (None if value is _MISSING else canonical_json(value) for value in (before, after))
    if was != becomes:
        yield Change("/".join(path), was, becomes)


_MISSING = object()


def changed_places(updates: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the places of the record that updates name, and the value of each."""
    for section, update in updates.items():
        if section == "tasks" and isinstance(update, list):
            for task in update:
                name = task.get("task_id") if isinstance(task, dict) else None
                yield f"tasks/{name}" if isinstance(name, str) else "tasks", task
        elif section == "annotations" and isinstance(update, dict):
            for name, said in update.items():
                if isinstance(said, dict) and said:
                    yield from ((f"annotations/{name}/{key}", value) for key, value in said.items())
                else:
                    yield f"annotations/{name}", said
        else:
            yield section, update
