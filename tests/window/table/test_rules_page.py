"""The rules: before the clock starts, and while it runs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.window.conftest import Program, pictures, replayed

pytestmark = pytest.mark.window

START = Callable[..., Program]

ROOT = Path(__file__).parents[3]


def game_with(tmp_path: Path, **rules: Any) -> str:
    """Write the practice game with other rules to a file; return its path."""
    game = json.loads((ROOT / "games" / "practice.json").read_text(encoding="utf-8"))
    game["rules"] |= rules
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    return str(path)


def test_the_header_with_the_clock_stays_while_the_rules_are_read(start: START, tmp_path: Path) -> None:
    program = start("--game", "practice", "--agent", "fair")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.click("rules")
    program.wait_for("rules_open")
    program.shoot(pictures(tmp_path) / "rules-during.png")

    program.click("walk_away")

    program.wait_for("dialog_open")


def test_a_game_may_stop_the_clock_while_the_rules_are_read(start: START, tmp_path: Path) -> None:
    limit = 4.0
    program = start(
        *("--game", game_with(tmp_path, deadline_seconds=limit, help_pauses=True), "--agent", "fair")
    )
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    program.click("rules")
    program.wait_for("rules_open")
    time.sleep(limit)
    program.shoot(pictures(tmp_path) / "rules-paused.png")
    program.press("Escape")
    program.wait_for("rules_closed")
    program.types("I have read it.")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.wait_for("ended", heading="Time is up: no deal")

    events = program.events()
    (pause,) = [e["payload"]["data"] for e in events if e["payload"].get("kind") == "session_paused"]
    assert pause["page"] == "rules"
    assert pause["seconds"] >= limit
    assert next(event["t"] for event in events if event["type"] == "GAME_END") == pytest.approx(
        limit, abs=0.5
    )
    assert "follow from the rules, and so does the end" in replayed(program.log())
