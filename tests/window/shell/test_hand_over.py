"""From the experimenter to a participant and back: hidden information, and every way out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.support.experimenter_code import write_code
from tests.window.conftest import LONGEST, Program, replayed

pytestmark = pytest.mark.window

START = Callable[..., Program]

EXPERIMENTER = "ctrl+shift+F12"


def header(log: str) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(Path(log).read_text(encoding="utf-8").splitlines()[0])
    return line


def sessions(program: Program) -> list[Path]:
    return list((program.data_dir / "sessions").iterdir())


def to_the_end(program: Program) -> dict[str, Any]:
    """Walk away and press Done; return the announcement of the next page."""
    program.wait_for("shown", type="GAME_START")
    program.walk_away()
    program.wait_for("ended")
    program.click("done")
    return program.wait_for("thanks")


def test_a_participant_never_gets_to_the_start_window(start: START, tmp_path: Path) -> None:
    write_code(tmp_path / "data", "tangerine")
    program = start(brief=True)
    program.wait_for("start_screen")
    program.click("agent.fair")
    program.wait_for("chosen", value="fair")
    program.click("hand_over")
    first = program.wait_for("table_screen")["log"]
    program.click("begin")
    thanks = to_the_end(program)
    widgets = set(thanks["widgets"])

    program.press("Return", "space", "Escape", "Tab", "Return", "F5", "F1")
    program.press(EXPERIMENTER)
    program.wait_for("dialog_open")
    program.types("mandarin")
    program.press("Return")
    program.wait_for("wrong_code")
    told = [told["ev"] for told in program.told]
    program.types("tangerine")
    program.press("Return")
    program.wait_for("start_screen")

    assert not widgets
    assert told.count("start_screen") == 1
    assert header(first)["seats"]["agent"]["agent"] == "fair"


def test_the_rules_are_left_to_the_start_window_with_the_same_choice(start: START) -> None:
    program = start("--seed", "11", brief=True)
    program.wait_for("start_screen")
    program.click("game.practice")
    program.wait_for("chosen", value="practice")
    program.click("start")
    first = header(program.wait_for("table_screen")["log"])
    program.wait_for("focus", widget="begin")
    program.click("rules.leave")
    program.wait_for("dialog_open", text="The clock hasn’t started, and nothing has been recorded.")
    program.press("Escape")
    program.wait_for("dialog_closed")
    program.click("rules.leave")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("start_screen")
    left = sessions(program)
    program.click("start")
    again = header(program.wait_for("table_screen")["log"])

    assert left == []
    for told in (first, again):
        assert (told["game"]["name"], told["seed"]) == ("practice", 11)
    assert first["seats"]["human"]["participant"] == again["seats"]["human"]["participant"]


def test_a_participant_who_leaves_the_rules_is_sent_to_the_experimenter(start: START) -> None:
    program = start(brief=True)
    program.wait_for("start_screen")
    program.click("hand_over")
    program.wait_for("focus", widget="begin")
    program.click("rules.leave")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    left = program.wait_for("left")
    program.press("Return", "space", "Escape")
    program.press(EXPERIMENTER)
    program.wait_for("start_screen")

    assert not left["widgets"]
    assert [told["ev"] for told in program.told].count("start_screen") == 2
    assert sessions(program) == []


def test_a_code_on_the_command_line_leads_to_what_was_started_last(start: START) -> None:
    first = start("--game", "campsite", "--agent", "boulware", "--participant", "P1")
    to_the_end(first)
    first.press(EXPERIMENTER)
    assert first.process.wait(LONGEST) == 0
    chosen = start("--game", "campsite")
    chosen.wait_for("start_screen")
    chosen.click("agent.fair")
    chosen.wait_for("chosen", value="fair")
    chosen.click("start")
    chosen.wait_for("table_screen")
    to_the_end(chosen)
    chosen.stop()

    program = start("--participant", "P2")
    log = program.wait_for("table_screen")["log"]
    to_the_end(program)

    assert "start_screen" not in [told["ev"] for told in program.told]
    told = header(log)
    assert (told["game"]["name"], told["seats"]["agent"]["agent"]) == ("campsite", "fair")
    assert told["seats"]["human"]["participant"] == "P2"
    assert "follow from the rules" in replayed(Path(log))
