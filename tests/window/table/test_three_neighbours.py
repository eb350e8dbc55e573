"""A person negotiates with two agents in the program: private words, a crash, and a deal of three."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.window.conftest import APART, Program, accept_at_last, pictures, replayed

pytestmark = pytest.mark.window

START = Callable[..., Program]

NEIGHBOURS = """
from negoplatform.agent_api.actions import FormalAccept, SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Neighbour(NegotiationAgent):
    '''Accepts every complete offer, and answers a person in the way in which it is addressed.'''

    def on_game_start(self, ctx, event):
        return [SendMessage(f"Hello from the {ctx.seat}.")]

    def on_send_message(self, ctx, event):
        if event.sender != "parent":
            return []
        return [SendMessage("I see.", to=(event.sender,) if event.to else ())]

    def on_send_offer(self, ctx, event):
        return [FormalAccept()] if ctx.can_formally_accept() else []
"""


@pytest.fixture
def begin(start: START, tmp_path: Path) -> Callable[..., Program]:
    """Function that starts the program with two agents."""
    file = tmp_path / "neighbours.py"
    file.write_text(NEIGHBOURS, encoding="utf-8")
    table = ["--game", "three_way", "--agent", f"gardener={file}", "--agent", f"carpenter={file}"]
    return lambda *arguments: start(*table, *arguments)


def messages(program: Program) -> list[dict[str, Any]]:
    return [event for event in program.events() if event["type"] == "SEND_MESSAGE"]


def build_everything(program: Program) -> None:
    """Put a complete offer together."""
    for cell, times in {
        "budget.parent.more": 2,
        "budget.gardener.more": 2,
        "budget.carpenter.more": 2,
        "workshop.Until 8 pm": 1,
        "tree.Prune the tree": 1,
    }.items():
        for _ in range(times):
            program.click(cell)
            program.wait_for("draft")
            time.sleep(APART)
    # The last rows are out of view until a key reaches them.
    program.tab_to("play_area.By the gate")
    program.press("Right", "space")
    program.wait_for("draft")
    program.tab_to("mowing.parent.more")
    program.press("Right", "Right", "3", "Right", "1")
    program.wait_until(lambda told: told["ev"] == "draft" and told["note"].endswith("no deal"), "complete")


def test_a_person_and_two_agents_agree_after_private_words_and_a_crash(
    begin: Callable[..., Program], start: START, tmp_path: Path
) -> None:
    folder = pictures(tmp_path)
    program = begin("--participant", "P01")
    program.wait_for("shown", type="SEND_MESSAGE", sender="gardener")
    program.press("F3")
    program.wait_for("list_open")
    program.press("Down", "Return")
    program.wait_for("address", to=["gardener"])
    program.types("Between us, hello.")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="parent")
    program.wait_for("shown", type="SEND_MESSAGE", sender="gardener")
    program.shoot(folder / "several-private.png")
    program.types("I could")
    time.sleep(1)  # until the text is saved
    program.kill()

    program = start()
    program.wait_for("unfinished")
    program.click("resume")
    restored = program.wait_for("taken_up")
    program.press("ctrl+a", "BackSpace", "F3")
    program.wait_for("list_open")
    program.press("Home", "Return")
    program.wait_for("address", to=[])
    build_everything(program)
    program.click("send_offer")
    for _agent in range(2):  # in either order: they decide at the same time, in processes of their own
        program.wait_for("shown", type="FORMAL_ACCEPT")
    program.shoot(folder / "several-accepted.png")
    accept_at_last(program)
    ended = program.wait_for("ended")
    program.wait_for("finished")

    assert (restored["words"], restored["to"]) == ("I could", ["gardener"])
    said = [(event["sender"], event["payload"]["text"], event.get("to")) for event in messages(program)]
    assert ("parent", "Between us, hello.", ["gardener"]) in said
    assert ("gardener", "I see.", ["parent"]) in said
    assert not [text for sender, text, _to in said if sender == "carpenter" and text == "I see."]
    assert ended["heading"] == "You have a deal"
    assert "follow from the rules, and so does the end" in replayed(program.log())
