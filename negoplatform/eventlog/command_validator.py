"""Validator of commands in a log: each is given, then taken by its seat in order, then performed.

Notes of suggestions and of advice are checked for their form alone, because tables and replays read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.agent_api.actions import SendMessage, SendOffer
from negoplatform.core.events import (
    DecidedBy,
    Event,
    EventType,
    Message,
    Note,
    OfferMade,
    Refusal,
    clean_text,
)
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.formats.sent_commands import (
    SentCommand,
    WaitingCommands,
    check_given,
    command_actions,
    sent_commands,
)


class CommandValidator:
    """Validator of the commands in a complete log, event by event."""

    def __init__(self) -> None:
        self._waiting: dict[str, WaitingCommands] = {}
        self._taken: dict[int, list[SentCommand]] = {}
        self._performed: dict[int, int] = {}

    def find_violation(self, game: GameSpec, event: Event) -> str:
        """Return why an event could not have happened, as far as commands go; empty if it could."""
        match event.payload:
            case Note(kind=NoteKind.COMMAND_TAKEN, data=data):
                return self._note_violation(data)
            case Note(kind=kind, data=data) if kind in _NUMBERED:
                return _number_violation(data)
            case StateProposal(proposer=proposer) as proposal if proposer.kind is ProposerKind.PRINCIPAL:
                return _proposal_violation(game, proposal)
        if event.decided_by is DecidedBy.PRINCIPAL:
            return self._act_violation(event)
        return ""

    def advance(self, game: GameSpec, event: Event) -> None:
        """Take an event as valid."""
        if isinstance(event.payload, Note) and event.payload.kind is NoteKind.COMMAND_TAKEN:
            waiting = self._waiting.get(str(event.payload.data.get("seat")), WaitingCommands())
            if command := waiting.take():
                self._taken.setdefault(command.seq, []).append(command)
        if event.decided_by is DecidedBy.PRINCIPAL and event.cause is not None:
            self._performed[event.cause] = self._performed.get(event.cause, 0) + 1
        for command in sent_commands(event, game):
            self._waiting.setdefault(command.to, WaitingCommands()).add(command)

    def _note_violation(self, data: Mapping[str, Any]) -> str:
        first = next(iter(self._waiting.get(str(data.get("seat")), ())), None)
        if first is None:
            return f"no command was waiting for {data.get('seat')}"
        if (first.principal, first.number) != (data.get("principal"), data.get("number")):
            return f"the command {first.number} of {first.principal} was to be taken first"
        return ""

    def _act_violation(self, event: Event) -> str:
        """Return why an act, or the refusal of one, was not commanded."""
        refused = isinstance(event.payload, Refusal)
        seat = event.to[0] if refused and event.to else event.sender
        taken = [one for one in self._taken.get(event.cause or 0, ()) if one.to == seat]
        if seat == PLATFORM or not taken:
            return f"{seat} had taken no command that this answers"
        if self._performed.get(event.cause or 0, 0) >= sum(len(one.forms) for one in taken):
            return f"all acts of the command in event {event.cause} were performed already"
        wanted = event.payload.action if refused else event.type
        forms = [form for one in taken for form in one.forms if _does(form, wanted)]
        if not forms:
            return f"the command in event {event.cause} has no act of this type"
        if not refused and not any(_has_contents(form, event) for form in forms):
            return f"the command in event {event.cause} has other contents"
        return ""


_NUMBERED = frozenset(
    {NoteKind.SUGGESTED, NoteKind.SUGGESTION_ANSWERED, NoteKind.ADVISED, NoteKind.ADVICE_ANSWERED}
)


def _number_violation(data: Mapping[str, Any]) -> str:
    """Return why a note of a suggestion or of advice could not have been made; empty if it could."""
    number = data.get("number")
    if type(number) is not int or number < 1:
        return f"suggestions and advice are numbered from 1 up, and this has the number {number!r:.60}"
    if not isinstance(data.get("steps", []), list | tuple):
        return "the steps of a suggestion or of advice are a list"
    return ""


TYPES = {
    "message": EventType.SEND_MESSAGE,
    "offer": EventType.SEND_OFFER,
    "expression": EventType.SEND_EXPRESSION,
    "accept": EventType.FORMAL_ACCEPT,
    "quit": EventType.FORMAL_QUIT,
    "typing": EventType.TYPING,
}
"""Type of event by the name of an action in a command."""


def _does(form: Mapping[str, Any], kind: str) -> bool:
    """Return whether an action becomes an event of a type."""
    return TYPES.get(str(form.get("do")), form.get("type")) == kind


def _has_contents(form: Mapping[str, Any], event: Event) -> bool:
    """Return whether an act has the words or the offer of a command; other acts are compared by type."""
    (action,) = command_actions([form])
    match action, event.payload:
        case SendMessage(text=text), Message(text=said):
            return clean_text(text) == said
        case SendOffer(offer=offer), OfferMade(offer=made):
            return bool(offer == made)
    return True


def _proposal_violation(game: GameSpec, proposal: StateProposal) -> str:
    """Return why a principal could not have given the commands of a proposal."""
    name = proposal.proposer.name
    if name not in game.principals:
        return f"the game has no principal {name!r}"
    given = proposal.updates.to_dict().get("commands") if proposal.accepted else None
    for form in (given.get(name) or {}).values() if isinstance(given, dict) else ():
        try:
            check_given(form, name, game)
        except NegoError as error:
            return f"{name} could not give this command: {str(error).rstrip('.')}"
    return ""
