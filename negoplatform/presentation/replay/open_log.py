"""Opening of a log for replay, with the code of its game if that is available. No Tk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from negoplatform.app.catalogue.catalogue import list_games
from negoplatform.app.playback.playback import Playback
from negoplatform.domain.game import GameSpec


def open_playback(log: Path, data_dir: Path) -> Playback:
    """Open a log as far as it is valid; takes a second or two for ten thousand events.

    Args:
        log: A log, or a session's folder.
        data_dir: The user's folder, which may contain the game.

    Raises:
        NegoError: If the path is not a log.
    """
    return Playback.open(log, _games(data_dir))


def _games(data_dir: Path) -> Iterator[GameSpec]:
    """Yield the available games; consumed only if the log's own game has code."""
    yield from (row.item for row in list_games(data_dir) if row.item is not None)
