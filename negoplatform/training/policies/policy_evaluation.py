"""Evaluation of a policy and of other agents, in the same seat against the same opponents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from negoplatform.app.simulation.simulate import Result, Seatings, simulate
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.training.episode import EpisodeSettings

FIRST_SEED = 1_000_000
"""Seed of the first game of an evaluation; no training uses it or those that follow."""

NORMAL_QUANTILE = 1.959964
"""Quantile of the normal distribution for an interval of 95 percent."""


@dataclass(frozen=True, slots=True)
class EvaluatedAgent:
    """Points of an agent in its games.

    Args:
        name: Its name.
        points: Its points of each game.
        agreed: The number of games with a deal.
        losses: The number of deals that were worth less than its reservation value.
    """

    name: str
    points: Sequence[float]
    agreed: int
    losses: int

    @property
    def mean(self) -> float:
        """Mean of the points."""
        return fmean(self.points)

    @property
    def margin(self) -> float:
        """Half the width of the interval of 95 percent for the mean; 0 for a single game."""
        count = len(self.points)
        return NORMAL_QUANTILE * stdev(self.points) / sqrt(count) if count > 1 else 0.0


def evaluate(
    agent: AgentPlugin,
    settings: EpisodeSettings,
    *,
    games: int,
    report: Callable[[BaseException], object],
) -> EvaluatedAgent:
    """Play an agent in the learner's seat, in games with unseen seeds.

    Args:
        agent: The agent.
        settings: The settings of the episodes.
        games: The number of games.
        report: Called with errors of agents.

    Raises:
        NegoError: If an agent cannot be prepared, or a game gives no points.
    """
    (seat,) = settings.learners
    seated = [settings.opponents.get(each, agent) for each in settings.game.seats]
    points: list[float] = []
    agreed = losses = 0
    for result in simulate(
        settings.game,
        seated,
        games=games,
        seed=FIRST_SEED,
        logs=None,
        report=report,
        how=Seatings.GIVEN,
        measures=False,
    ):
        points.append(_points(result, seat))
        if result.deal is not None:
            agreed += 1
            preferences = settings.game.resolve_profiles(result.seed).preferences[seat]
            losses += preferences.utility(result.deal) < preferences.reservation_value
    return EvaluatedAgent(agent.name, points, agreed, losses)


def _points(result: Result, seat: Seat) -> float:
    points = result.points[seat]
    if points is None:
        raise NegoError(f"The game with seed {result.seed} gave the seat {seat} no points.")
    return float(points)
