"""Interface of the rules of a kind of game; the session uses nothing else of them."""

from __future__ import annotations

from typing import Protocol

from negoplatform.core.events import Event, Payload
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points


class Mechanism(Protocol):
    """The rules of one kind of game. They are stateless: every answer follows from the session's state."""

    def initial_state(self, game: GameSpec) -> object:
        """Return the mechanism's part of the state before the first event."""
        ...

    def check(self, state: State, seat: Seat, payload: Payload) -> None:
        """Raise Refused, with a sentence for the player, if the seat may not do this now."""
        ...

    def apply(self, state: State, event: Event) -> object:
        """Return the mechanism's part of the state after an event."""
        ...

    def consequence(self, state: State, event: Event) -> Payload | None:
        """Return the payload that the platform must record right after an event: an end, or None."""
        ...

    def points(self, state: State, seat: Seat) -> Points | None:
        """Return a seat's points once the game has ended; None where the end gives none, or while it runs."""
        ...

    def acceptance_target(self, state: State) -> int:
        """Return the target of a formal accept decided in this state; 0 if there is nothing to accept."""
        ...

    def describe(self, state: State) -> list[str]:
        """Return the mechanism's part of the state in a few lines for people."""
        ...
