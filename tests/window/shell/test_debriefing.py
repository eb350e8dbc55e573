"""The debriefing after a session with an agent that lies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.window.conftest import LONGEST, Program, pictures, replayed

pytestmark = pytest.mark.window

START = Callable[..., Program]


def test_who_was_lied_to_is_told_so_after_done_and_no_key_leaves_the_page(
    start: START, tmp_path: Path
) -> None:
    program = start("--game", "practice", "--agent", "lying", "--closing-time", "0.5")
    program.wait_for("shown", type="GAME_START")
    program.walk_away()
    program.wait_for("finished")
    program.click("done")
    program.wait_for("debriefing")
    program.shoot(pictures(tmp_path) / "debriefing.png")

    program.press("space", "Return", "Escape")
    assert program.process.poll() is None
    program.click("debriefing.close")

    assert program.process.wait(LONGEST) == 0
    shown, closed = [e for e in program.events() if "debriefing" in str(e["payload"].get("kind"))]
    assert shown["payload"]["data"]["of"] == ["agent"]
    assert "set up to lie" in shown["payload"]["data"]["text"]
    assert closed["payload"]["data"]["seconds"] > 0
    assert "follow from the rules, and so does the end" in replayed(program.log())
