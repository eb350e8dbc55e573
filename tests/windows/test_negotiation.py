"""From the start window to an agreement."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaged.hands import build, choose, close, ending, of
from tests.packaged.test_negotiation import PROPOSAL, PROPOSED
from tests.window.conftest import Program, pictures, replayed
from tests.window.shell.test_unfinished_sessions import EVEN_ENOUGH, EVEN_ENOUGH_OFFER
from tests.windows.conftest import shoot
from tests.windows.machine import agents_of

pytestmark = pytest.mark.window

START = Callable[..., Program]


def test_by_cards_rules_words_an_emotion_and_the_builder_a_person_reaches_an_agreement(
    start: START, tmp_path: Path
) -> None:
    shots = pictures(tmp_path)
    program = start("--participant", "P01", "--seed", "7", brief=True)
    program.wait_for("start_screen")
    choose(program, "game", "resource_exchange")
    choose(program, "agent", "fair")
    shoot(program, shots / "windows-start.png")
    program.click("start")
    program.wait_for("briefing")
    program.wait_for("focus", widget="begin")
    shoot(program, shots / "windows-rules.png")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    agents = agents_of(program)

    program.click("entry")
    program.types(PROPOSAL)
    program.press("Return")
    read = program.wait_for("reading_shown")
    time.sleep(1.3)  # as long as a fast reader needs; an earlier Enter does not count as an answer
    shoot(program, shots / "windows-reading.png")
    program.press("Return")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    program.click("emotion.happy")
    program.wait_for("shown", type="SEND_EXPRESSION", sender="human")
    program.click("entry")
    program.types("café – Zażółć, שלום \N{SLIGHTLY SMILING FACE}!")
    shoot(program, shots / "windows-pasted.png")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    build(program, **EVEN_ENOUGH)
    shoot(program, shots / "windows-builder.png")
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
    program.click("accept")
    program.wait_for("dialog_open")
    shoot(program, shots / "windows-dialog.png")
    program.click("dialog.yes")
    ended = program.wait_for("ended")
    program.wait_for("finished")
    shoot(program, shots / "windows-deal.png")
    told = close(program)

    assert len(agents) == 1, "the agent has no process of its own"
    assert read["heading"] == "Send this as an offer?"
    assert (ended["heading"], ended["points"]) == ("You have a deal", "You get 25 points.")
    said = [message["text"] for message in of(program, "human", "SEND_MESSAGE")]
    assert said == [PROPOSAL, "café – Zażółć, שלום \N{SLIGHTLY SMILING FACE}!"]
    assert [sent["offer"] for sent in of(program, "human", "SEND_OFFER")] == [PROPOSED, EVEN_ENOUGH_OFFER]
    assert [shown["expression"] for shown in of(program, "human", "SEND_EXPRESSION")] == ["HAPPY"]
    assert ending(program.log())["deal"] == EVEN_ENOUGH_OFFER
    assert f"last hash {program.log().read_text(encoding='utf-8')[-67:-3]}" in told
    assert "follow from the rules, and so does the end" in replayed(program.log())
    assert agents_of(program) == []


def test_two_windows_at_once_keep_their_sessions_apart(start: START, tmp_path: Path) -> None:
    one = start("--game", "practice", "--agent", "fair", "--participant", "P05")
    first = one.path_of(one.wait_for("table_screen")["log"])
    one.wait_for("shown", sender="agent")
    # Only now: the second window has to be in front of the first.
    other = start("--game", "campsite", "--agent", "conceder", "--participant", "P06")
    second = other.path_of(other.wait_for("table_screen")["log"])
    other.wait_for("shown", sender="agent")
    other.walk_away()
    other.wait_for("ended")
    other.wait_for("finished")
    close(other)

    assert first != second
    assert ending(second)["ended_by"] == "quit"
    assert '"GAME_END"' not in first.read_text(encoding="utf-8")
    assert one.process.poll() is None
