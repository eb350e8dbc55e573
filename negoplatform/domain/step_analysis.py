"""Negotiation steps: successive proposals of a seat, classified by their effect on both sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType


class StepClass(StrEnum):
    """A step between two successive proposals of one seat.

    Source: Hindriks, Jonker & Tykhonov 2007, "Analysis of negotiation dynamics" (CIA 2007), and 2011,
    "Let's DANS! An analytic framework of negotiation dynamics and strategies".
    """

    FORTUNATE = "fortunate"
    """More for both sides."""
    SELFISH = "selfish"
    """More for oneself, and no more for the other side."""
    CONCESSION = "concession"
    """Less for oneself, and no less for the other side."""
    UNFORTUNATE = "unfortunate"
    """No more for oneself, and less for the other side."""
    NICE = "nice"
    """The same for oneself, and more for the other side."""
    SILENT = "silent"
    """The same for both."""


MOVED_PERCENT = 3
"""Least change of a seat's points, in per cent of their range, that NegoLog counts as a change (0.03)."""

_CLASSES = tuple(StepClass)

STEPS_TOWARDS_OPPONENT = frozenset({StepClass.FORTUNATE, StepClass.NICE, StepClass.CONCESSION})
"""Steps that are good, or at least not bad, for the other side."""

# As a tuple: to compare a few members of an enumeration takes less time than to hash one.
_TOWARDS = tuple(STEPS_TOWARDS_OPPONENT)


def classify_step(
    own: float, other: float, own_threshold: float = 0, other_threshold: float = 0
) -> StepClass:
    """Return the class of a step.

    The program uses the exact definition. NegoLog (Dogru et al. 2024) ignores small changes: its thresholds
    are 0.03 of utilities that range from 0 to 1, so 0.03 of the range of a seat's points.

    Args:
        own: The change for the seat that moves, in points.
        other: The change for the other side, in points.
        own_threshold: Changes for oneself below this many points count as none for *nice* and *silent*; 0 is
            the exact definition.
        other_threshold: Changes for the other side below this count as none for *silent*.
    """
    still = own == 0 or abs(own) < own_threshold
    if still and (other == 0 or abs(other) < other_threshold):
        return StepClass.SILENT
    if still and other > 0:
        return StepClass.NICE
    if own > 0:
        return StepClass.FORTUNATE if other > 0 else StepClass.SELFISH
    return StepClass.CONCESSION if own < 0 and other >= 0 else StepClass.UNFORTUNATE


def classify_moved_step(own: int, other: int, own_range: int, other_range: int) -> StepClass:
    """Return the class of a step with NegoLog's threshold of 0.03 (Dogru et al. 2024).

    *silent* is a step that changes each side's points by less than 3 % of its range; every other step moved
    something. *nice* is one that moves the other side's points up, and the own ones by less than 3 %.

    Args:
        own: The change for the seat that moves, in integer points.
        other: The change for the other side, in integer points.
        own_range: The range of the seat's integer points, 0 up.
        other_range: The same of the other side.
    """
    # In hundredths, so that a change of exactly 3 % is one.
    return classify_step(100 * own, 100 * other, MOVED_PERCENT * own_range, MOVED_PERCENT * other_range)


def count_steps(steps: Iterable[StepClass]) -> Mapping[StepClass, int]:
    """Return how often each class occurs, all six in their order."""
    listed = [*steps]
    return MappingProxyType({kind: listed.count(kind) for kind in _CLASSES})


def sensitivity(steps: Sequence[StepClass]) -> float | None:
    """Return the sensitivity to the other side: steps towards it per step that is not; above 1 is sensitive.

    Source: Hindriks, Jonker & Tykhonov 2011. None where no step fails to go towards the other side.
    """
    towards = sum(step in STEPS_TOWARDS_OPPONENT for step in steps)
    return towards / (len(steps) - towards) if towards < len(steps) else None


def awareness(own: Sequence[int], other: Sequence[int]) -> float | None:
    """Return the share, 0 to 1, of a seat's direction changes that the other side meets with one of its own.

    Source: NegoLog (Dogru et al. 2024). None without a change.

    Args:
        own: The seat's direction changes, as :func:`direction_changes` returns them.
        other: Those of the other side, as many.
    """
    changes = [other for own, other in zip(own, other, strict=True) if own]
    return sum([change != 0 for change in changes]) / len(changes) if changes else None


def move_correlation(own: Sequence[int], other: Sequence[int]) -> float | None:
    """Return how far the other side changes direction the same way, -1 to 1.

    Per change of the seat's own direction, 1 where the other side makes the same change at its step of that
    number, -1 where it makes the opposite one. Source: NegoLog (Dogru et al. 2024). None without a change.

    Args:
        own: The seat's direction changes, as :func:`direction_changes` returns them.
        other: Those of the other side, as many.
    """
    products = [own * other for own, other in zip(own, other, strict=True) if own]
    return sum(products) / len(products) if products else None


def direction_changes(own: Sequence[StepClass], other: Sequence[StepClass]) -> tuple[list[int], list[int]]:
    """Return the direction changes of both: 1 towards the other side, -1 away, 0 none; of equal length.

    A direction is towards the other side or not; the steps of both are compared one by one, as in NegoLog
    (Dogru et al. 2024), and the surplus steps of one side are left out.

    Args:
        own: The steps of a seat, in order.
        other: Those of the other side.
    """
    length = min(len(own), len(other))
    towards = [[step in _TOWARDS for step in steps[:length]] for steps in (own, other)]
    first, second = ([after - before for before, after in pairwise(steps)] for steps in towards)
    return first, second
