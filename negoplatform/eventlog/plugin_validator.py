"""Validator of who acts in a log: each is a plug-in that its header names.

A failure, a command and a change by an assistant need an entry in the header; commands and changes also need
the event that they answer.
"""

from __future__ import annotations

from negoplatform.agent_api.assistant_requests import asked_kinds
from negoplatform.core.events import Event, EventType, Failure, FailureKind, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind, StateProposal
from negoplatform.core.state import State
from negoplatform.domain.assistant_settings import AssistantKind
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.plugin_note_validator import PluginNoteValidator, answered_tick
from negoplatform.formats.log_header import Header, Occupant

_PROPOSERS = (ProposerKind.ASSISTANT, ProposerKind.PRINCIPAL)


class PluginValidator:
    """Validator of a complete log against its header, event by event.

    Args:
        header: The header.
    """

    def __init__(self, header: Header) -> None:
        self._header = header
        self._events: list[Event] = []
        self._notes = PluginNoteValidator(header)
        self._taken_over: set[Seat] = set()
        self._asked: dict[int, tuple[AssistantKind, ...]] = {}
        self._newest_answered: dict[str, int] = {}

    def find_violation(self, state: State, event: Event) -> str:
        """Return why an event contradicts the header, or has no event that it answers; empty if neither.

        Args:
            state: The state before the event.
            event: The event.
        """
        if self._is_before_fork(event):
            return ""
        match event.payload:
            case StateProposal(proposer=proposer) if proposer.kind in _PROPOSERS:
                return self._proposal_violation(state.game, event, proposer)
            case Failure() as failure:
                return self._failure_violation(state.game, failure)
            case Note() as note:
                return self._notes.find_violation(state, event, note, self._events, self._taken_over)
        return ""

    def advance(self, event: Event, state: State) -> None:
        """Take an event as valid, with the state after it."""
        self._events.append(event)
        self._notes.follow(event)
        if self._is_before_fork(event):
            return
        if self._header.assistants and (kinds := asked_kinds(event, state)):
            self._asked[event.seq] = kinds
        match event.payload:
            case StateProposal(proposer=proposer) if proposer.kind is ProposerKind.ASSISTANT:
                self._newest_answered[proposer.name] = event.cause or 0
            case Note() as note:
                if note.kind is NoteKind.SEAT_TAKEN_OVER:
                    self._taken_over.add(str(note.data.get("seat")))
                self._notes.advance(event, note)

    def _is_before_fork(self, event: Event) -> bool:
        """Return whether an event is of the session that was forked: the header names those who act later."""
        return self._header.forked is not None and event.seq <= self._header.forked.event

    def _failure_violation(self, game: GameSpec, failure: Failure) -> str:
        """Return why nothing could have failed under a name."""
        header, name = self._header, failure.seat
        if name in game.principals:
            return "" if name in header.principals else f"the header names no plug-in for {name}"
        if name in game.assistants:
            return "" if name in header.assistants else f"the header names no assistant {name!r}"
        if failure.kind is not FailureKind.MEMBER or name in self._taken_over:
            return ""
        agents = [who for who in (header.seats[name], header.advisers.get(name)) if who is not None]
        if not any(_has_member(who, failure) for who in agents):
            return f"a member of a team failed, and the header names no such member at {name}"
        return ""

    def _proposal_violation(self, game: GameSpec, event: Event, proposer: Proposer) -> str:
        name = proposer.name
        if proposer.kind is ProposerKind.PRINCIPAL:
            if name not in self._header.principals:
                return f"the header names no plug-in for the principal {name!r}"
            return self._command_violation(game, event, name)
        if name not in self._header.assistants:
            return f"the header names no assistant {name!r}"
        return self._change_violation(game, event, name)

    def _command_violation(self, game: GameSpec, event: Event, name: str) -> str:
        """Return why a principal could not have commanded at this time; empty if it could."""
        cause = self._event(event.cause)
        if cause is None:
            return f"{name} commands something in answer to no event"
        above = game.upstream_of(name)
        match cause.payload:
            case StateProposal(proposer=proposer) if proposer.kind is ProposerKind.PRINCIPAL:
                answered = proposer.name == above
            case _:
                answered = answered_tick(cause) == name
        if not answered:
            return f"{name} commands something in answer to event {cause.seq}, about which it was not asked"
        earliest = cause.t
        if answered_tick(cause) == name:
            earliest += game.principals[name].timing.act_delay
        if event.t < round(earliest, 3) - 0.001:
            return f"a command of {name} takes effect {game.principals[name].timing.act_delay:g} s later"
        return ""

    def _change_violation(self, game: GameSpec, event: Event, name: str) -> str:
        """Return why an assistant could not have proposed a change at this time; empty if it could."""
        kind = game.assistants[name].kind
        if self._event(event.cause) is None:
            return f"the assistant {name!r} proposes a change in answer to no event"
        if kind not in self._asked.get(event.cause or 0, ()):
            called = "an assistant of its kind" if kind is None else f"an assistant of the kind {kind.value}"
            return f"{name} answers event {event.cause}, and {called} is not asked after that event"
        if (event.cause or 0) < self._newest_answered.get(name, 0) and not self._resumed_since(name):
            return f"{name} answers event {event.cause} after a later one"
        return ""

    def _resumed_since(self, name: str) -> bool:
        """Return whether the session was interrupted after the newest event that an assistant answered."""
        return any(one.type == EventType.RESUMED for one in self._events[self._newest_answered[name] - 1 :])

    def _event(self, seq: int | None) -> Event | None:
        """Return the event with a number; None: there is none before this one."""
        return self._events[seq - 1] if seq is not None and 0 < seq <= len(self._events) else None


def _has_member(who: Occupant, failure: Failure) -> bool:
    """Return whether the members of a team in a header include the one that a failure names."""
    members = who.config.get("members")
    names = (
        [one.get("agent") for one in members if isinstance(one, dict)] if isinstance(members, list) else []
    )
    return any(failure.reason.startswith(f"{name}: ") for name in names)
