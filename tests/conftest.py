"""Fixtures with the table and games that many tests use."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings

from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import load_game
from negoplatform.hosting import child_process
from negoplatform.hosting.sandbox import readable_paths
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable
from tests import sweeps
from tests.forked_agents import ForkedAgents
from tests.sweeps import EXAMPLES
from tests.wine import RUNS_UNDER_WINE

if RUNS_UNDER_WINE:
    from tests import run_under_wine

    run_under_wine.prepare()

# Compiled modules are written whatever the shell says: without them every program that a test starts, and
# every worker, compiles them again, which makes its start half as long again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# No limit of time for an example: a busy machine is no fault of the program.
settings.register_profile(
    "suite", max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--sweep``, which ``make torture`` sets."""
    parser.addoption(
        "--sweep", action="store_true", help="run exhaustive sweeps too, and not a sample of them"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the tests of exhaustive sweeps only if they are requested: they are a third of all."""
    sweeps.requested = config.getoption("--sweep")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected, all of which stay: it would take a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the tests that open windows."""
    items[:] = _spread(items)


@pytest.fixture(scope="session")
def _forked_agents() -> Iterator[ForkedAgents]:
    """Process that forks agents' processes, from the first start on."""
    agents = ForkedAgents()
    yield agents
    agents.close()


@pytest.fixture(autouse=True, scope="module")
def _agents_start_soon(request: pytest.FixtureRequest, _forked_agents: ForkedAgents) -> Iterator[None]:
    """Fork agents' processes where the system can, except in modules that test the process itself."""
    if not sys.platform.startswith("linux") or request.node.get_closest_marker("new_python"):
        yield
        return
    with mock.patch.object(child_process, "start_process", _forked_agents.start):
        yield


@pytest.fixture(autouse=True)
def _nothing_kept_private() -> Iterator[None]:
    """Forget the folders that a test, or a fixture of its module, keeps from agents."""
    yield
    readable_paths._private_places.clear()
    readable_paths._shared_folders.clear()


def _spread(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests with window files spread evenly among the others: they wait, while others compute."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    windows = [tests for tests in files.values() if tests[0].get_closest_marker("window")]
    others = [tests for tests in files.values() if not tests[0].get_closest_marker("window")]
    rows = [((i + 0.5) / len(group), tests) for group in (windows, others) for i, tests in enumerate(group)]
    return [item for _place, tests in sorted(rows, key=lambda row: row[0]) for item in tests]


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
    """Table at resource_exchange where the test moves both seats; agents may fail, as many are meant to."""
    return TrialTable(game, agents_may_fail=True)
