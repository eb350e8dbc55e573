"""Messages to the experimenter while a session is prepared."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import SeatMap
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.start.session_plan_builder import SessionPlanBuilder


def test_where_no_model_will_speak_for_an_agent_it_is_said(tmp_path: Path) -> None:
    notes: list[str] = []
    for agent in ("language_model", "fair"):
        maker = SessionPlanBuilder(tmp_path, LaunchOptions(game="practice", agent=agent), notes.append)
        sitting = maker.build_from_options()
        assert sitting is not None
        sitting.discard_agents()

    assert notes == ["language_model: No endpoint is set, so the agent speaks in its own words."]


@pytest.mark.parametrize(
    ("window", "settings", "spoken"),
    [("de", {}, "de"), ("de", {"language": "en"}, "en"), ("en", {}, "en"), ("he", {}, None)],
)
def test_an_agent_speaks_the_language_of_the_window_if_it_can(
    tmp_path: Path, window: str, settings: dict[str, str], spoken: str | None
) -> None:
    config = tmp_path / "settings.json"
    config.write_text(json.dumps(settings), "utf-8")
    options = LaunchOptions(game="campsite", agent="fair", language=window, agent_config=config)

    sitting = SessionPlanBuilder(tmp_path, options, lambda _: None).build_from_options()

    assert sitting is not None
    sitting.discard_agents()
    assert sitting.agents["agent"].config.get("language") == spoken
    assert ("Paket Essen" in sitting.game.issue("food").spoken) == (spoken == "de")


def test_a_seat_and_a_profile_of_another_game_are_not_asked_of_this_one(tmp_path: Path) -> None:
    maker = SessionPlanBuilder(tmp_path, LaunchOptions(), lambda _: None)
    maker.available = maker.find_plugins()
    after_job = replace(
        maker.initial_choice(),
        game="campsite",
        seat="employer",
        profiles=SeatMap({"candidate": "long_term", "human": "food_water_firewood"}),
    )

    sitting = maker.build_from_choice(after_job, ENGLISH)
    sitting.discard_agents()
    maker.stop()

    assert sitting.human_seat == "human"
    assert sitting.game.chosen["human"] == "food_water_firewood"


def test_a_seat_that_the_named_game_has_not_is_refused_before_a_window_opens(tmp_path: Path) -> None:
    maker = SessionPlanBuilder(tmp_path, LaunchOptions(game="campsite", seat="employer"), lambda _: None)

    with pytest.raises(NegoError, match="campsite has no seat 'employer'"):
        maker.build_from_options()
