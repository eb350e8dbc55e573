"""Proposals to change a session's record: who may change what, the verdict, and how changes merge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from negoplatform.core.json_merge import APPEND, checked_updates, deep_merge, task_updates
from negoplatform.core.record import (
    SECTIONS,
    FrozenJson,
    Record,
    RecordPath,
    Task,
    copy_json,
    format_path,
    get_state,
    parse_record,
)
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat import PLATFORM, Seat

LARGEST_PART = 1024 * 1024
"""Bytes of JSON in one part of the record, such as a seat's notes: no proposer can fill it without end."""


MISSING_VERSION_REASON = "base_version is a whole number from 0 up: the version of the record that was read."
"""The reason why a proposal without a version is refused."""

TASK_OVERHEAD_BYTES = 1000
"""Bytes that a task is reckoned at beside its metadata."""


class ProposerKind(StrEnum):
    """In what capacity somebody proposes."""

    SEAT = "seat"
    ASSISTANT = "assistant"
    WIZARD = "wizard"
    PLATFORM = "platform"


@dataclass(frozen=True, slots=True)
class Proposer:
    """Who proposes: in what capacity, and under what name (a seat's is the seat)."""

    kind: ProposerKind
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", ProposerKind(self.kind))


PLATFORM_PROPOSER = Proposer(ProposerKind.PLATFORM, PLATFORM)

OWN_NAME = "<own>"
"""Stands in a path for the name of the one who proposes."""

WRITE_PERMISSIONS: Mapping[ProposerKind, tuple[RecordPath, ...]] = MappingProxyType(
    {
        ProposerKind.SEAT: (("notes", OWN_NAME), ("tasks", OWN_NAME)),
        ProposerKind.ASSISTANT: (("annotations",), ("tasks",)),
        ProposerKind.WIZARD: (("commands",),),
        ProposerKind.PLATFORM: tuple((section,) for section in SECTIONS),
    }
)
"""What each may change, with everything below it; below ``tasks`` stands whose a task is."""


@dataclass(frozen=True, slots=True)
class StateProposal:
    """What was proposed, and what became of it: the payload of STATE_PROPOSED.

    Args:
        proposer: Who proposed it.
        base_version: The seq up to which the proposer knew the record.
        updates: What was proposed; empty where it could not be kept. In an accepted one every task says
            whose it is, so that what concerns a seat can be told without the record.
        accepted: The verdict.
        reason: Why it was refused, in a sentence; empty when accepted.
    """

    proposer: Proposer
    base_version: int
    updates: FrozenJson
    accepted: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ProposalReview:
    """What the rules say about a proposal.

    Args:
        accepted: Whether it may be committed.
        reason: Why not, in a sentence; empty when accepted.
        record: The record with the changes, under its old versions; unchanged when refused.
        proposal: What the log keeps of it, accepted or not.
    """

    accepted: bool
    reason: str
    record: Record
    proposal: StateProposal


# Who may change what


def changed_paths(record: Record, updates: Mapping[str, Any]) -> tuple[RecordPath, ...]:
    """The parts of the record that updates touch, such as ``("deal",)`` and ``("notes", "agent")``.

    Below ``tasks`` stands whose they are: ``("tasks", "agent")``.

    Raises:
        Refused: If a task is neither known nor says whose it is.
    """
    parts: dict[RecordPath, None] = {}
    for section, update in updates.items():
        if section == "tasks" and update is not None:
            origins = _origins(record, update)
            parts.update({("tasks", origin): None for origin in origins.values()})
        elif section == "notes" and isinstance(update, dict) and APPEND not in update:
            parts.update({("notes", seat): None for seat in update})
        else:
            parts[(section,)] = None
    return tuple(parts)


def _origins(record: Record, updates: object) -> dict[str, str]:
    """Whose each task is that is named in updates."""
    known = {task.task_id: task.agent_origin for task in record.tasks}
    named: dict[str, str] = {}
    for task_id, update in task_updates(updates):
        said = update.get("agent_origin")
        if task_id in known:
            named[task_id] = known[task_id]
        elif type(said) is str:
            named.setdefault(task_id, said)
    for task_id, _ in task_updates(updates):
        if task_id not in named:
            where = format_path(("tasks", task_id))
            raise Refused(f"{where} is new, so it has to say whose it is: its agent_origin is missing.")
    return named


def can_change(proposer: Proposer, part: RecordPath) -> bool:
    """Whether somebody may propose to change a part of the record."""
    return any(
        part[: len(allowed)] == tuple(proposer.name if name == OWN_NAME else name for name in allowed)
        for allowed in WRITE_PERMISSIONS[proposer.kind]
    )


def _check_allowed(proposer: Proposer, parts: tuple[RecordPath, ...]) -> None:
    for part in parts:
        if part[0] not in SECTIONS:
            raise Refused(f"{format_path(part)} is no section of the record; it has {', '.join(SECTIONS)}.")
        if not can_change(proposer, part):
            raise Refused(
                f"{format_path(part)} may only be changed by {_permitted_proposers(part)}, "
                f"not by {_proposer_text(proposer)}."
            )


def _permitted_proposers(part: RecordPath) -> str:
    owner = part[1] if len(part) > 1 else "its owner"
    kinds = [kind for kind in ProposerKind if can_change(Proposer(kind, owner), part)]
    return " or ".join(
        _proposer_text(Proposer(kind, owner)) if kind is ProposerKind.SEAT else _KINDS[kind] for kind in kinds
    )


_KINDS = {
    ProposerKind.ASSISTANT: "an assistant",
    ProposerKind.WIZARD: "the wizard",
    ProposerKind.PLATFORM: "the platform",
}


def _proposer_text(proposer: Proposer) -> str:
    name = format_path((proposer.name,))
    return f"the seat {name!r}" if proposer.kind is ProposerKind.SEAT else _KINDS[proposer.kind]


# The verdict


def review_proposal(record: Record, proposer: Proposer, base_version: int, updates: object) -> ProposalReview:
    """Whether a proposal may be committed, and the record if it is; changes nothing and does not raise.

    Checked in this order: that the updates are JSON of at most 64 kB and 20 levels; that the proposer may
    change every part that they touch; that the record keeps its shape; that no part of it has changed
    since ``base_version``.

    Args:
        record: The record now.
        proposer: Who proposes.
        base_version: The seq up to which they knew the record: the ``version`` of the one that they read.
        updates: What changes, as in :func:`deep_merge`.
    """
    kept: Any = {}
    version = base_version if type(base_version) is int and base_version >= 0 else 0
    try:
        kept = checked_updates(updates)
        parts = changed_paths(record, kept)
        if not parts:
            raise Refused("The proposal names nothing to change.")
        # What the log keeps has to pass as well: a log is checked by judging it again.
        complete = checked_updates(_with_origins(record, kept))
        _check_allowed(proposer, parts)
        merged = deep_merge(get_state(record), kept)
        after = parse_record(merged, record.versions, record.version)
        _check_sizes(after, parts)
        _check_version(record, base_version, parts)
    except Refused as refusal:
        refused = StateProposal(proposer, version, FrozenJson(kept), accepted=False, reason=str(refusal))
        return ProposalReview(False, str(refusal), record, refused)
    proposal = StateProposal(proposer, version, FrozenJson(complete), accepted=True)
    return ProposalReview(True, "", after, proposal)


def _check_sizes(after: Record, parts: tuple[RecordPath, ...]) -> None:
    for part in parts:
        match part:
            case ("tasks", origin):
                texts = [task.metadata.text for task in after.tasks if task.agent_origin == origin]
            case ("notes", seat):
                texts = [FrozenJson({seat: after.notes.get(seat)}).text]
            case _:
                texts = [getattr(after, part[0]).text]
        if sum(len(text.encode("utf-8")) + TASK_OVERHEAD_BYTES for text in texts) > LARGEST_PART:
            raise Refused(f"{format_path(part)} is full: it can hold 1 MB; delete something first.")


def _check_version(record: Record, base_version: object, parts: tuple[RecordPath, ...]) -> None:
    if type(base_version) is not int or base_version < 0:
        raise Refused(MISSING_VERSION_REASON)
    for part in parts:
        changed = record.version_of("/".join(part))
        if changed > base_version:
            raise Refused(
                f"{format_path(part)} has changed since: its version is {changed}, "
                f"and this was proposed for {base_version}; read it again."
            )


def _with_origins(record: Record, updates: dict[str, Any]) -> dict[str, Any]:
    """The same updates with every task saying whose it is."""
    if updates.get("tasks") is None:
        return updates
    origins = _origins(record, updates["tasks"])
    tasks = [{**task, "agent_origin": origins[task["task_id"]]} for task in updates["tasks"]]
    return {**updates, "tasks": tasks}


# Committing, which only the session does


def apply_proposal(record: Record, proposal: StateProposal, seq: int) -> Record:
    """The record after a proposal that was logged as event ``seq``; a refused one changes nothing.

    Raises:
        Refused: If an accepted one does not fit the record, which no log of a session holds.
    """
    if not proposal.accepted:
        return record
    updates = proposal.updates.to_dict()
    parts = {"/".join(part): seq for part in changed_paths(record, updates)}
    after = parse_record(deep_merge(get_state(record), updates))
    return replace(after, versions=FrozenJson({**record.versions.to_dict(), **parts}), version=seq)


def visible_proposal(proposal: StateProposal, seat: Seat) -> StateProposal | None:
    """A proposal as a seat sees it; None if it does not concern the seat.

    A seat sees its own ones whole. Of somebody else's accepted one it sees what changes its own notes and its
    own tasks, and not who proposed it. Folding what it sees gives what ``record_for`` shows it.
    """
    if proposal.proposer == Proposer(ProposerKind.SEAT, seat):
        return proposal
    if not proposal.accepted:
        return None
    updates = proposal.updates.to_dict()
    part: dict[str, Any] = {}
    if seat in updates.get("notes", ()):
        part["notes"] = {seat: updates["notes"][seat]}
    tasks = [task for task in updates.get("tasks", ()) if task.get("agent_origin") == seat]
    if tasks:
        part["tasks"] = tasks
    return StateProposal(PLATFORM_PROPOSER, 0, FrozenJson(part), accepted=True) if part else None


# What the platform proposes


def add_task(task: Task) -> dict[str, Any]:
    """The updates that add a task."""
    return {"tasks": [task.document()]}


def update_deal(updates: Mapping[str, Any]) -> dict[str, Any]:
    """The updates that change what is settled, per issue."""
    return {"deal": copy_json(updates)}


def update_participant(updates: Mapping[str, Any]) -> dict[str, Any]:
    """The updates that change what is known of the participant."""
    return {"participant": copy_json(updates)}
