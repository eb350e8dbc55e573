"""The program as a double click starts it: with ``pythonw.exe``, which has neither output nor input."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from scripts.windows_env import windows_path
from tests.window.conftest import pictures
from tests.windows.conftest import PAINTING_SECONDS
from tests.windows.machine import PATIENCE, Machine
from tests.x_server import Screen

pytestmark = pytest.mark.window


def ran_until_its_window_was_closed(machine: Machine, screen: Screen, picture: Path, *arguments: str) -> int:
    """Start the program, save a picture of its window, close that, and return the exit code."""
    program = subprocess.Popen(
        [*machine.command(terminal=False), *arguments],
        env=screen.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + PATIENCE
    while not screen.shows_window("NegoPlatform"):
        assert program.poll() is None, "the program ended without a window"
        assert time.monotonic() < end, "no window was shown"
        time.sleep(0.2)
    time.sleep(PAINTING_SECONDS)
    picture.parent.mkdir(exist_ok=True)
    screen.run("import", "-window", "root", str(picture))
    screen.run("xdotool", "key", "alt+F4")
    return program.wait(PATIENCE)


def test_the_start_window_opens_and_closes(windows: Machine, screen: Screen, tmp_path: Path) -> None:
    code = ran_until_its_window_was_closed(
        *(windows, screen, pictures(tmp_path) / "windows-pythonw.png"),
        *("play", "--data-dir", windows_path(tmp_path / "data")),
    )

    assert code == 0
    assert not list((tmp_path / "data").glob("crashes/*"))


def test_an_error_before_the_window_opens_is_said_in_a_window(
    windows: Machine, screen: Screen, tmp_path: Path
) -> None:
    code = ran_until_its_window_was_closed(
        *(windows, screen, pictures(tmp_path) / "windows-pythonw-error.png"),
        *("play", "--game", "chess", "--agent", "fair", "--data-dir", windows_path(tmp_path / "data")),
    )

    assert code == 1
