"""The timeline of all offers under a real mouse and real keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.window.conftest import Program

pytestmark = pytest.mark.window


def test_an_offer_is_found_again_and_compared_by_keys(start: Callable[..., Program]) -> None:
    program = start("--game", "practice", "--agent", "conceder")
    first = program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.click("apples.human.more")
    program.wait_for("draft")
    program.click("send_offer")
    second = program.wait_for("shown", type="SEND_OFFER", sender="human")

    program.tab_to("timeline")
    program.press("Right", "Return")
    found = program.wait_for("offer_seen")
    program.press("Right", "space")
    compared = program.wait_for("offers_compared")
    program.press("Escape")
    program.wait_for("focus", widget="entry")
    program.click("timeline.fold")
    program.click("emotion.happy")
    folded = program.wait_for("shown", type="SEND_EXPRESSION", sender="human")

    assert (found["seq"], "timeline" in first["widgets"]) == (first["seq"], True)
    assert second["seq"] != first["seq"]
    assert compared["total"] == "depends on the rest"
    assert "timeline.compare.close" in compared["widgets"]
    assert "timeline.compare.close" not in folded["widgets"]
    assert "timeline" not in folded["widgets"]
