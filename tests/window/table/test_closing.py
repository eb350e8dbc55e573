"""After the end: the result stays, and a goodbye can be typed to its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.window.conftest import LONGEST, Program, replayed

pytestmark = pytest.mark.window

START = Callable[..., Program]

ONE_GAME = ("--game", "practice", "--agent", "fair")


def walk_away(start: START, seconds: str) -> Program:
    program = start(*ONE_GAME, "--closing-time", seconds)
    program.wait_for("shown", type="GAME_START")
    program.walk_away()
    program.wait_for("ended")
    return program


def own_after_the_end(program: Program) -> list[dict[str, Any]]:
    """Return the participant's messages after the end, and the notes about their texts."""
    events = program.events()
    end = [event["type"] for event in events].index("GAME_END")
    return [
        event["payload"]
        for event in events[end:]
        if event["payload"].get("kind") == "words_left"
        or (event["type"] == "SEND_MESSAGE" and event["sender"] == "human")
    ]


def test_no_key_of_a_goodbye_leaves_the_result_however_late_it_is(start: START) -> None:
    program = walk_away(start, "0.5")
    program.wait_for("finished")

    program.types("lol that was rough, bye")
    program.press("Return", "F1")

    program.wait_for("help_open")
    assert "done" in program.widgets
    assert program.process.poll() is None


def test_a_goodbye_is_typed_to_its_end_and_sent(start: START) -> None:
    program = walk_away(start, "120")

    program.types("lol that was rough, bye")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.click("done")

    assert program.process.wait(LONGEST) == 0
    assert [said["text"] for said in own_after_the_end(program)] == ["lol that was rough, bye"]
    assert "follow from the rules, and so does the end" in replayed(program.log())


def test_done_says_what_stands_in_the_line(start: START) -> None:
    program = walk_away(start, "120")

    program.types("ok see you around")
    program.click("done")

    assert program.process.wait(LONGEST) == 0
    assert [said["text"] for said in own_after_the_end(program)] == ["ok see you around"]


def test_the_end_of_the_closing_says_what_stands_in_the_line(start: START) -> None:
    program = walk_away(start, "6")

    program.types("well then, good luck")
    program.wait_for("finished")

    assert [said["text"] for said in own_after_the_end(program)] == ["well then, good luck"]


def test_words_from_before_the_end_are_noted_and_not_said(start: START) -> None:
    program = start(*ONE_GAME, "--closing-time", "120")
    program.wait_for("shown", type="GAME_START")
    program.click("entry")
    program.types("i might as well")
    program.walk_away()
    program.wait_for("ended")

    program.click("done")

    assert program.process.wait(LONGEST) == 0
    assert [noted["data"] for noted in own_after_the_end(program)] == [
        {"seat": "human", "text": "i might as well"}
    ]
