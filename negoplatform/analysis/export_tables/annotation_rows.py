"""Rows of the table of annotations: what assistants proposed, place by place, with the verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from negoplatform.analysis.export_tables.columns import Column, ColumnType, Row, integer_column, text_column
from negoplatform.analysis.export_tables.event_rows import SESSION_ID, T_MS
from negoplatform.analysis.session_facts import SessionFacts
from negoplatform.core.events import Event, EventType
from negoplatform.core.record.notes_and_tasks import Task, TaskStatus
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.core.record.notes_and_tasks_update_merge import changed_places
from negoplatform.domain.assistant_settings import AssistantKind

ANNOTATION_COLUMNS = (
    SESSION_ID,
    integer_column("seq", "The seq of the proposal; all its places have the same."),
    T_MS,
    integer_column("reply_to", "The seq of the event after which the assistant was asked."),
    text_column("assistant", "Name of the assistant."),
    text_column("kind", "Kind of the assistant.", AssistantKind),
    text_column("seat", "Seat whose view the assistant reads."),
    text_column(
        "path", "Place in the record, such as annotations/agenda/task_structure or tasks/agenda/deal."
    ),
    Column("value", ColumnType.JSON, "Proposed value of that place; changes of it, where it is an object."),
    text_column("verdict", "Decision of the session about the whole proposal.", ("accepted", "refused")),
    text_column("reason", "Reason for a refusal, in a sentence."),
)

DONE_WITH: Mapping[str, tuple[str, ...]] = {
    "countered": (EventType.SEND_OFFER,),
    "replaced": (EventType.SEND_OFFER,),
    "accepted": (EventType.FORMAL_ACCEPT,),
    "ended": (EventType.GAME_END,),
}
"""Types of the event with which the task of an offer is done, by its outcome; a rejection is a message."""


def annotation_rows(facts: SessionFacts) -> Iterator[Row]:
    """Yield a row for each place that an assistant of a session proposed to change, in order."""
    for event in facts.log.events:
        proposal = event.payload
        if isinstance(proposal, StateProposal) and proposal.proposer.kind is ProposerKind.ASSISTANT:
            name = proposal.proposer.name
            spec = facts.game.assistants.get(name)
            for path, value in changed_places(proposal.updates.to_dict()):
                yield {
                    "session_id": facts.session_id,
                    "seq": event.seq,
                    "t_ms": round(1000 * event.t),
                    "reply_to": event.cause,
                    "assistant": name,
                    "kind": None if spec is None or spec.kind is None else spec.kind.value,
                    "seat": None if spec is None else spec.seat,
                    "path": path,
                    "value": json.dumps(value, ensure_ascii=False, sort_keys=True),
                    "verdict": "accepted" if proposal.accepted else "refused",
                    "reason": proposal.reason or None,
                }


def done_times(tasks: Sequence[Task], events: Sequence[Event]) -> dict[str, float]:
    """Return the session time (s) at which each task was done; unfinished ones are left out.

    Args:
        tasks: The tasks of a session, those of its events and those of its record.
        events: Its events.
    """
    by_seq = {event.seq: event for event in events}
    found = _proposed_as_done(events)
    for task in tasks:
        if task.status is not TaskStatus.DONE or task.task_id in found:
            continue
        metadata = task.metadata.to_dict()
        answered, outcome = by_seq.get(metadata.get("answered_by", 0)), metadata.get("outcome")
        if answered is not None:
            found[task.task_id] = answered.t
        elif outcome is None:
            found[task.task_id] = task.timestamp
        elif (t := _time_of_outcome(task, outcome, tasks, events)) is not None:
            found[task.task_id] = t
    return found


def _proposed_as_done(events: Sequence[Event]) -> dict[str, float]:
    """Return the times of the accepted proposals that marked tasks as done, the first of each task."""
    found: dict[str, float] = {}
    for event in events:
        if isinstance(event.payload, StateProposal) and event.payload.accepted:
            for task in event.payload.updates.to_dict().get("tasks") or ():
                if task.get("status") == TaskStatus.DONE.value:
                    found.setdefault(task["task_id"], event.t)
                elif "status" in task:
                    found.pop(task["task_id"], None)
    return found


def _time_of_outcome(
    task: Task, outcome: str, tasks: Sequence[Task], events: Sequence[Event]
) -> float | None:
    """Return the time of the event that settled an offer."""
    seq = task.metadata.to_dict().get("seq", 0)
    if outcome == "rejected":
        others = (one for one in tasks if one.intent == "reject" and one.agent_origin != task.agent_origin)
        return next((one.timestamp for one in others if one.timestamp >= task.timestamp), None)
    kinds = DONE_WITH.get(outcome, ())
    return next((event.t for event in events if event.seq > seq and event.type in kinds), None)
