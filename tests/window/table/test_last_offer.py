"""The last offer of a game that ends by its offers, with a real mouse and real keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.window.conftest import Program

pytestmark = pytest.mark.window

START = Callable[..., Program]


def test_after_the_last_offer_the_draft_cannot_be_sent(start: START, flat: str) -> None:
    program = start("--game", flat, "--agent", "fair", "--deadline-offers", "1")
    program.wait_for("shown", type="GAME_START")
    program.click("price.more")
    program.click("car.with")
    program.wait_for("draft", can_send=True)

    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="tenant")
    program.click("price.more")

    program.wait_for("draft", can_send=False)
    offers = [event for event in program.events() if event["type"] == "SEND_OFFER"]
    assert len(offers) == 1
