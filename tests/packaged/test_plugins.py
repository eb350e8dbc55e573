"""Agents that users put into folders: unusual, broken, hung; in the packaged program's window."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import AgentError
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from tests.packaged.hands import build, choose, ending, of, say, verified
from tests.packaged.installed import Installed
from tests.packaged.installed_under_wine import InstalledUnderWine
from tests.unprivileged_user import can_be_ordinary
from tests.window.attacks.test_attacks import attacked, folder_of_everybody, names
from tests.window.conftest import LONGEST, Program, accept_at_last

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
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(file, folder))


@pytest.fixture
def file_manager(app: Installed) -> Installed:
    """Program on a desktop whose file manager records its environment and the folder that it shows."""
    if isinstance(app, InstalledUnderWine):
        pytest.skip(
            "the file manager of Windows cannot be replaced by a script; under Wine it is another one"
        )
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


def test_the_window_shows_the_folder_of_agents_in_a_file_manager_without_its_own_environment(
    start: START, file_manager: Installed
) -> None:
    app = file_manager
    program = start("--game", "resource_exchange", of=app)
    program.wait_for("start_screen")
    program.click("open_folder")
    program.wait_for("folder_opened")

    environment = (app.home / "environment.txt").read_text(encoding="utf-8")
    shown = (app.home / "shown.txt").read_text(encoding="utf-8").strip()
    assert Path(shown) == app.data_dir / "agents"
    assert not re.search("^(LD_LIBRARY_PATH|TCL_LIBRARY|TK_LIBRARY|_PYI_)", environment, re.MULTILINE)


def test_an_agent_dropped_in_while_the_window_is_open_is_found_trusted_and_played_with(
    start: START, app: Installed
) -> None:
    program = start("--game", "resource_exchange")
    program.wait_for("start_screen")
    agent = drop(PLUGINS / "unusual.py", app.data_dir / "agents")
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

    assert [said["text"] for said in of(program, "agent", "SEND_MESSAGE")] == [
        LOOKED_UP,
        "11 &gt; 0 &amp; a deal",
    ]
    assert ended["heading"] == "You have a deal"
    assert ending(program.log())["ended_by"] == "agreement"
    assert "finished (agreement)" in verified(app, program.log())
    assert app.name_of(agent) in app.says("trust", "--list")


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


@pytest.mark.skipif(available_sandbox().name != "full", reason="this system has no full sandbox")
@pytest.mark.skipif(not can_be_ordinary(), reason="no program can be run as an ordinary user")
def test_a_hostile_agent_gains_nothing(app: Installed) -> None:
    (games,) = app.executable.parent.rglob("_bundled/games")
    with folder_of_everybody() as folder:
        found = attacked(folder, [str(app.executable)], games)

    assert {
        name: said for name, said in found.items() if name in names() and not said.startswith("closed")
    } == {}
    assert len(found) > len(names())


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
        assert app.name_of(agents / "needs_more.py") in told
        assert "numpy" in told
        assert f"Python {app.python_version}" in told
    assert f"{app.name_of(agents / 'broken.py')}: loading it failed: line 1: invalid syntax" in reasons
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
    program = start("--game", "practice", "--agent", app.name_of(agent))
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.may_report = AgentError

    say(program, "Are you there?")
    program.click("emotion.surprised")
    program.wait_for("shown", type="SEND_EXPRESSION", sender="human")
    build(program, apples__human=4)
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
    assert re.search(r'hangs\.py", line 1[12] in on_send_message', where_it_hung)
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
    *("nis", "readline", "curses", "_curses", "_curses_panel"),
}
"""Modules left out on purpose: tests, toys, tools that create other Pythons, an old network service, and
the editing of a prompt, whose library is under the GPL.
"""

IMPORT_ALL = """
import importlib
import warnings

warnings.simplefilter("ignore")
missing = []
for name in names:
    try:
        importlib.import_module(name)
    except BaseException as error:
        missing.append(f"{name}: {error!r}")
"""

LIST = """
import os
import pkgutil
import sys

def below(folder, prefix):
    found = []
    for each in pkgutil.iter_modules([folder], prefix):
        found.append(each.name)
        if each.ispkg:
            found += below(os.path.join(folder, each.name.rpartition(".")[2]), each.name + ".")
    return found

names = sys.stdlib_module_names - left_out
library = os.path.dirname(os.__file__)
for name in sorted(names):
    if os.path.isdir(os.path.join(library, name)):
        names |= set(below(os.path.join(library, name), name + "."))
names = sorted(name for name in names if not {"tests", "test", "__main__", *left_out} & set(name.split(".")))
"""

AGENT = """
from negoplatform.agent_api.base import NegotiationAgent

if missing:
    raise RuntimeError("; ".join(missing))


class Reader(NegotiationAgent):
    pass
"""


def library_of(app: Installed) -> list[str]:
    """Return every module of the standard library that the program's kind of Python can import."""
    tell = "gone = {line.partition(':')[0] for line in missing}\nprint(*(set(names) - gone))"
    code = "\n".join([f"left_out = {LEFT_OUT!r}", LIST, IMPORT_ALL, tell])
    told = subprocess.run(
        [*app.python, "-IS", "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    return sorted(told.stdout.split())


def test_an_agent_may_import_the_whole_standard_library(app: Installed) -> None:
    names = library_of(app)
    agent = app.home / "reader.py"
    agent.write_text(f"names = {names!r}\n{IMPORT_ALL}{AGENT}", encoding="utf-8")

    told = app.run("check", agent)

    assert len(names) > 500
    assert "failed" not in told.stdout + told.stderr
    assert told.returncode == 0
