"""Fields of the start window for the mood and the pace of the agent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.counterpart_settings import SETTING_NAMES, CounterpartSettings
from negoplatform.domain.errors import NegoError
from negoplatform.domain.expression import Expression
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.start.counterpart_fields import (
    counterpart_options,
    entered_counterpart,
    parse_counterpart,
)
from negoplatform.presentation.start.last_choice import read_choice, write_choice
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.start.session_plan_builder import SessionPlanBuilder

VALUES: dict[str, Any] = {"mood": Expression.SAD, "mood_intensity": 0.8, "face_seconds": 4.0, "pace": 1.5}


def test_each_setting_has_a_field_and_each_mood_a_word() -> None:
    options = counterpart_options(ENGLISH)

    assert tuple(option.name for option in options) == SETTING_NAMES
    assert len(options[0].choices) == len(options[0].choice_titles) == len(Expression) + 1


def test_what_is_set_stands_in_the_fields_and_is_read_from_them() -> None:
    assert entered_counterpart(VALUES)["mood_intensity"] == "0.8"
    assert parse_counterpart(entered_counterpart(VALUES), ENGLISH) == VALUES


def test_empty_fields_set_nothing() -> None:
    assert parse_counterpart({"mood": "", "pace": ""}, ENGLISH) == {}


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("mood_intensity", "40", "Intensity of the mood: Must be 0 to 1."),
        ("pace", "9", "Pace: Must be 0.25 to 4."),
        ("face_seconds", "long", "Seconds per face: This isn’t a number."),
    ],
)
def test_a_field_out_of_its_range_is_named(name: str, text: str, reason: str) -> None:
    with pytest.raises(NegoError) as refused:
        parse_counterpart({name: text}, ENGLISH)

    assert str(refused.value) == reason


def test_the_choice_is_kept_and_played(tmp_path: Path) -> None:
    options = LaunchOptions(game="practice", agent="fair", counterpart=VALUES)
    builder = SessionPlanBuilder(tmp_path, options, lambda _: None)
    builder.available = builder.find_plugins()
    write_choice(tmp_path, builder.initial_choice())

    kept = read_choice(tmp_path)
    assert kept is not None
    assert parse_counterpart(kept.counterpart, ENGLISH) == VALUES
    plans = [builder.build_from_choice(builder.initial_choice(), ENGLISH), builder.build_from_options()]
    for plan in plans:
        assert plan is not None
        plan.discard_agents()
        assert plan.header().game.rules.counterpart == CounterpartSettings(**VALUES)
    builder.stop()


def test_a_choice_of_an_earlier_version_is_still_read(tmp_path: Path) -> None:
    builder = SessionPlanBuilder(tmp_path, LaunchOptions(), lambda _: None)
    write_choice(tmp_path, builder.initial_choice())
    file = tmp_path / "start.json"
    file.write_text(file.read_text(encoding="utf-8").replace('"counterpart": {}, ', ""), encoding="utf-8")

    kept = read_choice(tmp_path)

    assert "counterpart" not in file.read_text(encoding="utf-8")
    assert kept is not None
    assert kept.counterpart == {}
