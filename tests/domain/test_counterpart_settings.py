"""Settings of a session for the agents' mood and pace."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.domain.counterpart_settings import DEFAULT_COUNTERPART, SETTING_NAMES, CounterpartSettings
from negoplatform.domain.errors import NegoError
from negoplatform.domain.expression import Expression


def test_where_nothing_is_set_agents_are_neutral_and_keep_their_own_times() -> None:
    assert CounterpartSettings(Expression.NEUTRAL, 0.5, None, 1.0) == DEFAULT_COUNTERPART


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mood", "SAD"),
        ("mood_intensity", 0),
        ("mood_intensity", 1),
        ("face_seconds", 0.1),
        ("face_seconds", 600),
        ("face_seconds", None),
        ("pace", 0.25),
        ("pace", 4),
    ],
)
def test_one_setting_is_replaced_and_the_others_stay(name: str, value: Any) -> None:
    changed = CounterpartSettings(Expression.ANGRY, 0.4, 3.0, 2.0).with_values({name: value})

    assert getattr(changed, name) == value
    for other in set(SETTING_NAMES) - {name}:
        assert getattr(changed, other) == getattr(CounterpartSettings(Expression.ANGRY, 0.4, 3.0, 2.0), other)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("mood", "GRUMPY", "The mood is one of NEUTRAL, HAPPY"),
        ("mood_intensity", 40, "mood_intensity is a number from 0 to 1, such as 0.4; not 40."),
        ("mood_intensity", -0.1, "not -0.1"),
        ("mood_intensity", True, "not 1"),
        ("mood_intensity", float("nan"), "not nan"),
        ("face_seconds", 0, "face_seconds is a number from 0.1 to 600, in seconds; not 0."),
        ("face_seconds", 4000, "not 4000"),
        ("pace", 0.2, "pace is a number from 0.25 to 4, where 2 is half as fast; not 0.2."),
        ("pace", "fast", "not 'fast'"),
    ],
)
def test_a_value_out_of_its_range_is_refused_with_a_sentence(name: str, value: Any, sentence: str) -> None:
    with pytest.raises(NegoError) as refused:
        DEFAULT_COUNTERPART.with_values({name: value})

    assert sentence in str(refused.value)


def test_a_setting_that_does_not_exist_is_named() -> None:
    with pytest.raises(NegoError, match=r"There is no setting 'speed'; there is mood, .*pace\."):
        DEFAULT_COUNTERPART.with_values({"speed": 2})
