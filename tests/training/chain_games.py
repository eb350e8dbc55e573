"""Games with a chain of command, policies that follow a list, and logs as they compare."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from negoplatform.core.features.observation_vectors import Observation
from negoplatform.domain.command_settings import (
    PrincipalTiming,
    ProtocolKind,
    ProtocolSettings,
    Split,
)
from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.domain.seat_map import SeatMap
from negoplatform.training.ctde import ChainAgent, SystemAgent
from tests.games import commanded

WAIT, OFFER, ACCEPT, QUIT = range(4)
"""Heads of the codec of offers."""

RED_TAKES_NOTHING = (OFFER, 1, 0)
"""Action of red: no coins for itself, and the first colour."""


def chain_game(
    kind: ProtocolKind = ProtocolKind.VERTICAL,
    *,
    timing: PrincipalTiming | None = None,
    visibility: Visibility = Visibility.OWNER,
    **rules: Any,
) -> GameSpec:
    """Return a game in which chief is over head, and head over red and green; blue has no principal."""
    game = replace(commanded(visibility, **{"deadline_seconds": 40.0, **rules}), assistants=SeatMap())
    return replace(
        game,
        principals=SeatMap(
            (
                name,
                replace(
                    spec,
                    protocol=ProtocolSettings(kind, Split.EQUAL),
                    timing=timing or PrincipalTiming(),
                ),
            )
            for name, spec in game.principals.items()
        ),
    )


class Listed:
    """Policy that returns the actions of a list, one after the other, and then waits."""

    def __init__(self, *actions: Any, wait: Any = (WAIT, 0, 0)) -> None:
        self.actions = list(actions)
        self.wait = wait
        self.observed: list[np.ndarray[Any, Any]] = []
        self.times: list[float] = []

    def forward(self, observation: Observation) -> Any:
        """Return the next action."""
        self.observed.append(np.asarray(observation))
        self.times.append(observation.timestamp)
        return self.actions.pop(0) if self.actions else self.wait


def agent_of(system: SystemAgent, name: str) -> ChainAgent:
    """Return the agent of a name."""
    return next(agent for agent in system if agent.agent_id == name)


def offered(*, red: Sequence[int] = (0, 0, 0), green: Sequence[int] = (0, 0, 0)) -> dict[str, list[int]]:
    """Return an action of head, or of chief, from those of red and green."""
    return {"d": [*red, *green]}


def log_lines(folder: Path) -> list[dict[str, Any]]:
    """Return the events of the one log in a folder, without what differs between equal sessions."""
    (path,) = folder.rglob("events.jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return [{key: value for key, value in line.items() if key not in ("at", "hash")} for line in lines]
