"""A person with only the program's folder negotiates, from the start window to a deal."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.packaged.hands import (
    build,
    choose,
    close,
    ending,
    of,
    strangers_in,
    verified,
)
from tests.packaged.installed import Installed
from tests.window.conftest import Program, accept_at_last
from tests.window.shell.test_unfinished_sessions import EVEN_ENOUGH, EVEN_ENOUGH_OFFER

pytestmark = pytest.mark.window

START = Callable[..., Program]

PROPOSAL = "I take 4 bananas and 5 grain, you get 3 wood and 3 spices"

PROPOSED = {
    "bananas": {"human": 4, "agent": 0, "undecided": 0},
    "grain": {"human": 5, "agent": 0, "undecided": 0},
    "wood": {"human": 0, "agent": 3, "undecided": 0},
    "spices": {"human": 0, "agent": 3, "undecided": 0},
}


def test_by_cards_rules_words_an_emotion_and_the_builder_a_person_reaches_an_agreement(
    start: START, app: Installed
) -> None:
    program = start("--participant", "P01", "--seed", "7", brief=True)
    program.wait_for("start_screen")
    choose(program, "game", "resource_exchange")
    choose(program, "agent", "fair")
    program.click("start")
    program.wait_for("briefing")
    program.wait_for("focus", widget="begin")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    strangers = [
        strangers_in(pid, app.executable.parent) for pid in (program.process.pid, *app.children_of(program))
    ]

    program.click("entry")
    program.types(PROPOSAL)
    program.press("Return")
    read = program.wait_for("reading_shown")
    time.sleep(1.3)  # as long as a fast reader needs; an earlier Enter does not count as an answer
    program.press("Return")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    program.click("emotion.happy")
    program.wait_for("shown", type="SEND_EXPRESSION", sender="human")
    build(program, **EVEN_ENOUGH)
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
    accept_at_last(program)
    ended = program.wait_for("ended")
    program.wait_for("finished")
    told = close(program)

    assert read["heading"] == "Send this as an offer?"
    assert read["terms"].startswith("4 bananas and 5 grain for you")
    assert (ended["heading"], ended["points"]) == ("You have a deal", "You get 25 points.")
    assert [said["text"] for said in of(program, "human", "SEND_MESSAGE")] == [PROPOSAL]
    assert [sent["offer"] for sent in of(program, "human", "SEND_OFFER")] == [PROPOSED, EVEN_ENOUGH_OFFER]
    assert [shown["expression"] for shown in of(program, "human", "SEND_EXPRESSION")] == ["HAPPY"]
    assert ending(program.log())["ended_by"] == "agreement"
    assert ending(program.log())["deal"] == EVEN_ENOUGH_OFFER
    last_hash = program.log().read_text(encoding="utf-8")[-67:-3]
    assert f"last hash {last_hash}" in told
    assert "finished (agreement)" in app.says("log", "verify", program.log(), "--last", last_hash)
    assert "human: P01 (human): 25 points" in app.says("replay", program.log())
    assert len(strangers) >= 2, "the agent has no process of its own"
    assert strangers == [[]] * len(strangers)


def test_words_that_no_keyboard_types_arrive_whole_whatever_the_language_of_the_system(
    start: START, app: Installed
) -> None:
    program = start("--game", "practice", "--agent", "conceder", "--participant", "P02")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.click("entry")
    program.types("café – Zażółć, שלום \N{SLIGHTLY SMILING FACE}?")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    told = app.says("replay", program.log())

    assert of(program, "human", "SEND_MESSAGE")[0]["text"] in told
    assert "café – Zażółć, שלום \N{SLIGHTLY SMILING FACE}?" in told
    assert "not finished" in verified(app, program.log())
