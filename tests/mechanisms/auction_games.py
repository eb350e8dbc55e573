"""The auction of the tests: its game, and the logs of simulated games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.simulation.simulate import simulate
from negoplatform.core.events import EndedBy
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.formats.games import GameModel, build_game
from negoplatform.formats.strict_json import validate_json

HERE = Path(__file__).parent
BIDDER = str(HERE / "bidder.py")

AUCTION: dict[str, Any] = {
    "schema": "negoplatform.game/1",
    "name": "vases",
    "title": "Vases",
    "mechanism": "sealed_bid",
    "goods": [{"name": "vase", "label": "Vases"}],
    "money": {"unit": "€", "decimals": 2},
    "terms": {"rounds": 4, "seconds": 12.0},
    "seats": {
        "ann": {"endowment": {"money": 30.5}, "worth": {"units": {"vase": [12.25, 8, 1.5]}}},
        "ben": {"endowment": {"money": 30}, "worth": {"units": {"vase": [10, 9]}}},
        "cho": {
            "endowment": {"money": 0.05, "goods": {"vase": 1}},
            "worth": {"units": {"vase": [3, 2, 1]}},
        },
    },
    "rules": {"deadline_seconds": 120},
}


def build(document: dict[str, Any]) -> GameSpec:
    """Return the game of a document."""
    return build_game(validate_json(GameModel, json.dumps(document), "game"), "game")


def logs_of(game: GameSpec, folder: Path, *, isolated: bool, games: int = 3) -> list[Path]:
    """Return the logs of simulated games."""
    plugin = find_agent(BIDDER, folder)
    found = simulate(
        game,
        [plugin] * 3,
        games=games,
        seed=11,
        logs=folder,
        report=lambda error: pytest.fail(str(error)),
        isolated=isolated,
    )
    assert {result.ended_by for result in found} == {EndedBy.COMPLETED}
    return sorted(folder.glob(f"*/{LOG_NAME}"))


def without_marks(log: Path) -> list[dict[str, Any]]:
    """Return the lines of a log without wall-clock times, hashes and the id of the session."""
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    loose = {"at", "created_at", "hash", "session_id", "isolation"}
    return [{key: value for key, value in line.items() if key not in loose} for line in lines]


def logs_in_both_modes(game: GameSpec, files: Sequence[str], folder: Path) -> list[list[dict[str, Any]]]:
    """Return the lines of the logs of a simulated game, after checking that agents' processes give the same.

    Args:
        game: The game, which has a deadline.
        files: The agents, in the order of seats.
        folder: An empty folder.
    """
    agents = [find_agent(file, folder) for file in files]
    found = []
    for isolated in (False, True):
        logs = folder / str(isolated)
        list(
            simulate(game, agents, games=1, seed=3, logs=logs, report=lambda _error: None, isolated=isolated)
        )
        written = list(logs.glob(f"*/{LOG_NAME}"))
        assert all(replay(read_log(log)).state.ending is not None for log in written)
        found.append(sorted((without_marks(log) for log in written), key=str))
    assert found[0] == found[1]
    return found[0]
