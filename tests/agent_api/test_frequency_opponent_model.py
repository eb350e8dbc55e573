"""Estimate of another seat's preferences, compared with the frequency model of HardHeaded."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise, product
from random import Random

import pytest

from negoplatform.agent_api.frequency_opponent_model import FrequencyEstimate, estimates_of_others
from negoplatform.domain.errors import AgentError, OfferError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.domain.seat_map import SeatMap
from negoplatform.testing import TrialTable
from tests.agents.more_games import interacting, mixed
from tests.games import categorical_only, make_game, three_seats


def coins(human: int, agent: int) -> Allocation:
    return Allocation({"human": human, "agent": agent}, undecided=4 - human - agent)


def mixed_offer(human: int, colour: str, price: float) -> Offer:
    return Offer({"coins": coins(human, 4 - human), "colour": colour, "price": price})


def source_model(offers: list[dict[str, Term]], issues: list[str], learning: float) -> dict[str, float]:
    """Return the weights by the steps of the source, written independently and without a limit."""
    gain, weights = learning / len(issues), {issue: 1 / len(issues) for issue in issues}
    for before, after in pairwise(offers):
        kept = [issue for issue in issues if before[issue] == after[issue]]
        total = 1 + gain * len(kept)
        weights = {issue: (weight + gain * (issue in kept)) / total for issue, weight in weights.items()}
    return weights


def test_before_any_offer_all_weights_are_equal_and_every_offer_is_estimated_at_one() -> None:
    estimate = FrequencyEstimate(mixed(), "human")

    assert estimate.weights == pytest.approx({"coins": 1 / 3, "colour": 1 / 3, "price": 1 / 3})
    assert estimate.estimate_utility(mixed_offer(0, "blue", 12)) == pytest.approx(1)
    assert estimate.heard == 0


def test_a_score_is_how_often_a_level_was_asked_for_against_the_most_frequent_one() -> None:
    estimate = FrequencyEstimate(mixed(), "human")

    for colour in ("red", "red", "green"):
        estimate.hear(mixed_offer(4, colour, 10))

    assert estimate.scores("colour") == {"red": 1, "green": 2 / 3, "blue": 1 / 3}
    assert estimate.scores("coins") == {4: 1, 0: 1 / 4, 1: 1 / 4, 2: 1 / 4, 3: 1 / 4}
    assert estimate.scores("price")[10.0] == 1
    assert estimate.heard == 3


def test_counts_exceed_those_of_the_source_by_the_first_offer_alone() -> None:
    estimate = FrequencyEstimate(mixed(), "human")
    made = ["red", "green", "green", "blue", "green"]
    from_the_second = {level: 1 + made[1:].count(level) for level in ("red", "green", "blue")}

    for colour in made:
        estimate.hear(mixed_offer(4, colour, 10))

    counts = {level: round(score * 4) for level, score in estimate.scores("colour").items()}
    assert counts == {**from_the_second, "red": from_the_second["red"] + 1}


def test_weight_goes_to_what_a_seat_holds_on_to_by_the_steps_of_the_source() -> None:
    made: list[dict[str, Term]] = [
        {"coins": 4, "colour": "red", "price": 10},
        {"coins": 4, "colour": "green", "price": 10},
        {"coins": 3, "colour": "red", "price": 10},
        {"coins": 3, "colour": "red", "price": 10.5},
    ]
    estimate = FrequencyEstimate(mixed(), "human", learning=0.3)
    for terms in made:
        estimate.hear(mixed_offer(int(str(terms["coins"])), str(terms["colour"]), float(str(terms["price"]))))

    expected = source_model(made, ["coins", "colour", "price"], 0.3)

    assert estimate.weights == pytest.approx(expected)
    assert sum(estimate.weights.values()) == pytest.approx(1)
    assert min(estimate.weights, key=estimate.weights.__getitem__) == "colour"


def test_one_issue_that_never_moves_does_not_take_all_weight() -> None:
    estimate = FrequencyEstimate(mixed(), "human", learning=0.2)

    for i in range(500):
        estimate.hear(mixed_offer(i % 5, ("red", "green", "blue")[i % 3], 10))

    assert 0.7 < estimate.weights["price"] < 0.9
    assert sum(estimate.weights.values()) == pytest.approx(1)
    assert min(estimate.weights.values()) > 0


def test_with_learning_zero_weights_stay_equal() -> None:
    estimate = FrequencyEstimate(mixed(), "human", learning=0)

    for i in range(10):
        estimate.hear(mixed_offer(i % 5, "red", 10))

    assert set(estimate.weights.values()) == {1 / 3}


def test_the_units_that_count_are_those_of_the_seat_that_is_estimated() -> None:
    human, agent = (FrequencyEstimate(mixed(), seat) for seat in ("human", "agent"))
    for estimate in (human, agent):
        estimate.hear(mixed_offer(3, "red", 11))

    assert human.scores("coins")[3] == 1
    assert human.scores("coins")[1] == 0.5
    assert agent.scores("coins")[1] == 1


def test_a_partial_offer_teaches_only_what_it_decides() -> None:
    estimate = FrequencyEstimate(mixed(), "human")
    estimate.hear(mixed_offer(4, "red", 10))

    estimate.hear(Offer({"colour": "red"}))

    gain = 0.2 / 3
    assert estimate.scores("coins")[4] == 1
    assert estimate.scores("colour")["blue"] == 1 / 3
    assert estimate.weights == pytest.approx(
        {
            "coins": (1 / 3) / (1 + gain),
            "colour": (1 / 3 + gain) / (1 + gain),
            "price": (1 / 3) / (1 + gain),
        }
    )


@pytest.mark.parametrize(
    ("term", "level"), [(coins(3, 0), 3), (coins(0, 2), None), (coins(0, 0), None), (coins(0, 4), 0)]
)
def test_units_that_are_open_are_not_taken_for_units_that_are_not_wanted(
    term: Allocation, level: int | None
) -> None:
    estimate = FrequencyEstimate(mixed(), "human")

    estimate.hear(Offer({"coins": term}))

    assert {units for units, score in estimate.scores("coins").items() if score == 1} == (
        {0, 1, 2, 3, 4} if level is None else {level}
    )


def test_an_issue_is_compared_with_the_last_offer_that_decided_it() -> None:
    estimate = FrequencyEstimate(mixed(), "human")
    estimate.hear(Offer({"colour": "red"}))
    estimate.hear(Offer({"price": 10}))

    estimate.hear(Offer({"colour": "red"}))

    assert estimate.weights["colour"] > estimate.weights["price"] == estimate.weights["coins"]


def test_what_is_undecided_counts_nothing() -> None:
    estimate = FrequencyEstimate(mixed(), "human")

    assert estimate.estimate_utility(EMPTY_OFFER) == 0
    assert estimate.estimate_utility(Offer({"colour": "red"})) == pytest.approx(1 / 3)
    assert estimate.estimate_utility(Offer({"colour": "red", "coins": coins(0, 0)})) == pytest.approx(1 / 3)
    assert estimate.estimate_utility(Offer({"colour": "red", "coins": coins(1, 0)})) == pytest.approx(2 / 3)


@pytest.mark.parametrize("make", [mixed, interacting, categorical_only])
def test_estimates_lie_between_zero_and_one(make: Callable[[], GameSpec]) -> None:
    rng, game = Random(3), make()
    outcomes = list(game.outcomes())
    estimate = FrequencyEstimate(game, "human")

    for _ in range(60):
        estimate.hear(rng.choice(outcomes))

        assert all(0 <= estimate.estimate_utility(outcome) <= 1 for outcome in outcomes)


def test_it_finds_what_matters_to_somebody_who_gives_way_on_the_rest_first() -> None:
    tables = {
        "human": {name: dict.fromkeys("abc", 0) for name in ("vital", "nice", "trifle")},
        "agent": {name: dict.fromkeys("abc", 0) for name in ("vital", "nice", "trifle")},
    }
    game = make_game(
        tables, issues=tuple(CategoricalIssue(name, ("a", "b", "c")) for name in ("vital", "nice", "trifle"))
    )
    points = {"vital": 10, "nice": 4, "trifle": 1}
    worth = {"a": 2, "b": 1, "c": 0}
    best_first = sorted(
        product("abc", repeat=3),
        key=lambda values: -sum(p * worth[v] for p, v in zip(points.values(), values, strict=True)),
    )
    estimate = FrequencyEstimate(game, "human")

    for values in best_first[:12]:
        estimate.hear(Offer(zip(points, values, strict=True)))

    weights = estimate.weights
    assert weights["vital"] > weights["nice"] > weights["trifle"]
    assert estimate.scores("vital")["a"] > estimate.scores("vital")["b"]
    assert estimate.estimate_utility(Offer({"vital": "a", "nice": "c", "trifle": "c"})) > (
        estimate.estimate_utility(Offer({"vital": "c", "nice": "a", "trifle": "a"}))
    )


def test_at_a_table_of_several_there_is_one_estimate_for_each_other_seat() -> None:
    estimates = estimates_of_others(three_seats(), "green", learning=0.5)

    estimates["red"].hear(Offer({"colour": "red"}))

    assert list(estimates) == ["red", "blue"]
    assert [estimate.seat for estimate in estimates.values()] == ["red", "blue"]
    assert estimates["red"].scores("colour")["blue"] == 0.5
    assert estimates["blue"].scores("colour")["red"] == 1


def test_it_works_from_what_an_agent_sees_where_all_preferences_are_private() -> None:
    table = TrialTable(replace(mixed(), visibility=SeatMap()))
    table.human.offers(coins=4, colour="red", price=10)
    ctx = table.context("agent")
    estimate = FrequencyEstimate(ctx.game, "human")

    estimate.hear(ctx.current_offer)

    assert not ctx.opponent_preferences_visible
    assert ctx.estimate_opponent_utility(estimate) == pytest.approx(1)
    other = ctx.make_offer(coins=4, colour="blue", price=12)
    assert ctx.estimate_opponent_utility(estimate, other) == pytest.approx(1 / 2)


def test_a_seat_estimate_can_be_kept_with_an_agent() -> None:
    estimate = FrequencyEstimate(mixed(), "human")
    estimate.hear(mixed_offer(4, "red", 10))

    again = pickle.loads(pickle.dumps(estimate))

    assert again.weights == estimate.weights
    assert again.scores("coins") == estimate.scores("coins")


def test_what_it_tells_cannot_change_it() -> None:
    estimate = FrequencyEstimate(mixed(), "human")

    with pytest.raises(TypeError):
        estimate.weights["coins"] = 1  # type: ignore[index]  # what must fail
    estimate.scores("coins")[4] = 7

    assert estimate.scores("coins")[4] == 1


def test_what_does_not_fit_is_refused_with_a_sentence_and_changes_nothing() -> None:
    estimate = FrequencyEstimate(mixed(), "human")

    with pytest.raises(OfferError, match="is one of red, green, blue; not 'pink'"):
        estimate.hear(Offer({"price": 10, "colour": "pink"}))
    with pytest.raises(OfferError, match="no issue 'grain'"):
        estimate.scores("grain")

    assert estimate.heard == 0
    assert estimate.scores("price")[11] == 1


@pytest.mark.parametrize("learning", [-0.1, 1.5, True, "fast", float("nan")])
def test_a_learning_rate_that_is_none_is_refused(learning: float) -> None:
    with pytest.raises(AgentError, match="is a share from 0 to 1"):
        FrequencyEstimate(mixed(), "human", learning=learning)


def test_nobody_is_estimated_who_does_not_sit_there() -> None:
    with pytest.raises(AgentError, match="Nobody sits at 'wizard'; an estimate is about one of human, agent"):
        FrequencyEstimate(mixed(), "wizard")
