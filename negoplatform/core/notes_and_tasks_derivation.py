"""The record as its readers get it: a template, what follows from the events, and what was proposed.

==============  ===================================================  ========================================
section         what follows from the events                         what proposals add
==============  ===================================================  ========================================
tasks           one for each intention                               intent, further status, metadata; tasks
participant     ``preferences``: those that each seat has stated     anything; it wins over what follows
deal            issues agreed, open and disputed, with their terms   anything; it wins over what follows
all others      nothing                                              everything
==============  ===================================================  ========================================

Nothing of it is computed while a session is played, and no event is recorded for it: it is computed by a pure
function whenever it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from negoplatform.core.events import Event, Message, MessageSubtype, Preference
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.intention_ledger import combined_tasks, intentions, term_document
from negoplatform.core.mechanisms.bargaining import BargainingState, board_of
from negoplatform.core.message_readings import MessageReading, readings_by_message
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, SECTIONS, Record, Task, get_state
from negoplatform.core.record.notes_and_tasks_update_merge import (
    StateDiff,
    checked_updates,
    deep_merge,
    get_proposed_state_diff,
)
from negoplatform.core.state import State
from negoplatform.domain.errors import Refused
from negoplatform.domain.issue_status_board import IssueStatus
from negoplatform.domain.seat_map import Seat


def record_sections(state: State, events: Iterable[Event], template: Record = EMPTY_RECORD) -> dict[str, Any]:
    """Return the sections of a session's record as a fresh JSON value.

    Args:
        state: The state, whole or as a seat may see it.
        events: The events that led to it, or those of them that the seat may see. The notes among them hold
            the readings of typed words.
        template: The initial content.
    """
    events = tuple(events)
    derived = {"participant": {"preferences": stated_preferences(events)}, "deal": deal_document(state)}
    return _merged_sections(template, derived, intentions(events), state.record)


def proposed_sections(record: Record, template: Record = EMPTY_RECORD) -> dict[str, Any]:
    """Return the sections of a record without what follows from events, as a fresh JSON value."""
    return _merged_sections(template, {}, (), record)


def _merged_sections(
    template: Record, derived: Mapping[str, Any], tasks: Iterable[Task], record: Record
) -> dict[str, Any]:
    """Return the sections of a template, with derived values over them, and proposed ones over these."""
    initial, proposed = get_state(template), get_state(record)
    merged = {
        name: _merged(name, _merged(name, initial[name], derived.get(name, {})), proposed[name])
        for name in SECTIONS
        if name != "tasks"
    }
    known = combined_tasks([*template.tasks, *tasks], record.tasks)
    return {**merged, "tasks": [task.document() for task in known]}


def _merged(name: str, section: dict[str, Any], update: dict[str, Any]) -> Any:
    # Merging copies everything, and notes may be large: mostly one of the two is empty.
    return deep_merge({name: section}, {name: update})[name] if section and update else section or update


def proposed_sections_diff(
    state: State,
    events: Iterable[Event],
    proposed_updates: Mapping[str, Any],
    template: Record = EMPTY_RECORD,
) -> StateDiff:
    """Return the changes that updates would make to these sections, whether or not they are allowed.

    Raises:
        Refused: If they cannot be merged, or the record would lose its shape.
    """
    events = tuple(events)
    return get_proposed_state_diff(
        state.record,
        completed_updates(state.record, proposed_updates, lambda: [*template.tasks, *intentions(events)]),
        lambda record: record_sections(state._replace(record=record), events, template),
    )


def completed_updates(record: Record, updates: Any, tasks: Callable[[], Iterable[Task]]) -> Any:
    """Return updates that name everything that a new task needs, where they change a task of an event.

    So the log holds them in full, and folding it needs nothing but the record. The task keeps its origin,
    whatever the updates claim. Updates that are no valid ones are returned as they are.

    Args:
        record: The record, whose own tasks are complete.
        updates: The updates as they were proposed.
        tasks: Returns the tasks of the events; called only if an unknown task is named.
    """
    if isinstance(updates, FrozenJson) and '"tasks"' not in updates.text:
        return updates
    try:
        copied = checked_updates(updates)
    except Refused:
        return updates
    changes = copied.get("tasks")
    if type(changes) is not list:
        return updates
    recorded = {task.task_id for task in record.tasks}
    named = {change["task_id"] for change in changes if type(change) is dict and _has_name(change)} - recorded
    known = {task.task_id: task for task in tasks() if task.task_id in named} if named else {}
    if not known:
        return updates
    seen: set[str] = set()
    completed = []
    for change in changes:
        task = known.get(change["task_id"]) if type(change) is dict and _has_name(change) else None
        if task is None:
            completed.append(change)
            continue
        first = {} if task.task_id in seen else {**task.document(), "metadata": {}}
        completed.append({**first, **change, "agent_origin": task.agent_origin})
        seen.add(task.task_id)
    return {**copied, "tasks": completed}


def _has_name(change: dict[str, Any]) -> bool:
    return type(change.get("task_id")) is str


# Participant


def stated_preferences(events: Iterable[Event]) -> dict[Seat, list[dict[str, Any]]]:
    """Return the preferences that each seat has stated, in order; seats that have stated none are left out.

    Each has the ``seq`` of its message and either ``issue1``, ``relation`` and perhaps ``issue2``; or the
    ``issue`` and the ``need`` (self, others, none) that were read from typed words; or, where a statement
    has no form, its ``text``. ``read`` is true for what was read from typed words.
    """
    events = tuple(events)
    readings = readings_by_message(events)
    found: dict[Seat, list[dict[str, Any]]] = {}
    for event in events:
        if isinstance(event.payload, Message):
            for stated in _statements(event.payload, readings.get(event.seq)):
                found.setdefault(event.sender, []).append({"seq": event.seq, **stated})
    return found


def _statements(message: Message, reading: MessageReading | None) -> list[dict[str, Any]]:
    preference = message.preference
    if preference is not None:
        return [] if preference.is_question else [_preference_document(preference)]
    if message.subtype is MessageSubtype.PREF_INFO:
        return [{"text": message.text}]
    if message.subtype is not MessageSubtype.GENERIC or reading is None:
        return []
    stated = []
    for act in reading.acts:
        if act.subtype is MessageSubtype.PREF_INFO:
            form = _read_preference(act.preference, act.issue, act.need) or {"text": message.text}
            stated.append({**form, "read": True})
    return stated


def _preference_document(preference: Preference) -> dict[str, Any]:
    document = {"issue1": preference.issue1, "relation": preference.relation.value}
    return document if preference.issue2 is None else {**document, "issue2": preference.issue2}


def _read_preference(preference: FrozenJson, issue: str, need: str) -> dict[str, Any]:
    if preference:
        known = preference.to_dict()
        return {key: known[key] for key in ("issue1", "relation", "issue2") if known.get(key) is not None}
    return {key: value for key, value in (("issue", issue), ("need", need)) if value}


# Deal


def deal_document(state: State) -> dict[str, Any]:
    """Return the agreed issues, the open and the disputed ones, and the agreed terms, also per issue.

    ``final`` is true once a deal binds the seats; its issues are agreed, whatever was proposed before. A game
    without offers has no issues here.
    """
    deal = state.ending.deal if state.ending is not None else None
    by_status: dict[IssueStatus, list[str]] = {status: [] for status in IssueStatus}
    terms: dict[str, Any] = {}
    issues: dict[str, Any] = {}
    if isinstance(state.mechanism_state, BargainingState):
        board = board_of(state)
        for name in (issue.name for issue in state.game.issues):
            proposed, bound = board.terms(name), deal.get(name) if deal is not None else None
            status = IssueStatus.AGREED if bound is not None else board.standing(name)
            if status is IssueStatus.AGREED:
                terms[name] = term_document(next(iter(proposed.values())) if bound is None else bound)
            by_status[status].append(name)
            issues[name] = {
                "status": status.value,
                "terms": {seat: term_document(term) for seat, term in proposed.items()},
            }
    return {
        **{status.value: names for status, names in by_status.items()},
        "terms": terms,
        "issues": issues,
        "final": deal is not None,
    }
