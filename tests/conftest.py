"""Tables and games that many tests sit at."""

from __future__ import annotations

import pytest

from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import load_game
from negoplatform.plugins.paths import bundled
from negoplatform.testing import TrialTable


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--sweep``, which ``make torture`` sets."""
    parser.addoption(
        "--sweep", action="store_true", help="run exhaustive sweeps too, and not a sample of them"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests marked ``sweep`` unless they are asked for."""
    if config.getoption("--sweep"):
        return
    swept = [item for item in items if item.get_closest_marker("sweep")]
    if swept:
        config.hook.pytest_deselected(items=swept)
        items[:] = [item for item in items if item not in set(swept)]


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
