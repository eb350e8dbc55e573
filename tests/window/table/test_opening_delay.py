"""The agent leaves a person time to read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.window.conftest import Program

pytestmark = pytest.mark.window

START = Callable[..., Program]

ONE_GAME = ("--game", "practice", "--agent", "negochat")


def rules(program: Program) -> dict[str, Any]:
    header = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])
    found: dict[str, Any] = header["game"]["rules"]
    return found


def test_the_agent_says_nothing_until_the_participant_begins_to_type(start: START) -> None:
    program = start(*ONE_GAME, "--opening-delay", "600")
    program.wait_for("shown", type="GAME_START")

    program.types("h")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    types = [event["type"] for event in program.events()]
    assert types.index("TYPING") < types.index("SEND_MESSAGE")


def test_the_header_says_how_long_it_waits_at_the_most(start: START) -> None:
    program = start(*ONE_GAME, usual=())
    program.wait_for("table_screen")

    assert 8 <= rules(program)["opening_delay_seconds"] <= 20
    assert rules(program)["closing_seconds"] == 120
