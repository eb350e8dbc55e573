"""Visits for tests: a participant who answers everything, without a window."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

from negoplatform.app.study.participant_code import look_up_code
from negoplatform.app.study.study_data import StudyData, study_data
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.visit.visit_run import GivenAnswer, VisitRun
from negoplatform.core.events import EndedBy
from negoplatform.study.answers import shown_items
from negoplatform.study.instrument import ItemModel
from negoplatform.study.stages import ConsentStage, FormStage, PageStage, QuizStage, WaitStage
from negoplatform.study.visit_events import SessionOpened


def begin(
    folder: StudyFolder,
    code: str = "P-01",
    *,
    data: StudyData | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> VisitRun:
    """Begin a visit."""
    data = data or study_data(folder, folder.data_dir, is_test=False)
    known = look_up_code(folder, data, code)
    return VisitRun.begin(folder, data, known, station="pc01", language="en", durable=False, clock=clock)


def answer_to(item: ItemModel, name: str, rng: Random) -> Any:
    """Return an answer that an item accepts."""
    match item.kind:
        case "likert":
            return rng.randint(1, item.likert.points) if item.likert else None
        case "choices":
            return rng.randint(1, len(item.choices or ()))
        case "number":
            return rng.randint(18, 60)
        case "text":
            return f"text {rng.randint(1, 99)}"
        case "allocation":
            return rng.randint(1, len(item.allocation.divisions)) if item.allocation else None
        case kind:
            raise AssertionError(f"no answer to {kind} {name}")


def act(run: VisitRun, rng: Random) -> None:
    """Do what the open step asks for, once."""
    step, state = run.step, run.state
    stage = step.stage
    if step.game is not None:
        opened = state.sessions.get(step.id)
        if opened is None:
            run.open_session(f"s{step.id.replace('.', '')}", "folder")
        else:
            assert isinstance(opened, SessionOpened)
            agreed = rng.random() < 0.8
            end = EndedBy.AGREEMENT if agreed else EndedBy.TIMEOUT
            run.close_session(
                opened.session, last_hash="0" * 64, ended_by=end, points=rng.randint(0, 40), agreement=agreed
            )
    elif step.is_result:
        run.leave()
    elif isinstance(stage, ConsentStage):
        run.consent(stage.tick)
    elif isinstance(stage, QuizStage):
        if state.help_text is None:  # else the program was killed before the experimenter let go on
            run.try_quiz({"batna": 0, "binding": rng.randint(1, 2)}, {"batna": 0, "binding": 2})
        if state.results.get(f"{step.id}.passed") is not True and run.state.help_text is not None:
            run.release("experimenter")
    elif isinstance(stage, FormStage):
        page = run.form_pages()[run.state.page]
        values = {name: answer_to(item, name, rng) for item in page for name in item.fields}
        shown = shown_items(page, run.state.value_of, values, step.id)
        run.answer_page([GivenAnswer(name, values[name], 900) for item in shown for name in item.fields])
    elif isinstance(stage, PageStage) and state.page < len(stage.pages) - 1:
        run.show_page(state.page + 1)
    elif isinstance(stage, WaitStage):
        run.release("experimenter")
    else:
        run.leave()


def finish(run: VisitRun, seed: int = 1) -> VisitRun:
    """Go through a visit to its end."""
    rng = Random(seed)
    while run.state.ended is None:
        act(run, rng)
    run.close()
    return run
