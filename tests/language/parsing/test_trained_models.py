"""The arithmetic of the models, without their numbers."""

from __future__ import annotations

import pytest

from negoplatform.language.parsing.trained_models import TreeEnsemble, sigmoid, softmax


def test_probabilities_add_up_to_one_and_keep_the_order_of_the_scores() -> None:
    chances = softmax([1.0, 3.0, 2.0])

    assert sum(chances) == pytest.approx(1)
    assert chances[1] > chances[2] > chances[0]


@pytest.mark.parametrize("scores", [[0.0, -2000.0], [-2000.0, 0.0], [2000.0, 0.0], [0.0, 2000.0]])
def test_scores_far_apart_are_probabilities_too(scores: list[float]) -> None:
    assert sorted(softmax(scores)) == [0.0, 1.0]


@pytest.mark.parametrize(("value", "chance"), [(2000.0, 1.0), (-2000.0, 0.0), (0.0, 0.5)])
def test_a_sum_of_any_size_is_a_probability(value: float, chance: float) -> None:
    assert sigmoid(value) == chance


def test_a_tree_goes_left_up_to_its_threshold_and_right_above_it() -> None:
    inner = (1, 0.5, (3.0,), (7.0,))
    trees = TreeEnsemble(-5.0, ((0, 2.0, inner, (4.0,)), (0, 9.0, (1.0,), (0.0,))))

    values = [(2.0, 0.5), (2.0, 0.6), (2.5, 0.5)]

    assert [trees.probability(each) for each in values] == [sigmoid(-1.0), sigmoid(3.0), sigmoid(0.0)]
