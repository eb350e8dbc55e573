"""A job is negotiated with NegoChat by typed sentences alone, issue by issue, to a formal agreement."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.window.conftest import Program

pytestmark = pytest.mark.window

START = Callable[..., Program]

ANSWERS = (
    # The sentence, and what the window takes it for.
    ("I offer a salary of 90,000", {"90,000 USD"}),
    ("You work as a programmer", {"Programmer"}),
    ("You get a pension of 10%", {"pension fund 10%"}),
    ("You work 10 hours and get the car", {"with leased car", "10 hours"}),
)
"""The employer's sentences, one for each term; after that they confirm each proposal."""


@pytest.fixture
def agent_settings(tmp_path: Path) -> str:
    """File of settings with which the agent responds after a moment instead of four seconds."""
    file = tmp_path / "prompt.json"
    file.write_text('{"reply_seconds": 0, "timing": {"act_delay": 0.3}}', encoding="utf-8")
    return str(file)


def says(program: Program, sentence: str) -> str:
    """Type a sentence and confirm its interpretation; return the text of the interpretation."""
    program.types(sentence)
    program.press("Return")
    shown = program.wait_for("reading_shown")
    time.sleep(2.8)  # a second to read; one more if the agent confirms its offer meanwhile
    program.press("ctrl+Return")
    told = program.wait_until(lambda told: told["ev"] in ("reading_answered", "dialog_open"), "an answer")
    if told["ev"] == "dialog_open":  # the deal is worse than none
        program.click("dialog.yes")
        program.wait_for("reading_answered")
    return f"{shown['meaning']}: {shown['terms']}"


def terms(event: dict[str, Any]) -> set[str]:
    """Return the issues that an offer in the log decides."""
    return set(event["payload"]["offer"])


def test_a_job_is_negotiated_by_typed_sentences_alone(start: START, agent_settings: str) -> None:
    program = start(
        "--game", "job_candidate", "--agent", "negochat", "--agent-config", agent_settings, "--seed", "1"
    )
    program.wait_for("shown", type="SEND_OFFER", sender="candidate")
    understood = []

    for sentence, _ in ANSWERS:
        understood.append(says(program, sentence))
        program.wait_for("shown", type="SEND_OFFER", sender="candidate")
    while not program.events()[-1]["type"].startswith("GAME_END"):
        understood.append(says(program, "ok, agreed"))
        program.wait_until(
            lambda told: (
                told["ev"] == "ended" or (told.get("type"), told.get("sender")) == ("SEND_OFFER", "candidate")
            ),
            "an offer of the agent, or the end",
        )
        if understood[-1].startswith("acceptance"):
            break

    program.wait_for("ended", heading="You have a deal")
    events = program.events()
    mine = [event for event in events if event["sender"] == "employer"]
    sizes = [len(terms(event)) for event in events if event["type"] == "SEND_OFFER"]
    for told, (_, wanted) in zip(understood, ANSWERS, strict=False):
        assert {term for term in wanted if term not in told} == set()
    assert {event["type"] for event in mine} <= {"SEND_MESSAGE", "SEND_OFFER", "FORMAL_ACCEPT", "TYPING"}
    assert max(sizes[:-1]) < 6, "issue by issue"
    assert sizes[-1] == 6
    assert [event["type"] for event in events[-6:] if event["type"] == "GAME_END"] == ["GAME_END"]
