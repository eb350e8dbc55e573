"""Typed state of one seat, as its reader gets it."""

from __future__ import annotations

from negoplatform.core.state import GameState, Phase, State
from negoplatform.core.typed_state.typed_game_state import new_game_state, reader_copy
from negoplatform.domain.seat_map import Seat


def seat_game_state(state: State, seat: Seat, phase: Phase) -> GameState:
    """Return a copy of a seat's typed state, with the session's phase in its meta part.

    A game without a class of its own has the plain one, with its ``meta`` part alone.

    Args:
        state: The whole state, or the seat's view of it.
        seat: The seat.
        phase: The phase of the session now.
    """
    typed = state.typed.get(seat)
    if typed is None:
        game = state.game
        typed = new_game_state(
            GameState, game_id=game.name, seat=seat, seats=game.seats, session_id=state.session_id
        )
    return reader_copy(typed, phase.value)
