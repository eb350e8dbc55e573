"""A log that is opened as Explorer does, with its path alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaged.hands import close
from tests.window import test_replay
from tests.window.conftest import Program, pictures
from tests.windows.conftest import shoot

pytestmark = pytest.mark.window

START = Callable[..., Program]

log, view = test_replay.log, test_replay.view

test_a_session_is_stepped_through_by_mouse_and_keys = (
    test_replay.test_a_session_is_stepped_through_by_mouse_and_keys
)


def test_it_is_seen_by_another_seat_and_in_each_panel(
    view: Callable[..., Program], log: Path, tmp_path: Path
) -> None:
    viewer = view(log, "--language", "de")
    viewer.wait_for("replay_ready", problem="")
    viewer.click("replay.view_as.agent")
    viewer.wait_for("replay_view", view="agent")
    viewer.press("End")
    viewer.wait_for("replay_at")
    for panel in ("utilities", "outcomes", "offers"):
        viewer.click(f"replay.tab.{panel}")
        shoot(viewer, pictures(tmp_path) / f"windows-replay-{panel}.png")
    viewer.press("Home")
    viewer.wait_for("replay_at", seq=0)
    close(viewer)


def test_what_is_no_log_is_said_in_a_window(begin: START, tmp_path: Path) -> None:
    notes = tmp_path / "my notes.jsonl"
    notes.write_text("Not a log.\n", encoding="utf-8")
    viewer = begin(replayed=notes)
    viewer.wait_until(lambda told: told["ev"] == "error_window", "error_window")
    shoot(viewer, pictures(tmp_path) / "windows-error.png")
    sentence = viewer.told[-1]["text"]
    viewer.click("error.close")
    _, errors = viewer.process.communicate(timeout=60)

    assert "my notes.jsonl at line 1: this is no valid JSON" in sentence
    assert viewer.process.returncode == 1
    assert errors.decode() == f"negoplatform: {sentence}\r\n"
