"""Offers, acceptances and beliefs of NegoChat’s family, step by step as they were before it shared its talk.

The file of steps was written with the version before that. It changes only with their strategies.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.core.events import EventType, MessageSubtype
from tests.agents.negochat_table import FAMILY, notes, table_with, whole
from tests.agents.seating import of

STEPS = Path(__file__).with_name("negochat_steps.json")

POOR = {"salary": "60,000 USD", "car": "Without leased car", "hours": "10 hours"}

SCRIPTS: dict[str, list[MessageSubtype | str | dict[str, str]]] = {
    "says yes to everything": [MessageSubtype.OFFER_ACCEPT] * 6,
    "says no, then yes": [
        *[MessageSubtype.OFFER_REJECT] * 4,
        *[MessageSubtype.OFFER_ACCEPT] * 3,
    ],
    "offers parts": [
        {"pension": "10%"},
        {"hours": "10 hours"},
        MessageSubtype.OFFER_REJECT,
        {"hours": "9 hours", "salary": "60,000 USD"},
        MessageSubtype.OFFER_REQUEST_POS,
        {"job": "QA", "promotion": "No agreement"},
        MessageSubtype.OFFER_ACCEPT,
        {"salary": "90,000 USD"},
        MessageSubtype.OFFER_ACCEPT,
    ],
    "asks for compromises": [
        "Could we find a compromise?",
        {"salary": "90,000 USD"},
        "How about we meet half way on pension?",
        MessageSubtype.OFFER_ACCEPT,
        "Could we find a compromise?",
        MessageSubtype.OFFER_REJECT,
        MessageSubtype.OFFER_REQUEST_POS,
    ],
    "offers wholes": [
        whole(**POOR),
        MessageSubtype.OFFER_REJECT,
        whole(**POOR, pension="0%"),
        whole(salary="90,000 USD", car="Without leased car", job="QA"),
        MessageSubtype.OFFER_REJECT,
        whole(),
    ],
}


def steps_of(name: str, script: list[MessageSubtype | str | dict[str, str]], **config: Any) -> list[Any]:
    """Return the candidate's offers, acceptances and last belief, with the employer's steps between them."""
    table = table_with(name, seconds=15, turn_seconds=10_000, silence_seconds=5_000, **config)
    person = table.participant("employer")
    for step in script:
        if isinstance(step, dict):
            person.offers(step)
        elif isinstance(step, MessageSubtype):
            person.says("A phrase.", step)
        else:
            person.says(step)
        table.wait(16)
    steps: list[Any] = []
    for event in table.events:
        if event.sender == "employer":
            steps.append("employer")
        elif event.type == EventType.SEND_OFFER:
            steps.append(dict(event.get_offer().terms))
        elif event.type == EventType.FORMAL_ACCEPT:
            steps.append("accepts")
    assert of(table, EventType.AGENT_FAILED) == []
    return [*steps, notes(table)["belief"]]


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("name", FAMILY)
def test_offers_acceptances_and_beliefs_are_step_for_step_as_published(name: str, script: str) -> None:
    expected = json.loads(STEPS.read_text(encoding="utf-8"))[name][script]

    for prior, steps in expected.items():
        assert steps_of(name, SCRIPTS[script], prior=json.loads(prior)) == steps
