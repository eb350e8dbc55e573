"""Benchmark of the Pareto frontier: merging by issue compared with evaluating every outcome, in one run.

Times are the best of several runs; the ratio is what matters, since both times are from the same machine.

Run: ``python benchmarks/frontier.py``; ``--most 100000`` leaves out what takes long.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from time import perf_counter
from typing import Any

from negoplatform.analysis.games.frontier_with_interactions import enumerated_frontier
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import CategoricalIssue, Issue, QuantityIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.solutions.frontier import additive_frontier, issue_levels, packing_for, shift_to_zero
from negoplatform.domain.solutions.integer_scaling import IntegerGame, integer_game
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility

SEATS = ("first", "second")
LEVELS = 10


def drawn_game(issues: int, *, decimal: bool, seed: int = 1) -> GameSpec:
    """Return a game with some issues of ten values each and random points: 0 to 100, whole or not."""
    rng = Random(seed)
    named = tuple(CategoricalIssue(f"issue{i}", tuple("abcdefghij"[:LEVELS])) for i in range(issues))

    def points() -> float:
        return rng.randint(0, 10_000) / 100 if decimal else rng.randint(0, 100)

    return _game(named, [{i.name: {value: points() for value in i.values} for i in named} for _ in SEATS])


def divided_game(issues: int, units: int, *, bend: float) -> GameSpec:
    """Return a game of dividing goods; units have equal value (bend 1), or decreasing value (below 1)."""
    rng = Random(1)
    named = tuple(QuantityIssue(f"goods{i}", units) for i in range(issues))
    weights = [[rng.randint(1, 9) for _ in named] for _ in SEATS]
    return _game(
        named,
        [
            {
                issue.name: {
                    n: n * weight if bend == 1 else round(weight * n**bend, 2) for n in range(units + 1)
                }
                for issue, weight in zip(named, own, strict=True)
            }
            for own in weights
        ],
    )


def interacting_game(issues: int) -> GameSpec:
    """Return the random game with points for values of neighbouring issues, so that all issues are linked."""
    game = drawn_game(issues, decimal=False)
    rng = Random(2)

    def bound(preferences: Preferences) -> Preferences:
        assert isinstance(preferences.utility, AdditiveUtility)
        pairs = [(f"issue{i}", f"issue{i + 1}") for i in range(issues - 1)]
        extra = [
            Interaction(
                rng.randint(-50, 50),
                tuple((name, frozenset(rng.choices("abcdefghij", k=3))) for name in pair),
            )
            for pair in pairs
        ]
        return replace(preferences, utility=InteractionUtility(preferences.utility, extra))

    return replace(game, preferences=SeatMap((seat, bound(own)) for seat, own in game.preferences.items()))


def _game(issues: tuple[Issue, ...], tables: Sequence[dict[str, Any]]) -> GameSpec:
    return GameSpec(
        name="benchmark",
        issues=issues,
        seats=SEATS,
        preferences=SeatMap(
            (seat, Preferences(AdditiveUtility(seat, own), 0))
            for seat, own in zip(SEATS, tables, strict=True)
        ),
    )


def every_outcome(exact: IntegerGame) -> list[int]:
    """Return the frontier's keys by adding up and sorting every outcome, as fast as plain Python allows."""
    game = exact.game
    _, tables = shift_to_zero([utility.tables for utility in exact.utilities.values()])
    packing = packing_for(tables)
    axes = [
        [key for _, key in issue_levels(issue, game.seats, [table[issue.name] for table in tables], packing)]
        for issue in game.issues
    ]
    return packing.undominated(map(sum, product(*axes)))


def best_of(times: int, work: Callable[[], object]) -> float:
    """Return the shortest time of some work, in seconds."""
    taken = []
    for _ in range(times):
        start = perf_counter()
        work()
        taken.append(perf_counter() - start)
    return min(taken)


def report(most: int, times: int) -> Iterator[str]:
    """Yield the lines of the report.

    Args:
        most: The number of outcomes beyond which not all of them are evaluated.
        times: Runs per figure; the best counts.
    """
    yield f"{'game':<34}{'outcomes':>12}{'points':>8}{'merging':>12}{'every outcome':>16}{'ratio':>9}"
    for decimal in (False, True):
        for issues in (3, 4, 5, 6):
            name = f"{issues} issues of 10, {'decimals' if decimal else 'whole points'}"
            yield _line(name, drawn_game(issues, decimal=decimal), most, times)
    yield _line("15 issues of 10, whole points", drawn_game(15, decimal=False), most, times)
    yield _line("15 goods of 9 units, all divided", divided_game(15, 9, bend=1), most, times)
    for bend in (1, 0.8):
        shape = "straight" if bend == 1 else "bent"
        yield _line(f"3 goods of 100 units, {shape}", divided_game(3, 100, bend=bend), most, times)
    yield ""
    yield f"{'interacting (NumPy)':<34}{'outcomes':>12}{'points':>8}{'way by way':>12}"
    for issues in (3, 4, 5, 6):
        if LEVELS**issues <= most:
            yield _interacting_line(issues, times)


def _line(name: str, game: GameSpec, most: int, times: int) -> str:
    exact, outcomes = integer_game(game), game.count_outcomes()
    points = len(additive_frontier(exact).points)
    merging = best_of(times, lambda: additive_frontier(exact))
    line = f"{name:<34}{_count(outcomes):>12}{points:>8,}{1000 * merging:>9.2f} ms"
    if outcomes > most:
        return line
    looking = best_of(min(times, 2) if outcomes > 100_000 else times, lambda: every_outcome(exact))
    return f"{line}{1000 * looking:>13.2f} ms{looking / merging:>8.1f}x"


def _interacting_line(issues: int, times: int) -> str:
    exact = integer_game(interacting_game(issues))
    name = f"{issues} issues of 10, linked in a chain"
    try:
        points = len(enumerated_frontier(exact).points)
    except NegoError as error:
        return f"{name}: {error}"
    taken = best_of(times, lambda: enumerated_frontier(exact))
    return f"{name:<34}{_count(exact.game.count_outcomes()):>12}{points:>8,}{1000 * taken:>9.2f} ms"


def _count(number: int) -> str:
    return f"{number:,}" if number < 10**9 else f"{number:.0e}"


def main(args: Sequence[str] | None = None) -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(
        description="Times the Pareto frontier, against looking at every outcome."
    )
    parser.add_argument("--most", type=int, default=1_100_000, help="look at every outcome up to so many")
    parser.add_argument("--times", type=int, default=5, help="runs per figure; the best counts")
    options = parser.parse_args(args)
    for line in report(options.most, max(1, options.times)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
