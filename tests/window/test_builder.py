"""The offer builder under a real mouse and real keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.screens import Screen
from tests.window.conftest import Program

pytestmark = pytest.mark.window

START = Callable[..., Program]


@pytest.fixture
def program(start: START) -> Program:
    """The window of a game in which four kinds of things are divided."""
    program = start("--game", "resource_exchange", "--agent", "fair")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    return program


def sent(program: Program) -> dict[str, Any]:
    """What is in the draft: it is sent, and read in the log."""
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    offers = [e for e in program.events() if e["type"] == "SEND_OFFER" and e["sender"] == "human"]
    found: dict[str, Any] = offers[-1]["payload"]["offer"]
    return found


def drag(screen: Screen, program: Program, start: str, end: tuple[int, int]) -> None:
    """Pulls a piece from a cell to a place, slowly enough to be seen."""
    x, y = program.widgets[start]
    steps = [(x + (end[0] - x) * part // 4, y + (end[1] - y) * part // 4) for part in range(1, 5)]
    moves = [word for place in steps for word in ("mousemove", *map(str, place), "sleep", "0.02")]
    screen.run("xdotool", "mousemove", str(x), str(y), "mousedown", "1", *moves, "mouseup", "1")


def place(program: Program, widget: str) -> tuple[int, int]:
    x, y = program.widgets[widget]
    return x, y


def test_pieces_are_dragged_from_cell_to_cell_and_what_is_dropped_elsewhere_goes_back(
    program: Program, screen: Screen
) -> None:
    drag(screen, program, "bananas.undecided", place(program, "bananas.human.more"))
    program.wait_for("draft", worth="4 points")
    drag(screen, program, "bananas.undecided", place(program, "bananas.agent.more"))
    program.wait_for("draft", worth="4 points")
    drag(screen, program, "bananas.human.more", place(program, "grain.agent.more"))
    drag(screen, program, "bananas.agent.more", place(program, "bananas.human.more"))
    program.wait_for("draft", worth="8 points")

    assert sent(program) == {"bananas": {"human": 2, "agent": 0, "undecided": 2}}


def test_a_sign_in_a_cell_and_the_undecided_cell_take_back(program: Program) -> None:
    program.click("grain.human.more")
    program.wait_for("draft", worth="3 points")
    program.click("grain.human.more")
    program.wait_for("draft", worth="6 points")
    program.click("grain.human.less")
    program.wait_for("draft", worth="3 points")
    program.click("grain.undecided")
    program.wait_for("draft", worth="–")


def test_an_offer_is_built_by_keys_alone(program: Program) -> None:
    program.tab_to("bananas.human.more")
    program.press("Return")
    program.wait_for("draft", worth="4 points")
    program.press("shift+Return")
    program.wait_for("draft", worth="16 points")
    program.press("BackSpace")
    program.wait_for("draft", worth="12 points")
    program.press("Tab")
    program.wait_for("focus", widget="grain.human.more")
    program.press("Right", "Right")
    program.wait_for("focus", widget="grain.agent.more")
    program.press("space", "plus", "minus")
    program.press("shift+Tab")
    program.wait_for("focus", widget="bananas.human.more")
    program.press("Delete")
    program.wait_for("draft", worth="8 points")

    assert sent(program) == {
        "bananas": {"human": 2, "agent": 0, "undecided": 2},
        "grain": {"human": 0, "agent": 1, "undecided": 4},
    }


def test_steps_are_undone_and_done_again_by_button_and_by_keys(program: Program) -> None:
    program.click("bananas.human.more")
    program.wait_for("draft", worth="4 points")
    program.click("clear")
    program.wait_for("draft", worth="–")
    program.click("undo")
    program.wait_for("draft", worth="4 points")
    program.press("ctrl+z")
    program.wait_for("draft", worth="–")
    program.press("ctrl+y")
    program.wait_for("draft", worth="4 points")
    program.press("ctrl+shift+z")
    program.wait_for("draft", worth="–")


def test_a_typed_number_is_undone_in_its_field_as_a_whole(start: START, flat: str) -> None:
    program = start("--game", flat, "--agent", "fair")
    program.wait_for("shown", type="GAME_START")

    program.click("price.more")
    program.wait_for("draft", worth="20 points")
    program.click("price")
    program.press("End", "shift+Home")
    program.types("150")
    program.wait_for("draft", worth="10 points")
    program.press("ctrl+z")
    program.wait_for("draft", worth="20 points")
    program.press("ctrl+y")
    program.wait_for("draft", worth="10 points")
    program.press("Up")
    program.wait_for("draft", worth="9 points")


def test_a_value_is_chosen_by_a_click_and_another_by_keys_and_taken_back(start: START) -> None:
    program = start("--game", "practice", "--agent", "fair")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    program.click("day.Sunday")
    program.wait_for("draft", worth="3 points")
    program.tab_to("day.undecided")
    program.press("Right", "Right", "Return")
    program.wait_for("draft", worth="5 points")
    program.press("Delete")
    program.wait_for("draft", worth="–")


def test_their_offer_is_taken_over_only_by_hand_and_compared_as_the_draft_changes(start: START) -> None:
    program = start("--game", "resource_exchange", "--agent", "conceder")
    program.wait_for("shown", type="GAME_START")
    program.click("spices.human.more")
    program.wait_for("draft", worth="1 point")
    before = {name: program.widgets[name] for name in ("send_offer", "clear", "accept", "compare")}

    shown = program.wait_for("shown", type="SEND_OFFER", sender="agent")
    after = {name: shown["widgets"][name] for name in before}
    program.click("compare")
    program.click("from_theirs")
    taken = program.wait_for("draft", can_send=True)
    assert "compare.close" in taken["widgets"]
    assert taken["note"].endswith("no deal")
    program.press("Escape")
    program.click("undo")
    undone = program.wait_for("draft", worth="1 point")

    assert "compare.close" not in undone["widgets"]
    assert before == after
