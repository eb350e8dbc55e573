"""Questions over the dimmed window: the input that they take, and the events meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from tests.window.conftest import Program
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]

HEADER = (0, 30, 1280, 90)
"""Region of the clock on the screen."""


def at_the_table(start: START, *more: str) -> Program:
    program = start("--game", "practice", "--agent", "conceder", *more)
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    return program


def test_keys_that_were_pressed_before_a_question_could_be_read_answer_nothing(start: START) -> None:
    program = at_the_table(start)

    program.tab_to("walk_away")
    program.press("Return")
    program.press("space", "Tab", "Return", "space")  # a person who types goes on typing
    program.wait_for("dialog_open")
    told = [each["ev"] for each in program.told]
    program.press("Escape")
    program.wait_for("dialog_closed")

    assert "ended" not in told
    assert "dialog_closed" not in told


def test_a_click_before_a_question_could_be_read_answers_nothing(start: START, screen: Screen) -> None:
    program = at_the_table(start)
    program.click("accept")
    program.wait_for("dialog_open")
    places = {name: map(str, program.widgets[name]) for name in ("accept", "dialog.yes")}
    program.press("Escape")
    program.wait_for("dialog_closed")

    there, then = ("mousemove", *places["accept"], "click", "1"), ("mousemove", *places["dialog.yes"])
    screen.run("xdotool", *there, *then, "sleep", "0.1", "click", "1")
    program.wait_for("dialog_open")
    program.press("Escape")
    program.wait_for("dialog_closed")

    assert "FORMAL_ACCEPT" not in [event["type"] for event in program.events()]


def test_the_keyboard_goes_round_within_a_question_and_back_to_where_it_was(start: START) -> None:
    program = at_the_table(start)
    program.tab_to("rules")
    program.press("Tab")
    program.wait_for("focus", widget="walk_away")
    program.press("Return")
    program.wait_for("dialog_open")

    assert program.tab_to("dialog.no") == ["dialog.yes", "dialog.no"]
    assert program.tab_to("dialog.no", "shift+Tab") == ["dialog.yes", "dialog.no"]
    program.press("Return")
    program.wait_for("focus", widget="walk_away")
    program.press("Tab")
    assert program.wait_for("focus")["widget"] in ("timeline.fold", "transcript")


def test_while_something_is_asked_the_clock_runs_and_nothing_else_can_be_done(
    start: START, tmp_path: Path
) -> None:
    program = at_the_table(start)
    program.click("walk_away")
    program.wait_for("dialog_open")
    program.shoot(tmp_path / "before.png")

    for widget in ("rules", "send", "larger", "emotion.happy"):
        program.click(widget)
    program.wait_for("shown", type="SEND_OFFER", sender="agent")  # which takes its time
    program.shoot(tmp_path / "after.png")

    before, after = (
        Image.open(tmp_path / name).convert("RGB").crop(HEADER) for name in ("before.png", "after.png")
    )
    assert ImageChops.difference(before, after).getbbox() is not None
    assert {"rules_open", "rebuilt", "dialog_closed"}.isdisjoint(each["ev"] for each in program.told)
    program.click("dialog.no")
    program.wait_for("dialog_closed")


def test_a_question_fits_the_smallest_screen_and_the_largest_text(start: START) -> None:
    job = ("--game", "job_candidate", "--agent", "conceder", "--seat", "candidate", "--text-size", "200")
    program = start(*job)
    program.wait_for("shown", type="SEND_OFFER")
    program.click("tab.offer")
    program.wait_for("column", shown="offer")

    program.click("accept")
    program.wait_for("dialog_open")

    for answer in ("dialog.no", "dialog.yes"):
        x, y = program.widgets[answer]
        assert 0 < x < 1280
        assert 0 < y < 800
