"""Menus and lists of values, by mouse and keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.window.conftest import Program

pytestmark = pytest.mark.window

START = Callable[..., Program]


def at_the_table(start: START, *more: str) -> Program:
    program = start("--game", "practice", "--agent", "fair", *more)
    program.wait_for("shown", type="SEND_MESSAGE")
    return program


def shown_for(program: Program) -> int:
    """Return the milliseconds for which the participant's emotion is shown."""
    (event,) = [
        each for each in program.events() if each["type"] == "SEND_EXPRESSION" and each["sender"] == "human"
    ]
    ms: int = event["payload"]["duration_ms"]
    return ms


@pytest.mark.parametrize("keys", [("Down",), ("End", "Up")])
def test_a_line_of_a_menu_is_chosen_by_keys_and_the_keyboard_goes_back(
    start: START, keys: tuple[str, ...]
) -> None:
    program = at_the_table(start)

    program.choose("emotion.duration", *keys)
    program.types("Hi")
    program.click("emotion.happy")
    program.wait_for("shown", type="SEND_EXPRESSION", sender="human")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    assert shown_for(program) == 8000


def test_a_press_elsewhere_closes_a_menu_and_does_nothing_more(start: START) -> None:
    program = at_the_table(start)
    program.click("emotion.duration")
    program.wait_for("list_open")

    program.click("emotion.angry")  # closes the menu
    program.click("emotion.happy")
    program.wait_for("shown", type="SEND_EXPRESSION", sender="human")

    assert shown_for(program) == 2000


def test_a_menu_keeps_the_keys_that_mean_something_to_it(start: START) -> None:
    program = at_the_table(start)
    program.click("emotion.duration")
    program.wait_for("list_open")

    program.press("x", "F1", "ctrl+Next", "Escape")
    program.types("Hello")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    said = [each["payload"]["text"] for each in program.events() if each["type"] == "SEND_MESSAGE"]
    assert "Hello" in said
    assert "help_open" not in [each["ev"] for each in program.told]
