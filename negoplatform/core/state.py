"""State of a session as one immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
from negoplatform.domain.seat_map import SYSTEM, Seat, SeatMap

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

    def iter_transcript_backwards(self, observer: Seat | None = None) -> Iterator[Event]:
        """Yield the events of the public transcript, and of an observer's own, from newest to oldest.

        Args:
            observer: A seat; a principal or the system, whose own are those of the seats below; None: the
                public.
        """
        own = self.private.get(observer) if observer is not None else None
        if own is None:
            return self._iter_for_several(self._seats_below(observer))
        if not len(own.transcript):
            return self.transcript.iter_backwards()
        return _merged_backwards((self.transcript, own.transcript))

    def transcript_of(self, observer: Seat | None = None, *, after: int = 0) -> list[Event]:
        """Return the same from oldest to newest, without the first ``after``; only the result costs time."""
        count = self.transcript_length(observer)
        return list(islice(self.iter_transcript_backwards(observer), max(0, count - after)))[::-1]

    def transcript_length(self, observer: Seat | None = None) -> int:
        """Return the number of these events."""
        own = self.private.get(observer) if observer is not None else None
        if own is None and self._seats_below(observer):
            return sum(1 for _ in self.iter_transcript_backwards(observer))
        return len(self.transcript) + (len(own.transcript) if own else 0)

    def _seats_below(self, observer: Seat | None) -> tuple[Seat, ...]:
        """Return the seats whose transcripts a principal or the system sees; none for other names."""
        if observer is None:
            return ()
        return self.game.seats if observer == SYSTEM else self.game.seats_below(observer)

    def _iter_for_several(self, seats: tuple[Seat, ...]) -> Iterator[Event]:
        private = [self.private[seat].transcript for seat in seats if seat in self.private]
        last = 0
        for event in _merged_backwards((self.transcript, *private)):
            if event.seq != last:  # an event that is addressed to several seats is in the transcript of each
                yield event
            last = event.seq


def _merged_backwards(transcripts: Iterable[PersistentList[Event]]) -> Iterator[Event]:
    """Return the events of several transcripts from newest to oldest."""
    return merge(*(each.iter_backwards() for each in transcripts), key=lambda event: event.seq, reverse=True)
