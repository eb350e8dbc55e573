"""The guided practice in the real window: step by step, by mouse and by keys, skipped, and again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.window.conftest import Program

pytestmark = pytest.mark.window

START = Callable[..., Program]

ARMED = 1.1
"""Seconds after which a shown interpretation responds to a key."""

PRACTISES = ("--opening-delay", "0", "--closing-time", "5")


def begin(start: START, *more: str, code: str = "P1") -> Program:
    return start(
        "--game", "campsite", "--agent", "fair", "--participant", code, *more, brief=True, usual=PRACTISES
    )


def notes(program: Program) -> list[dict[str, Any]]:
    """Return the notes about the practice in the real session's log."""
    program.click("begin")
    program.wait_for("shown", type="GAME_START")
    program.wait_for("shown", type="SEND_MESSAGE")
    kept = [event["payload"] for event in program.events() if event["type"] == "NOTE"]
    return [note["data"] for note in kept if note["kind"] == "practice"]


def test_a_newcomer_practises_with_a_partner_who_says_yes(start: START) -> None:
    program = begin(start)
    program.wait_for("guide", step=1)
    assert not list((program.data_dir / "sessions").glob("*practice*"))
    program.types("Hello!")
    program.press("Return")
    program.wait_for("guide", step=2)
    program.press("F1")
    program.wait_for("help_open")
    program.press("Escape")
    program.wait_for("help_closed")
    program.click("apples.human.more")
    program.wait_for("draft")
    program.click("send_offer")
    program.wait_for("guide", step=3)
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.types("I get 4 apples and you get 4 bananas")
    program.press("Return")
    assert program.wait_for("reading_shown")["meaning"] == "proposal"
    time.sleep(ARMED)
    program.press("ctrl+Return")
    program.wait_for("guide", step=4)
    program.click("accept")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("guide", step=5)
    program.click("guide.leave")
    program.wait_for("practice_over", outcome="done")
    program.wait_for("focus", widget="begin")

    (note,) = notes(program)
    assert (note["outcome"], note["step"]) == ("done", 5)
    assert note["seconds"] > 0


@pytest.mark.parametrize("more", [(), ("--text-size", "200"), ("--language", "he")], ids=["", "200", "he"])
def test_one_press_skips_it_and_the_log_says_so(start: START, more: tuple[str, ...]) -> None:
    program = begin(start, *more)
    program.wait_for("guide", step=1)

    program.click("guide.leave")
    program.wait_for("practice_over", outcome="skipped")
    program.wait_for("focus", widget="begin")

    (note,) = notes(program)
    assert (note["outcome"], note["step"]) == ("skipped", 1)


def test_it_is_shown_once_and_again_from_the_help(start: START) -> None:
    first = begin(start)
    first.wait_for("guide", step=1)
    first.click("guide.leave")
    first.wait_for("focus", widget="begin")
    assert len(notes(first)) == 1
    first.stop()

    program = begin(start, "--seed", "2")
    program.wait_for("unfinished")
    program.click("keep")
    program.wait_for("focus", widget="begin")
    program.press("F1")
    program.wait_for("help_open")
    program.click("help.practise")
    program.wait_for("guide", step=1)
    program.wait_for("focus", widget="entry")
    program.tab_to("guide.leave", "shift+Tab")
    program.press("Return")
    program.wait_for("focus", widget="begin")

    told = [told["ev"] for told in program.told]
    assert told.index("briefing") < told.index("practice")
    assert len(notes(program)) == 1


def test_the_experimenter_can_leave_it_out(start: START) -> None:
    program = begin(start, "--no-practice")

    program.wait_for("focus", widget="begin")

    assert "practice" not in [told["ev"] for told in program.told]
    assert notes(program) == []
