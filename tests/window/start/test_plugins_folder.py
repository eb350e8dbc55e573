"""The contents of the agents' folder: shown, refreshed and explained, with a real mouse."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from copy import copy
from pathlib import Path

import pytest

from tests.window.conftest import LONGEST, Program, pictures
from tests.window.table.test_negotiations import PLUGINS
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]


def put(folder: Path) -> None:
    """Put an agent with an agent.json into the user's folder, and another one that is too new."""
    for name, said in (
        ("halver", {"version": "0.1.0", "author": "Noa Levi", "licence": "MIT"}),
        ("later", {"api_version": "99.0"}),
    ):
        (folder / name).mkdir(parents=True)
        shutil.copy(PLUGINS / "my_agent.py", folder / name / "agent.py")
        (folder / name / "agent.json").write_text(json.dumps(said), encoding="utf-8")


def clipboard(screen: Screen) -> str:
    command = ["xclip", "-selection", "clipboard", "-o"]
    told = subprocess.run(command, env=screen.env, capture_output=True, check=True, timeout=LONGEST)
    return told.stdout.decode()


def with_opener(screen: Screen, folder: Path, script: str) -> Screen:
    """Return the same screen, with a script of ours as the system's program for opening folders."""
    folder.mkdir()
    opener = folder / "xdg-open"
    opener.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    opener.chmod(0o755)
    other = copy(screen)
    other.env = {**screen.env, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    return other


def test_what_is_put_into_the_folder_is_listed_and_what_was_typed_stays(
    start: START, screen: Screen, tmp_path: Path
) -> None:
    program = start()
    program.wait_for("start_screen")
    program.click("participant")
    program.press("End", "shift+Home")
    program.types("Kim-7")
    put(tmp_path / "data" / "agents")

    program.press("F5")
    program.wait_for("renewed")
    program.types("8")
    program.click("agent.unusable")
    told = program.wait_for("dialog_open")
    program.shoot(pictures(tmp_path) / "unusable.png")
    program.click("dialog.yes")
    program.wait_for("copied")
    copied = clipboard(screen)
    program.press("Escape")
    program.wait_for("dialog_closed")
    program.click("agent")
    program.press("End")
    program.wait_for("chosen", value="halver (not yet trusted)")
    program.shoot(pictures(tmp_path) / "found.png")
    program.click("start")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("table_screen")

    file = tmp_path / "data" / "agents" / "later" / "agent.json"
    assert told["text"].startswith(f"later\n{file} at api_version: ")
    assert copied == told["text"]
    header = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])
    assert header["seats"]["human"]["participant"] == "Kim-78"
    assert header["seats"]["agent"]["agent"] == "halver"


def test_who_comes_back_from_the_folder_finds_what_they_put_there(
    start: START, screen: Screen, tmp_path: Path
) -> None:
    program = start()
    program.wait_for("start_screen")
    own = screen.run("xdotool", "getactivewindow", capture_output=True).stdout.decode().strip()
    agents = tmp_path / "data" / "agents"

    def leave_and_come_back() -> None:
        elsewhere = screen.run("xdotool", "search", "--maxdepth", "0", "", capture_output=True).stdout
        screen.run("xdotool", "windowfocus", elsewhere.decode().split()[0])
        screen.run("xdotool", "windowfocus", "--sync", own)

    leave_and_come_back()
    put(agents)
    leave_and_come_back()
    program.wait_for("renewed")

    assert "agent.halver (not yet trusted)" in program.widgets
    assert [told["ev"] for told in program.told].count("renewed") == 1, "nothing had changed at first"


def test_the_folder_is_made_and_opened_by_the_system(start: START, screen: Screen, tmp_path: Path) -> None:
    seen = tmp_path / "seen.txt"
    program = start(on=with_opener(screen, tmp_path / "bin", f'printf %s "$1" > {seen}'))
    program.wait_for("start_screen")

    program.click("open_folder")
    program.wait_for("folder_opened")

    folder = tmp_path / "data" / "agents"
    assert seen.read_text() == str(folder)
    assert folder.is_dir()


def test_where_nothing_opens_folders_the_path_can_be_copied(
    start: START, screen: Screen, tmp_path: Path
) -> None:
    program = start(on=with_opener(screen, tmp_path / "bin", "exit 3"))
    program.wait_for("start_screen")

    program.click("open_folder")
    program.wait_for("dialog_open")
    program.shoot(pictures(tmp_path) / "folder.png")
    program.click("dialog.yes")
    program.wait_for("copied")

    assert clipboard(screen) == str(tmp_path / "data" / "agents")
