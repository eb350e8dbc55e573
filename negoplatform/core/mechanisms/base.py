"""What the rules of a kind of game have to answer; the session knows nothing else about them."""

from __future__ import annotations

from typing import Protocol

from negoplatform.core.events import Event, Payload
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import Points


class Mechanism(Protocol):
    """The rules of one kind of game, without state of their own: every answer follows from the state."""

    def initial_state(self, game: GameSpec) -> object:
        """The mechanism's part of the state before anything happened."""
        ...

    def check(self, state: State, seat: Seat, payload: Payload) -> None:
        """Raises Refused, with a sentence for the player, if the seat may not do this now."""
        ...

    def apply(self, state: State, event: Event) -> object:
        """The mechanism's part of the state after an event."""
        ...

    def consequence(self, state: State, event: Event) -> Payload | None:
        """What the platform must record right after an event: an end, or nothing."""
        ...

    def points(self, state: State, seat: Seat) -> Points | None:
        """A seat's points once the game has ended; None where the end gives none, or while it runs."""
        ...

    def acceptance_target(self, state: State) -> int:
        """What a formal accept that is decided in this state names; 0 if there is nothing to accept."""
        ...

    def describe(self, state: State) -> list[str]:
        """The mechanism's part of the state in a few lines for people."""
        ...
