"""Rules that a game gets when a person plays it in the window, where its file sets nothing else."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.domain.game import GameSpec

CLOSING_SECONDS = 120.0
"""For a last message: a person needs time to type it."""


def with_window_rules(game: GameSpec, *, closing_seconds: float | None = None) -> GameSpec:
    """Return a game with the time for last words that a person needs.

    Args:
        game: The game.
        closing_seconds: What the command line sets (s); it overrides the game's own. None: nothing.
    """
    own = game.rules.closing_seconds
    closing = next(seconds for seconds in (closing_seconds, own, CLOSING_SECONDS) if seconds is not None)
    return replace(game, rules=replace(game.rules, closing_seconds=closing))
