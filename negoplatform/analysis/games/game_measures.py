"""Measures of a game: the conflict of interests, and the possible gains."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import hypot

from negoplatform.domain.solutions.bargaining_solutions import BargainingSolutions
from negoplatform.domain.solutions.integer_scaling import IntegerGame
from negoplatform.domain.utility import Points

MAX_COUNTED_OUTCOMES = 20_000
"""Maximum number of outcomes of a game that are enumerated for the measures that need it."""


@dataclass(frozen=True, slots=True)
class GameMeasures:
    """Measures of a game.

    Args:
        outcomes: Number of outcomes.
        pareto_outcomes: Number of Pareto-efficient outcomes.
        joint_max: The highest sum of all seats' points.
        integrative_potential: See the function of that name; 0 to 1.
        opposition: See the function of that name; 0 to the root of the number of seats.
        rational_fraction: Share of outcomes, 0 to 1, that give every seat at least its reservation value
            (NegMAS); None for more than 20,000 outcomes.
        conflict: Share, 0 to 1, of pairs of outcomes that the two seats rank in opposite ways; pairs with the
            same utility for both seats are left out (after NegMAS, which takes a sample). None for more than
            20,000 outcomes, without such pairs, and without exactly two seats.
        win_win: Share of the same pairs of which both seats prefer the same one; None likewise. The two
            shares add up to 1 except for pairs to which one of the seats is indifferent.
    """

    outcomes: int
    pareto_outcomes: int
    joint_max: Points
    integrative_potential: float
    opposition: float
    rational_fraction: float | None
    conflict: float | None
    win_win: float | None


def game_measures(points: BargainingSolutions) -> GameMeasures:
    """Return the measures of a game; enumerating up to 20,000 outcomes takes a fraction of a second.

    Args:
        points: The game's bargaining solutions.
    """
    exact = points.frontier.exact
    count = exact.game.count_outcomes()
    rational = conflict = win_win = None
    if count <= MAX_COUNTED_OUTCOMES:
        worths = [exact.integer_points(offer) for offer in exact.game.outcomes()]
        least = tuple(exact.reservation.values())
        rational = sum(all(map(int.__ge__, worth, least)) for worth in worths) / count
        if len(exact.game.seats) == 2:
            conflict, win_win = _conflict(worths)
    return GameMeasures(
        outcomes=count,
        pareto_outcomes=points.frontier.outcomes,
        joint_max=exact.to_points(joint_max(points)),
        integrative_potential=integrative_potential(points),
        opposition=opposition(points),
        rational_fraction=rational,
        conflict=conflict,
        win_win=win_win,
    )


def joint_max(points: BargainingSolutions) -> int:
    """Return the highest sum of all seats' points, in whole points."""
    return sum(points.maximum_sum.tied[0].integer_points)


Spans = tuple[tuple[int, int], ...]
"""Lowest and highest utility of an outcome for each seat, in whole points."""


def spans_of(exact: IntegerGame) -> Spans:
    """Return the spans of a game."""
    return tuple(map(exact.utility_range, exact.game.seats))


def shares(spans: Spans, worth: Iterable[int | Fraction]) -> tuple[Fraction, ...]:
    """Return every seat's whole points as a share of its span: 0 its worst outcome, 1 its best.

    A value that is not an outcome, such as no deal, may be outside this range. The share is 1 for a seat
    whose points never vary.
    """
    return tuple(
        Fraction(own - low) / (high - low) if high > low else Fraction(1)
        for own, (low, high) in zip(worth, spans, strict=True)
    )


def integrative_potential(points: BargainingSolutions) -> float:
    """Return how much more than a fixed pie there is to share, 0 to 1.

    ``(highest sum of all seats' shares - 1) / (seats - 1)``, at least 0, where a share is
    ``(u - min) / (max - min)`` of a seat's points. If one seat's gain is the other's loss, shares add up to 1
    in every outcome, and the result is 0; if every seat can have its best outcome at once, it is 1. Seats
    whose points never vary are left out. Our definition.
    """
    spans = spans_of(points.frontier.exact)
    # A seat whose points never vary has a share of 1 in every outcome, and nothing to gain.
    never = sum(high == low for low, high in spans)
    varying = len(spans) - never
    if varying < 2:
        return 0.0
    most = max(sum(shares(spans, point.integer_points)) - never for point in points.frontier.points)
    return float(max(Fraction(0), (most - 1) / (varying - 1)))


def opposition(points: BargainingSolutions) -> float:
    """Return the distance from every seat's best points to the nearest outcome.

    The Euclidean distance in shares of the seats' points, 0 to the root of the number of seats (Genius and
    NegMAS: opposition level, there in utilities from 0 to 1).
    """
    spans = spans_of(points.frontier.exact)
    return min(
        hypot(*(1 - float(share) for share in shares(spans, point.integer_points)))
        for point in points.frontier.points
    )


def _conflict(worths: list[tuple[int, ...]]) -> tuple[float | None, float | None]:
    """Return the shares of pairs that two seats rank in opposite ways, and in the same way."""
    opposite = same = 0
    seen: list[int] = []
    # Sorted by the first seat's points, so that its less preferred outcome is the first of each pair.
    for group in _by_first(worths):
        for second in group:
            same += bisect_left(seen, second)
            opposite += len(seen) - bisect_right(seen, second)
        for second in group:
            insort(seen, second)
    pairs = len(worths) * (len(worths) - 1) // 2
    counts = [len(list(equal)) for _, equal in groupby(sorted(worths))]
    pairs -= sum(count * (count - 1) // 2 for count in counts)
    return (opposite / pairs, same / pairs) if pairs else (None, None)


def _by_first(worths: list[tuple[int, ...]]) -> Iterator[list[int]]:
    for _, group in groupby(sorted(worths), key=lambda worth: worth[0]):
        yield [second for _, second in group]
