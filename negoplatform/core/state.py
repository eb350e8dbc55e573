"""The state of a session as one immutable value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from heapq import merge
from itertools import islice
from typing import Any, NamedTuple

from negoplatform.core.events import Ending, Event, Expression
from negoplatform.core.game_state import (
    EventField,
    EventHandler,
    GameState,
    MetaInformation,
    PrivateInformation,
    PublicInformation,
)
from negoplatform.core.persistent_list import PersistentList
from negoplatform.core.record import Record
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import Seat, SeatMap

__all__ = [
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
    """Where a session stands."""

    SETUP = "setup"
    NEGOTIATING = "negotiating"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class SeatPresence:
    """What a seat shows of itself, public; times are session seconds until which it is shown."""

    expression: Expression = Expression.NEUTRAL
    expression_until: float = 0.0
    typing_until: float = 0.0
    drafting_until: float = 0.0
    closing_actions: frozenset[str] = frozenset()
    """The types of event that the seat has already sent in the closing."""

    def expression_at(self, t: float) -> Expression:
        """Return the expression that is shown at a session time (s) after the last change."""
        return self.expression if t < self.expression_until else Expression.NEUTRAL


@dataclass(frozen=True, slots=True)
class PrivateState:
    """What belongs to one seat alone.

    Args:
        transcript: What stands in this seat's transcript and not in everybody's: what was addressed to it or
            by it, and what was refused to it.
    """

    transcript: PersistentList[Event] = field(default_factory=PersistentList)


class State(NamedTuple):
    """Everything that follows from the events so far; ``fold(log)`` gives it back.

    Args:
        game: The game, with the preferences that the holder of this value may see.
        mechanism_state: What the mechanism keeps: its own frozen value.
        presence: What each seat shows of itself.
        private: One part per seat; a seat's view holds only its own.
        version: The seq of the last event that was folded in; 0 before any.
        t: The session time of that event.
        phase: Where the session stands.
        transcript: The words, offers, acceptances and so on that everybody may see, in order, without the
            experimenter's part. Ticks and presence are left out.
        ending: How the game ended; None while it runs.
        ended_at: The session time of the end.
        typed: The typed state that the game brings, one for each seat; a seat's view holds only its own.
        record: Notes, tasks and what else the parties proposed to keep; a seat's view holds only its own.
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

    def with_presence(self, seat: Seat, **changes: Any) -> State:
        """The same state with a seat showing something else."""
        return self._replace(presence=self.presence.with_value(seat, replace(self.presence[seat], **changes)))

    def iter_transcript_backwards(self, seat: Seat | None = None) -> Iterator[Event]:
        """The events of everybody's transcript, and of a seat's own, from newest to oldest."""
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
        """The same from oldest to newest, without the first ``after``; costs only what is given back."""
        count = self.transcript_length(seat)
        return list(islice(self.iter_transcript_backwards(seat), max(0, count - after)))[::-1]

    def transcript_length(self, seat: Seat | None = None) -> int:
        """How many events that are."""
        own = self.private.get(seat) if seat is not None else None
        return len(self.transcript) + (len(own.transcript) if own else 0)
