"""Agents that users put into folders: unusual, broken, hung; in the packaged program's window."""

from __future__ import annotations

import os
import pkgutil
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import AgentError
from tests.packaged.hands import choose, ending, of, say, verified
from tests.packaged.installed import Installed
from tests.window.conftest import LONGEST, Program, accept_at_last, build

pytestmark = pytest.mark.window

START = Callable[..., Program]

PLUGINS = Path(__file__).parent.parent / "plugin_files"

LOOKED_UP = (
    "sqlite3: 42; html: &lt;b&gt;; wave: 0.25; cmath: 1j; colorsys: (0.0, 1.0, 1.0); doctest: None; xml: b; "
    "plistlib: {'deal': True}; tomllib: 1; decimal: 0.3; asyncio: 8; concurrent: 81; multiprocessing: 5; "
    "unittest: 1; logging: kept; ctypes: 8; calendar: True; difflib: bananas; http: HTTP/1.0; smtplib: 465; "
    "zoneinfo: UTC; metadata: 0"
)
"""First message of tests/plugin_files/unusual.py."""

UNTRUSTED = " (not yet trusted)"


def drop(file: Path, folder: Path) -> Path:
    """Copy an agent into a folder, as a user does in a file manager."""
    folder.mkdir(exist_ok=True)
    return Path(shutil.copy(file, folder))


@pytest.fixture
def file_manager(app: Installed) -> Installed:
    """Program on a desktop whose file manager records its environment and the folder that it shows."""
    opener = app.home / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text('#!/bin/sh\necho "$1" > shown.txt\nenv > environment.txt\n', encoding="utf-8")
    opener.chmod(0o755)
    return replace(app, more={"PATH": f"{opener.parent}:/usr/bin:/bin"})


def start_trusting(program: Program) -> None:
    """Start with the chosen agent, and confirm that its file is trusted."""
    program.click("start")
    program.wait_for("dialog_open")
    program.click("dialog.yes")


def test_an_agent_dropped_in_while_the_window_is_open_is_found_trusted_and_played_with(
    start: START, file_manager: Installed
) -> None:
    app = file_manager
    program = start("--game", "resource_exchange", of=app)
    program.wait_for("start_screen")
    program.click("open_folder")
    program.wait_for("folder_opened")
    agents = Path((app.home / "shown.txt").read_text(encoding="utf-8").strip())
    agent = drop(PLUGINS / "unusual.py", agents)
    program.press("F5")
    program.wait_for("renewed")
    choose(program, "agent", f"unusual{UNTRUSTED}")
    start_trusting(program)
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    build(program, bananas__human=4, grain__agent=5, wood__agent=3, spices__agent=3)
    program.click("send_offer")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
    accept_at_last(program)
    ended = program.wait_for("ended")
    program.wait_for("finished")

    environment = (app.home / "environment.txt").read_text(encoding="utf-8")
    assert agents == app.data_dir / "agents"
    assert not re.search("^(LD_LIBRARY_PATH|TCL_LIBRARY|TK_LIBRARY|_PYI_)", environment, re.MULTILINE)
    assert [said["text"] for said in of(program, "agent", "SEND_MESSAGE")] == [
        LOOKED_UP,
        "11 &gt; 0 &amp; a deal",
    ]
    assert ended["heading"] == "You have a deal"
    assert ending(program.log())["ended_by"] == "agreement"
    assert "finished (agreement)" in verified(app, program.log())
    assert str(agent) in app.says("trust", "--list")


def test_an_agent_on_the_stick_with_the_program_is_asked_about_and_plays(
    start: START, app: Installed, tmp_path: Path
) -> None:
    stick = app.moved_to(tmp_path / "stick" / "NegoPlatform")
    drop(PLUGINS / "my_agent.py", stick.executable.parent / "agents")
    program = start("--game", "practice", of=stick)
    program.wait_for("start_screen")
    choose(program, "agent", f"my_agent{UNTRUSTED}")
    start_trusting(program)
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.walk_away()
    program.wait_for("finished")

    assert of(program, "agent", "SEND_MESSAGE")[0]["text"] == "Hello! Let's negotiate."
    assert not (app.data_dir / "agents" / "my_agent.py").exists()


BROKEN = "class Broken(:\n    pass\n"

NEEDS_MORE = """
from negoplatform.agent_api.base import NegotiationAgent
import numpy


class NeedsMore(NegotiationAgent):
    pass
"""


def test_broken_agents_are_named_with_what_is_wrong_and_the_others_play(start: START, app: Installed) -> None:
    agents = app.data_dir / "agents"
    agents.mkdir(parents=True)
    (agents / "broken.py").write_text(BROKEN, encoding="utf-8")
    (agents / "needs_more.py").write_text(NEEDS_MORE, encoding="utf-8")
    app.says("trust", "--yes", agents / "broken.py")
    program = start("--game", "practice")
    program.wait_for("start_screen")

    choose(program, "agent", f"needs_more{UNTRUSTED}")
    start_trusting(program)
    problem = program.wait_for("problem")["text"]
    program.wait_for("renewed")
    program.click("agent.unusable")
    reasons = program.wait_for("dialog_open")["text"]
    program.press("Escape")
    program.wait_for("dialog_closed")
    program.click("participant")
    program.wait_for("focus", widget="participant")
    program.tab_to("agent.conceding", "shift+Tab")  # what failed is chosen no more, and nothing in its place
    program.press("space")
    program.wait_for("chosen", value="conceding")
    choose(program, "agent", "fair")
    program.click("start")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.walk_away()
    program.wait_for("finished")

    for told in (problem, reasons):
        assert str(agents / "needs_more.py") in told
        assert "numpy" in told
        assert f"Python {sys.version_info.major}.{sys.version_info.minor}" in told
    assert f"{agents / 'broken.py'}: loading it failed: line 1: invalid syntax" in reasons
    assert "numpy" in app.run("list", "agents").stdout


HANGS = """
from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Hangs(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [SendMessage("Hello.")]

    def on_send_message(self, ctx, event):
        while True:
            pass
"""


def test_while_an_agent_hangs_the_window_does_everything_and_the_person_can_end_it(
    start: START, app: Installed
) -> None:
    agent = app.home / "hangs.py"
    agent.write_text(HANGS, encoding="utf-8")
    program = start("--game", "practice", "--agent", str(agent))
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.may_report = AgentError

    say(program, "Are you there?")
    program.click("emotion.surprised")
    program.wait_for("shown", type="SEND_EXPRESSION", sender="human")
    build(program, apples__human=4)
    program.wait_for("draft")
    failure = wait_for_failure(program)
    say(program, "I am still here.")
    program.walk_away()
    ended = program.wait_for("ended")
    program.wait_for("finished")

    assert (failure["seat"], failure["reason"]) == ("agent", "It did not react within 5 s.")
    assert ended["heading"] == "You walked away: no deal"
    assert [said["text"] for said in of(program, "human", "SEND_MESSAGE")] == [
        "Are you there?",
        "I am still here.",
    ]
    where_it_hung = (program.log().parent / "agent-agent.txt").read_text(encoding="utf-8")
    assert re.search(rf'File "{re.escape(str(agent))}", line 1[12] in on_send_message', where_it_hung)
    assert "finished (quit)" in verified(app, program.log())


def wait_for_failure(program: Program) -> dict[str, Any]:
    """Wait until the log has the agent's failure, which the participant does not see; return the failure."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        failures = of(program, "platform", "AGENT_FAILED")
        if failures:
            return failures[0]
        time.sleep(0.1)
    raise AssertionError("The log does not say that the agent failed.")


LEFT_OUT = {
    *("antigravity", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "test", "this", "turtledemo", "venv"),
    "nis",
}
"""Modules left out on purpose: tests, toys, tools that create other Pythons, an old network service."""

IMPORT_ALL = """
import importlib
import warnings

warnings.simplefilter("ignore")
missing = []
for name in {names!r}:
    try:
        importlib.import_module(name)
    except BaseException as error:
        missing.append(f"{{name}}: {{error!r}}")
"""

AGENT = """
from negoplatform.agent_api.base import NegotiationAgent

if missing:
    raise RuntimeError("; ".join(missing))


class Reader(NegotiationAgent):
    pass
"""


def library_here() -> list[str]:
    """Return every module of the standard library that can be imported here, submodules included."""
    names = set(sys.stdlib_module_names) - LEFT_OUT
    folder = Path(os.__file__).parent
    for name in sorted(names):
        if (folder / name).is_dir():
            names |= {found.name for found in submodules(folder / name, f"{name}.")}
    names = {name for name in names if not {"tests", "test", "__main__", *LEFT_OUT} & set(name.split("."))}
    code = f"{IMPORT_ALL.format(names=sorted(names))}\nfor line in missing: print(line.partition(':')[0])"
    told = subprocess.run([sys.executable, "-IS", "-c", code], capture_output=True, text=True, check=True)
    return sorted(names - set(told.stdout.split()))


def submodules(folder: Path, prefix: str) -> list[pkgutil.ModuleInfo]:
    """Return the modules in a folder and below, without importing any."""
    found = list(pkgutil.iter_modules([str(folder)], prefix))
    inside = [
        submodules(folder / each.name.rpartition(".")[2], f"{each.name}.") for each in found if each.ispkg
    ]
    return [*found, *(each for part in inside for each in part)]


def test_an_agent_may_import_the_whole_standard_library(app: Installed) -> None:
    names = library_here()
    agent = app.home / "reader.py"
    agent.write_text(IMPORT_ALL.format(names=names) + AGENT, encoding="utf-8")

    told = app.run("check", agent)

    assert len(names) > 500
    assert "failed" not in told.stdout + told.stderr
    assert told.returncode == 0
