"""Utility of an agent's proposals in the course of many games: means and quantiles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import ClassVar

from negoplatform.analysis.tournament.score_statistics import quantile
from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.analysis.tournament.utility_curves import CURVE_STEPS

TAIL = 0.1
"""Share of the games below a band, and of those above it."""


@dataclass(frozen=True, slots=True)
class UtilityBand:
    """Utility of an agent's latest proposals at the end of one twentieth of its games.

    A game counts up to the twentieth in which it ended, and from the agent's first proposal. A game against
    itself counts twice. Utilities are shares of a seat's range of points: 0 its worst outcome, 1 its best.

    Args:
        game: The game; empty for all games together.
        agent: The agent.
        progress: The share of the game that is over, above 0 to 1: of the offers where they are the deadline,
            else of the time.
        games: The number of games that count.
        own_mean: The mean utility for the agent itself.
        own_low: Its 10 % quantile.
        own_high: Its 90 % quantile.
        other_mean: The mean utility for the other seat.
        other_low: Its 10 % quantile.
        other_high: Its 90 % quantile.
    """

    KEYS: ClassVar[tuple[str, ...]] = ("game", "agent", "progress")
    game: str
    agent: str
    progress: float
    games: int
    own_mean: float
    own_low: float
    own_high: float
    other_mean: float
    other_low: float
    other_high: float


def utility_bands(games: Iterable[TournamentGame], *, by_game: bool = False) -> list[UtilityBand]:
    """Return the bands of all agents; agents and games by name, and the parts of the game in order.

    Args:
        games: The games; those without curves are left out.
        by_game: Whether each game has bands of its own.
    """
    values: dict[tuple[str, str], list[list[tuple[float, float]]]] = {}
    for game in games:
        for agent, curve in zip(game.agents, game.curves or (), strict=False):
            key = (game.game if by_game else "", agent)
            steps = values.setdefault(key, [[] for _ in range(CURVE_STEPS)])
            for step, own, other in zip(steps, curve.own, curve.other, strict=False):
                if own is not None and other is not None:
                    step.append((own, other))
    return [
        UtilityBand(
            game,
            agent,
            (i + 1) / CURVE_STEPS,
            len(step),
            *_mean_and_quantiles([own for own, _ in step]),
            *_mean_and_quantiles([other for _, other in step]),
        )
        for (game, agent), steps in sorted(values.items())
        for i, step in enumerate(steps)
        if step
    ]


def _mean_and_quantiles(values: Sequence[float]) -> tuple[float, float, float]:
    ordered = sorted(values)
    return fsum(ordered) / len(ordered), quantile(ordered, TAIL), quantile(ordered, 1 - TAIL)
