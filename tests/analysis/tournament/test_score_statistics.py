"""Statistics of scores, compared with independent computations."""

from __future__ import annotations

from itertools import product

import pytest

from negoplatform.analysis.tournament.score_statistics import (
    Interval,
    bootstrap_intervals,
    holm,
    mean_interval,
    paired_test,
)


def signed_rank_p(differences: list[float]) -> float:
    """Return the two-sided exact p value of the signed-rank test, from all assignments of signs."""
    sizes = sorted(abs(difference) for difference in differences)
    # Equal sizes share the mean of their ranks.
    ranks = [sizes.index(abs(d)) + (sizes.count(abs(d)) + 1) / 2 for d in differences]
    observed = sum(rank for rank, difference in zip(ranks, differences, strict=True) if difference > 0)
    middle = sum(ranks) / 2
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(ranks))
    ]
    return sum(abs(total - middle) >= abs(observed - middle) for total in sums) / len(sums)


@pytest.mark.parametrize(
    "differences",
    [
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        [0.1, -0.2, 0.3, 0.4, 0.5, 0.6, -0.7],
        [-0.1, -0.25, 0.3, -0.4, 0.55, -0.6, -0.7, 0.8, -0.9],
        [0.5, 0.5, -0.5, 0.25, 0.25, 1.0, -0.125],
        [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        [0.5, 0.5, -0.5, 0.25, 0.25, 1.0, -0.125, 2.0, -2.0, 2.0, 3.0, 0.25, 1.0],
    ],
)
def test_the_paired_test_agrees_with_an_enumeration_of_all_signs(differences: list[float]) -> None:
    found = paired_test(differences, [0.0] * len(differences))

    assert found.p_value == pytest.approx(signed_rank_p(differences))
    assert (found.pairs, found.note) == (len(differences), "")


def test_equal_pairs_are_left_out_of_the_paired_test() -> None:
    differences = [0.1, -0.2, 0.3, 0.4, 0.5, 0.6, 0.7]

    found = paired_test([*differences, 1.0, 1.0], [*([0.0] * 7), 1.0, 1.0])

    # With equal pairs SciPy takes the normal distribution, so the p value is near the exact one.
    assert (found.pairs, found.different) == (9, 7)
    assert found.p_value == pytest.approx(signed_rank_p(differences))


@pytest.mark.parametrize(
    ("first", "second", "note"),
    [
        ([], [], "The two have no common pair of games."),
        ([0.5, 0.25], [0.5, 0.25], "Equal in all 2 pairs."),
        ([0.1 + 0.2], [0.3], "Equal in all 1 pairs."),
        (
            [1, 2, 3, 4, 5, 6],
            [0, 0, 0, 0, 0, 6],
            "Different in 5 of 6 pairs, and with fewer than 6 no difference reaches 5 %.",
        ),
    ],
)
def test_a_sentence_says_why_there_is_no_p_value(first: list[float], second: list[float], note: str) -> None:
    found = paired_test(first, second)

    assert (found.p_value, found.note) == (None, note)


def test_holm_multiplies_the_smallest_p_value_by_the_number_of_tests() -> None:
    # 4 * 0.01; 3 * 0.02; 2 * 0.03 is at least the one before; 1 * 0.5.
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])


def test_holm_keeps_p_values_in_order_and_at_most_one() -> None:
    assert holm([0.4, 0.6, 0.5]) == [1.0, 1.0, 1.0]
    assert holm([]) == []


def test_an_interval_surrounds_the_mean_and_depends_on_the_seed_alone() -> None:
    scores = {("cake", seed): [seed / 40] for seed in range(41)}

    first, again, other = (bootstrap_intervals([scores], seed=seed)[0] for seed in (1, 1, 2))

    assert first is not None
    assert first == again != other
    # The standard error of the mean is 0.046, so 95 % are about 0.09 to both sides.
    assert (first.low, first.high) == pytest.approx((0.5 - 0.09, 0.5 + 0.09), abs=0.02)


def test_an_interval_of_values_encloses_the_mean_and_narrows_with_more_values() -> None:
    few, many = mean_interval([0.0, 10.0]), mean_interval([0.0, 10.0] * 50)

    assert few.low < 5 < few.high
    assert many.high - many.low < few.high - few.low
    assert mean_interval([4.0, 4.0]) == Interval(4.0, 4.0)


def test_an_interval_of_values_is_that_of_clusters_with_one_value_each() -> None:
    values = [float(i * i % 17) for i in range(40)]

    of_values = mean_interval(values)
    (of_clusters,) = bootstrap_intervals([{("cake", i): [value] for i, value in enumerate(values)}], seed=1)

    assert of_clusters is not None
    # Other random numbers: both ends vary by about 0.1.
    assert (of_values.low, of_values.high) == pytest.approx((of_clusters.low, of_clusters.high), abs=0.3)


def test_games_of_one_seed_stay_together() -> None:
    # Ten equal games of each seed are no more evidence than one.
    single = {("cake", seed): [float(seed % 2)] for seed in range(20)}
    tenfold = {cluster: values * 10 for cluster, values in single.items()}

    first, second = bootstrap_intervals([single, tenfold], seed=1)

    assert first == second


def test_only_seeds_are_drawn_and_never_games() -> None:
    scores = {(game, seed): [score] for game, score in (("cake", 0.0), ("car", 1.0)) for seed in range(9)}

    (found,) = bootstrap_intervals([scores], seed=1)

    assert found is not None
    assert (found.low, found.high) == (0.5, 0.5)


def test_without_two_seeds_of_a_game_there_is_no_interval() -> None:
    assert bootstrap_intervals([{("cake", 1): [0.5, 0.6], ("car", 1): [0.5]}, {}], seed=1) == [None, None]


def test_resamples_without_a_score_are_left_out() -> None:
    many = {("cake", seed): [0.25] for seed in range(12)}
    few = {("cake", 1): [0.25], ("cake", 2): [0.75]}

    found = bootstrap_intervals([many, few], seed=1)[1]

    assert found is not None
    assert (found.low, found.high) == (0.25, 0.75)
