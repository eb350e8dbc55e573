"""NegMAS' side of ``benchmarks/measures_parity.py``, run by an interpreter that has NegMAS 0.16.

It reads games as JSON from standard input and writes NegMAS' measures of their outcomes to standard output.
"""

from __future__ import annotations

import json
import sys

from negmas.outcomes import make_issue, make_os
from negmas.preferences import MappingUtilityFunction
from negmas.preferences.ops import (
    calc_outcome_distances,
    calc_outcome_optimality,
    calc_scenario_stats,
    distance_to,
    estimate_max_dist,
    ks_points,
    pareto_frontier,
)


def utility_of(game: dict, side: int, space: object, reservation: float) -> MappingUtilityFunction:
    """Return a side's utility function."""
    values = {(at,): utilities[side] for at, utilities in enumerate(game["utilities"])}
    return MappingUtilityFunction(values, reserved_value=reservation, outcome_space=space)


def frontier_of_all_outcomes(game: dict, space: object) -> list[tuple[float, ...]]:
    """Return NegMAS' frontier without reservation values; with them it is of the rational outcomes only."""
    utilities = [utility_of(game, side, space, float("-inf")) for side in range(2)]
    points, _ = pareto_frontier(utilities, outcomes=list(space.enumerate_or_sample()))
    return list(points)


def smorodinsky_of_rational_gains(utilities: list, stats: object) -> list[tuple[float, ...]]:
    """Return NegMAS' Kalai-Smorodinsky points for shares of the highest gains among rational outcomes."""
    highest = [max(each) for each in zip(*stats.pareto_utils, strict=True)]
    ranges = [(0.0, most) for most in highest]
    return [point for point, _ in ks_points(utilities, stats.pareto_utils, ranges=ranges)]


def measured(game: dict) -> list[dict]:
    """Return the measures of the agreements of one game."""
    space = make_os([make_issue(len(game["utilities"]), "outcome")])
    utilities = [utility_of(game, side, space, game["reservations"][side]) for side in range(2)]
    stats = calc_scenario_stats(utilities)
    frontier, smorodinsky = (
        frontier_of_all_outcomes(game, space),
        smorodinsky_of_rational_gains(utilities, stats),
    )
    rows = []
    for at in game["agreements"]:
        values = tuple(game["utilities"][at])
        distances = calc_outcome_distances(values, stats)
        optimality = calc_outcome_optimality(distances, stats, estimate_max_dist(utilities))
        advantages = [
            (value - utility.reserved_value) / (utility.max() - utility.reserved_value)
            for value, utility in zip(values, utilities, strict=True)
        ]
        rows.append(
            {
                "pareto distance": distances.pareto_dist,
                "nash distance": distances.nash_dist,
                "kalai distance": distances.kalai_dist,
                "kalai-smorodinsky distance": distances.ks_dist,
                "pareto optimality": optimality.pareto_optimality,
                "pareto distance, all outcomes": distance_to(values, frontier),
                "kalai-smorodinsky distance, rational gains": distance_to(values, smorodinsky),
                "advantage of first": advantages[0],
                "advantage of second": advantages[1],
            }
        )
    return rows


def main() -> None:
    """Measure all games."""
    json.dump([measured(game) for game in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    main()
