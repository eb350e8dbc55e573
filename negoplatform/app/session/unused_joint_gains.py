"""Search for a deal that would have been better for every side than the end of a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from negoplatform.core.events import Ending
from negoplatform.core.mechanisms.bargaining import points_before_time_costs
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.solutions.frontier import additive_frontier
from negoplatform.domain.solutions.integer_scaling import integer_game
from negoplatform.domain.utility import Points

MOST_OUTCOMES = 20_000
"""Outcomes up to which a game with interacting issues is enumerated; a larger one is not searched."""


@dataclass(frozen=True, slots=True)
class ParetoImprovement:
    """Deal that beats the end of a game.

    Args:
        deal: A deal that is better for one seat and worse for none; None if there is no such deal.
        for_all: Whether it is better for every seat.
    """

    deal: Offer | None = None
    for_all: bool = False


def find_pareto_improvement(game: GameSpec, ending: Ending) -> ParetoImprovement | None:
    """Return the deal that beats an ending most, by the product of the seats' gains.

    Time costs are the same for every deal of one moment, so they are left out.

    Args:
        game: The game with every seat's preferences.
        ending: How it ended.

    Returns:
        None if it is unknown: the game ended early, or has too many outcomes.
    """
    had = {seat: points_before_time_costs(game, seat, ending) for seat in game.seats}
    if None in had.values():
        return None
    best: tuple[int, float, float] | None = None
    found = ParetoImprovement()
    try:
        for offer, points in _candidates(game):
            gains = [float(points[seat] - (had[seat] or 0)) for seat in game.seats]
            if min(gains) < 0 or not any(gains):
                continue
            better = sum(gain > 0 for gain in gains)
            rank = better, prod(gains), sum(gains)
            if best is None or rank > best:
                best, found = rank, ParetoImprovement(offer, for_all=better == len(gains))
    except NegoError:
        return None
    return found


def _candidates(game: GameSpec) -> Iterator[tuple[Offer, dict[Seat, Points]]]:
    """Yield deals, among which one beats an ending if any deal does.

    Raises:
        NegoError: If there are too many of them.
    """
    exact = integer_game(game)
    if exact.additive:
        for point in additive_frontier(exact).points:
            yield point.example, dict(point.points)
        return
    if game.count_outcomes() > MOST_OUTCOMES:
        raise NegoError(f"{game.name} has too many outcomes to look at.")
    for offer in game.outcomes():
        yield offer, {seat: game.preferences[seat].utility(offer) for seat in game.seats}
