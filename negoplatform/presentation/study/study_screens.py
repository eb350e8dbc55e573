"""Screens of a study, in one cell and language: a simulated participant goes through all steps.

Every step is shown, also one whose condition does not hold: such steps follow when the visit has reached its
end. Games are not played; each ends with a deal that is worth half of the best one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from negoplatform.app.rehearsal.rehearsal_people import PEOPLE_SCHEMA, PeopleModel
from negoplatform.app.rehearsal.simulated_person import SimulatedPerson
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.session_plan import SessionPlan, new_session_id
from negoplatform.app.study.participant_code import KnownCode, rehearsal_codes
from negoplatform.app.study.study_data import REHEARSALS, StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.visit.step_games import (
    game_in_window,
    step_agent,
    step_game,
    step_seat,
    step_seed,
)
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.core.events import EndedBy
from negoplatform.core.visibility import observer_of, visible_game
from negoplatform.domain.counterpart_settings import DEFAULT_COUNTERPART
from negoplatform.domain.seat_map import SeatMap
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.study.step_page import StepPage, declined_page
from negoplatform.presentation.study.step_page_builder import round_text, step_page
from negoplatform.study.answers import shown_items
from negoplatform.study.partners import partner_code
from negoplatform.study.stages import (
    ChoiceStage,
    ChosenBefore,
    ConsentStage,
    EndStage,
    NegotiationStage,
    QuizStage,
    RoundsStage,
)
from negoplatform.study.study_file import Cell, cell_name
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import VisitStep

CAREFUL_PERSON = {
    "name": "careful",
    "share": 1,
    "spread": 0,
    "pace": 0.001,
    "quiz_errors": 0,
    "drop_out": 0,
    "declines": 0,
}
"""Participant who errs nowhere and exceeds no time limit."""


@dataclass(frozen=True, slots=True)
class TableAtStart:
    """Negotiation screen at the start of a game.

    Args:
        plan: Plan of the session.
        shows_rules: Whether the rules cover the table, as before the game begins.
        note: Note in the footer; empty: none.
    """

    plan: SessionPlan
    shows_rules: bool
    note: str


@dataclass(frozen=True, slots=True)
class StudyScreen:
    """Screen of a study.

    Args:
        step: Id of the step.
        place: Place of the step among all steps, from 0.
        kind: Kind of the step's screen.
        part: Which screen of the step it is, for the picture's name; empty: the only one.
        about: What the participant did before, in English; empty: nothing special.
        contents: What is shown.
        key: Text that is equal for screens that look equal, in one language.
    """

    step: str
    place: int
    kind: str
    part: str
    about: str
    contents: StepPage | TableAtStart
    key: str


def study_screens(
    folder: StudyFolder, cell: Cell, language: str, place: Path, report: Callable[[BaseException], object]
) -> Iterator[StudyScreen]:
    """Yield all screens of a cell in a language.

    Args:
        folder: The study.
        cell: The cell.
        language: The language.
        place: An empty folder for the visit, which is test data.
        report: Called with errors of agents.

    Raises:
        NegoError: If the study cannot be played.
    """
    code = rehearsal_codes(folder, 1)[0]
    data = StudyData(place / REHEARSALS / folder.study.label, is_test=True)
    columns = folder.codes.rows.get(code, {}) if folder.codes is not None else {}
    people = PeopleModel.model_validate({"schema": PEOPLE_SCHEMA, "kinds": [CAREFUL_PERSON]})
    # The same in all cells, so that equal screens have equal contents.
    person = SimulatedPerson(
        _folder_with_code_in(folder, cell, code), data, people, Random("screens"), report
    )
    run = person.begin(KnownCode(code, columns, ()), station="pc01", language=language)
    try:
        yield from _Walk(run, person).screens()
    finally:
        run.close()


def _folder_with_code_in(folder: StudyFolder, cell: Cell, code: str) -> StudyFolder:
    """Return a study in which a code belongs to a cell, and parts have the order of the file."""
    document = dict(folder.study.document)
    document["codes"] = {**document.get("codes", {}), "replace": {cell_name(cell): [code]}}
    document["design"] = {name: value for name, value in document["design"].items() if name != "within"}
    return replace(folder, study=replace(folder.study, document=document))


class _Walk:
    """Walk of one participant through all steps."""

    def __init__(self, run: VisitRun, person: SimulatedPerson) -> None:
        self._run, self._person = run, person
        self._translate = Language.load(run.state.header.language)

    def screens(self) -> Iterator[StudyScreen]:
        run, seen = self._run, set[str]()
        while run.state.ended is None:
            step = run.step
            if step.id in seen:
                missing = [one.id for one in run.state.steps if one.id not in seen]
                if not missing:
                    return
                run.move(missing[0], "Its screen is shown.")
                continue
            seen.add(step.id)
            if step.game is not None:
                yield from self._tables(step)
                self._end_game(step)
                continue
            while run.state.ended is None and run.step.id == step.id:
                yield from self._pages(step)
                if isinstance(step.stage, EndStage):
                    break
                self._person.act(run)

    # Pages

    def _pages(self, step: VisitStep) -> Iterator[StudyScreen]:
        """Yield the present page, and what it looks like after a mistake."""
        page = self._page(self._run.state)
        number = f"page{page.page + 1}" if page.pages > 1 else ""
        yield self._page_screen(page, number)
        match step.stage:
            case ConsentStage():
                yield self._page_screen(declined_page(page), "declined", "after declining")
            case QuizStage() as stage:
                yield from self._failed_quiz(step, stage)
        if any(item.model is not None and item.model.when for item in page.items):
            models = [item.model for item in page.items if item.model is not None]
            if len(shown_items(models, page.known.get, {}, step.id)) < len(models):
                items = tuple(
                    replace(item, model=item.model and item.model.model_copy(update={"when": None}))
                    for item in page.items
                )
                about = "with all questions, also those that are asked only after certain answers"
                yield self._page_screen(replace(page, items=items), f"{number}all", about)

    def _page(self, state: VisitState, draft: dict[str, Any] | None = None) -> StepPage:
        is_form = self._run.step.kind == "form"
        page = step_page(
            state,
            self._run.folder,
            page_items=self._run.form_pages() if is_form else (),
            draft=draft,
            translate=self._translate,
        )
        return replace(page, is_test=False)

    def _page_screen(self, page: StepPage, part: str, about: str = "") -> StudyScreen:
        step = self._run.step
        return StudyScreen(step.id, self._place(step), page.kind, part, about, page, repr(page))

    def _place(self, step: VisitStep) -> int:
        return [one.id for one in self._run.state.steps].index(step.id)

    def _failed_quiz(self, step: VisitStep, stage: QuizStage) -> Iterator[StudyScreen]:
        state, wrong = self._run.state, tuple(question.id for question in stage.questions)
        if stage.tries > 1:
            tried = replace(state, attempts={**state.attempts, step.id: 1}, wrong={step.id: wrong})
            yield self._page_screen(self._page(tried), "wrong", "after wrong answers to all questions")
        if stage.then == "call_experimenter":
            attempts = {**state.attempts, step.id: stage.tries}
            failed = replace(state, attempts=attempts, wrong={step.id: wrong}, help_text="")
            yield self._page_screen(self._page(failed), "failed", "after too many wrong answers")

    # Games

    def _tables(self, step: VisitStep) -> Iterator[StudyScreen]:
        """Yield the screens at the start of a game, with each partner and game that may have been chosen."""
        stage = step.stage
        assert isinstance(stage, NegotiationStage | RoundsStage), "other steps have no game"
        note = round_text(step, self._translate)
        for name, state in self._choices_before(step):
            about = f"after the choice of {name}" if name else ""
            plan = table_plan(state, self._run.folder, step)
            for shows_rules in (True, False) if stage.briefing else (False,):
                part = "rules" if shows_rules else "table"
                part, table = f"{part}-{name}" if name else part, TableAtStart(plan, shows_rules, note)
                yield StudyScreen(step.id, self._place(step), "game", part, about, table, _table_key(table))

    def _choices_before(self, step: VisitStep) -> Iterator[tuple[str, VisitState]]:
        """Yield the state after each choice on which a game depends; the present one if there is none."""
        state, game = self._run.state, step.game
        assert game is not None, "the step has a game"
        asked = {one.chosen for one in (game.game, game.partner) if isinstance(one, ChosenBefore)}
        if not asked:
            yield "", state
        for name in sorted(asked):
            stage = state.model.stage(name)
            assert isinstance(stage, ChoiceStage), "checked when the study is read"
            for option in stage.options:
                yield option.id, replace(state, results={**state.results, f"{name}.chosen": option.id})

    def _end_game(self, step: VisitStep) -> None:
        run, session = self._run, new_session_id()
        game = step_game(run.state, run.folder, step)
        mine = game.preferences.get(step_seat(step, game))
        points = 0 if mine is None else int(mine.utility.highest / 2)
        ended_by = EndedBy.AGREEMENT if game.economy is None else EndedBy.COMPLETED
        run.open_session(session, session)
        run.close_session(session, last_hash="0" * 64, ended_by=ended_by, points=points, agreement=True)


def _table_key(table: TableAtStart) -> str:
    plan = table.plan
    assert plan.human_seat is not None, "a participant has a seat"
    game = visible_game(plan.game, observer_of(plan.game, plan.human_seat))
    if table.shows_rules:
        # The rules cover the face.
        game = replace(game, rules=replace(game.rules, counterpart=DEFAULT_COUNTERPART))
    faces = [(agent.name, agent.avatar) for agent in plan.agents.values()]
    # An object without a text of its own is shown by its place in memory.
    shown = re.sub(r" at 0x[0-9a-f]+", "", repr(game))
    return repr((shown, faces, table.shows_rules, table.note))


def table_plan(state: VisitState, folder: StudyFolder, step: VisitStep) -> SessionPlan:
    """Return the plan of a game's session, as the window plays it.

    Raises:
        NegoError: If the game or its partner cannot be used.
    """
    language, seed = state.header.language, step_seed(state, step)
    game, partner = step_game(state, folder, step), step_agent(state, folder, step)
    mine = step_seat(step, game)
    game = game_in_window(game, mine, partner, language)
    code = state.header.code
    if partner is None:
        people = dict.fromkeys(game.others(mine), partner_code(code))
        return SessionPlan(game, seed, human_seat=mine, participant=code, agents=SeatMap(), people=people)
    agents = SeatMap(
        (seat, prepare_in_process(partner.plugin, seat, partner.config, game=game, seed=seed))
        for seat in game.others(mine)
    )
    return SessionPlan(game, seed, human_seat=mine, participant=code, agents=agents)
