"""A log that is opened as a file manager does, with only its path."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.eventlog.logs import lines_of
from tests.packaged.hands import close, read_and_close
from tests.packaged.installed import Installed
from tests.window.conftest import LONGEST, Program

pytestmark = pytest.mark.window

START = Callable[..., Program]


@pytest.fixture
def log(app: Installed) -> Path:
    """Log of a game between two agents; no window has been opened yet."""
    sessions = app.home / "simulated games"
    app.says(
        *("simulate", "--game", "practice", "--agents", "fair", "conceder", "--n", "1", "--logs", sessions)
    )
    return min(sessions.glob("*/events.jsonl"))


def test_a_session_is_stepped_through(start: START, log: Path) -> None:
    events = lines_of(log)[1:]
    offers = [event["seq"] for event in events if event["type"] == "SEND_OFFER"]
    viewer = start(replayed=log)
    assert viewer.wait_for("replay_ready", problem="")["events"] == len(events)

    viewer.press("n")
    viewer.wait_for("replay_at", seq=offers[0])
    viewer.click("replay.next_offer")
    viewer.wait_for("replay_at", seq=offers[1])
    viewer.press("Left")
    viewer.wait_for("replay_at", seq=offers[1] - 1)
    viewer.click("replay.view_as.agent")
    viewer.wait_for("replay_view", view="agent")
    viewer.click("replay.tab.outcomes")
    viewer.wait_for("replay_outcomes")
    viewer.press("End")
    viewer.wait_for("replay_at", seq=len(events))
    close(viewer)


def test_a_path_alone_opens_the_viewer(app: Installed, log: Path) -> None:
    viewer = subprocess.Popen(
        [*app.command, app.name_of(log)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    app.wait_for_window()
    viewer.terminate()

    assert viewer.communicate(timeout=LONGEST) == (b"", b"")


def test_what_is_no_log_is_said_in_a_window_as_nobody_reads_a_terminal(begin: START, app: Installed) -> None:
    notes = app.home / "my notes.jsonl"
    notes.write_text("Not a log.\n", encoding="utf-8")

    sentence, errors = read_and_close(begin(replayed=notes))

    assert sentence.startswith(f"{app.name_of(notes)} at line 1: this is no valid JSON")
    assert errors == f"negoplatform: {sentence}\n"
