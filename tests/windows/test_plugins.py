"""Agents that users put into their folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaged.hands import build, choose, ending, of
from tests.packaged.test_plugins import BROKEN, UNTRUSTED, drop, start_trusting
from tests.window.conftest import Program, accept_at_last, pictures
from tests.window.table.test_negotiations import PLUGINS
from tests.windows.conftest import shoot
from tests.windows.machine import PATIENCE, Machine, another

pytestmark = pytest.mark.window

START = Callable[..., Program]


def test_an_agent_dropped_in_while_the_window_is_open_is_trusted_and_played_with_and_a_broken_one_named(
    start: START, tmp_path: Path
) -> None:
    agents = tmp_path / "data" / "agents"
    program = start("--game", "resource_exchange")
    program.wait_for("start_screen")
    (agents / "later").mkdir(parents=True)
    drop(PLUGINS / "my_agent.py", agents)
    drop(PLUGINS / "my_agent.py", agents / "later").rename(agents / "later" / "agent.py")
    (agents / "later" / "agent.json").write_text('{"api_version": "99.0"}', encoding="utf-8")
    program.press("F5")
    program.wait_for("renewed")
    program.click("agent.unusable")
    reasons = program.wait_for("dialog_open")["text"]
    shoot(program, pictures(tmp_path) / "windows-unusable.png")
    program.press("Escape")
    program.wait_for("dialog_closed")
    choose(program, "agent", f"my_agent{UNTRUSTED}")
    program.click("start")
    program.wait_for("dialog_open")
    shoot(program, pictures(tmp_path) / "windows-trust.png")
    program.click("dialog.yes")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    build(program, bananas__human=4, grain__agent=5, wood__agent=3, spices__agent=3)
    program.click("send_offer")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
    accept_at_last(program)
    program.wait_for("ended", heading="You have a deal")
    program.wait_for("finished")

    assert reasons.startswith(f"later\n{program.name_of(agents / 'later' / 'agent.json')} at api_version: ")
    assert of(program, "agent", "SEND_MESSAGE")[0]["text"] == "Hello! Let's negotiate."
    assert ending(program.log())["ended_by"] == "agreement"


def test_an_agent_that_cannot_be_loaded_is_named_with_the_reason(start: START, tmp_path: Path) -> None:
    agent = tmp_path / "data" / "agents" / "broken.py"
    agent.parent.mkdir(parents=True)
    agent.write_text(BROKEN, encoding="utf-8")
    program = start("--game", "practice")
    program.wait_for("start_screen")
    choose(program, "agent", f"broken{UNTRUSTED}")
    start_trusting(program)
    problem = program.wait_for("problem")["text"]
    shoot(program, pictures(tmp_path) / "windows-broken.png")

    assert f"{program.name_of(agent)}: loading it failed: line 1: invalid syntax" in problem


def test_the_folder_is_opened_in_explorer(start: START, windows: Machine, tmp_path: Path) -> None:
    with another(windows, tmp_path / "prefix") as (screen, machine):  # which ends Explorer too
        program = start(on=screen, machine=machine)
        program.wait_for("start_screen")
        program.click("open_folder")
        program.wait_for("folder_opened")
        end = time.monotonic() + PATIENCE
        while not screen.shows_window("^agents$"):
            assert time.monotonic() < end, "no window of Explorer is shown"
            time.sleep(0.1)
        shoot(program, pictures(tmp_path) / "windows-explorer.png")

    assert (tmp_path / "data" / "agents").is_dir()
