"""Opening a log to look at it, with the code of its game if that is at hand. No Tk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from negoplatform.app.catalogue.catalogue import list_games
from negoplatform.app.playback.playback import Playback
from negoplatform.domain.game import GameSpec


def open_playback(log: Path, data_dir: Path) -> Playback:
    """A log, as far as it is sound; takes a second or two for ten thousand events.

    Args:
        log: A log, or a session's folder.
        data_dir: Where games are looked for.

    Raises:
        NegoError: If it is none.
    """
    return Playback.open(log, _games(data_dir))


def _games(data_dir: Path) -> Iterator[GameSpec]:
    """The games at hand; looked for only if the log's own brings code."""
    yield from (row.item for row in list_games(data_dir) if row.item is not None)
