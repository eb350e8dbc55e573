"""Bargaining solutions: the outcomes that different notions of a good or fair deal choose, with all ties.

All comparisons are exact, so a tie is a tie on paper, and none is broken silently.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from operator import sub

from negoplatform.domain.solutions.frontier import Frontier, UtilityPoint


@dataclass(frozen=True, slots=True)
class Solution:
    """Choice of one bargaining solution.

    Args:
        name: Which solution: ``nash``, ``kalai_smorodinsky``, ``egalitarian`` or ``maximum_sum``.
        value: The maximum (for Kalai-Smorodinsky: the minimum) that it reaches; None without a point.
        tied: Every point that reaches it, from the first seat's best to its worst; empty where the
            solution is undefined, because no outcome gives every seat its reservation value.
    """

    name: str
    value: Fraction | None
    tied: tuple[UtilityPoint, ...]

    @property
    def unique(self) -> bool:
        """Whether there is exactly one outcome to choose."""
        return sum(point.outcomes for point in self.tied) == 1


@dataclass(frozen=True, slots=True)
class BargainingSolutions:
    """Pareto frontier of a game, and the bargaining solutions on it.

    Reservation values are the seats' points without a deal. Time costs are left out: at any one moment they
    are the same for every outcome.

    The first three solutions choose among the *rational* points: those on the frontier that give every seat
    at least its reservation value. Where there are none, these solutions have no point, and no deal is the
    rational end.

    Args:
        frontier: The Pareto frontier.
        rational: Its points that are worth at least the reservation value to every seat.
        nash: The highest product of gains over the reservation values (Nash 1950, "The bargaining problem",
            Econometrica 18).
        kalai_smorodinsky: The smallest spread, from the seat that does best to the one that does worst, of
            gains as shares of each seat's highest gain at a rational point (Kalai & Smorodinsky 1975, "Other
            solutions to Nash's bargaining problem", Econometrica 43, where the spread is 0; among finitely
            many outcomes it need not be). The highest gain is taken among rational points, as in the paper; a
            seat that cannot gain at any of them is left out of the spread.
        egalitarian: The highest smallest gain (Kalai 1977, "Proportional solutions to bargaining
            situations", Econometrica 45, with equal proportions).
        maximum_sum: The highest sum of points, whether rational or not.
    """

    frontier: Frontier
    rational: tuple[UtilityPoint, ...]
    nash: Solution
    kalai_smorodinsky: Solution
    egalitarian: Solution
    maximum_sum: Solution

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """All four solutions."""
        return self.nash, self.kalai_smorodinsky, self.egalitarian, self.maximum_sum


def compute_solutions(frontier: Frontier) -> BargainingSolutions:
    """Return the bargaining solutions on a frontier, with all ties."""
    exact = frontier.exact
    least, factor = tuple(exact.reservation.values()), exact.factor
    gained = [(point, tuple(map(sub, point.integer_points, least))) for point in frontier.points]
    rational = [(point, gains) for point, gains in gained if min(gains) >= 0]
    spread, unit = _spread([gains for _, gains in rational])
    return BargainingSolutions(
        frontier=frontier,
        rational=tuple(point for point, _ in rational),
        nash=_highest("nash", rational, prod, factor ** len(least)),
        kalai_smorodinsky=_highest("kalai_smorodinsky", rational, lambda gains: -spread(gains), -unit),
        egalitarian=_highest("egalitarian", rational, min, factor),
        maximum_sum=_highest(
            "maximum_sum", [(point, point.integer_points) for point in frontier.points], sum, factor
        ),
    )


_IntegerPoints = tuple[int, ...]


def _spread(gains: list[_IntegerPoints]) -> tuple[Callable[[_IntegerPoints], int], int]:
    """Return the spread of shares of the highest gains, as an integer, and the unit: the integer for 1."""
    highest = [max(of_seat) for of_seat in zip(*gains, strict=True)]
    unit = lcm(*(gain for gain in highest if gain))
    weights = [(i, unit // gain) for i, gain in enumerate(highest) if gain]

    def spread(of: _IntegerPoints) -> int:
        shares = [of[i] * weight for i, weight in weights]
        return max(shares) - min(shares) if shares else 0

    return spread, unit


def _highest(
    name: str,
    points: list[tuple[UtilityPoint, _IntegerPoints]],
    value: Callable[[_IntegerPoints], int],
    unit: int,
) -> Solution:
    if not points:
        return Solution(name, None, ())
    worths = [value(numbers) for _, numbers in points]
    best = max(worths)
    tied = tuple(point for (point, _), worth in zip(points, worths, strict=True) if worth == best)
    return Solution(name, Fraction(best, unit), tied)
