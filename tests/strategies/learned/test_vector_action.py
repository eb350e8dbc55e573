"""Tests of actions as numbers."""

from __future__ import annotations

import numpy as np
import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.strategies.learned.vector_action import VectorAction


def test_an_action_is_neutral_until_values_are_set() -> None:
    action = VectorAction(dim_c=2, dim_d=2, range=([-1, 0.5], [1, 2]), ncats=(3, 4))

    assert action.c.tolist() == [0.0, 0.5]
    assert action.d.tolist() == [0, 0]


def test_the_example_of_the_reference_has_its_values() -> None:
    action = VectorAction()
    action.set_specs(dim_c=1, range=(np.array([-1.0]), np.array([1.0])))
    action.set_values(np.array([0.3]))

    assert action.c.tolist() == pytest.approx([0.3])
    assert action.d.tolist() == []
    assert (action.dim_c, action.dim_d, action.range) == (1, 0, ((-1.0,), (1.0,)))


def test_values_are_clipped_to_their_range() -> None:
    action = VectorAction(dim_c=1, dim_d=1, range=([0], [1]), ncats=3)
    action.set_values([7, 9])

    assert action.to_dict() == {"c": [1.0], "d": [2]}


def test_values_come_from_an_array_another_action_or_a_dict() -> None:
    action = VectorAction(dim_c=1, dim_d=1, range=([0], [1]), ncats=3)
    other = action.copy()
    other.set_values(np.array([0.5, 2]))
    third = action.copy()
    third.set_values(other)
    action.set_values({"c": [0.5]})
    action.set_values({"d": np.array([2])})

    assert action == other == third
    assert np.asarray(action).tolist() == [0.5, 2.0]


def test_a_copy_changes_on_its_own() -> None:
    action = VectorAction(dim_d=1, ncats=3)
    other = action.copy()
    other.set_values([1])

    assert action.d.tolist() == [0]


@pytest.mark.parametrize(
    "values",
    [[1], [1, 2, 3], "12", 3, [float("nan"), 0], [0, 0.5], [True, 0], {"c": [0], "x": [0]}, {"d": [0, 1]}],
)
def test_wrong_values_are_refused_and_change_nothing(values: object) -> None:
    action = VectorAction(dim_c=1, dim_d=1, ncats=2)
    before = action.copy()

    with pytest.raises(NegoError):
        action.set_values(values)  # type: ignore[arg-type]

    assert action == before


@pytest.mark.parametrize(
    "specs",
    [
        {"dim_c": -1},
        {"dim_d": 1},
        {"dim_c": 1, "range": ([0], [])},
        {"dim_c": 1, "range": ([1], [0])},
        {"dim_d": 2, "ncats": (1, 0)},
        {"dim_c": True},
    ],
)
def test_specifications_that_do_not_fit_together_are_refused(specs: dict[str, object]) -> None:
    with pytest.raises(NegoError):
        VectorAction(**specs)  # type: ignore[arg-type]
