"""The cards of offers in the transcript, under a real mouse and real keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.window.conftest import Program

pytestmark = pytest.mark.window

START = Callable[..., Program]

OFFERS_ONCE = """
from negoplatform.agent_api.actions import SendOffer
from negoplatform.agent_api.base import NegotiationAgent

class OffersOnce(NegotiationAgent):
    '''Makes an offer at the beginning, and another one when something is said.'''

    def on_game_start(self, ctx, event):
        return [SendOffer(ctx.make_offer(apples=(2, 4), day="Sunday"))]

    def on_send_message(self, ctx, event):
        return [SendOffer(ctx.make_offer(apples=(3, 3), day="Sunday"))]
"""


@pytest.fixture
def program(start: START, tmp_path: Path) -> Program:
    """Program with an offer of the other side: two apples for the participant, and Sunday."""
    agent = tmp_path / "offers_once.py"
    agent.write_text(OFFERS_ONCE, encoding="utf-8")
    program = start("--game", "practice", "--agent", str(agent))
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    return program


def own(program: Program, kind: str) -> list[dict[str, Any]]:
    return [e["payload"] for e in program.events() if e["type"] == kind and e["sender"] == "human"]


def test_an_offer_is_accepted_on_its_card(program: Program) -> None:
    program.click("card.accept")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="human")

    assert "card.accept" not in program.widgets


def test_declining_says_so_and_leaves_the_offer_on_the_table(program: Program) -> None:
    program.click("card.decline")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    (said,) = own(program, "SEND_MESSAGE")
    assert said["text"] == "That doesn’t work for me as it stands."
    assert said["subtype"] == "OFFER_REJECT"
    assert own(program, "FORMAL_QUIT") == []


def test_a_counter_offer_is_edited_in_its_card_and_in_the_builder_as_one_draft(program: Program) -> None:
    program.click("card.counter")
    program.wait_for("counter_open")
    program.click("card.apples.more")
    program.wait_for("draft", worth="9 points")
    program.click("day.Saturday")
    program.wait_for("draft", worth="11 points")
    program.click("card.day.Sunday")
    program.wait_for("draft", worth="9 points")
    program.click("card.send")
    shown = program.wait_for("shown", type="SEND_OFFER", sender="human")

    assert "card.send" not in shown["widgets"]
    (sent,) = own(program, "SEND_OFFER")
    assert sent["offer"] == {"apples": {"human": 3, "agent": 3, "undecided": 0}, "day": "Sunday"}


def test_what_was_prepared_before_comes_back_when_a_counter_offer_is_cancelled(program: Program) -> None:
    program.click("day.Saturday")
    program.wait_for("draft", worth="5 points")
    program.click("card.counter")
    program.wait_for("draft", worth="7 points")
    program.wait_for("counter_open")
    program.click("card.cancel")
    cancelled = program.wait_for("draft", worth="5 points")
    program.wait_for("counter_closed")
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="human")

    assert cancelled["can_send"]
    assert own(program, "SEND_OFFER")[0]["offer"] == {"day": "Saturday"}


def test_an_offer_that_is_replaced_while_it_is_countered_costs_nothing_that_was_prepared(
    program: Program,
) -> None:
    program.click("card.counter")
    program.wait_for("counter_open")
    program.click("card.apples.more")
    program.wait_for("draft", worth="9 points")
    program.click("card.apples.more")
    program.wait_for("draft", worth="11 points")
    program.click("entry")
    program.types("Wait a moment")
    program.press("Return")
    replaced = program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.click("card.send")
    program.wait_for("shown", type="SEND_OFFER", sender="human")

    assert "card.send" in replaced["widgets"]
    offer = own(program, "SEND_OFFER")[0]["offer"]
    assert offer == {"apples": {"human": 4, "agent": 2, "undecided": 0}, "day": "Sunday"}


def test_an_offer_is_countered_by_keys_alone(program: Program) -> None:
    program.tab_to("card.counter")
    program.press("space")
    program.wait_for("counter_open")
    program.press("Tab")
    program.wait_for("focus", widget="card.apples.more")
    program.press("space", "space")
    program.wait_for("draft", worth="11 points")
    program.press("Escape")
    program.wait_for("counter_closed")
    program.press("Tab")
    program.wait_for("focus", widget="card.counter")
    program.press("space")
    program.wait_for("counter_open")
    program.press("Tab", "space")
    program.wait_for("draft", worth="9 points")
    program.tab_to("card.send")
    program.press("space")
    program.wait_for("shown", type="SEND_OFFER", sender="human")

    assert own(program, "SEND_OFFER")[0]["offer"]["apples"]["human"] == 3


def test_a_draft_of_a_counter_offer_survives_a_crash(program: Program, start: START) -> None:
    program.click("card.counter")
    program.wait_for("counter_open")
    program.click("card.apples.more")
    program.wait_for("draft", worth="9 points")
    program.click("walk_away")  # by the time this is asked, the draft has been kept
    program.wait_for("dialog_open")
    program.kill()

    resumed = start()
    resumed.wait_for("unfinished")
    resumed.click("resume")

    assert resumed.wait_for("taken_up")["note"] == "5 points better than no deal"
