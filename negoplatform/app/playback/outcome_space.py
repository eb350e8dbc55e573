"""Outcome space of a recorded session: all possible deals and the best among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from negoplatform.app.playback.offer_metrics import UtilityScale, utility_scales
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import sample_outcomes
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.solutions.bargaining_solutions import compute_solutions
from negoplatform.domain.solutions.frontier import (
    Frontier,
    Key,
    PointPacking,
    Terms,
    UtilityPoint,
    additive_frontier,
)
from negoplatform.domain.solutions.integer_scaling import IntegerGame, integer_game
from negoplatform.domain.utility import Points

MOST_DOTS = 4000
"""Number of outcomes up to which all are shown; of larger games a random sample of this size is."""

MOST_ENUMERATED = 60_000
"""Number of outcomes, about a second's work, up to which games with interacting issues are enumerated."""

MOST_SUMS = {2: 10_000_000, 3: 1_000_000}
"""Sums that merging the issues may take, by the number of seats: a few seconds' work at most."""

MOST_SUMS_MANY_SEATS = 200_000
"""The same with four seats and more, where every pair of points is compared."""

OutcomePoints = tuple[Points, ...]
"""Utility of an outcome to every seat, in points and in the order of seats."""


@dataclass(frozen=True, slots=True)
class OutcomeSpace:
    """Outcomes of a game by their utilities; time costs are left out.

    Args:
        scales: The seats' scales, in order.
        total: The number of outcomes.
        sample_size: The number of outcomes behind ``dots``: all, or a random sample, which is always the
            same.
        dots: Their points, each once.
        frontier: The Pareto frontier, from the first seat's best to its worst; empty if it is not known.
        nash: The Nash point, or several that tie; empty also where no outcome gives every seat its
            reservation value.
        kalai_smorodinsky: The same for the Kalai-Smorodinsky point.
        frontier_error: The reason why the last three are not known, in a sentence; empty if they are.
    """

    scales: tuple[UtilityScale, ...]
    total: int
    sample_size: int
    dots: tuple[OutcomePoints, ...]
    frontier: tuple[OutcomePoints, ...] = ()
    nash: tuple[OutcomePoints, ...] = ()
    kalai_smorodinsky: tuple[OutcomePoints, ...] = ()
    frontier_error: str = ""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, in order."""
        return tuple(scale.seat for scale in self.scales)


def outcome_space(game: GameSpec) -> OutcomeSpace:
    """Return the outcome space of a game whose profiles are resolved; takes up to a few seconds.

    Raises:
        NotVisible: If the preferences of a seat are hidden in this game.
        NegoError: If profiles are not resolved, or a utility has no tables.
    """
    exact = integer_game(game)
    total = game.count_outcomes()
    looked_at = min(total, MOST_DOTS)
    outcomes = game.outcomes() if total <= MOST_DOTS else sample_outcomes(game.issues, game.seats, MOST_DOTS)
    dots = sorted({exact.integer_points(outcome) for outcome in outcomes})
    space = OutcomeSpace(
        utility_scales(game), total, looked_at, tuple(_points_of(exact, dot) for dot in dots)
    )
    try:
        found = compute_solutions(frontier_within_budget(exact))
    except NegoError as error:
        return OutcomeSpace(space.scales, total, looked_at, space.dots, frontier_error=str(error))
    return OutcomeSpace(
        space.scales,
        total,
        looked_at,
        space.dots,
        _points_of_all(exact, found.frontier.points),
        _points_of_all(exact, found.nash.tied),
        _points_of_all(exact, found.kalai_smorodinsky.tied),
    )


def frontier_within_budget(exact: IntegerGame) -> Frontier:
    """Return the Pareto frontier of a game, if that takes a few seconds at most.

    Raises:
        NegoError: If it would take longer; the sentence says so.
    """
    name = exact.game.name
    if not exact.additive:
        count = exact.game.count_outcomes()
        if count > MOST_ENUMERATED:
            raise NegoError(
                f"The Pareto frontier of {name} would take too long in a window: its issues "
                f"interact, so all of its {count:,} outcomes would have to be examined; "
                f"the maximum is {MOST_ENUMERATED:,}."
            )
        return _enumerated_frontier(exact)
    sums = _sums_of_merging(exact)
    most = MOST_SUMS.get(len(exact.game.seats), MOST_SUMS_MANY_SEATS)
    if sums > most:
        raise NegoError(
            f"The Pareto frontier of {name} would take too long in a window: up to {sums:,} sums "
            f"of points would have to be examined; the maximum is {most:,}."
        )
    return additive_frontier(exact)


def _sums_of_merging(exact: IntegerGame) -> int:
    """Return an upper bound on the sums of points that merging the issues takes."""
    reach = sorted(high - low + 1 for low, high in map(exact.utility_range, exact.game.seats))
    # No two points of a frontier are equal for all seats but one.
    longest = 1
    for points in reach[:-1]:
        longest *= points
    so_far, sums = 1, 0
    for count in sorted(issue.count(exact.game.seats) for issue in exact.game.issues):
        sums += so_far * count
        so_far = min(so_far * count, longest)
    return sums


class _EnumeratedFrontierPart:
    """All issues as one part of a frontier, enumerated outcome by outcome.

    Args:
        exact: The game in whole points.
    """

    def __init__(self, exact: IntegerGame) -> None:
        self._exact = exact
        worths = Counter(map(exact.integer_points, exact.game.outcomes()))
        self.lowest = [min(of_seat) for of_seat in zip(*worths, strict=True)]
        highest = max(max(of_seat) - min(of_seat) for of_seat in zip(*worths, strict=True))
        self.packing = PointPacking(len(self.lowest), highest.bit_length() + 1)
        keys = {self._key(worth): count for worth, count in worths.items()}
        self.outcome_counts: Mapping[Key, int] = {key: keys[key] for key in self.packing.undominated(keys)}

    def terms(self, key: Key) -> Iterator[Terms]:
        """Return every outcome with a key."""
        for outcome in self._exact.game.outcomes():
            if self._key(self._exact.integer_points(outcome)) == key:
                yield outcome.terms

    def _key(self, worth: tuple[int, ...]) -> Key:
        return self.packing.pack(own - low for own, low in zip(worth, self.lowest, strict=True))


def _enumerated_frontier(exact: IntegerGame) -> Frontier:
    part = _EnumeratedFrontierPart(exact)
    return Frontier(exact, [part], part.packing, part.lowest)


def _points_of_all(exact: IntegerGame, points: Sequence[UtilityPoint]) -> tuple[OutcomePoints, ...]:
    return tuple(_points_of(exact, point.integer_points) for point in points)


def _points_of(exact: IntegerGame, whole: Sequence[int]) -> OutcomePoints:
    return tuple(map(exact.to_points, whole))
