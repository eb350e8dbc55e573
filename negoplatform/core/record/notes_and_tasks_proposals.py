"""Proposals to change a session's record: permissions, the verdict, and the merging of changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from negoplatform.core.immutable.frozen_json import (
    FrozenJson,
    RecordPath,
    canonical_json,
    copy_json,
    format_path,
)
from negoplatform.core.record.notes_and_tasks import (
    PUBLIC_KEY,
    SECTIONS,
    Record,
    Task,
    get_state,
    parse_record,
)
from negoplatform.core.record.notes_and_tasks_update_merge import (
    APPEND,
    checked_updates,
    deep_merge,
    task_updates,
)
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import PLATFORM, Seat

LARGEST_PART = 1024 * 1024
"""Most bytes of JSON in one part of the record, such as a seat's notes: no proposer can fill it without end.
"""


MISSING_VERSION_REASON = "base_version is a whole number from 0 up: the version of the record that was read."
"""Reason for refusing a proposal without a version."""

TASK_OVERHEAD_BYTES = 1000
"""Bytes counted for a task in addition to its metadata."""


class ProposerKind(StrEnum):
    """Capacity of a proposer."""

    SEAT = "seat"
    ASSISTANT = "assistant"
    WIZARD = "wizard"
    PRINCIPAL = "principal"
    PLATFORM = "platform"


@dataclass(frozen=True, slots=True)
class Proposer:
    """Proposer: the capacity, and the name (for a seat, that of the seat)."""

    kind: ProposerKind
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", ProposerKind(self.kind))


class ProposerIssuer:
    """Issuer of the proposers of one session, which accepts no others.

    The code that makes a session keeps its issuer, and passes each proposer to the part that acts for it. So
    holding the session, or an equal proposer, is not enough to propose as a seat or as the platform.

    Args:
        seats: The seats of the game.
    """

    def __init__(self, seats: Iterable[Seat]) -> None:
        self._seats = frozenset(seats)
        self._issued: list[Proposer] = []

    def issue(self, kind: ProposerKind, name: str) -> Proposer:
        """Return a new proposer.

        Args:
            kind: Its capacity.
            name: Its name; for a seat, that of the seat.

        Raises:
            Refused: If there is no such seat.
        """
        proposer = Proposer(kind, name)
        if proposer.kind is ProposerKind.SEAT and name not in self._seats:
            raise Refused(f"Nobody sits at {name!r} in this game.")
        self._issued.append(proposer)
        return proposer

    def has_issued(self, proposer: Proposer) -> bool:
        """Return whether this very proposer was issued here; an equal one was not."""
        return any(issued is proposer for issued in self._issued)


PLATFORM_PROPOSER = Proposer(ProposerKind.PLATFORM, PLATFORM)

OWN_NAME = "<own>"
"""Placeholder in a path for the proposer's name."""

WRITE_PERMISSIONS: Mapping[ProposerKind, tuple[RecordPath, ...]] = MappingProxyType(
    {
        ProposerKind.SEAT: (("notes", OWN_NAME), ("tasks", OWN_NAME)),
        ProposerKind.ASSISTANT: (("annotations", OWN_NAME), ("tasks",)),
        ProposerKind.WIZARD: (("commands",),),
        ProposerKind.PRINCIPAL: (("commands", OWN_NAME),),
        ProposerKind.PLATFORM: tuple((section,) for section in SECTIONS),
    }
)
"""Paths that each kind may change, with everything below; below ``tasks`` comes the task's origin."""


@dataclass(frozen=True, slots=True)
class StateProposal:
    """A proposal and its verdict: the payload of STATE_PROPOSED.

    Args:
        proposer: The proposer.
        base_version: The seq up to which the proposer knew the record.
        updates: The proposed updates; empty where they could not be kept. In an accepted proposal every task
            names its origin, so that a seat's part can be found without the record.
        accepted: The verdict.
        reason: The reason for a refusal, in a sentence; empty when accepted.
    """

    proposer: Proposer
    base_version: int
    updates: FrozenJson
    accepted: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ProposalReview:
    """Verdict of the rules on a proposal.

    Args:
        accepted: Whether it may be committed.
        reason: The reason for a refusal, in a sentence; empty when accepted.
        record: The record with the changes, under its old versions; unchanged when refused.
        proposal: The proposal as the log keeps it, accepted or not.
    """

    accepted: bool
    reason: str
    record: Record
    proposal: StateProposal


# Permissions


def changed_paths(record: Record, updates: Mapping[str, Any]) -> tuple[RecordPath, ...]:
    """Return the parts of the record that updates touch, such as ``("deal",)`` and ``("notes", "agent")``.

    Below ``tasks`` comes their origin: ``("tasks", "agent")``.

    Raises:
        Refused: If a task is neither known nor names its origin.
    """
    parts: dict[RecordPath, None] = {}
    for section, update in updates.items():
        if section == "tasks" and update is not None:
            origins = _origins(record, update)
            parts.update({("tasks", origin): None for origin in origins.values()})
        elif section == "notes" and isinstance(update, dict) and APPEND not in update:
            parts.update({("notes", seat): None for seat in update})
        elif section == "annotations" and isinstance(update, dict) and update and APPEND not in update:
            parts.update({("annotations", name): None for name in update})
        elif section == "commands" and isinstance(update, dict) and update and APPEND not in update:
            parts.update({("commands", *place): None for place in _command_places(update)})
        elif section == "participant" and isinstance(update, dict) and PUBLIC_KEY in update:
            parts[("participant", PUBLIC_KEY)] = None
            if len(update) > 1:
                parts[("participant",)] = None
        else:
            parts[(section,)] = None
    return tuple(parts)


def addressed_commands(commands: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the commands that are addressed to a seat or a principal, by giver and number.

    Args:
        commands: The section of a record, or updates of it.
    """
    return {
        (giver, number): command
        for giver, given in commands.items()
        if isinstance(given, dict)
        for number, command in given.items()
        if isinstance(command, dict) and isinstance(command.get("to"), str)
    }


def _command_places(commands: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the places that updates of commands touch: addressed commands, and else who gives them."""
    addressed = addressed_commands(commands)
    yield from addressed
    for giver, given in commands.items():
        if not isinstance(given, dict) or not given or any((giver, name) not in addressed for name in given):
            yield (giver,)


def _check_commands(before: Record, updates: Mapping[str, Any], after: Record) -> None:
    """Raise Refused unless updates leave each addressed command as it was given, as a whole.

    So a proposal alone says which seats see which of its commands.
    """
    if "commands" not in updates:
        return
    given, left = addressed_commands(before.commands), addressed_commands(after.commands)
    proposed = addressed_commands(deep_merge({}, {"commands": updates["commands"]})["commands"])
    for place in [*proposed, *given, *left]:
        expected = given.get(place, proposed.get(place))
        if canonical_json(left.get(place)) != canonical_json(expected) or (
            place in given and place in proposed
        ):
            where = format_path(("commands", *place))
            raise Refused(f"{where} has been given already, and stays as it is; give a new command.")


def _origins(record: Record, updates: object) -> dict[str, str]:
    """Return the origin of each task that updates name."""
    known = {task.task_id: task.agent_origin for task in record.tasks}
    named: dict[str, str] = {}
    for task_id, update in task_updates(updates):
        claimed = update.get("agent_origin")
        if task_id in known:
            named[task_id] = known[task_id]
        elif type(claimed) is str:
            named.setdefault(task_id, claimed)
    for task_id, _ in task_updates(updates):
        if task_id not in named:
            where = format_path(("tasks", task_id))
            raise Refused(f"{where} is new, so it has to say whose it is: its agent_origin is missing.")
    return named


def _check_event_tasks(
    record: Record, updates: Mapping[str, Any], event_tasks: Callable[[], Iterable[Task]]
) -> None:
    """Raise Refused if updates add a task under the name of an event's that is hidden or not there yet."""
    if updates.get("tasks") is None:
        return
    named = {task_id for task_id, _ in task_updates(updates["tasks"]) if _EVENT_TASK.fullmatch(task_id)}
    new = named - {task.task_id for task in record.tasks}
    unknown = new - {task.task_id for task in event_tasks()} if new else new
    if unknown:
        where = format_path(("tasks", min(unknown)))
        raise Refused(f"{where} is a name that only the task of an event has, and you see no such event.")


_EVENT_TASK = re.compile(r"event-\d+")


def can_change(proposer: Proposer, part: RecordPath) -> bool:
    """Return whether a proposer may propose to change a part of the record."""
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
                f"not by {_proposer_text(proposer, named=part[0] == 'annotations')}."
            )


def _check_task_origins(parts: tuple[RecordPath, ...], origins: Collection[str] | None) -> None:
    """Raise Refused if a proposal changes the tasks of another origin than those that its proposer may."""
    for part in parts:
        if origins is not None and part[0] == "tasks" and (len(part) < 2 or part[1] not in origins):
            raise Refused(f"{format_path(part)} may not be changed by this assistant; it may change its own.")


def task_origins_of(game: GameSpec, proposer: Proposer) -> tuple[str, ...] | None:
    """Return the origins whose tasks a proposer may change in a game; None: all that its kind may.

    An assistant changes its own tasks. One that is shown to the participant of its seat may also change those
    of the seat, and of the other assistants that are shown there: so nothing that only a wizard may read
    reaches a seat in the metadata of a task.

    Args:
        game: The game.
        proposer: The proposer.
    """
    own = game.assistants.get(proposer.name)
    if proposer.kind is not ProposerKind.ASSISTANT or own is None:
        return None
    if not own.is_shown_to_participant:
        return (own.name,)
    shown = (
        name
        for name, spec in game.assistants.items()
        if spec.seat == own.seat and spec.is_shown_to_participant
    )
    return (own.seat, *shown)


def _permitted_proposers(part: RecordPath) -> str:
    owner = part[1] if len(part) > 1 else "its owner"
    kinds = [kind for kind in ProposerKind if can_change(Proposer(kind, owner), part)]
    named = part[0] == "annotations"
    return " or ".join(_proposer_text(Proposer(kind, owner), named=named) for kind in kinds)


_KINDS = {
    ProposerKind.ASSISTANT: "an assistant",
    ProposerKind.WIZARD: "the wizard",
    ProposerKind.PRINCIPAL: "a principal",
    ProposerKind.PLATFORM: "the platform",
}


def _proposer_text(proposer: Proposer, *, named: bool = False) -> str:
    """Return a proposer in words: a seat by its name, an assistant too if wanted."""
    name = format_path((proposer.name,))
    if proposer.kind is ProposerKind.SEAT:
        return f"the seat {name!r}"
    if named and proposer.kind is ProposerKind.ASSISTANT:
        return f"the assistant {name!r}"
    return _KINDS[proposer.kind]


# Verdict


def review_proposal(
    record: Record,
    proposer: Proposer,
    base_version: int,
    updates: object,
    event_tasks: Callable[[], Iterable[Task]] | None = None,
    task_origins: Collection[str] | None = None,
) -> ProposalReview:
    """Return whether a proposal may be committed, and the record if it is; change nothing, do not raise.

    Checked in this order: that the updates are JSON of at most 64 kB and 20 levels; that the proposer may
    change every part that they touch; that no new task has the name of an event's that the proposer does not
    see; that the record keeps its shape; that no part of it has changed since ``base_version``.

    Args:
        record: The record now.
        proposer: The proposer.
        base_version: The seq up to which the proposer knew the record: the ``version`` of the one it read.
        updates: The changes, as in :func:`deep_merge`.
        event_tasks: Returns the tasks of the events that the proposer sees; called only if a new task has the
            name of such a task. None: that is not checked.
        task_origins: The origins whose tasks the proposer may change; None: all that its kind may.
    """
    kept: Any = {}
    version = base_version if type(base_version) is int and base_version >= 0 else 0
    try:
        kept = checked_updates(updates)
        parts = changed_paths(record, kept)
        if not parts:
            raise Refused("The proposal names nothing to change.")
        # The proposal as logged has to pass as well: a log is validated by reviewing it again.
        complete = checked_updates(_with_origins(record, kept))
        _check_allowed(proposer, parts)
        _check_task_origins(parts, task_origins)
        if event_tasks is not None:
            _check_event_tasks(record, kept, event_tasks)
        merged = deep_merge(get_state(record), kept)
        after = parse_record(merged, record.versions, record.version)
        _check_commands(record, kept, after)
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
            case ("notes" | "annotations" | "commands" as section, name, *_):
                texts = [FrozenJson({name: getattr(after, section).get(name)}).text]
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
    """Return the same updates with the origin in every task."""
    if updates.get("tasks") is None:
        return updates
    origins = _origins(record, updates["tasks"])
    tasks = [{**task, "agent_origin": origins[task["task_id"]]} for task in updates["tasks"]]
    return {**updates, "tasks": tasks}


# Commit, by the session alone


def apply_proposal(record: Record, proposal: StateProposal, seq: int) -> Record:
    """Return the record after a proposal that was logged as event ``seq``; a refused one changes nothing.

    Raises:
        Refused: If an accepted one does not fit the record, which no log of a session holds.
    """
    if not proposal.accepted:
        return record
    updates = proposal.updates.to_dict()
    parts = {"/".join(part): seq for part in changed_paths(record, updates)}
    after = parse_record(deep_merge(get_state(record), updates))
    return replace(after, versions=FrozenJson({**record.versions.to_dict(), **parts}), version=seq)


# Proposals of the platform


def add_task(task: Task) -> dict[str, Any]:
    """Return the updates that add a task."""
    return {"tasks": [task.document()]}


def update_deal(updates: Mapping[str, Any]) -> dict[str, Any]:
    """Return the updates that change the settled terms, per issue."""
    return {"deal": copy_json(updates)}


def update_participant(updates: Mapping[str, Any]) -> dict[str, Any]:
    """Return the updates that change the information about the participant."""
    return {"participant": copy_json(updates)}
