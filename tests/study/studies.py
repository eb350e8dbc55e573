"""Study folders for tests: a small 2 x 2 study, written for each test, with changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from negoplatform.app.study.study_folder import StudyFolder, load_study

TEXTS = {
    "consent.md": "# Welcome\n\n- [ ] age: I am at least 18.\n- [ ] data: I agree to the use of my data.\n",
    "goodbye.md": "Thank you all the same.\n",
    "instructions.md": "# What you will do\n\nYou negotiate with **{partner}**.\n",
    "debrief.md": "# What this was about\n\nYour partner was a program.\n",
    "thanks.md": "Thank you. Your code for a withdrawal is {withdrawal_code}.\n",
}

STUDY: dict[str, Any] = {
    "schema": "negoplatform.study/1",
    "name": "small",
    "version": "1.0.0",
    "title": "Bargaining",
    "languages": ["en"],
    "codes": {"pattern": "P-##", "reuse": "refuse"},
    "factors": {"emotion": ["happy", "angry"], "concession": ["tough", "soft"]},
    "design": {
        "between": ["emotion", "concession"],
        "assign": "code",
        "block": 8,
        "seed": 7,
        "participants": 80,
        "within": {"sequence": {"of": "r", "order": "latin"}},
    },
    "partners": {
        "sam": {
            "agent": "linear",
            "name": "Sam",
            "mood": {"by": "emotion"},
            "settings": {"exponent": {"by": "concession", "tough": 0.2, "soft": 3}},
        },
        "trainer": {"agent": "conceder", "name": "Robin"},
    },
    "stages": [
        {
            "kind": "consent",
            "id": "consent",
            "text": "consent.md",
            "tick": ["age", "data"],
            "declined": "goodbye.md",
        },
        {"kind": "page", "id": "instructions", "text": "instructions.md"},
        {
            "kind": "quiz",
            "id": "quiz",
            "tries": 3,
            "questions": [
                {
                    "id": "batna",
                    "ask": "Points without a deal?",
                    "number": True,
                    "correct": {"from_game": "campsite", "is": "no_deal"},
                },
                {"id": "binding", "ask": "Do words bind you?", "choices": ["Yes", "No"], "correct": 2},
            ],
        },
        {
            "kind": "negotiation",
            "id": "practice",
            "game": "practice",
            "partner": "trainer",
            "minutes": 4,
            "counts": False,
        },
        {
            "kind": "rounds",
            "id": "r",
            "partner": "sam",
            "rounds": [
                {"id": "food", "game": "campsite", "minutes": 8},
                {"id": "goods", "game": "resource_exchange", "minutes": 8},
            ],
            "between": [{"kind": "form", "id": "seen", "instrument": "manipulation_check"}],
        },
        {
            "kind": "form",
            "id": "about",
            "items": [
                {"id": "age", "ask": "How old are you?", "number": {"least": 16, "most": 120}},
                {
                    "id": "work",
                    "ask": "What is your work?",
                    "text": {"lines": 1},
                    "when": {"about.age": {"at_least": 18}},
                },
            ],
        },
        {"kind": "form", "id": "svi", "instrument": "subjective_value", "order": "random"},
        {
            "kind": "form",
            "id": "attention",
            "instrument": "attention",
            "flag_if": {"attention.a": {"not": 4}},
        },
        {"kind": "payment", "id": "pay"},
        {"kind": "page", "id": "debrief", "text": "debrief.md"},
        {"kind": "end", "id": "end", "text": "thanks.md", "withdrawal_code": True},
    ],
    "payment": {
        "currency": "EUR",
        "show_up": "5.00",
        "points": {"rounds": "draw_one", "of": "r", "rate": "0.40"},
        "bonuses": [{"for": "quiz.first_try", "amount": "1.00"}],
        "least": "5.00",
        "most": "25.00",
        "round_up_to": "0.10",
    },
}

Change = Callable[[dict[str, Any]], object]


def write_study(root: Path, change: Change | None = None) -> Path:
    """Write the small study into a new folder, and return the folder."""
    document = deepcopy(STUDY)
    if change is not None:
        change(document)
    texts = root / "texts" / "en"
    texts.mkdir(parents=True)
    for name, text in TEXTS.items():
        (texts / name).write_text(text, encoding="utf-8")
    (root / "study.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
    return root


def small_study(folder: Path, change: Change | None = None) -> StudyFolder:
    """Return the small study in a new folder."""
    return load_study(write_study(folder / "small", change), folder / "data")


def stage(document: dict[str, Any], stage_id: str) -> dict[str, Any]:
    """Return a stage of a study's document."""
    return next(one for one in document["stages"] if one["id"] == stage_id)
