"""Sums of two sets of points for two seats, with most of the dominated ones skipped.

Both sets are staircases: the more a point has for the first seat, the less it has for the second. A walk
down both of them finds good sums; a whole block of one staircase, added to a point of the other, is skipped
where one of these is better than the best that the block could reach.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

BLOCK_SIZE = 16
"""Number of neighbouring points of a staircase that are first looked at together."""


def upper_hull(points: Sequence[int], bits: int) -> list[int]:
    """Return the points of a staircase that no straight line between two others passes above.

    Args:
        points: Keys of undominated points, highest first.
        bits: How many bits of a key the second seat has.
    """
    kept: list[int] = []
    for point in points:
        while len(kept) > 1 and _is_below_chord(kept[-2], kept[-1], point, bits):
            kept.pop()
        kept.append(point)
    return kept


def _is_below_chord(first: int, middle: int, last: int, bits: int) -> bool:
    """Return whether the second seat gains more, per loss of the first, by the second step than the first."""
    mask = (1 << bits) - 1
    gain_before, gain_after = (middle & mask) - (first & mask), (last & mask) - (middle & mask)
    cost_before, cost_after = (first >> bits) - (middle >> bits), (middle >> bits) - (last >> bits)
    return gain_after * cost_before > gain_before * cost_after


def approximate_frontier(left: Sequence[int], right: Sequence[int], bits: int) -> list[int]:
    """Return the upper hull of the sums of two staircases, lowest key first.

    A walk down the upper hulls of both staircases, always on the one whose next step gains the second seat
    more for its cost to the first: the corners of the hull of all sums, and some of the points between them.

    Args:
        left: The upper hull of a staircase, highest key first.
        right: The same of another one.
        bits: How many bits of a key the second seat has.
    """
    i = j = 0
    sums = [left[0] + right[0]]
    while i + 1 < len(left) and j + 1 < len(right):
        # The step on the right before the one on the left would bend inwards: the left one comes first.
        one, other = left[i + 1] + right[j], left[i] + right[j + 1]
        if _is_below_chord(sums[-1], other, other + left[i + 1] - left[i], bits):
            i, step = i + 1, one
        else:
            j, step = j + 1, other
        sums.append(step)
    sums += [key + right[j] for key in left[i + 1 :]]
    sums += [left[i] + key for key in right[j + 1 :]]
    return sums[::-1]


def undominated_candidates(
    left: Sequence[int], right: Sequence[int], known: Sequence[int], bits: int
) -> list[tuple[Sequence[int], int]]:
    """Return blocks of one staircase, each with the point of the other to be added to it.

    All skipped sums are dominated; every other sum is in exactly one block.

    Args:
        left: Keys of undominated points, highest first.
        right: The same.
        known: Some of the sums, none of which dominates another, lowest key first: the more of them are on
            the frontier, the more is skipped.
        bits: How many bits of a key the second seat has.
    """
    mask = (1 << bits) - 1
    stretches = []
    for start in range(0, len(left), BLOCK_SIZE):
        stretch = left[start : start + BLOCK_SIZE]
        # As good for each seat as the point of the block that is best for it.
        bound = (stretch[0] >> bits << bits) + (stretch[-1] & mask)
        stretches.append((bound, stretch))
    found = []
    for other in right:
        for bound, stretch in stretches:
            best = bound + other
            # The first known sum with no less for the first seat is, of these, the best for the second.
            at = bisect_left(known, best & ~mask)
            if at == len(known) or known[at] & mask < best & mask or known[at] == best:
                found.append((stretch, other))
    return found
