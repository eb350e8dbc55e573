"""View that a reader has of a record, and of the proposals that change it.

The two agree: folding the visible proposals gives the visible record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.record.notes_and_tasks import PUBLIC_KEY, Record, get_state
from negoplatform.core.record.notes_and_tasks_proposals import (
    PLATFORM_PROPOSER,
    Proposer,
    StateProposal,
    addressed_commands,
)
from negoplatform.domain.seat_map import Seat


@dataclass(frozen=True, slots=True)
class RecordReader:
    """Reader of a record.

    Every reader sees what is declared public of the participant.

    Args:
        proposer: The reader as a proposer: it sees its own proposals whole, refused ones too; None: it
            proposes nothing.
        notes: The seat whose notes it sees; None: no notes.
        origins: The origins of the tasks that it sees: a seat, assistants.
        annotators: The assistants whose annotations it sees.
        givers: The principals of whose commands it sees all.
        addressees: The seats and principals of which it sees the commands that are addressed to them.
    """

    proposer: Proposer | None
    notes: Seat | None = None
    origins: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    givers: tuple[str, ...] = ()
    addressees: tuple[str, ...] = ()


def visible_record(record: Record, reader: RecordReader) -> Record:
    """Return a reader's view of a record, with the versions of the parts that it sees."""
    notes, annotations, commands = (
        _visible_notes(record.notes, reader),
        _only(record.annotations, reader.annotators),
        _visible_commands(record.commands, reader),
    )
    participant = _only(record.participant, (PUBLIC_KEY,))
    return Record(
        participant=FrozenJson(participant),
        tasks=tuple(task for task in record.tasks if task.agent_origin in reader.origins),
        annotations=FrozenJson(annotations),
        notes=FrozenJson(notes),
        commands=FrozenJson(commands),
        **_visible_versions(record, reader, commands),
    )


def _visible_versions(record: Record, reader: RecordReader, commands: Mapping[str, Any]) -> dict[str, Any]:
    seen = {
        f"participant/{PUBLIC_KEY}",
        f"notes/{reader.notes}",
        *(f"tasks/{origin}" for origin in reader.origins),
        *(f"annotations/{name}" for name in reader.annotators),
        *(f"commands/{giver}" for giver in reader.givers),
        *("/".join(("commands", *place)) for place in addressed_commands(commands)),
    }
    versions = {part: seq for part, seq in record.versions.items() if part in seen}
    return {"versions": FrozenJson(versions), "version": max(versions.values(), default=0)}


def visible_sections(record: Record, reader: RecordReader) -> dict[str, Any]:
    """Return a reader's view of the sections of a record that are not empty; a fresh JSON value."""
    seen = get_state(visible_record(record, reader))
    return {name: section for name, section in seen.items() if section}


def visible_proposal(proposal: StateProposal, reader: RecordReader) -> StateProposal | None:
    """Return a proposal as a reader sees it; None if it does not concern the reader.

    A reader sees its own proposals whole. Of another's accepted one it sees the changes of the parts that it
    sees, but not the proposer.
    """
    if proposal.proposer == reader.proposer:
        return proposal
    if not proposal.accepted:
        return None
    updates = proposal.updates.to_dict()
    part = {
        "participant": _only(updates.get("participant"), (PUBLIC_KEY,)),
        "tasks": [task for task in updates.get("tasks", ()) if task.get("agent_origin") in reader.origins],
        "annotations": _only(updates.get("annotations"), reader.annotators),
        "notes": _visible_notes(updates.get("notes"), reader),
        "commands": _visible_commands(updates.get("commands"), reader),
    }
    part = {section: changes for section, changes in part.items() if changes}
    return StateProposal(PLATFORM_PROPOSER, 0, FrozenJson(part), accepted=True) if part else None


def _visible_notes(notes: object, reader: RecordReader) -> dict[str, Any]:
    return {} if reader.notes is None else _only(notes, (reader.notes,))


def _only(section: object, keys: Iterable[str]) -> dict[str, Any]:
    """Return some keys of a section, or of changes of it."""
    there = dict(section) if isinstance(section, Mapping) else {}
    return {key: there[key] for key in keys if key in there}


def _visible_commands(commands: object, reader: RecordReader) -> dict[str, Any]:
    """Return the commands that a reader sees, of a record or of updates: one is given as a whole."""
    seen = _only(commands, reader.givers)
    if not isinstance(commands, Mapping):
        return seen
    for (giver, number), command in addressed_commands(commands).items():
        if giver not in reader.givers and command["to"] in reader.addressees:
            seen.setdefault(giver, {})[number] = command
    return seen
