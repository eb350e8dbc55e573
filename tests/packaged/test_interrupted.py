"""The program is killed in the middle of a negotiation: the remaining data, and the continuation."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.packaged.hands import (
    all_gone,
    build,
    ending,
    of,
    say,
    verified,
)
from tests.packaged.installed import Installed
from tests.window.conftest import LONGEST, Program, accept_at_last
from tests.window.shell.test_unfinished_sessions import EVEN_ENOUGH, EVEN_ENOUGH_OFFER, wait_until_kept

pytestmark = pytest.mark.window


def test_after_kill_9_no_process_is_left_and_the_session_is_resumed_and_ends_in_a_deal(
    start: Callable[..., Program], app: Installed
) -> None:
    killed = start("--game", "resource_exchange", "--agent", "fair", "--participant", "P07", "--seed", "7")
    killed.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    say(killed, "Bananas matter most to me.")
    build(killed, **EVEN_ENOUGH)
    killed.click("entry")
    killed.types("What do you th")
    wait_until_kept(killed, words="What do you th")
    agents = app.children_of(killed)
    killed.kill()
    until = time.monotonic() + LONGEST
    while not all_gone(agents) and time.monotonic() < until:
        time.sleep(0.05)
    orphans = [pid for pid in agents if not all_gone([pid])]
    before = killed.log().read_bytes()
    told_before = verified(app, killed.log())

    program = start()
    program.wait_for("unfinished")
    program.click("resume")
    taken_up = program.wait_for("taken_up")
    program.wait_for("shown", type="RESUMED")
    program.types("ink?")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.click("send_offer")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
    accept_at_last(program)
    ended = program.wait_for("ended")
    program.wait_for("finished")

    assert agents
    assert orphans == []
    assert "not finished" in told_before
    assert taken_up["words"] == "What do you th"
    assert (ended["heading"], ended["points"]) == ("You have a deal", "You get 25 points.")
    assert program.log() == killed.log()
    assert program.log().read_bytes().startswith(before)
    said = [message["text"] for message in of(program, "human", "SEND_MESSAGE")]
    assert said == ["Bananas matter most to me.", "What do you think?"]
    assert ending(program.log())["deal"] == EVEN_ENOUGH_OFFER
    assert "finished (agreement)" in verified(app, program.log())
