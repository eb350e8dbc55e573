"""The shipped games, with agents for each kind."""

from __future__ import annotations

from pathlib import Path

from negoplatform.app.catalogue.catalogue import list_games
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat

GAMES: dict[str, GameSpec] = {
    row.name: row.item for row in list_games(Path("no_such_folder")) if row.item is not None
}
"""All shipped games by name."""

AGENTS = {"bargaining": "conceder", "market": "zip", "trading": "tac_baseline"}
"""A shipped agent for each kind of game."""


def mixed_opponents(game: GameSpec) -> dict[Seat, str]:
    """Return agents for every second seat of a game, so that learners and agents take turns."""
    return dict.fromkeys(game.seats[1::2], AGENTS[game.mechanism])
