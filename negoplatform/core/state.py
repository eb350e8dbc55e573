"""State of a session as one immutable value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from heapq import merge
from itertools import islice
from typing import Any, Final, NamedTuple

from negoplatform.core.events import Ending, Event, Expression
from negoplatform.core.immutable.persistent_list import PersistentList
from negoplatform.core.record.notes_and_tasks import Record
from negoplatform.core.typed_state.typed_game_state import (
    EventField,
    EventHandler,
    GameState,
    MetaInformation,
    PrivateInformation,
    PublicInformation,
)
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap

__all__ = [
    "LOGGED_PHASES",
    "EventField",
    "EventHandler",
    "GameState",
    "MetaInformation",
    "Phase",
    "PrivateInformation",
    "PrivateState",
    "PublicInformation",
    "SeatPresence",
    "State",
]


class Phase(StrEnum):
    """Phase of a session."""

    SETUP = "setup"
    NEGOTIATING = "negotiating"
    CLOSING = "closing"
    DONE = "done"
    """Behind the closing. Never the phase of a state, as no event marks it; see ``action_rules.phase_at``."""


NEGOTIATING: Final = Phase.NEGOTIATING
CLOSING: Final = Phase.CLOSING
"""Members for code that runs at every event, as in ``core/events.py``."""

LOGGED_PHASES = (Phase.SETUP, Phase.NEGOTIATING, Phase.CLOSING)
"""Phases that a state can have, and so an event of a log."""


@dataclass(frozen=True, slots=True)
class SeatPresence:
    """A seat's public presence; times are session seconds until which something is shown."""

    expression: Expression = Expression.NEUTRAL
    expression_until: float = 0.0
    typing_until: float = 0.0
    drafting_until: float = 0.0
    closing_actions: frozenset[str] = frozenset()
    """Types of event that the seat has already sent in the closing."""

    def expression_at(self, t: float) -> Expression:
        """Return the expression that is shown at a session time (s) after the last change."""
        return self.expression if t < self.expression_until else Expression.NEUTRAL


@dataclass(frozen=True, slots=True)
class PrivateState:
    """State that belongs to one seat alone.

    Args:
        transcript: The entries of this seat's transcript that are not in everybody's: events addressed to it
            or by it, and its refused actions.
    """

    transcript: PersistentList[Event] = field(default_factory=PersistentList)


class State(NamedTuple):
    """State of a session: all that follows from its events; ``fold(log)`` gives it back.

    Args:
        game: The game, with the preferences that the holder of this value may see.
        mechanism_state: The mechanism's own frozen value.
        presence: Each seat's public presence.
        private: One part per seat; a seat's view holds only its own.
        version: The seq of the last event that was folded in; 0 before any.
        t: The session time of that event.
        phase: The phase of the session.
        transcript: The messages, offers, acceptances and so on that everybody may see, in order, without the
            experimenter's part. Ticks and presence are left out.
        ending: The end of the game; None while it runs.
        ended_at: The session time of the end.
        typed: The game's typed state, one for each seat; a seat's view holds only its own.
        record: Notes, tasks and further data that the parties proposed; a seat's view holds only its own.
        session_id: The session's id; empty where it has none, such as at a table for tests.
    """

    game: GameSpec
    mechanism_state: object
    presence: SeatMap[SeatPresence]
    private: SeatMap[PrivateState]
    version: int = 0
    t: float = 0.0
    phase: Phase = Phase.SETUP
    transcript: PersistentList[Event] = PersistentList()
    ending: Ending | None = None
    ended_at: float | None = None
    typed: SeatMap[GameState] = SeatMap()
    record: Record = Record()
    session_id: str = ""

    def with_presence(self, seat: Seat, **changes: Any) -> State:
        """Return the same state with another presence of a seat."""
        return self._replace(presence=self.presence.with_value(seat, replace(self.presence[seat], **changes)))

    def iter_transcript_backwards(self, seat: Seat | None = None) -> Iterator[Event]:
        """Yield the events of the public transcript, and of a seat's own, from newest to oldest."""
        own = self.private.get(seat) if seat is not None else None
        if own is None or not len(own.transcript):
            return self.transcript.iter_backwards()
        return merge(
            self.transcript.iter_backwards(),
            own.transcript.iter_backwards(),
            key=lambda event: event.seq,
            reverse=True,
        )

    def transcript_of(self, seat: Seat | None = None, *, after: int = 0) -> list[Event]:
        """Return the same from oldest to newest, without the first ``after``; only the result costs time."""
        count = self.transcript_length(seat)
        return list(islice(self.iter_transcript_backwards(seat), max(0, count - after)))[::-1]

    def transcript_length(self, seat: Seat | None = None) -> int:
        """Return the number of these events."""
        own = self.private.get(seat) if seat is not None else None
        return len(self.transcript) + (len(own.transcript) if own else 0)
