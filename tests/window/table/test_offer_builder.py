"""The offer builder under a real mouse and real keys."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.window.conftest import APART, Program
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]

ROOT = Path(__file__).parents[3]


@pytest.fixture
def program(start: START) -> Program:
    """Program with a game in which four kinds of things are divided."""
    program = start("--game", "resource_exchange", "--agent", "fair")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    return program


def sent(program: Program) -> dict[str, Any]:
    """Send the draft, and return the offer in the log."""
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    offers = [e for e in program.events() if e["type"] == "SEND_OFFER" and e["sender"] == "human"]
    found: dict[str, Any] = offers[-1]["payload"]["offer"]
    return found


def drag(screen: Screen, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Drag a piece from one place to another, slowly enough to be seen."""
    x, y = start
    steps = [(x + (end[0] - x) * part // 4, y + (end[1] - y) * part // 4) for part in range(1, 5)]
    moves = [word for place in steps for word in ("mousemove", *map(str, place), "sleep", "0.02")]
    screen.run("xdotool", "mousemove", str(x), str(y), "mousedown", "1", *moves, "mouseup", "1")


def place(program: Program, widget: str) -> tuple[int, int]:
    x, y = program.widgets[widget]
    return x, y


def piece(program: Program, cell: str, back: int) -> tuple[int, int]:
    """Return the place of a banana's piece, counted from the last of the four."""
    x, y = program.widgets[cell]
    return x + 13 - 19 * back, y + 8


def test_a_piece_is_dragged_with_those_behind_it_and_goes_back_if_it_is_dropped_elsewhere(
    program: Program, screen: Screen
) -> None:
    drag(screen, piece(program, "bananas.undecided", 0), place(program, "bananas.human.more"))
    program.wait_for("draft", worth="4 points")
    drag(screen, piece(program, "bananas.undecided", 2), place(program, "bananas.agent.more"))
    program.wait_for("draft", worth="4 points")
    drag(screen, piece(program, "bananas.human.more", 3), place(program, "grain.agent.more"))
    drag(screen, piece(program, "bananas.agent.more", 3), place(program, "bananas.human.more"))
    program.wait_for("draft", worth="12 points")

    assert sent(program) == {"bananas": {"human": 3, "agent": 0, "undecided": 1}}


def test_a_double_click_gives_all_and_clicks_that_go_on_are_counted(program: Program) -> None:
    program.click("grain.human.more")
    program.click("grain.human.more")
    program.wait_for("draft", worth="15 points")
    program.click("undo")
    program.wait_for("draft", worth="–")
    for _ in range(3):
        program.click("bananas.human.more")
    program.wait_for("draft", worth="12 points")
    time.sleep(APART)
    program.click("bananas.human.more")
    program.wait_for("draft", worth="16 points")

    assert sent(program) == {"bananas": {"human": 4, "agent": 0, "undecided": 0}}


def test_digits_set_the_count_of_the_column_that_has_the_keyboard(start: START, tmp_path: Path) -> None:
    game = json.loads((ROOT / "games" / "practice.json").read_text(encoding="utf-8"))
    game["issues"][0]["quantity"] = 24
    path = tmp_path / "many.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    program = start("--game", str(path), "--agent", "fair")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    program.tab_to("apples.human.more")
    program.press("1", "7")
    program.wait_for("draft", worth="34 points")
    program.press("9")
    program.wait_for("draft", worth="18 points")
    program.press("ctrl+z")
    program.wait_for("draft", worth="–")
    program.press("Right", "Right", "KP_5")
    program.wait_for("draft", worth="0 points")

    assert sent(program) == {"apples": {"human": 0, "agent": 5, "undecided": 19}}


def test_a_sign_in_a_cell_and_the_undecided_cell_take_back(program: Program) -> None:
    program.click("grain.human.more")
    program.wait_for("draft", worth="3 points")
    time.sleep(APART)
    program.click("grain.human.more")
    program.wait_for("draft", worth="6 points")
    program.click("grain.human.less")
    program.wait_for("draft", worth="3 points")
    program.click("grain.undecided")
    program.wait_for("draft", worth="–")
    time.sleep(APART)
    program.click("grain.human.more")
    program.wait_for("draft", worth="3 points")

    assert sent(program) == {"grain": {"human": 1, "agent": 0, "undecided": 4}}


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
    program.press("ctrl+z")
    program.wait_for("draft", worth="4 points")

    assert sent(program) == {"bananas": {"human": 1, "agent": 0, "undecided": 3}}


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


def test_a_value_is_chosen_and_let_go_by_the_same_press_and_taken_back_by_a_key(start: START) -> None:
    program = start("--game", "practice", "--agent", "fair")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    program.click("day.Sunday")
    program.wait_for("draft", worth="3 points")
    program.click("day.Sunday")
    program.wait_for("draft", worth="–")
    program.tab_to("day.Friday")
    program.press("Right", "Return")
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
