"""Features of one owner: their visibility, changes and snapshots."""

from __future__ import annotations

import json
import pickle
from array import array
from typing import Any

import pytest

from negoplatform.core.features.numeric_feature_set import FeatureState
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import Visibility
from tests.core.test_numeric_features import BatteryCharge, Secret


class BatteryState(FeatureState):
    pass


# Visibility: rules by requestor. The owner is a seat; its principal is registered as "coach".

ASKERS = {
    "the owner": ("agent", 1),
    "another seat": ("human", 1),
    "the registered principal": ("coach", 2),
    "another principal": ("rival", 2),
    "the experimenter": ("platform", 3),
    "a nameless one": (None, 1),
    "a nameless one above": (None, 2),
    "the owner's name one level up": ("agent", 2),
    "the principal's name at a seat": ("coach", 1),
    "the principal's name at the top": ("coach", 3),
}
SEEN_BY = {
    "public": set(ASKERS),
    "owner": {"the owner", "the owner's name one level up"},
    "upper_level": {"the registered principal"},
    "team": {"the owner", "the owner's name one level up"},
    "system": {"the experimenter", "the principal's name at the top"},
}


@pytest.mark.parametrize("asker", ASKERS)
@pytest.mark.parametrize("rule", list(Visibility))
def test_each_rule_shows_a_feature_to_exactly_those_it_names(rule: Visibility, asker: str) -> None:
    state = FeatureState("agent", 1, [Secret().with_visibility(rule)], upstream="coach")

    seen = state.observed_by(*ASKERS[asker])

    assert seen == ({"Secret": array("f", [1])} if asker in SEEN_BY[rule] else {})


@pytest.mark.parametrize("owner_level", [1, 2, 3])
@pytest.mark.parametrize("level", [1, 2, 3, 4])
@pytest.mark.parametrize("asker", ["owner", "stranger"])
@pytest.mark.parametrize("rule", list(Visibility))
def test_without_a_registered_principal_the_levels_alone_decide(
    rule: Visibility, asker: str, level: int, owner_level: int
) -> None:
    expected = {
        Visibility.PUBLIC: True,
        Visibility.OWNER: asker == "owner",
        Visibility.UPPER_LEVEL: level == owner_level + 1,
        Visibility.TEAM: asker == "owner",
        Visibility.SYSTEM: level >= 3,
    }[rule]

    secret = Secret().with_visibility(rule)

    assert secret.is_observable_by(asker, level, "owner", owner_level) is expected
    assert bool(FeatureState("owner", owner_level, [secret]).observed_by(asker, level)) is expected


@pytest.mark.parametrize("asker", ASKERS)
def test_of_several_rules_any_one_suffices(asker: str) -> None:
    state = FeatureState("agent", 1, [Secret().with_visibility("owner", "upper_level")], upstream="coach")

    seen = state.observed_by(*ASKERS[asker])

    assert bool(seen) == (asker in SEEN_BY["owner"] | SEEN_BY["upper_level"])


def test_a_visibility_of_its_own_survives_new_values() -> None:
    assert Secret().with_visibility("public").set_values(number=2).visibility == (Visibility.PUBLIC,)
    assert Secret().visibility == (Visibility.OWNER,)


# State of one owner


def battery(**values: Any) -> FeatureState:
    return FeatureState("battery_1", 1, [BatteryCharge(**values), Secret()])


def test_a_state_gives_its_features_by_name_and_in_order() -> None:
    state = battery(soc=0.2)

    assert list(state.features) == ["BatteryCharge", "Secret"]
    assert list(state) == [BatteryCharge(soc=0.2), Secret()]
    assert state.vector() == array("f", [0.2, 100, 1])


def test_a_state_shows_each_feature_by_its_own_rule() -> None:
    state = battery()

    assert state.observed_by("battery_1", 1) == {
        "BatteryCharge": array("f", [0.5, 100]),
        "Secret": array("f", [1]),
    }
    assert state.observed_by("battery_2", 1) == {"BatteryCharge": array("f", [0.5, 100])}


def test_updating_a_feature_gives_a_new_state_and_leaves_the_old_one() -> None:
    before = battery(soc=0.5)

    after = before.update_feature("BatteryCharge", soc=0.8)

    assert after.features["BatteryCharge"] == BatteryCharge(soc=0.8)
    assert before == battery(soc=0.5)
    with pytest.raises(TypeError):
        before.features["BatteryCharge"] = BatteryCharge()  # type: ignore[index]  # what is tried is forbidden


def test_a_batch_changes_everything_that_it_names() -> None:
    after = battery().update({"BatteryCharge": {"soc": 0.8}, "Secret": {"number": 3}})

    assert after.to_dict() == {"BatteryCharge": {"soc": 0.8, "capacity": 100.0}, "Secret": {"number": 3}}


@pytest.mark.parametrize(
    ("second", "sentence"),
    [
        ({"Secret": {"number": "x"}}, r"Secret\.number is a number"),
        ({"Secret": {"nummer": 1}}, "Secret has no 'nummer'"),
        ({"Other": {"number": 1}}, "battery_1 has no feature 'Other'; there are BatteryCharge, Secret"),
    ],
)
def test_a_batch_with_one_fault_changes_nothing(second: dict[str, Any], sentence: str) -> None:
    state = battery()

    with pytest.raises(NegoError, match=sentence):
        state.update({"BatteryCharge": {"soc": 0.8}, **second})

    assert state == battery()


def test_a_snapshot_names_owner_level_class_and_features() -> None:
    state = BatteryState("battery_1", 1, [BatteryCharge(soc=0.53)])

    assert state.to_dict(include_metadata=True) == {
        "_owner_id": "battery_1",
        "_owner_level": 1,
        "_state_type": "BatteryState",
        "features": {"BatteryCharge": {"soc": 0.53, "capacity": 100.0}},
    }


def test_a_state_comes_back_from_json_with_its_types_its_principal_and_its_visibility() -> None:
    state = BatteryState(
        "agent", 1, [BatteryCharge(soc=0.53), Secret().with_visibility("upper_level")], "coach"
    )

    back = FeatureState.from_dict(json.loads(json.dumps(state.to_dict(include_metadata=True))))

    assert back == state
    assert type(back) is BatteryState
    assert back.observed_by("coach", 2).keys() == {"BatteryCharge", "Secret"}
    assert back.observed_by("rival", 2).keys() == {"BatteryCharge"}


def test_a_state_can_go_to_another_process() -> None:
    state = BatteryState("agent", 1, [BatteryCharge(soc=0.53), Secret().with_visibility("public")], "coach")

    assert pickle.loads(pickle.dumps(state)) == state


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"features": {"Nothing": {}}}, "no feature 'Nothing'"),
        ({"features": {"Secret": {"x": 1}}}, "Secret has no 'x'"),
        ({"features": {"Secret": [1]}}, "Secret is a JSON object, not list"),
        ({"features": []}, "features is a JSON object, not list"),
        ({"_state_type": "Nothing"}, "There is no state 'Nothing' here"),
        ({"_state_type": ["FeatureState"]}, "There is no state"),
        ({"_owner_level": True}, "The level of agent is a whole number from 1 up"),
        ({"_owner_level": 0}, "The level of agent is a whole number from 1 up"),
        ({"_owner_id": ""}, "A state needs the id of its owner"),
        ({"_owner": "x"}, "A state has no '_owner'"),
        ({"_upstream": 4}, "_upstream is the id of a principal as text"),
        ({"_visibility": {"Secret": ["all"]}}, "not 'all'"),
        ({"_visibility": {"Secret": "public"}}, "_visibility needs a list"),
        ({"_visibility": {"Other": ["public"]}}, "_visibility needs a list, and a feature, for 'Other'"),
    ],
)
def test_a_snapshot_that_is_wrong_is_refused_with_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    body = FeatureState("agent", 1, [Secret()]).to_dict(include_metadata=True)

    with pytest.raises(NegoError, match=sentence):
        FeatureState.from_dict({**body, **changes})


def test_a_snapshot_without_its_metadata_is_refused() -> None:
    with pytest.raises(NegoError, match="A state needs '_owner_id'; write it with include_metadata=True"):
        FeatureState.from_dict(battery().to_dict())


def test_a_snapshot_of_another_class_is_refused_by_a_class_that_is_asked_for_its_own() -> None:
    with pytest.raises(NegoError, match="There is no state 'FeatureState' here"):
        BatteryState.from_dict(battery().to_dict(include_metadata=True))


def test_two_features_of_one_name_are_refused() -> None:
    with pytest.raises(NegoError, match="agent has two features Secret"):
        FeatureState("agent", 1, [Secret(), Secret(number=2)])
