"""The field for the buttons that ask for an offer in the start window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.start.last_choice import read_choice, write_choice
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.start.offer_request_field import OFFER_REQUESTS, offer_request_options
from negoplatform.presentation.start.session_plan_builder import SessionPlanBuilder


def test_the_field_is_ticked_unless_it_is_changed() -> None:
    (option,) = offer_request_options(ENGLISH)

    assert (option.name, option.kind, option.default) == (OFFER_REQUESTS, "check", True)


@pytest.mark.parametrize("wanted", [True, False])
def test_what_the_command_line_says_stands_in_the_field_is_kept_and_is_played(
    tmp_path: Path, wanted: bool
) -> None:
    options = LaunchOptions(game="practice", agent="fair", offer_requests=wanted)
    builder = SessionPlanBuilder(tmp_path, options, lambda _: None)
    builder.available = builder.find_plugins()
    choice = builder.initial_choice()
    write_choice(tmp_path, choice)

    kept = read_choice(tmp_path)

    assert kept is not None
    assert choice.offer_requests is kept.offer_requests is wanted
    for plan in (builder.build_from_choice(choice, ENGLISH), builder.build_from_options()):
        assert plan is not None
        plan.discard_agents()
        assert plan.header().game.rules.offer_requests is wanted
    builder.stop()


def test_the_field_overrides_a_kept_choice(tmp_path: Path) -> None:
    builder = SessionPlanBuilder(tmp_path, LaunchOptions(game="practice", agent="fair"), lambda _: None)
    builder.available = builder.find_plugins()

    plan = builder.build_from_choice(replace(builder.initial_choice(), offer_requests=False), ENGLISH)

    plan.discard_agents()
    assert not plan.header().game.rules.offer_requests
    builder.stop()


def test_a_choice_of_an_earlier_version_has_the_buttons(tmp_path: Path) -> None:
    builder = SessionPlanBuilder(tmp_path, LaunchOptions(), lambda _: None)
    write_choice(tmp_path, builder.initial_choice())
    file = tmp_path / "start.json"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"offer_requests": true, ', ""), encoding="utf-8")

    kept = read_choice(tmp_path)

    assert "offer_requests" not in file.read_text(encoding="utf-8")
    assert kept is not None
    assert kept.offer_requests


def test_a_hebrew_window_gives_the_game_the_names_by_which_requests_are_worded(tmp_path: Path) -> None:
    options = LaunchOptions(game="campsite", agent="fair", language="he")
    builder = SessionPlanBuilder(tmp_path, options, lambda _: None)
    builder.available = builder.find_plugins()

    plan = builder.build_from_options()

    assert plan is not None
    plan.discard_agents()
    assert "אוכל" in plan.header().game.issue("food").synonyms
    builder.stop()
