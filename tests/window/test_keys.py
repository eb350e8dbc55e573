"""What is longer than its place is read with the keyboard alone."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable

import pytest
from PIL import ImageGrab

from tests.screens import Screen
from tests.window.conftest import LONGEST, Program
from tests.window.test_interruptions import begin
from tests.window.test_journeys import PLUGINS

pytestmark = pytest.mark.window

START = Callable[..., Program]


class Region:
    """The screen around the middle of a widget."""

    def __init__(self, screen: Screen, program: Program, widget: str) -> None:
        x, y = program.widgets[widget]
        self._box = (x - 120, y - 80, x + 120, y + 80)
        self._display = screen.env["DISPLAY"]

    def picture(self) -> bytes:
        """What it shows now."""
        return ImageGrab.grab(self._box, xdisplay=self._display).tobytes()

    def wait_until(self, wanted: Callable[[bytes], bool]) -> bool:
        """Whether it shows what is wanted, at last."""
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            if wanted(self.picture()):
                return True
            time.sleep(0.05)
        return False


def scrolls(screen: Screen, program: Program, widget: str, away: str, back: str) -> bool:
    """Whether one key shows another part of a widget, and the other the same as before."""
    region = Region(screen, program, widget)
    before = region.picture()
    program.press(away)
    if not region.wait_until(lambda now: now != before):
        return False
    program.press(back)
    return region.wait_until(lambda now: now == before)


def test_older_lines_of_the_transcript_are_read_by_keys(start: START, screen: Screen) -> None:
    program = start("--game", "practice", "--agent", str(PLUGINS / "my_agent.py"))
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    for number in range(14):
        program.types(f"This is line {number}")
        program.press("Return")
        program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    program.press("shift+Tab")
    program.wait_for("focus", widget="transcript")

    assert scrolls(screen, program, "transcript", "Prior", "Next")
    assert scrolls(screen, program, "transcript", "Up", "Down")
    program.press("Tab")
    program.wait_for("focus", widget="entry")


def test_a_list_of_damaged_sessions_is_read_by_keys(start: START, screen: Screen) -> None:
    killed = begin(start)
    killed.kill()
    folder = killed.log().parent
    killed.log().write_bytes(killed.log().read_bytes().replace(b"Hello", b"Hullo"))
    for number in range(9):
        shutil.copytree(folder, folder.with_name(f"{number}{folder.name}"))

    program = start()
    program.wait_for("unfinished")
    program.press("Tab")
    program.wait_for("focus", widget="sessions")

    assert scrolls(screen, program, "sessions", "Next", "Prior")
    assert scrolls(screen, program, "sessions", "Down", "Up")
    program.press("Tab")
    program.wait_for("focus", widget="keep")
