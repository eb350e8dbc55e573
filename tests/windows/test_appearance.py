"""Languages, densities of the screen, text sizes and colours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaged.hands import build, of
from tests.window.conftest import Program, pictures
from tests.windows.conftest import shoot
from tests.windows.machine import Machine, another

pytestmark = pytest.mark.window

START = Callable[..., Program]

LAPTOP = (1366, 768)

APART_AT_96_DPI = 46
"""Pixels between the middles of two buttons."""

HEBREW = "שלום, אני רוצה 4 בננות."


def assert_all_inside(program: Program, size: tuple[int, int]) -> None:
    """Check that no widget of the table lies outside of the screen."""
    for widget, (x, y) in program.widgets.items():
        assert 0 <= x < size[0], f"{widget} lies outside of the window"
        assert 0 <= y < size[1], f"{widget} lies outside of the window"


def test_in_german_words_are_read_and_umlauts_of_a_german_keyboard_are_written(
    start: START, windows: Machine, tmp_path: Path
) -> None:
    with another(windows, tmp_path / "prefix", keyboard="de") as (screen, machine):
        program = start(
            "--participant", "P01", "--language", "de", "--theme", "dark", on=screen, machine=machine
        )
        program.wait_for("start_screen")
        shoot(program, pictures(tmp_path) / "windows-german-start.png")
        program.click("start")
        program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
        program.click("entry")
        screen.run("xdotool", "key", "--delay", "200", "ISO_Level3_Shift+q")
        screen.run("xdotool", "key", "--delay", "40", "adiaeresis", "ssharp", "dead_acute", "e")
        program.press("Return")
        program.wait_for("shown", type="SEND_MESSAGE", sender="human")
        shoot(program, pictures(tmp_path) / "windows-german.png")

    assert [said["text"] for said in of(program, "human", "SEND_MESSAGE")] == ["@äßé"]


def test_in_hebrew_the_whole_window_is_mirrored_and_what_is_pasted_is_sent_as_it_was_written(
    start: START, tmp_path: Path
) -> None:
    shots = pictures(tmp_path)
    program = start("--participant", "P01", "--language", "he", brief=True)
    program.wait_for("start_screen")
    shoot(program, shots / "windows-hebrew-start.png")
    program.click("start")
    program.wait_for("briefing")
    program.wait_for("focus", widget="begin")
    shoot(program, shots / "windows-hebrew-rules.png")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.click("entry")
    program.types(HEBREW)
    shoot(program, shots / "windows-hebrew-typing.png")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    shoot(program, shots / "windows-hebrew.png")

    assert [said["text"] for said in of(program, "human", "SEND_MESSAGE")] == [HEBREW]
    assert program.widgets["walk_away"][0] < program.widgets["entry"][0]


@pytest.mark.parametrize("percent", [100, 125, 150])
def test_at_the_density_of_the_control_panel_everything_is_larger_and_inside_the_window(
    start: START, windows: Machine, tmp_path: Path, percent: int
) -> None:
    size = (LAPTOP[0] * percent // 100, LAPTOP[1] * percent // 100)
    computer = another(windows, tmp_path / "prefix", size=size, dpi=96 * percent // 100)
    with computer as (screen, machine):
        program = start(
            *("--game", "resource_exchange", "--agent", "fair", "--theme", "light"),
            on=screen,
            machine=machine,
        )
        program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
        build(program, bananas__human=4)
        shoot(program, pictures(tmp_path) / f"windows-{percent}.png")
        program.click("other_theme")
        program.wait_for("rebuilt")
        shoot(program, pictures(tmp_path) / f"windows-{percent}-dark.png")
        places = program.widgets

    assert_all_inside(program, size)
    apart = places["larger"][0] - places["smaller"][0]
    assert apart == pytest.approx(APART_AT_96_DPI * percent / 100, abs=2)


def test_with_larger_text_everything_is_inside_the_window(start: START, tmp_path: Path) -> None:
    program = start("--game", "practice", "--agent", "fair", "--text-size", "150")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    shoot(program, pictures(tmp_path) / "windows-text-150.png")

    assert_all_inside(program, (1280, 800))
