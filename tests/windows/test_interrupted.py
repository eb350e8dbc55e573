"""The program is ended from outside in the middle of a negotiation, and the negotiation goes on later."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaged.hands import build, ending, of
from tests.window.conftest import Program, accept_at_last, pictures, replayed
from tests.window.shell import test_unfinished_sessions
from tests.window.shell.test_unfinished_sessions import (
    EVEN_ENOUGH,
    EVEN_ENOUGH_OFFER,
    wait_until_kept,
)
from tests.windows.conftest import shoot
from tests.windows.machine import PATIENCE, Machine, agents_of, another

pytestmark = pytest.mark.window

START = Callable[..., Program]

test_a_half_typed_number_and_a_chosen_value_come_back = (
    test_unfinished_sessions.test_a_half_typed_number_and_a_chosen_value_come_back
)


def write_half_a_message(program: Program) -> None:
    """Send a message, build an offer, and write a message that is not sent."""
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.click("entry")
    program.types("Bananas matter most to me.")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    build(program, **EVEN_ENOUGH)
    program.click("entry")
    program.types("What do you th")
    wait_until_kept(program, words="What do you th")


def wait_until_gone(program: Program) -> None:
    """Wait until no agent of the program runs."""
    end = time.monotonic() + PATIENCE
    while agents_of(program):
        assert time.monotonic() < end, "an agent still runs"
        time.sleep(0.05)


def finish(program: Program) -> None:
    """Send the message and the offer, and agree."""
    program.types("ink?")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.click("send_offer")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
    accept_at_last(program)
    program.wait_for("ended", heading="You have a deal", points="You get 25 points.")
    program.wait_for("finished")


ONE_SESSION = ("--game", "resource_exchange", "--agent", "fair", "--participant", "P07", "--seed", "7")


def test_after_the_program_was_terminated_its_agent_is_gone_and_the_session_ends_in_a_deal(
    start: START, tmp_path: Path
) -> None:
    killed = start(*ONE_SESSION)
    write_half_a_message(killed)
    agents = agents_of(killed)
    killed.kill()
    wait_until_gone(killed)
    before = killed.log().read_bytes()

    program = start()
    program.wait_for("unfinished")
    shoot(program, pictures(tmp_path) / "windows-unfinished.png")
    program.click("resume")
    taken_up = program.wait_for("taken_up")
    program.wait_for("shown", type="RESUMED")
    shoot(program, pictures(tmp_path) / "windows-resumed.png")
    finish(program)

    assert agents
    assert taken_up["words"] == "What do you th"
    assert program.log() == killed.log()
    assert program.log().read_bytes().startswith(before)
    said = [message["text"] for message in of(program, "human", "SEND_MESSAGE")]
    assert said == ["Bananas matter most to me.", "What do you think?"]
    assert ending(program.log())["deal"] == EVEN_ENOUGH_OFFER
    assert "follow from the rules, and so does the end" in replayed(program.log())


def test_logging_off_is_not_refused_and_nothing_is_lost(
    start: START, windows: Machine, tmp_path: Path
) -> None:
    with another(windows, tmp_path / "prefix") as (screen, machine):
        closed = start(*ONE_SESSION, on=screen, machine=machine)
        write_half_a_message(closed)
        machine.run(screen, "wineboot", "--end-session")
        wait_until_gone(closed)
        closed.process.wait(PATIENCE)
    program = start()
    program.wait_for("unfinished")
    program.click("resume")
    taken_up = program.wait_for("taken_up")
    program.wait_for("shown", type="RESUMED")

    assert taken_up["words"] == "What do you th"
    assert program.log() == closed.log()
