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
from negoplatform.core.persistent_list import History
from negoplatform.core.record import Record
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import BySeat, Seat

__all__ = [
    "EventField",
    "EventHandler",
    "GameState",
    "MetaInformation",
    "Phase",
    "Presence",
    "Private",
    "PrivateInformation",
    "PublicInformation",
    "State",
]


class Phase(StrEnum):
    """Where a session stands."""

    SETUP = "setup"
    NEGOTIATING = "negotiating"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class Presence:
    """What a seat shows of itself, public; times are session seconds until which it is shown."""

    expression: Expression = Expression.NEUTRAL
    expression_until: float = 0.0
    typing_until: float = 0.0
    drafting_until: float = 0.0
    last_words: frozenset[str] = frozenset()
    """The types of event that the seat has already sent in the closing."""


@dataclass(frozen=True, slots=True)
class Private:
    """What belongs to one seat alone.

    Args:
        transcript: What stands in this seat's transcript and not in everybody's: what was addressed to it or
            by it, and what was refused to it.
    """

    transcript: History[Event] = field(default_factory=History)


class State(NamedTuple):
    """Everything that follows from the events so far; ``fold(log)`` gives it back.

    Args:
        game: The game, with the preferences that the holder of this value may see.
        play: What the mechanism keeps: its own frozen value.
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
    play: object
    presence: BySeat[Presence]
    private: BySeat[Private]
    version: int = 0
    t: float = 0.0
    phase: Phase = Phase.SETUP
    transcript: History[Event] = History()
    ending: Ending | None = None
    ended_at: float | None = None
    typed: BySeat[GameState] = BySeat()
    record: Record = Record()

    def with_presence(self, seat: Seat, **changes: Any) -> State:
        """The same state with a seat showing something else."""
        return self._replace(presence=self.presence.put(seat, replace(self.presence[seat], **changes)))

    def newest_in_transcript(self, seat: Seat | None = None) -> Iterator[Event]:
        """The events of everybody's transcript, and of a seat's own, from newest to oldest."""
        own = self.private.get(seat) if seat is not None else None
        if own is None or not len(own.transcript):
            return self.transcript.newest()
        return merge(
            self.transcript.newest(), own.transcript.newest(), key=lambda event: event.seq, reverse=True
        )

    def transcript_of(self, seat: Seat | None = None, *, after: int = 0) -> list[Event]:
        """The same from oldest to newest, without the first ``after``; costs only what is given back."""
        count = self.transcript_length(seat)
        return list(islice(self.newest_in_transcript(seat), max(0, count - after)))[::-1]

    def transcript_length(self, seat: Seat | None = None) -> int:
        """How many events that are."""
        own = self.private.get(seat) if seat is not None else None
        return len(self.transcript) + (len(own.transcript) if own else 0)
