"""The table without a mouse."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.packaged.hands import ending, of
from tests.window.conftest import Program
from tests.window.table import test_keyboard_only

pytestmark = pytest.mark.window

START = Callable[..., Program]

test_control_a_marks_a_whole_line_so_that_what_is_typed_next_takes_its_place = (
    test_keyboard_only.test_control_a_marks_a_whole_line_so_that_what_is_typed_next_takes_its_place
)


test_tab_goes_through_the_table_in_the_order_of_reading_and_comes_back = (
    test_keyboard_only.test_tab_goes_through_the_table_in_the_order_of_reading_and_comes_back
)


def test_by_keys_alone_a_person_reaches_an_agreement(start: START) -> None:
    program = start("--agent", "fair", "--participant", "P01", brief=True)
    program.wait_for("start_screen")
    program.tab_to("start")
    program.press("Return")
    program.wait_for("briefing")
    program.wait_for("focus", widget="begin")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.types("Hello there")
    program.press("ctrl+z", "ctrl+y", "Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.tab_to("accept")
    program.press("space")
    program.wait_for("dialog_open")
    program.press("Tab", "Return")
    program.wait_for("ended", heading="You have a deal")
    program.wait_for("finished")

    assert ending(program.log())["ended_by"] == "agreement"
    assert [said["text"] for said in of(program, "human", "SEND_MESSAGE")] == ["Hello there"]
