"""Moves of seats in a game, and what a kind of game has to give for the laws to be tried on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from hypothesis.strategies import SearchStrategy

from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat

SEATS = [("human", "agent"), ("buyer", "seller", "broker"), ("red", "green", "blue", "grey")]
"""Seats of the games."""


class TriedAct(NamedTuple):
    """Act that a seat tries, allowed or not."""

    seat: Seat
    type: str
    payload: Any
    to: tuple[Seat, ...] = ()


def tried_act(seat: Seat, kind: str, payload: Any, to: tuple[Seat, ...] = ()) -> TriedAct:
    """Return an act; ``st.builds`` of the class itself would draw any texts as recipients."""
    return TriedAct(seat, kind, payload, to)


Move = TriedAct | float | Callable[[State], TriedAct]
"""Act, seconds that pass, or an act that depends on the state."""


@dataclass(frozen=True)
class Play:
    """A game, and what the seats try in it."""

    game: GameSpec
    moves: list[Move]


@dataclass(frozen=True)
class MechanismCase:
    """A mechanism with games and acts to try.

    Args:
        name: The name of the mechanism.
        games: Games of this kind.
        acts: Acts of the mechanism that may be tried in a game.
        valid_act: Returns an act of a type that is legal for a seat in a state.
    """

    name: str
    games: Callable[[], SearchStrategy[GameSpec]]
    acts: Callable[[GameSpec], SearchStrategy[Move]]
    valid_act: Callable[[State, Seat, str], TriedAct]
