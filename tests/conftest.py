"""Tables and games that many tests sit at."""

from __future__ import annotations

import pytest

from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import load_game
from negoplatform.plugins.paths import bundled
from negoplatform.testing import TrialTable


@pytest.fixture
def game() -> GameSpec:
    """resource_exchange: bananas 4, grain 5, wood 3, spices 3; human's preferences public."""
    return load_game(bundled("games") / "resource_exchange.json")


@pytest.fixture
def practice() -> GameSpec:
    """practice: apples 6, and a day; both sides' preferences private."""
    return load_game(bundled("games") / "practice.json")


@pytest.fixture
def table(game: GameSpec) -> TrialTable:
    """A table at resource_exchange where the test moves both seats; agents may fail, as many are meant to."""
    return TrialTable(game, agents_may_fail=True)
