"""A trained policy that is put into the agents' folder, and negotiates with a person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.strategies.learned.policies import constant_policy, write_policy
from tests.window.conftest import Program, accept_at_last, build, pictures, replayed

pytestmark = pytest.mark.window

START = Callable[..., Program]

OFFER_FIRST, ACCEPT = {1: 1.0, 4: 5.0}, {2: 1.0}
"""Outputs that make high demands, and outputs that accept whatever is not worth less than no deal."""


def test_a_policy_that_is_put_into_the_folder_makes_a_deal_with_a_person(
    start: START, tmp_path: Path
) -> None:
    program = start("--game", "resource_exchange", "--participant", "P01")
    program.wait_for("start_screen")
    policy = constant_policy("resource_exchange", seat="agent", codec="demand", outputs=ACCEPT, name="Kim")
    write_policy(tmp_path / "data" / "agents" / "learned.json", policy)

    program.press("F5")
    program.wait_for("renewed")
    program.click("agent")
    program.press("End")
    program.wait_for("chosen", value="learned")
    program.click("start")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    build(program, bananas__human=4, grain__agent=5, wood__agent=3, spices__agent=3)
    program.click("send_offer")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
    program.shoot(pictures(tmp_path) / "policy.png")
    accept_at_last(program)
    program.wait_for("ended")

    told = replayed(program.log())
    assert "agent: Kim (agent learned)" in told
    assert "agreement" in told


def test_an_offer_of_a_policy_stays_on_the_table_while_a_person_considers_it(
    start: START, tmp_path: Path
) -> None:
    content: dict[str, Any] = {"codec": "demand", "outputs": OFFER_FIRST, "step_seconds": 0.2}
    policy = constant_policy("practice", seat="agent", **content, holds_offers_seconds=600.0)
    path = write_policy(tmp_path / "learned.json", policy)

    program = start("--game", "practice", "--agent", str(path), "--language", "de")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    build(program, apples__human=6)
    program.click("accept")
    program.wait_for("dialog_open")

    events = program.events()
    assert [event["type"] for event in events].count("SEND_OFFER") == 1
    said = [event["payload"]["text"] for event in events if event["type"] == "SEND_MESSAGE"]
    assert said[0].startswith("Guten Tag!")
