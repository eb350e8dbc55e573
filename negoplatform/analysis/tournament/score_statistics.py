"""Statistics of a tournament's scores: bootstrap intervals, paired tests and Holm's correction.

NumPy and SciPy belong to the extra ``tournament`` and are imported when they are needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from random import Random
from statistics import fmean
from types import ModuleType
from typing import TYPE_CHECKING, Any

from negoplatform.domain.errors import NegoError, missing_package_error

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

RESAMPLES = 2000
"""Number of bootstrap resamples behind an interval."""

CONFIDENCE = 0.95
"""Confidence level of the intervals."""

FEWEST_DIFFERENT_PAIRS = 6
"""Fewest pairs that differ with which a two-sided signed-rank test can reach 5 %: 2 / 2**6 is 0.031."""

MOST_TIED_PAIRS = 13
"""Most pairs with which a test with ties is exact: SciPy lists no more assignments of signs."""

EQUAL = 1e-12
"""Difference of two scores up to which they are equal; means of equal scores may differ in the last digit."""

TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
"""Shares of the resamples below the two ends of an interval."""

Cluster = tuple[str, int]
"""Game and seed: the games that share one drawing of profiles and random numbers."""


def import_numpy() -> ModuleType:
    """Return NumPy.

    Raises:
        NegoError: If it is not installed.
    """
    try:
        import numpy
    except ImportError:
        raise _missing("NumPy") from None
    return numpy


def import_scipy_stats() -> ModuleType:
    """Return ``scipy.stats``.

    Raises:
        NegoError: If SciPy is not installed.
    """
    try:
        from scipy import stats
    except ImportError:
        raise _missing("SciPy") from None
    return stats  # type: ignore[no-any-return]  # SciPy has no types


def _missing(library: str) -> NegoError:
    return missing_package_error(
        f"The statistics of tournaments need {library}, which is not installed", "tournament"
    )


@dataclass(frozen=True, slots=True)
class Interval:
    """Bootstrap interval of a mean.

    Args:
        low: The lower end.
        high: The upper end.
    """

    low: float
    high: float


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return a quantile, interpolated between the nearest values as in R (type 7) and NumPy.

    Args:
        ordered: The values in ascending order, one or more.
        share: The share of the values below the quantile, 0 to 1.
    """
    place = share * (len(ordered) - 1)
    below = floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the interval of the mean of independent values: 95 %, percentile method, always the same.

    As :func:`bootstrap_intervals` with one cluster for each value, but without NumPy: commands outside of the
    extra ``tournament`` have intervals too.

    Source: Efron 1979, "Bootstrap methods: another look at the jackknife".

    Args:
        values: Two or more values.
    """
    rng = Random(0)
    means = sorted(fmean(rng.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return Interval(*(quantile(means, tail) for tail in TAILS))


def bootstrap_intervals(
    scores: Sequence[Mapping[Cluster, Sequence[float]]], *, seed: int
) -> list[Interval | None]:
    """Return the interval of the mean of each set of scores: 95 %, percentile method.

    Resampled are whole clusters (a game with a seed) with replacement, game by game. The games of one cluster
    are not independent: they share the drawn profiles and the seeds of the agents' random numbers. The games
    themselves are not drawn at random, so they stay as they are: an interval says how far a mean would vary
    with other seeds in the same games. All sets share the resamples, so they are compared on equal terms.

    Source: Efron & Tibshirani 1993, "An Introduction to the Bootstrap", chapters 8 (other data structures)
    and 13 (percentile intervals).

    Args:
        scores: For each set, its scores by cluster.
        seed: The seed of the resamples.

    Returns:
        For each set its interval; None if none of its games has two clusters or more.

    Raises:
        NegoError: If NumPy is not installed.
    """
    numpy = import_numpy()
    rng = numpy.random.default_rng(seed)
    seeds_of: dict[str, list[int]] = {}
    for game, game_seed in sorted({cluster for one in scores for cluster in one}):
        seeds_of.setdefault(game, []).append(game_seed)
    totals = numpy.zeros((RESAMPLES, len(scores)))
    counts = numpy.zeros((RESAMPLES, len(scores)))
    for game, seeds in seeds_of.items():
        values = [[one.get((game, game_seed), ()) for one in scores] for game_seed in seeds]
        sums = numpy.array([[sum(cell) for cell in row] for row in values], dtype=float)
        sizes = numpy.array([[len(cell) for cell in row] for row in values], dtype=float)
        drawn = rng.multinomial(len(seeds), numpy.full(len(seeds), 1 / len(seeds)), size=RESAMPLES)
        totals += drawn @ sums
        counts += drawn @ sizes
    return [_interval(numpy, totals[:, i], counts[:, i], one) for i, one in enumerate(scores)]


def _interval(
    numpy: ModuleType, totals: Array, counts: Array, scores: Mapping[Cluster, Sequence[float]]
) -> Interval | None:
    games = [game for (game, _), values in scores.items() if values]
    if len(games) == len(set(games)):
        return None
    # A resample may leave out every cluster in which a set has scores.
    drawn = counts > 0
    low, high = numpy.quantile(totals[drawn] / counts[drawn], TAILS)
    return Interval(float(low), float(high))


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two-sided Wilcoxon signed-rank test of paired scores.

    Args:
        pairs: The number of pairs.
        different: The number of pairs with two different scores.
        p_value: The p value, 0 to 1; None where the test says nothing.
        note: The reason in a sentence why there is no p value; empty if there is one.
    """

    pairs: int
    different: int
    p_value: float | None
    note: str = ""


def paired_test(first: Sequence[float], second: Sequence[float]) -> PairedTest:
    """Return the signed-rank test of two lists of scores, one pair after the other.

    Equal pairs are left out, as in the source: Wilcoxon 1945, "Individual comparisons by ranking methods".
    The distribution is exact up to 50 pairs without ties and up to 13 pairs with ties, else normal with
    correction for ties (SciPy).

    Raises:
        NegoError: If SciPy is not installed.
    """
    differences = [a - b for a, b in zip(first, second, strict=True)]
    different = [difference for difference in differences if abs(difference) > EQUAL]
    pairs, count = len(differences), len(different)
    if not pairs:
        return PairedTest(0, 0, None, "The two have no common pair of games.")
    if not count:
        return PairedTest(pairs, 0, None, f"Equal in all {pairs} pairs.")
    if count < FEWEST_DIFFERENT_PAIRS:
        few = f"Different in {count} of {pairs} pairs, and with fewer than {FEWEST_DIFFERENT_PAIRS} "
        return PairedTest(pairs, count, None, few + "no difference reaches 5 %.")
    # Without their last digits, so that equal differences are tied.
    rounded = [round(difference, 12) for difference in different]
    stats = import_scipy_stats()
    sizes = [abs(difference) for difference in rounded]
    if len(set(sizes)) < count <= MOST_TIED_PAIRS:
        # The same p value as SciPy's signed-rank test, which evaluates all assignments of signs one by one.
        numpy = import_numpy()
        ranks = numpy.copysign(stats.rankdata(sizes), rounded)
        found = stats.permutation_test((ranks,), numpy.sum, permutation_type="samples", vectorized=True)
    else:
        found = stats.wilcoxon(rounded, zero_method="wilcox", alternative="two-sided")
    return PairedTest(pairs, count, float(found.pvalue))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values corrected for their number, 0 to 1, in the same order.

    The step-down procedure of Holm 1979, "A simple sequentially rejective multiple test procedure"
    (Scandinavian Journal of Statistics 6, 65-70): the k-th smallest of m is multiplied by m - k + 1, is at
    least the one before it, and at most 1.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [0.0] * len(p_values)
    before = 0.0
    for rank, i in enumerate(order):
        before = max(before, min(1.0, (len(order) - rank) * p_values[i]))
        corrected[i] = before
    return corrected
