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


@given(POINTS, POINTS)
def test_every_way_to_an_undominated_sum_is_among_the_promising(left: list[int], right: list[int]) -> None:
    best = set(PACKING.undominated([a + b for a in left for b in right]))

    found = [key + other for stretch, other in undominated_candidates(left, right, BITS) for key in stretch]

    wanted = sorted(a + b for a in left for b in right if a + b in best)
    assert sorted(key for key in found if key in best) == wanted


@given(POINTS, POINTS)
def test_a_walk_takes_real_sums_and_goes_down_all_the_way(left: list[int], right: list[int]) -> None:
    sums = approximate_frontier(left, right, BITS)

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

    found = undominated_candidates(steep, flat, BITS)

    assert sum(len(stretch) for stretch, _ in found) < 101 * 101 / 2
