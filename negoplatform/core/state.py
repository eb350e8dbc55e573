"""The state of a session as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from negoplatform.core.events import Ending, Event, Expression
from negoplatform.core.history import History
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import BySeat, Seat


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
        transcript: The words, offers, acceptances, refusals and so on that this seat may see, in order,
            without the experimenter's part. Ticks and presence are left out.
    """

    transcript: History[Event] = field(default_factory=History)


@dataclass(frozen=True, slots=True)
class State:
    """Everything that follows from the events so far; ``fold(log)`` gives it back.

    Args:
        game: The game, with the preferences that the holder of this value may see.
        play: What the mechanism keeps: its own frozen value.
        version: The seq of the last event that was folded in; 0 before any.
        t: The session time of that event.
        phase: Where the session stands.
        presence: What each seat shows of itself.
        private: One part per seat; a seat's view holds only its own.
        ending: How the game ended; None while it runs.
        ended_at: The session time of the end.
    """

    game: GameSpec
    play: object
    version: int = 0
    t: float = 0.0
    phase: Phase = Phase.SETUP
    presence: BySeat[Presence] = field(default_factory=BySeat)
    private: BySeat[Private] = field(default_factory=BySeat)
    ending: Ending | None = None
    ended_at: float | None = None

    def with_presence(self, seat: Seat, **changes: Any) -> State:
        """The same state with a seat showing something else."""
        return replace(self, presence=self.presence.put(seat, replace(self.presence[seat], **changes)))
