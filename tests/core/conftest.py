"""Typed states of the worked example that several tests begin with."""

from __future__ import annotations

import pytest

from negoplatform.core.game_state import begin_typed, new_game_state
from negoplatform.domain.seat import BySeat
from tests.core.harberger import SEATS, HarbergerGameState


@pytest.fixture
def state() -> HarbergerGameState:
    return new_game_state(HarbergerGameState, game_id=12, seat="owner", seats=SEATS)


@pytest.fixture
def states() -> BySeat[HarbergerGameState]:
    return begin_typed(HarbergerGameState, game_id=12, seats=SEATS)
