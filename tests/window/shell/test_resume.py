"""An interrupted session is resumed: the possible actions until it goes on, and the restored input."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.window.conftest import LONGEST, Program, pictures
from tests.window.shell.test_unfinished_sessions import begin, own, wait_until_kept
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]

SLOW = """
import time

from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Slow(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [SendMessage("Hello.")]

    def on_send_message(self, ctx, event):
        time.sleep(0.5)
        return []
"""


def say(program: Program, text: str) -> None:
    """Send a message, and wait until it is recorded."""
    program.click("entry")
    program.types(text)
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")


@pytest.fixture
def killed(start: START, tmp_path: Path) -> Program:
    """Program that was killed; its agent needs about four seconds to process its past messages again."""
    agent = tmp_path / "slow.py"
    agent.write_text(SLOW, encoding="utf-8")
    program = start("--game", "practice", "--agent", str(agent))
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    for number in range(8):
        say(program, str(number))
    program.kill()
    return program


def begin_to_resume(start: START) -> Program:
    program = start()
    program.wait_for("unfinished")
    program.click("resume")
    program.wait_for("resuming")
    return program


def test_until_the_session_goes_on_nothing_can_be_done_and_then_everything(
    start: START, killed: Program, tmp_path: Path
) -> None:
    program = begin_to_resume(start)

    program.shoot(pictures(tmp_path) / "10-resuming.png")
    program.widgets = killed.widgets  # where the same controls stand, below what is shown now
    program.click("walk_away")
    program.click("entry")
    for _ in range(4):
        program.press("Tab")
        program.types("x")
    program.press("Return")
    program.wait_for("shown", type="RESUMED")
    program.types("Here I am again.")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    before = [told["ev"] for told in program.told]
    assert before.index("resuming") < before.index("taken_up")
    assert "dialog_open" not in before
    said = [event["payload"]["text"] for event in own(program, "SEND_MESSAGE")]
    assert said == [*"01234567", "Here I am again."]


def test_a_session_that_is_being_resumed_is_not_ended_by_closing_the_window(
    start: START, killed: Program, tmp_path: Path
) -> None:
    before = killed.log().read_bytes()
    program = begin_to_resume(start)

    program.close_window()
    asked = program.wait_for("dialog_open")
    program.shoot(pictures(tmp_path) / "11-close-while-resuming.png")
    program.click("dialog.yes")
    told, _ = program.process.communicate(timeout=LONGEST)

    assert "doesn’t end it" in asked["text"]
    assert program.process.returncode == 0
    assert f"Log so far: {program.log()} (not finished)" in told.decode()
    assert program.log().read_bytes().startswith(before)
    assert "GAME_END" not in [event["type"] for event in program.events()]


def test_the_question_whether_to_close_is_gone_once_the_session_goes_on(
    start: START, killed: Program
) -> None:
    assert killed.process.poll() is not None
    program = begin_to_resume(start)

    program.close_window()
    program.wait_for("dialog_open")
    program.wait_for("dialog_closed")
    program.wait_for("shown", type="RESUMED")
    say(program, "Here I am again.")

    assert own(program, "SEND_MESSAGE")[-1]["payload"]["text"] == "Here I am again."


def test_words_that_were_said_before_and_are_typed_again_come_back(start: START) -> None:
    killed = begin(start)
    say(killed, "Yes")
    killed.types("Yes")
    wait_until_kept(killed, words="Yes", answered=1)
    killed.kill()

    program = start()
    program.wait_for("unfinished")
    program.click("resume")

    assert program.wait_for("taken_up")["words"] == "Yes"


def test_whether_to_close_an_unfinished_session_is_asked_once_and_no_longer_than_it_is_shown(
    screen: Screen,
) -> None:
    told = screen.run(
        sys.executable, "-m", "tests.window.programs.close_unfinished_twice", capture_output=True
    )

    assert told.stdout.split() == [b"1", b"0"]
