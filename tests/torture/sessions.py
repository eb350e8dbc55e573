"""Sessions to try promises with: every agent on every game, watched while they play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from negoplatform.app.catalogue.catalogue import list_agents, list_games
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.app.simulation import simulate as simulations
from negoplatform.core.bus import PublishedEvent
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.game_state_loader import with_matching_state_plugin

NO_DATA = Path("there-is-no-such-folder")
"""For the catalogue: nothing but what the program brings."""


@cache
def shipped_games() -> tuple[GameSpec, ...]:
    """The games that the program brings."""
    return tuple(row.item for row in list_games(NO_DATA) if row.item is not None)


@cache
def shipped_agents() -> tuple[AgentPlugin, ...]:
    """The agents that the program brings."""
    return tuple(row.item for row in list_agents(NO_DATA) if row.item is not None)


def read_back(path: Path) -> SessionLog:
    """A log as it is read, with the typed state of its game, which logs name but do not hold."""
    log = read_log(path)
    game = with_matching_state_plugin(log.header.game, shipped_games())
    return replace(log, header=replace(log.header, game=game))


@dataclass(slots=True)
class Watched:
    """What happened at tables while they were watched, one list of happenings for each."""

    tables: list[list[PublishedEvent]] = field(default_factory=list)


@contextmanager
def watching() -> Iterator[Watched]:
    """Sees everything that happens at the tables of simulated games."""
    watched = Watched()

    class WatchedTable(SessionRunner):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            happenings: list[PublishedEvent] = []
            watched.tables.append(happenings)
            self.subscribe(happenings.append)

    with patch.object(simulations, "SessionRunner", WatchedTable):
        yield watched
