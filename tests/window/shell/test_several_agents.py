"""A negotiation with several agents: started, killed, resumed and finished in the real window."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.session.log_proofs import PROOFS_FILE
from negoplatform.domain.game import Acceptance
from tests.games import game_file, three_seats
from tests.window.conftest import LONGEST, Program, accept_at_last, pictures, replayed

pytestmark = pytest.mark.window

START = Callable[..., Program]

WILLING = """
from negoplatform.agent_api.actions import FormalAccept, SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent


class Willing(NegotiationAgent):
    '''Counts what it hears, offers when it is asked to, and accepts any offer.'''

    heard = 0

    def get_name(self):
        return self.get_config("name", "Dana")

    def on_send_message(self, ctx, event):
        self.heard += 1
        if self.get_name() == event.get_text():
            coins = {"red": 2, "green": 1, "blue": 1}
            return [SendMessage(f"{self.get_name()} has heard {self.heard}."),
                    SendOffer(ctx.make_offer(coins=coins, colour="red"))]
        return []

    def on_send_offer(self, ctx, event):
        return [FormalAccept()] if ctx.can_formally_accept() else []
"""


def say(program: Program, text: str) -> None:
    """Send a message, and wait until it is recorded."""
    program.click("entry")
    program.types(text)
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="red")


def header(program: Program) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])
    return line


@pytest.fixture
def killed(start: START, tmp_path: Path) -> Program:
    """Program that was killed in a session with the same agent in two seats."""
    agent = tmp_path / "willing.py"
    agent.write_text(WILLING, encoding="utf-8")
    game = game_file(tmp_path, three_seats(acceptance=Acceptance.MAKER_ACCEPTS, deadline_seconds=600.0))
    program = start("--game", game, "--agent", str(agent), "--participant", "P07")
    program.wait_for("table_screen")
    say(program, "Hello.")
    say(program, "Ariel")
    program.wait_for("shown", type="SEND_OFFER", sender="blue")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="green")
    program.kill()
    return program


def test_after_a_kill_all_agents_go_on_under_their_names_and_the_deal_is_made(
    start: START, killed: Program, tmp_path: Path
) -> None:
    before = killed.log().read_bytes()

    program = start()
    program.wait_for("unfinished")
    program.shoot(pictures(tmp_path) / "several-unfinished.png")
    program.click("resume")
    program.wait_for("shown", type="RESUMED")
    say(program, "Dana")
    program.wait_for("shown", type="SEND_OFFER", sender="green")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="blue")
    program.shoot(pictures(tmp_path) / "several-resumed.png")
    accept_at_last(program)
    program.wait_for("ended")
    program.press("Return")
    program.wait_for("finished")

    names = {seat: who["name"] for seat, who in header(program)["seats"].items() if who["kind"] == "agent"}
    said = [event["payload"]["text"] for event in program.events() if event["type"] == "SEND_MESSAGE"]
    end = next(event["payload"] for event in program.events() if event["type"] == "GAME_END")
    assert program.log().read_bytes().startswith(before)
    assert names == {"green": "Dana", "blue": "Ariel"}
    # Each remembers all that was said before the kill, also by the other agent.
    assert said == ["Hello.", "Ariel", "Ariel has heard 2.", "Dana", "Dana has heard 4."]
    assert end["ended_by"] == "agreement"
    assert "follow from the rules, and so does the end" in replayed(program.log())
    assert (program.data_dir / PROOFS_FILE).read_text(encoding="utf-8").count("\n") == 1


def test_the_log_of_a_resumed_session_with_several_agents_can_be_rerun(
    start: START, killed: Program, tmp_path: Path
) -> None:
    program = start("--resume", str(killed.log()))
    program.wait_for("shown", type="RESUMED")
    program.walk_away()
    program.wait_for("finished")
    program.stop()

    command = [sys.executable, "-m", "negoplatform", "resimulate", str(program.log())]
    told = subprocess.run(
        [*command, "--agent", str(tmp_path / "willing.py"), "--data-dir", str(program.data_dir)],
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )

    assert "the 2 agents" in told.stdout, told.stderr
    assert told.returncode == 0
