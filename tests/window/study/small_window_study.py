"""A small study for the window: short pages, and games that end as soon as the participant walks away."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from negoplatform.app.study.study_archive import freeze_study
from negoplatform.app.study.study_folder import load_study
from negoplatform.eventlog.visit_log import VisitRecord, read_visit
from negoplatform.gui.study.step_frame import DOUBLE_CLICK_SECONDS
from tests.window.conftest import Program

TEXTS = {
    "consent.md": "# Welcome\n\nPlease read this.\n\n- [ ] age: I am at least 18 years old.\n",
    "goodbye.md": "Thank you all the same.\n",
    "rules.md": "# What you will do\n\nYou negotiate with **{partner}**.\n",
    "more.md": "# Points\n\nEach point counts.\n",
    "thanks.md": "Thank you for taking part.\n",
}

STUDY: dict[str, Any] = {
    "schema": "negoplatform.study/1",
    "name": "short",
    "version": "1.0.0",
    "title": "A short study",
    "languages": ["en"],
    "codes": {"pattern": "P-##", "reuse": "refuse"},
    "factors": {"mood": ["happy", "angry"]},
    "design": {"between": ["mood"], "assign": "code", "seed": 7},
    "partners": {
        "sam": {"agent": "linear", "name": "Sam", "mood": {"by": "mood"}},
        "trainer": {"agent": "conceder", "name": "Robin"},
    },
    "stages": [
        {"kind": "consent", "id": "consent", "text": "consent.md", "tick": ["age"], "declined": "goodbye.md"},
        {"kind": "page", "id": "rules", "texts": ["rules.md", "more.md"]},
        {
            "kind": "quiz",
            "id": "quiz",
            "tries": 2,
            "questions": [
                {"id": "binding", "ask": "Do words bind you?", "choices": ["Yes", "No"], "correct": 2}
            ],
        },
        {
            "kind": "form",
            "id": "about",
            "per_page": 1,
            "items": [
                {"id": "age", "ask": "How old are you?", "number": {"least": 16, "most": 120}},
                {"id": "work", "ask": "What is your work?", "text": {"lines": 1}},
            ],
        },
        {
            "kind": "negotiation",
            "id": "practice",
            "game": "practice",
            "partner": "trainer",
            "counts": False,
            "briefing": False,
        },
        {
            "kind": "rounds",
            "id": "r",
            "partner": "sam",
            "briefing": False,
            "rounds": [{"game": "practice"}, {"game": "practice"}],
        },
        {"kind": "payment", "id": "pay", "receipt": "save"},
        {"kind": "end", "id": "end", "text": "thanks.md", "withdrawal_code": True},
    ],
    "payment": {"currency": "EUR", "show_up": "5.00", "points": {"rounds": "sum", "of": "r", "rate": "0.10"}},
}


def write_window_study(
    root: Path,
    change: Callable[[dict[str, Any]], object] | None = None,
    *,
    german: Mapping[str, str] | None = None,
    is_frozen: bool = True,
) -> Path:
    """Write the study into a folder, freeze it unless it is not to be, and return the folder."""
    document = deepcopy(STUDY)
    if change is not None:
        change(document)
    for language, texts in {"en": TEXTS, "de": german or {}}.items():
        for name, text in texts.items():
            (root / "texts" / language).mkdir(parents=True, exist_ok=True)
            (root / "texts" / language / name).write_text(text, encoding="utf-8")
    (root / "study.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
    if is_frozen:
        freeze_study(load_study(root, root.parent / "data"))
    return root


def only(*stages: str) -> Callable[[dict[str, Any]], None]:
    """Return a change that keeps only these stages, and no payment unless they have one."""

    def change(document: dict[str, Any]) -> None:
        document["stages"] = [stage for stage in document["stages"] if stage["id"] in stages]
        if "pay" not in stages:
            del document["payment"]

    return change


def stage(document: dict[str, Any], stage_id: str) -> dict[str, Any]:
    """Return a stage of a study's document."""
    found: dict[str, Any] = next(one for one in document["stages"] if one["id"] == stage_id)
    return found


def visits(program: Program, *, is_test: bool = False) -> list[VisitRecord]:
    """Return the visits in the program's folder, oldest first."""
    place = program.data_dir / ("rehearsals" if is_test else "study_data")
    found = [read_visit(log) for log in place.glob("*/visits/*/visit.jsonl")]
    return sorted(found, key=lambda record: record.events[0].t_utc)


def kinds(record: VisitRecord) -> list[str]:
    """Return the types of a visit's events."""
    return [event.type for event in record.events]


def wait_for_step(program: Program, step: str, page: int = 0) -> None:
    """Wait until the screen of a step is shown."""
    program.wait_for("step", step=step, page=page)
    time.sleep(DOUBLE_CLICK_SECONDS)


def type_code(program: Program, code: str) -> None:
    """Type a code on the code screen, in place of one that is filled in."""
    program.click("code")
    program.press("ctrl+a")
    program.types(code)
    program.press("Return")


def consent(program: Program) -> None:
    """Tick the statement and agree."""
    wait_for_step(program, "consent")
    program.click("tick.age")
    program.click("agree")


def finish_forms(program: Program) -> None:
    """Answer both pages of the form."""
    wait_for_step(program, "about")
    program.types("30")
    program.click("continue")
    wait_for_step(program, "about", 1)
    program.types("baker")
    program.click("continue")


def give_up_game(program: Program) -> None:
    """Wait for a game, walk away from it, and close its result."""
    program.wait_for("table_screen")
    program.wait_for("shown", type="GAME_START")
    program.walk_away()
    program.wait_for("ended")
    program.click("done")
