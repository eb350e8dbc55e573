"""Sessions to try promises with: every agent on every game, observed while they play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.catalogue import list_agents, list_games
from negoplatform.core.bus import PublishedEvent
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.game_state_loader import with_matching_state_plugin

NO_DATA = Path("there-is-no-such-folder")
"""Data folder for the catalogue that leaves only the shipped games and agents."""


@cache
def shipped_games() -> tuple[GameSpec, ...]:
    """Return the shipped games."""
    return tuple(row.item for row in list_games(NO_DATA) if row.item is not None)


@cache
def shipped_agents() -> tuple[AgentPlugin, ...]:
    """Return the shipped agents."""
    return tuple(row.item for row in list_agents(NO_DATA) if row.item is not None)


def read_back(path: Path) -> SessionLog:
    """Read a log, with the typed state of its game, which logs name but do not contain."""
    log = read_log(path)
    game = with_matching_state_plugin(log.header.game, shipped_games())
    return replace(log, header=replace(log.header, game=game))


@dataclass(slots=True)
class Watched:
    """Events published at tables while they were observed, one list for each table."""

    tables: list[list[PublishedEvent]] = field(default_factory=list)


@contextmanager
def watching() -> Iterator[Watched]:
    """Record all events published at the tables of simulated games."""
    # Not at the top: programs that are started and killed hundreds of times simulate nothing.
    from unittest.mock import patch

    from negoplatform.app.session.session_runner import SessionRunner
    from negoplatform.app.simulation import full_path

    watched = Watched()

    class WatchedTable(SessionRunner):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            happenings: list[PublishedEvent] = []
            watched.tables.append(happenings)
            self.subscribe(happenings.append)

    with patch.object(full_path, "SessionRunner", WatchedTable):
        yield watched
