"""Texts longer than their space can be read with the keyboard alone."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import ImageGrab

from tests.window.conftest import LONGEST, Program
from tests.window.shell.test_unfinished_sessions import begin, own
from tests.window.table.test_negotiations import PLUGINS
from tests.window.table.test_offer_cards import OFFERS_ONCE
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]


class Region:
    """Wide strip of the screen across the middle of a widget."""

    def __init__(self, screen: Screen, program: Program, widget: str) -> None:
        x, y = program.widgets[widget]
        self._box = (x - 280, y - 80, x + 280, y + 80)
        self._display = screen.env["DISPLAY"]

    def picture(self) -> bytes:
        """Return a picture of the region."""
        return ImageGrab.grab(self._box, xdisplay=self._display).tobytes()

    def wait_until(self, wanted: Callable[[bytes], bool]) -> bool:
        """Return whether the region's picture meets a condition before the time is up."""
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            if wanted(self.picture()):
                return True
            time.sleep(0.05)
        return False


def scrolls(screen: Screen, program: Program, widget: str, away: str, back: str) -> bool:
    """Return whether one key shows another part of a widget, and the other key the first part again."""
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

    program.tab_to("transcript", "shift+Tab")

    assert scrolls(screen, program, "transcript", "Prior", "Next")
    assert scrolls(screen, program, "transcript", "Up", "Down")
    program.tab_to("entry")
    program.types("And another line")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")


@pytest.mark.parametrize("language", ["en", "he"])
def test_tab_goes_through_the_table_in_the_order_of_reading_and_comes_back(
    start: START, tmp_path: Path, language: str
) -> None:
    agent = tmp_path / "offers_once.py"  # an offer that came during the tour would be one more stop
    agent.write_text(OFFERS_ONCE, encoding="utf-8")
    program = start("--game", "practice", "--agent", str(agent), "--language", language)
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.click("apples.human.more")
    program.wait_for("draft", can_send=True)

    forth = program.tab_to("entry")

    card = ["card.accept", "card.counter", "card.decline"]
    above = ["rules", "walk_away", "timeline.fold", "timeline", "transcript", *card, "text_view"]
    feelings = [f"emotion.{name}" for name in ("neutral", "happy", "sad", "angry", "surprised", "duration")]
    assert forth == [
        *("send", "undo", "apples.human.more", "day.Friday", "from_theirs", "compare"),
        *("ask_in_return", "ask_fairer", "send_offer", "clear", "accept"),
        *("help", "other_theme", "smaller", "larger"),
        *(*above, *feelings, "phrases", "entry"),
    ]
    assert program.tab_to("entry", "shift+Tab") == [*reversed(forth[:-1]), "entry"]


def test_control_a_marks_a_whole_line_so_that_what_is_typed_next_takes_its_place(start: START) -> None:
    program = start("--game", "practice", "--agent", str(PLUGINS / "my_agent.py"))
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    program.types("This is not what I mean")
    program.press("ctrl+a")
    program.types("This is")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    assert own(program, "SEND_MESSAGE")[0]["payload"]["text"] == "This is"


def test_a_list_of_damaged_sessions_is_read_by_keys(start: START, screen: Screen) -> None:
    killed = begin(start)
    killed.kill()
    folder = killed.log().parent
    killed.log().write_bytes(killed.log().read_bytes().replace(b"HAPPY", b"ANGRY"))
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


def test_other_looks_leave_the_keyboard_at_the_button_that_asked_for_them(start: START) -> None:
    program = start("--game", "practice", "--agent", str(PLUGINS / "my_agent.py"))
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    program.tab_to("other_theme")
    for key in ("Return", "space"):
        program.press(key)
        program.wait_for("rebuilt")

    stops = program.tab_to("rules")
    assert [stop for stop in stops if stop != "other_theme"] == [
        "smaller",
        "larger",
        "rules",
    ]  # it may be told late itself


def test_at_the_largest_size_the_keyboard_goes_on_in_the_line(start: START) -> None:
    program = start("--game", "practice", "--agent", str(PLUGINS / "my_agent.py"), "--text-size", "175")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    program.tab_to("larger")
    program.press("Return")
    program.wait_for("rebuilt")
    program.types("Large")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    assert own(program, "SEND_MESSAGE")[0]["payload"]["text"] == "Large"


def test_a_held_key_does_not_stop_the_window(screen: Screen) -> None:
    """Hold a key: Tk alone would block for 0.1 s at each repetition, three times its interval."""
    told = screen.run(sys.executable, "-m", "tests.window.programs.held_space_key", capture_output=True)

    pressed, took_ms = map(int, told.stdout.split())
    assert pressed == 30
    assert took_ms < 2000


def test_a_press_beside_a_question_leaves_the_keyboard_to_it(start: START) -> None:
    """Press a blocked button: the window manager gives the keyboard focus to its part of the window."""
    program = begin(start)
    program.click("walk_away")
    program.wait_for("dialog_open")

    program.click("other_theme")
    program.press("Escape")

    program.wait_for("dialog_closed")
    assert [event for event in program.events() if event["type"] == "GAME_END"] == []


def test_other_looks_after_the_end_show_the_end_again_and_the_way_out(start: START) -> None:
    program = begin(start)
    program.click("walk_away")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("ended")

    program.click("other_theme")  # last words are still possible
    assert program.wait_for("ended")["heading"] == "You walked away: no deal"
    program.wait_for("finished")
    program.click("other_theme")
    program.wait_for("ended")
    program.wait_for("rebuilt")
    program.click("done")

    program.wait_for("thanks")


def test_a_last_word_that_comes_too_late_does_not_press_the_way_out(start: START) -> None:
    program = start("--game", "practice", "--agent", str(PLUGINS / "my_agent.py"), "--time-limit", "3")
    program.wait_for("ended")
    program.types("It was a pleasure")

    program.wait_for("finished")
    program.press("space", "Return")
    program.click("other_theme")

    program.wait_for("rebuilt")
    assert "done" in program.widgets, "the page at the end was left"
