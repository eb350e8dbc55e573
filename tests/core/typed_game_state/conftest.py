"""Typed states of the worked example, from which several tests start."""

from __future__ import annotations

import pytest

from negoplatform.core.typed_state.typed_game_state import initial_game_states, new_game_state
from negoplatform.domain.seat_map import SeatMap
from tests.core.typed_game_state.harberger import SEATS, HarbergerGameState


@pytest.fixture
def state() -> HarbergerGameState:
    return new_game_state(HarbergerGameState, game_id=12, seat="owner", seats=SEATS)


@pytest.fixture
def states() -> SeatMap[HarbergerGameState]:
    return initial_game_states(HarbergerGameState, game_id=12, seats=SEATS)
