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
    # The sentence, and what the window takes it for; what is agreed by then goes along.
    ("I can pay 90,000, not more", {"Salary: 90,000 USD"}),
    ("What about being a programmer?", {"Job description: Programmer"}),
    ("10 percent for the pension", {"Pension fund: 10%"}),
    ("ten hours, and you get the car", {"Leased car: With leased car", "Working hours: 10 hours"}),
)
"""What the employer types, one sentence for each thing; after that they say yes to what comes."""


@pytest.fixture
def agent_settings(tmp_path: Path) -> str:
    """The agent answers after a moment instead of after four seconds."""
    file = tmp_path / "prompt.json"
    file.write_text('{"reply_seconds": 0, "timing": {"act_delay": 0.3}}', encoding="utf-8")
    return str(file)


def says(program: Program, sentence: str) -> str:
    """Types a sentence, reads what it is taken for, and presses Enter again; what it was taken for."""
    program.types(sentence)
    program.press("Return")
    shown = program.wait_for("reading_shown")
    time.sleep(0.5)  # as long as somebody needs who reads quickly: a doubled Enter sends nothing
    program.press("Return")
    program.wait_for("reading_answered")
    heading: str = shown["heading"]
    return heading


def terms(event: dict[str, Any]) -> set[str]:
    """The issues that an offer in the log decides."""
    return set(event["payload"]["offer"])


def test_a_job_is_negotiated_by_typed_sentences_alone(start: START, agent_settings: str) -> None:
    program = start(
        "--game", "job_candidate", "--agent", "negochat", "--agent-config", agent_settings, "--seed", "1"
    )
    program.wait_for("shown", type="SEND_OFFER", sender="candidate")
    headings = []

    for sentence, _ in ANSWERS:
        headings.append(says(program, sentence))
        program.wait_for("shown", type="SEND_OFFER", sender="candidate")
    while not program.events()[-1]["type"].startswith("GAME_END"):
        headings.append(says(program, "ok, agreed"))
        program.wait_until(
            lambda told: told["ev"] == "ended" or (told["ev"], told.get("sender")) == ("shown", "candidate"),
            "an answer of the agent, or the end",
        )
        if headings[-1].startswith("You accept"):
            break

    program.wait_for("ended", heading="You have a deal")
    events = program.events()
    mine = [event for event in events if event["sender"] == "employer"]
    sizes = [len(terms(event)) for event in events if event["type"] == "SEND_OFFER"]
    for heading, (_, wanted) in zip(headings, ANSWERS, strict=False):
        assert heading.startswith("You propose: ")
        assert {term for term in wanted if term not in heading} == set()
    assert "Salary: 90,000 USD, Job description: Programmer" in headings[1]
    assert {event["type"] for event in mine} <= {"SEND_MESSAGE", "SEND_OFFER", "FORMAL_ACCEPT", "TYPING"}
    assert max(sizes[:-1]) < 6, "issue by issue"
    assert sizes[-1] == 6
    assert [event["type"] for event in events[-6:] if event["type"] == "GAME_END"] == ["GAME_END"]
