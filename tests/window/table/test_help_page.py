"""The help page, available on every screen where a user may want it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.window.conftest import Program, pictures

pytestmark = pytest.mark.window

START = Callable[..., Program]


def test_the_start_window_explains_itself_by_mouse_and_by_key(start: START, tmp_path: Path) -> None:
    program = start()
    program.wait_for("start_screen")
    program.click("help")
    program.wait_for("help_open")
    program.shoot(pictures(tmp_path) / "help.png")
    program.click("help.close")
    program.wait_for("help_closed")
    program.press("F1")
    program.wait_for("help_open")
    program.press("Escape")
    program.wait_for("help_closed")
    program.wait_for("focus", widget="participant")


def test_at_the_table_the_page_opens_before_the_game_and_over_half_typed_words(
    start: START, tmp_path: Path
) -> None:
    program = start("--game", "practice", "--agent", "fair", brief=True)
    program.wait_for("briefing")
    program.click("rules.help")
    program.wait_for("help_open")
    program.press("Return")
    program.wait_for("help_closed")
    before = program.events()
    program.press("Return")
    program.wait_for("rules_closed")
    program.wait_for("shown", type="GAME_START")

    program.types("Hel")
    program.press("F1")
    program.wait_for("help_open")
    program.shoot(pictures(tmp_path) / "help-table.png")
    program.press("Escape")
    program.wait_for("help_closed")
    program.types("lo")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    said = [event for event in program.events() if event["type"] == "SEND_MESSAGE"]
    assert before == []
    assert [event["payload"]["text"] for event in said if event["sender"] == "human"] == ["Hello"]
