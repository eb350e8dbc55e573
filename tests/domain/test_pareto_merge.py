"""Sums of two staircases: no undominated sum is left out, and few others are kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from negoplatform.domain.solutions.frontier import PointPacking
from negoplatform.domain.solutions.pareto_merge import (
    approximate_frontier,
    undominated_candidates,
    upper_hull,
)

BITS = 12
PACKING = PointPacking(2, BITS)
POINTS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=60).map(
    lambda points: PACKING.undominated([PACKING.pack(point) for point in points])
)


def hull_of_sums(left: list[int], right: list[int]) -> list[int]:
    return approximate_frontier(upper_hull(left, BITS), upper_hull(right, BITS), BITS)


@given(POINTS, POINTS, POINTS)
def test_the_hull_of_three_sets_is_found_from_the_hull_of_two(
    one: list[int], two: list[int], three: list[int]
) -> None:
    found = approximate_frontier(hull_of_sums(one, two)[::-1], upper_hull(three, BITS), BITS)

    sums = PACKING.undominated([a + b + c for a in one for b in two for c in three])
    hull = upper_hull(sums, BITS)
    assert set(found) <= set(hull)
    assert corners(hull) == corners(found[::-1])


def corners(hull: list[int]) -> list[int]:
    """Return the points of a hull at which its slope changes."""
    points = [PACKING.unpack(key) for key in hull]
    kept = []
    for n, (x, y) in enumerate(points):
        if 0 < n < len(points) - 1:
            (before_x, before_y), (after_x, after_y) = points[n - 1], points[n + 1]
            if (y - before_y) * (x - after_x) == (after_y - y) * (before_x - x):
                continue
        kept.append(hull[n])
    return kept


@given(POINTS, POINTS)
def test_every_way_to_an_undominated_sum_is_among_the_promising(left: list[int], right: list[int]) -> None:
    best = set(PACKING.undominated([a + b for a in left for b in right]))
    known = hull_of_sums(left, right)

    found = [
        key + other for stretch, other in undominated_candidates(left, right, known, BITS) for key in stretch
    ]

    wanted = sorted(a + b for a in left for b in right if a + b in best)
    assert sorted(key for key in found if key in best) == wanted


@given(POINTS, POINTS)
def test_a_walk_takes_real_sums_and_goes_down_all_the_way(left: list[int], right: list[int]) -> None:
    sums = hull_of_sums(left, right)

    assert set(sums) <= {a + b for a in left for b in right}
    assert sums == PACKING.undominated(sums)[::-1]
    assert (sums[-1], sums[0]) == (left[0] + right[0], left[-1] + right[-1])


def test_an_outline_keeps_corners_and_what_lies_on_a_line_between_them() -> None:
    points = [(9, 0), (8, 2), (7, 3), (6, 6), (5, 7), (3, 8), (0, 9)]

    kept = [PACKING.unpack(key) for key in upper_hull([PACKING.pack(point) for point in points], BITS)]

    assert kept == [point for point in points if point != (7, 3)]


def test_most_sums_of_two_straight_lines_are_left_out() -> None:
    steep = [PACKING.pack((2 * (100 - n), n)) for n in range(101)]
    flat = [PACKING.pack((100 - n, 2 * n)) for n in range(101)]

    found = undominated_candidates(steep, flat, hull_of_sums(steep, flat), BITS)

    assert sum(len(stretch) for stretch, _ in found) < 101 * 101 / 2
