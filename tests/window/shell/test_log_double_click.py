"""Logs that are double-clicked on a Mac, which notifies the program through Tk; tests play the Mac's part."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.eventlog.logs import lines_of
from tests.golden.make import GOLDEN
from tests.window.conftest import Program

pytestmark = pytest.mark.window

LOG = GOLDEN / "deal-2.jsonl"

ON_A_MAC = """
import sys
from types import SimpleNamespace
from negoplatform.gui.shell import file_open_events
file_open_events.sys = SimpleNamespace(platform="darwin")
first = file_open_events.FileOpenEvents.__init__
def begin(self, root):
    first(self, root)
    {at_start}
    root.bind("<F9>", lambda _event: root.tk.call("::tk::mac::OpenDocument", {later!r}))
file_open_events.FileOpenEvents.__init__ = begin
from negoplatform.__main__ import main
main()
"""
"""The program with the Mac's part: a log right at the start, and one when F9 is pressed."""

AT_START = 'root.after_idle(lambda: root.tk.call("::tk::mac::OpenDocument", {log!r}))'

Mac = Callable[..., Program]


@pytest.fixture
def mac(start: Callable[..., Program]) -> Mac:
    """Function that starts the program with the Mac's part."""

    def begin(*, at_start: Path | None = None, later: Path = LOG) -> Program:
        told = "pass" if at_start is None else AT_START.format(log=str(at_start))
        return start(command=(sys.executable, "-c", ON_A_MAC.format(at_start=told, later=str(later))))

    return begin


def test_a_log_that_starts_the_program_is_shown_as_soon_as_it_is_there(mac: Mac) -> None:
    program = mac(at_start=LOG)

    shown = program.wait_for("replay_ready")

    assert shown["events"] == len(lines_of(LOG)) - 1


def test_a_log_is_opened_from_the_start_window_and_leads_back_to_it(mac: Mac) -> None:
    program = mac()
    program.wait_for("start_screen")

    program.press("F9")
    shown = program.wait_for("replay_ready")
    program.click("replay.done")
    program.wait_for("start_screen")

    assert shown["events"] == len(lines_of(LOG)) - 1


def test_a_log_that_cannot_be_read_is_said_in_the_start_window(mac: Mac, tmp_path: Path) -> None:
    program = mac(later=tmp_path / "nowhere.jsonl")
    program.wait_for("start_screen")

    program.press("F9")

    assert "nowhere.jsonl" in program.wait_for("problem")["text"]


def test_nothing_comes_up_before_somebody_who_negotiates(mac: Mac) -> None:
    program = mac()
    program.wait_for("start_screen")
    program.click("start")
    program.wait_for("table_screen")

    program.press("F9")
    program.walk_away()
    program.wait_for("finished")

    assert "replay_ready" not in {told["ev"] for told in program.told}
