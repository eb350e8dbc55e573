"""The published figures of the job candidate domain, reproduced."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from negoplatform.domain.solutions.bargaining_solutions import compute_solutions
from negoplatform.domain.solutions.frontier import additive_frontier
from negoplatform.domain.solutions.integer_scaling import integer_game
from negoplatform.strategies.negochat.bid_space import BidUtility, own_utility
from negoplatform.strategies.negochat.bid_thresholds import GAP_SHARE, SHARES, ThresholdTable, cluster
from negoplatform.strategies.negochat.published_job_candidate import PublishedJobCandidate
from tests.strategies.negochat.domains import ROLES, TYPES, job_candidate, published

EFFECT = {"employer": 6, "candidate": 8}

THRESHOLDS = {
    ("employer", "short_term"): [539, 511, 494, 470, 449, 441, 426, 409, 366, 351, 344, 329, 299, 162],
    ("employer", "compromise"): [561, 541, 527, 508, 491, 477, 457, 437, 415, 386, 354, 306, 246, 162],
    ("employer", "long_term"): [530, 515, 500, 489, 475, 462, 450, 439, 425, 411, 396, 375, 335, 162],
    ("candidate", "short_term"): [478, 470, 454, 439, 426, 414, 398, 387, 374, 361, 348, 334, 304, 240],
    ("candidate", "compromise"): [515, 503, 486, 473, 457, 443, 427, 417, 400, 388, 376, 346, 297, 240],
    ("candidate", "long_term"): [556, 548, 522, 500, 479, 459, 423, 411, 388, 352, 343, 324, 297, 240],
}


def against(
    role: str, kind: str
) -> tuple[PublishedJobCandidate, BidUtility, BidUtility, ThresholdTable, int]:
    """Return a role's data against a type: both sides' points, the thresholds, the type's number."""
    known = published(role)
    own = own_utility(known.space)
    table = known.thresholds(own)
    assert table is not None
    return known, own, known.utility(known.other_role, kind), table, known.type_names.index(kind)


def sizes(role: str, kind: str) -> list[int]:
    """Return the number of bids that the thresholds admit, turn by turn."""
    _, own, other, table, k = against(role, kind)
    return [len(cluster(own, other, table.at(k, turn), turn * EFFECT[role])) for turn in range(1, 15)]


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("employer", [4, 21, 37, 83, 175, 181, 246, 314, 595, 610, 668, 681, 861, 1264]),
        ("candidate", [121, 131, 162, 191, 213, 228, 270, 271, 293, 308, 326, 363, 440, 666]),
    ],
)
def test_the_clusters_against_a_short_term_other_have_the_published_sizes(
    role: str, expected: list[int]
) -> None:
    assert sizes(role, "short_term") == expected


@pytest.mark.parametrize(("role", "kind"), THRESHOLDS)
def test_the_thresholds_are_the_published_ones_less_what_rounding_added(role: str, kind: str) -> None:
    _, _, _, table, k = against(role, kind)

    bars = [table.at(k, turn) for turn in range(1, 15)]

    assert [bar.own for bar in bars] == pytest.approx([n - 0.01 for n in THRESHOLDS[role, kind]])
    assert [bar.other for bar in bars] == pytest.approx([n - 200.01 for n in THRESHOLDS[role, kind]])


def test_beyond_the_table_the_last_threshold_holds() -> None:
    _, _, _, table, k = against("employer", "short_term")

    assert table.at(k, 15) == table.at(k, 40) == table.at(k, 14)
    assert table.at(k, 14).own == pytest.approx(161.99)


RANGES = {
    ("employer", "short_term"): (170, 620),
    ("employer", "compromise"): (190, 690),
    ("employer", "long_term"): (135, 665),
    ("candidate", "short_term"): (60, 635),
    ("candidate", "compromise"): (15, 555),
    ("candidate", "long_term"): (5, 700),
}


@pytest.mark.parametrize(("role", "kind"), RANGES)
def test_the_types_have_the_published_ranges(role: str, kind: str) -> None:
    known = published(role)

    value = known.utility(role, kind)

    assert len(value.values) == 1296
    assert (value.lowest, value.highest) == RANGES[role, kind]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", TYPES)
def test_the_shipped_game_and_the_published_types_say_the_same(role: str, kind: str) -> None:
    game = job_candidate(**{role: kind})
    known = published(role, game)

    assert own_utility(known.space).values == pytest.approx(known.utility(role, kind).values)


def test_the_outcome_space_has_the_published_frontier_and_solutions() -> None:
    exact = integer_game(job_candidate())
    found = compute_solutions(additive_frontier(exact))

    points = [tuple(point.points.values()) for point in found.frontier.points]

    assert job_candidate().count_outcomes() == 1296
    assert found.frontier.outcomes == len(points) == 20
    (nash,) = found.nash.tied
    assert tuple(nash.points.values()) == (520, 445)
    assert dict(nash.example.terms) == {
        "salary": "90,000 USD",
        "job": "Programmer",
        "car": "With leased car",
        "pension": "20%",
        "promotion": "Fast promotion track",
        "hours": "10 hours",
    }
    assert found.maximum_sum.value == 965
    assert {tuple(p.points.values()) for p in found.maximum_sum.tied} == {(460, 505), (520, 445)}


def test_the_published_costs_of_time_are_those_of_the_shipped_game() -> None:
    costs = {seat: own.time_cost for seat, own in job_candidate().preferences.items()}

    assert {seat: cost and (cost.points, cost.period_seconds) for seat, cost in costs.items()} == {
        "employer": (6, 120),
        "candidate": (8, 120),
    }


def test_the_shares_of_the_substitute_are_those_of_the_published_tables_on_average() -> None:
    counts: list[Sequence[int]] = [sizes(role, kind) for role in ROLES for kind in TYPES]

    means = [sum(turn) / 6 / 1296 for turn in zip(*counts, strict=True)]

    assert list(SHARES) == pytest.approx(means, abs=5e-5)


def test_the_gap_of_the_substitute_is_the_published_one_of_the_mean_range() -> None:
    mean = sum(high - low for low, high in RANGES.values()) / len(RANGES)

    assert pytest.approx(200 / mean, abs=5e-5) == GAP_SHARE


def test_orders_of_issues_are_the_published_ones() -> None:
    known = published("candidate")

    names = {culture: [known.space.name(i) for i in known.order(culture)] for culture in ("usa", "egypt")}

    assert names == {
        "usa": ["salary", "job", "pension", "hours", "car", "promotion"],
        "egypt": ["job", "salary", "car", "pension", "promotion", "hours"],
    }
