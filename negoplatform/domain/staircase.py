"""Sums of two sets of points for two seats, without looking at most of those that are dominated.

Both sets are staircases: the more a point has for the first seat, the less it has for the second. So are the
sums along any walk down both of them, and a whole stretch of one staircase, added to a point of the other, is
left out where one of these sums is better than the best that the stretch could be.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

STRETCH = 16
"""So many neighbouring points of a staircase are looked at together first."""


def walk(left: Sequence[int], right: Sequence[int], bits: int) -> list[int]:
    """Some sums that are not dominated by each other, lowest key first; often near the frontier.

    A walk down both staircases, always on the one whose next step gains the second seat more for what it
    costs the first. Where both bend outwards only, every sum of it lies on the frontier.

    Args:
        left: Keys of undominated points, highest first.
        right: The same.
        bits: How many bits of a key the second seat has.
    """
    mask = (1 << bits) - 1
    i = j = 0
    sums = [left[0] + right[0]]
    while i + 1 < len(left) or j + 1 < len(right):
        if j + 1 == len(right):
            i += 1
        elif i + 1 == len(left):
            j += 1
        else:
            by_left = (left[i + 1] & mask) - (left[i] & mask)
            by_right = (right[j + 1] & mask) - (right[j] & mask)
            cost_left = (left[i] >> bits) - (left[i + 1] >> bits)
            cost_right = (right[j] >> bits) - (right[j + 1] >> bits)
            if by_left * cost_right >= by_right * cost_left:
                i += 1
            else:
                j += 1
        sums.append(left[i] + right[j])
    return sums[::-1]


def promising(left: Sequence[int], right: Sequence[int], bits: int) -> list[tuple[Sequence[int], int]]:
    """Stretches of one staircase with the point of the other that each is to be added to.

    What is left out is dominated; every other sum is in exactly one of them.

    Args:
        left: Keys of undominated points, highest first.
        right: The same.
        bits: How many bits of a key the second seat has.
    """
    mask = (1 << bits) - 1
    known = walk(left, right, bits)
    stretches = []
    for start in range(0, len(left), STRETCH):
        stretch = left[start : start + STRETCH]
        # As good for each seat as the point of the stretch that is best for it.
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
