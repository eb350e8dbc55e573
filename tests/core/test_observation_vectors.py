"""Observations: the features of all owners that a requestor may see, as numbers."""

from __future__ import annotations

import json
import pickle
from array import array
from typing import Any

import pytest

from negoplatform.core.features.numeric_feature_set import FeatureState
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.features.observation_vectors import (
    Observation,
    get_global_states,
    get_local_state,
    get_observation,
)
from negoplatform.domain.errors import NegoError


class Charge(Feature):
    visibility = ("public",)

    soc: float = 0.5
    capacity: float = 100.0


class CoordinatorNotes(Feature):
    budget: float = 12.0


class Reasoning(Feature):
    visibility = ("owner", "upper_level")

    target: float = 0.9


class Condition(Feature):
    visibility = ("system",)

    number: float = 3.0


def states() -> dict[str, FeatureState]:
    """Return two batteries under a coordinator, and a condition that only the system may see."""
    all_states = [
        FeatureState("battery_1", 1, [Charge(soc=0.503), Reasoning()], upstream="coordinator_1"),
        FeatureState("battery_2", 1, [Charge(soc=0.498), Reasoning(target=0.7)], upstream="coordinator_1"),
        FeatureState("coordinator_1", 2, [CoordinatorNotes()]),
        FeatureState("system", 3, [Condition()]),
    ]
    return {state.owner_id: state for state in all_states}


def floats(*numbers: float) -> array[float]:
    return array("f", numbers)


# Worked case: each requestor's view of each owner


def test_a_battery_sees_itself_and_what_its_peer_shows_and_nothing_else() -> None:
    seen = get_observation(states(), "battery_1", 1, timestamp=1.0)

    assert seen == Observation(
        local={"Charge": floats(0.503, 100), "Reasoning": floats(0.9)},
        global_info={"battery_2": {"Charge": floats(0.498, 100)}},
        timestamp=1.0,
    )


def test_a_coordinator_sees_the_reasoning_below_it_and_no_condition() -> None:
    seen = get_observation(states(), "coordinator_1", 2, timestamp=0.0)

    assert seen.local == {"CoordinatorNotes": floats(12)}
    assert seen.global_info == {
        "battery_1": {"Charge": floats(0.503, 100), "Reasoning": floats(0.9)},
        "battery_2": {"Charge": floats(0.498, 100), "Reasoning": floats(0.7)},
    }


def test_another_coordinator_sees_no_reasoning() -> None:
    seen = get_observation(states(), "coordinator_2", 2, timestamp=0.0)

    assert seen.local == {}
    assert {owner: list(found) for owner, found in seen.global_info.items()} == {
        "battery_1": ["Charge"],
        "battery_2": ["Charge"],
    }


def test_the_system_sees_the_condition_and_nobodys_private_features() -> None:
    seen = get_observation(states(), "system", 3, timestamp=0.0)

    assert seen.local == {"Condition": floats(3)}
    assert seen.global_info == {
        "battery_1": {"Charge": floats(0.503, 100)},
        "battery_2": {"Charge": floats(0.498, 100)},
    }


def test_the_parts_can_be_asked_for_alone() -> None:
    seen = get_observation(states(), "battery_1", 1, timestamp=0.0)

    assert get_local_state(states(), "battery_1", 1) == seen.local
    assert get_global_states(states(), "battery_1", 1) == seen.global_info


def test_a_nameless_one_sees_what_is_public() -> None:
    assert get_local_state(states(), None, 1) == {}
    assert list(get_global_states(states(), None, 1)) == ["battery_1", "battery_2"]


def test_a_state_under_anothers_name_is_an_error() -> None:
    swapped = {"battery_1": states()["battery_2"]}

    with pytest.raises(ValueError, match="The state of battery_2 is kept under the name of battery_1"):
        get_observation(swapped, "battery_1", 1, timestamp=0.0)


# Parts of an observation


def test_the_vector_has_local_first_and_sorts_the_names_on_every_level() -> None:
    observation = Observation(
        local={"Zeal": floats(3), "Age": floats(1, 2)},
        global_info={"b": {"Y": floats(6)}, "a": {"Z": floats(5), "X": {"deep": floats(4)}}},
        timestamp=0.0,
    )

    vector = observation.vector()

    assert vector.typecode == "f"
    assert vector == floats(1, 2, 3, 4, 5, 6)


def test_observations_are_equal_by_value() -> None:
    def made(number: float, at: float = 1.0) -> Observation:
        return Observation({"A": floats(number)}, {"b": {"A": floats(number)}}, at)

    assert made(1) == made(1)
    assert made(1) != made(2)
    assert made(1) != made(1, at=2.0)


def test_what_is_observed_is_a_copy() -> None:
    source = {"A": floats(1)}
    observation = Observation(source, {}, 0.0)

    source["A"][0] = 9
    source["B"] = floats(2)

    assert observation.local == {"A": floats(1)}
    with pytest.raises(TypeError):
        observation.local["C"] = floats(3)  # type: ignore[index]  # what is tried is forbidden


@pytest.mark.parametrize("wrong", [Charge(), FeatureState("x", 1), [1.0], array("d", [1.0]), 1.0, None])
def test_nothing_but_arrays_gets_into_an_observation(wrong: Any) -> None:
    with pytest.raises(TypeError):
        Observation({"A": wrong}, {}, 0.0)
    with pytest.raises(TypeError):
        Observation({}, {"b": {"A": wrong}}, 0.0)
    with pytest.raises(TypeError):
        Observation({}, {"b": wrong}, 0.0)


def test_local_is_not_nested() -> None:
    with pytest.raises(TypeError, match="local/A is an array of numbers"):
        Observation({"A": {"B": floats(1)}}, {}, 0.0)  # type: ignore[dict-item]  # what is tried is forbidden


def test_a_number_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="local/A has a number that is not finite"):
        Observation({"A": floats(float("nan"))}, {}, 0.0)
    with pytest.raises(ValueError, match="timestamp"):
        Observation({}, {}, float("inf"))


def test_an_observation_comes_back_from_json() -> None:
    seen = get_observation(states(), "battery_1", 1, timestamp=1.5)

    back = Observation.from_dict(json.loads(json.dumps(seen.to_dict(), allow_nan=False)))

    assert back == seen
    assert back.vector() == seen.vector()
    assert isinstance(back.global_info["battery_2"]["Charge"], array)


def test_an_observation_can_go_to_another_process() -> None:
    seen = get_observation(states(), "battery_1", 1, timestamp=1.5)

    assert pickle.loads(pickle.dumps(seen)) == seen


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"extra": 1}, "a timestamp, local and global_info, and nothing else"),
        ({"timestamp": "now"}, "The timestamp of an observation is a number"),
        ({"timestamp": True}, "The timestamp of an observation is a number"),
        ({"local": {"A": ["x"]}}, "local/A is a list of numbers; str is none"),
        ({"local": {"A": [True]}}, "local/A is a list of numbers; bool is none"),
        ({"local": {"A": [1e300]}}, "local/A has a number that is not finite"),
        ({"local": {"A": 1}}, "local/A holds lists of numbers by name, not int"),
        ({"local": {"A": {"B": [1]}}}, "local/A is an array of numbers"),
        ({"global_info": []}, "global_info holds lists of numbers by name, not list"),
    ],
)
def test_a_wrong_body_is_refused_with_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    body = Observation({"A": floats(1)}, {}, 0.0).to_dict()

    with pytest.raises(NegoError, match=sentence):
        Observation.from_dict({**body, **changes})


def test_numpy_takes_an_observation_as_float32() -> None:
    numpy = pytest.importorskip("numpy")
    observation = Observation({"A": floats(1, 2)}, {"b": {"A": floats(0.1)}}, 0.0)

    vector = numpy.asarray(observation)

    assert vector.dtype == numpy.float32
    assert vector.tolist() == observation.vector().tolist()
    assert numpy.asarray(observation, dtype=numpy.float64).dtype == numpy.float64
    with pytest.raises(ValueError, match="always copied"):
        numpy.array(observation, copy=False)


def test_writing_into_the_numpy_array_leaves_the_observation_as_it_was() -> None:
    numpy = pytest.importorskip("numpy")
    observation = Observation({"A": floats(1, 2)}, {}, 0.0)

    numpy.asarray(observation)[0] = 9

    assert observation.local == {"A": floats(1, 2)}
