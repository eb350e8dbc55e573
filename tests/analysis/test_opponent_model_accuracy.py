"""Accuracy of opponent models, computed by hand for simple estimates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

import pytest

from negoplatform.agent_api.frequency_opponent_model import FrequencyEstimate
from negoplatform.analysis.opponent_model_accuracy import (
    SAMPLE_SIZE,
    ModelAccuracy,
    TruePreferences,
    rank_distance,
)
from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from tests.games import categorical_only, make_game


@dataclass
class Estimate:
    """Model that estimates by a function."""

    estimate_utility: Callable[[Offer], Any]
    weights: Mapping[str, float] | None = None


def opposed() -> GameSpec:
    """Return a game about ten coins that both seats want, and a colour that only the agent cares for."""
    tables: dict[str, Any] = {
        "human": {"coins": list(range(11)), "colour": {"red": 0, "blue": 0}},
        "agent": {"coins": list(range(11)), "colour": {"red": 0, "blue": 5}},
    }
    return make_game(tables, issues=(QuantityIssue("coins", 10), CategoricalIssue("colour", ("red", "blue"))))


def accuracy(estimate: Callable[[Offer], Any], weights: Mapping[str, float] | None = None) -> ModelAccuracy:
    return TruePreferences(opposed(), "human", "agent").compare(Estimate(estimate, weights))


def test_a_perfect_estimate_has_the_best_value_of_every_measure() -> None:
    utility = opposed().preferences["agent"].utility

    found = accuracy(lambda offer: utility(offer) / 15, {"coins": 10, "colour": 5})

    assert (found.outcomes, found.sampled, found.note) == (22, False, "")
    assert (found.pearson, found.spearman, found.kendall) == pytest.approx((1, 1, 1))
    assert (found.rmse, found.weight_rank_distance) == (0, 0)
    assert (found.frontier_precision, found.frontier_recall) == (1, 1)


def test_scale_and_offset_of_an_estimate_do_not_matter() -> None:
    utility = opposed().preferences["agent"].utility

    found = accuracy(lambda offer: 0.4 + utility(offer) / 100)

    assert found.rmse == pytest.approx(0, abs=1e-9)
    assert found.weight_rank_distance is None


def test_a_reversed_estimate_has_the_worst_correlations() -> None:
    utility = opposed().preferences["agent"].utility

    found = accuracy(lambda offer: -utility(offer), {"coins": 0.25, "colour": 0.75})

    assert (found.pearson, found.spearman, found.kendall) == pytest.approx((-1, -1, -1))
    assert found.weight_rank_distance == 1
    # The estimated frontier is the single outcome with all coins for human, red; the true one has every
    # division of the coins with blue.
    assert (found.frontier_precision, found.frontier_recall) == (0, 0)


def test_a_constant_estimate_has_no_correlations_and_counts_as_one_half() -> None:
    found = accuracy(lambda offer: 1)

    true = [(coins + colour) / 15 for coins in range(11) for colour in (0, 5)]
    assert (found.pearson, found.spearman, found.kendall) == (None, None, None)
    expected = (sum((u - 0.5) ** 2 for u in true) / len(true)) ** 0.5
    assert found.rmse == pytest.approx(expected)
    # The estimated frontier: all coins for human, in red and in blue; blue is on the true one.
    assert found.frontier_precision == 1 / 2
    assert found.frontier_recall == 1 / 11


def test_kendall_agrees_with_a_count_of_pairs() -> None:
    rng = Random(1)
    guesses = {offer: float(rng.randint(0, 6)) for offer in opposed().outcomes()}
    utility = opposed().preferences["agent"].utility

    found = accuracy(guesses.__getitem__)

    pairs = [
        (utility(a) - utility(b), guesses[a] - guesses[b]) for a, b in combinations(opposed().outcomes(), 2)
    ]
    same, opposite = (sum(sign * x * y > 0 for x, y in pairs) for sign in (1, -1))
    untied = [sum(pair[i] != 0 for pair in pairs) for i in (0, 1)]
    assert found.kendall == pytest.approx((same - opposite) / (untied[0] * untied[1]) ** 0.5)


def test_the_frontiers_agree_with_a_comparison_of_all_pairs() -> None:
    rng = Random(2)
    guesses = {offer: rng.randint(0, 6) / 6 for offer in opposed().outcomes()}
    own, true = (opposed().preferences[seat].utility for seat in ("human", "agent"))

    def frontier(other: Callable[[Offer], float]) -> set[Offer]:
        offers = list(opposed().outcomes())
        return {
            a
            for a in offers
            if not any(
                own(b) >= own(a) and other(b) >= other(a) and (own(b), other(b)) != (own(a), other(a))
                for b in offers
            )
        }

    found = accuracy(guesses.__getitem__)

    expected, estimated = frontier(true), frontier(guesses.__getitem__)
    assert found.frontier_precision == len(expected & estimated) / len(estimated)
    assert found.frontier_recall == len(expected & estimated) / len(expected)


def test_of_a_large_game_a_sample_is_compared() -> None:
    values = tuple(str(i) for i in range(30))
    tables = {seat: {n: {v: int(v) for v in values} for n in "abc"} for seat in ("human", "agent")}
    game = make_game(tables, issues=tuple(CategoricalIssue(n, values) for n in "abc"))
    utility = game.preferences["agent"].utility

    found = [TruePreferences(game, "human", "agent").compare(Estimate(utility)) for _ in range(2)]

    assert (found[0].outcomes, found[0].sampled) == (SAMPLE_SIZE, True)
    assert found[0] == found[1]
    assert found[0].pearson == pytest.approx(1)


def refuses(offer: Offer) -> float:
    raise KeyError("colour")


def leaves(offer: Offer) -> float:
    raise SystemExit("enough")


@pytest.mark.parametrize(
    ("estimate", "note"),
    [
        (leaves, "The model failed: enough"),
        (refuses, "The model failed: 'colour'"),
        (lambda offer: float("nan"), "The model failed: An estimate is not a finite number."),
        (lambda offer: "much", "The model failed: could not convert string to float: 'much'"),
    ],
)
def test_a_model_that_fails_has_a_note_and_no_measures(estimate: Callable[[Offer], Any], note: str) -> None:
    found = accuracy(estimate)

    assert found.note == note
    assert (found.outcomes, found.pearson, found.rmse) == (22, None, None)


def test_weights_that_lack_an_issue_are_a_failure_of_the_model() -> None:
    found = accuracy(lambda offer: 0.5, {"coins": 1.0})

    assert found.note == "The model failed: Its weights have no finite number for the issue 'colour'."


def test_the_distance_of_weight_ranks_counts_opposite_pairs_and_half_of_the_ties() -> None:
    true = {"a": 3, "b": 2, "c": 1}

    assert rank_distance(true, {"a": 0.5, "b": 0.3, "c": 0.2}) == 0
    assert rank_distance(true, {"a": 0.3, "b": 0.5, "c": 0.2}) == pytest.approx(1 / 3)
    assert rank_distance(true, {"a": 0.2, "b": 0.3, "c": 0.5}) == 1
    assert rank_distance(true, {"a": 1, "b": 1, "c": 1}) == 0.5
    assert rank_distance({"a": 3}, {"a": 1}) is None
    with pytest.raises(AgentError, match="'b'"):
        rank_distance(true, {"a": 1.0, "b": float("inf"), "c": 1.0})


def test_a_frequency_estimate_estimates_many_offers_as_one_by_one() -> None:
    game = opposed()
    estimate = FrequencyEstimate(game, "agent")
    for units in (9, 9, 8):
        estimate.hear(Offer({"coins": Allocation({"human": 10 - units, "agent": units}), "colour": "blue"}))

    offers = [*game.outcomes(), Offer({"colour": "red"}), Offer()]

    assert estimate.estimate_utilities(offers) == [estimate.estimate_utility(offer) for offer in offers]


def test_a_frequency_estimate_improves_with_what_it_hears() -> None:
    game = categorical_only()
    best = sorted(game.outcomes(), key=game.preferences["agent"].utility, reverse=True)
    estimate = FrequencyEstimate(game, "agent")
    truth = TruePreferences(game, "human", "agent")
    before = truth.compare(estimate)

    for offer in best[:3]:
        estimate.hear(offer)
    after = truth.compare(estimate)

    assert before.pearson is None
    assert after.pearson is not None
    assert after.pearson > 0.5
