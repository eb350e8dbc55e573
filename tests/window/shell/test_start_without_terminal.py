"""Messages to a user who starts the program by a double click when it cannot do what was requested."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from negoplatform.gui.widgets.garbage_collection import COLLECT_MS
from tests.window.conftest import LONGEST, Program, pictures
from tests.x_server import Screen

pytestmark = pytest.mark.window


def closed(program: Program) -> tuple[int, str]:
    """Press the button; return the program's exit code, and the content of stderr."""
    program.click("error.close")
    code = program.process.wait(LONGEST)
    return code, program.stop()


def test_a_log_that_cannot_be_read_is_said_in_a_window(screen: Screen, tmp_path: Path) -> None:
    log = tmp_path / "notes.jsonl"
    log.write_text("Not a log.\n")
    program = Program(screen, tmp_path / "data", replayed=log)

    told = program.wait_for("error_window")
    program.shoot(pictures(tmp_path) / "error.png")
    time.sleep(1.2 * COLLECT_MS / 1000)  # the window for the log, which is gone, must not collect garbage
    code, printed = closed(program)

    assert told["text"].startswith(f"{log} at line 1: this is no valid JSON")
    assert (code, printed) == (1, f"negoplatform: {told['text']}\n")


def test_a_game_that_is_not_there_is_said_in_a_window_that_escape_closes(
    screen: Screen, tmp_path: Path
) -> None:
    program = Program(screen, tmp_path / "data", "--game", "chess", "--agent", "fair")

    told = program.wait_for("error_window")
    program.press("Escape")

    assert program.process.wait(LONGEST) == 1
    assert program.stop() == f"negoplatform: {told['text']}\n"
    assert told["text"].startswith("There is no game 'chess'")


def test_a_session_that_cannot_begin_is_said_once_and_nothing_else_is_printed(
    screen: Screen, tmp_path: Path
) -> None:
    full = (sys.executable, "-m", "tests.window.programs.full_disk")
    program = Program(screen, tmp_path / "data", "--game", "practice", "--agent", "fair", command=full)

    told = program.wait_for("error_window")
    code, printed = closed(program)

    assert "MB are free where sessions are recorded" in told["text"]
    assert (code, printed) == (1, f"negoplatform: {told['text']}\n")
