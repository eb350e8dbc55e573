"""Rehearsal: simulated people go through a study without a window; all of their data is test data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Annotated, Any

from pydantic import Field

from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.study.participant_code import KnownCode
from negoplatform.app.study.step_games import right_answers, step_game
from negoplatform.app.study.step_play import StepPlay
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.study.visit_run import GivenAnswer, VisitRun
from negoplatform.domain.errors import NegoError
from negoplatform.formats.strict_json import LazyStrictModel, parse_json, read_text, validate_json
from negoplatform.study.answers import shown_items
from negoplatform.study.instrument import ItemModel
from negoplatform.study.stages import (
    CallStage,
    ChoiceStage,
    ConsentStage,
    FormStage,
    PageStage,
    QuizStage,
    WaitStage,
)
from negoplatform.study.study_file import cell_name
from negoplatform.study.visit_state import VisitState

SIMULATED_AGENT = "linear"
"""Shipped agent that negotiates for a simulated person, with an exponent of its own."""

LATEST_DROP_OUT = 20
"""Largest number of things that a person does before dropping out."""

Share = Annotated[float, Field(ge=0, le=1)]


class PeopleModel(LazyStrictModel):
    """Simulated people: how they answer, how often they err and leave, and the effects that are planted.

    Args:
        quiz_errors: Share of wrong answers in quizzes.
        drop_out: Share of people who leave in the middle.
        declines: Share of people who do not consent.
        spread: Standard deviation of answers, as a share of a scale's range.
        exponent: Median of the exponent with which they concede; below 1 they are tough.
        exponent_spread: Standard deviation of its logarithm.
        effects: Shifts of answers in points of the scale, by prefix of ``STAGE.ITEM``, factor and level.
    """

    quiz_errors: Share = 0.15
    drop_out: Share = 0.05
    declines: Share = 0.02
    spread: Share = 0.2
    exponent: Annotated[float, Field(gt=0, le=20)] = 1.0
    exponent_spread: Annotated[float, Field(ge=0, le=3)] = 0.6
    effects: dict[str, dict[str, dict[str, float]]] = {}  # noqa: RUF012 - pydantic copies default values


@dataclass
class RehearsalReport:
    """Result of a rehearsal.

    Args:
        people: Number of simulated people.
        ends: Number of visits by how they ended; ``dropped out`` where they did not.
        cells: Number of finished visits by cell.
        entered: Number of visits that reached each step.
        steps: The ids of all steps.
        amounts: The payments.
        games: Number of games.
        agreements: Number of deals.
    """

    people: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    cells: Counter[str] = field(default_factory=Counter)
    entered: Counter[str] = field(default_factory=Counter)
    steps: dict[str, None] = field(default_factory=dict)
    amounts: list[float] = field(default_factory=list)
    games: int = 0
    agreements: int = 0


def rehearse(
    folder: StudyFolder,
    data: StudyData,
    people: PeopleModel,
    *,
    participants: int,
    seed: int,
    report: Callable[[BaseException], object],
) -> RehearsalReport:
    """Send simulated people through a study.

    Args:
        folder: The study.
        data: A folder for test data.
        people: What the people are like.
        participants: Their number.
        seed: The seed of everything that they do.
        report: Called with errors of agents.

    Raises:
        NegoError: If the data folder is not one for test data, or the study cannot be played.
    """
    if not data.is_test:
        raise NegoError("A rehearsal makes test data, which has a folder of its own.")
    if data.root.exists():
        rmtree(data.root)
    codes = rehearsal_codes(folder, participants)
    found = RehearsalReport(people=participants)
    for code in codes:
        person = SimulatedPerson(folder, data, people, Random(f"{seed}/{code}"), report)
        columns = folder.codes.rows.get(code, {}) if folder.codes is not None else {}
        state = person.visit(KnownCode(code, columns, ()))
        _count(found, state)
    return found


def rehearsal_codes(folder: StudyFolder, participants: int) -> list[str]:
    """Return codes for simulated people: the study's own, in their order.

    Raises:
        NegoError: If the study has too few.
    """
    rules = folder.study.model.codes
    listed = [*(folder.codes.rows if folder.codes is not None else {}), *folder.plan]
    codes = list(dict.fromkeys(listed))
    if not codes and rules.pattern is not None:
        width = rules.pattern.count("#")
        for n in range(1, min(participants, 10**width - 1) + 1):
            digits = iter(f"{n:0{width}}")
            codes.append("".join(next(digits) if c == "#" else c for c in rules.pattern))
    if not codes:
        codes = [f"R-{n:04}" for n in range(1, participants + 1)]
    if len(codes) < participants:
        raise NegoError(f"The study has {len(codes)} codes, too few for {participants} simulated people.")
    return codes[:participants]


def load_people(path: Path | None) -> PeopleModel:
    """Return what simulated people are like, from a file; None: the usual.

    Raises:
        InputFileError: If the file is not valid.
    """
    if path is None:
        return PeopleModel()
    text = read_text(path)
    parse_json(text, path)
    return validate_json(PeopleModel, text, path)


def rehearsal_lines(folder: StudyFolder, found: RehearsalReport) -> Iterator[str]:
    """Yield a rehearsal's report as lines."""
    ends = ", ".join(f"{count} {how.replace('_', ' ')}" for how, count in sorted(found.ends.items()))
    yield f"{found.people} simulated people: {ends}."
    yield f"{found.games} games, {found.agreements} deals."
    model = folder.study.model
    counts = [f"{cell_name(cell)} {found.cells[cell_name(cell)]}" for cell in model.cells()]
    yield f"Finished by cell: {', '.join(counts)}."
    if found.amounts and model.payment is not None:
        amounts, currency = found.amounts, model.payment.currency
        yield (
            f"Payments: {min(amounts):.2f} to {max(amounts):.2f} {currency}, "
            f"on average {sum(amounts) / len(amounts):.2f} {currency}."
        )
    unreached = [step for step in found.steps if not found.entered[step]]
    if unreached:
        yield f"Reached by nobody: {', '.join(unreached)}."


def _count(found: RehearsalReport, state: VisitState) -> None:
    found.ends[state.ended or "dropped out"] += 1
    found.steps.update(dict.fromkeys(step.id for step in state.steps))
    found.entered.update(step.id for step in state.steps if step.id in state.entered)
    if state.ended == "finished" and state.assigned is not None:
        found.cells[cell_name(state.assigned.cell)] += 1
    if state.paid is not None:
        found.amounts.append(float(state.paid.amount))
    found.games += len(state.sessions)
    found.agreements += sum(getattr(session, "agreement", False) for session in state.sessions.values())


class SimulatedPerson:
    """Simulated participant.

    Args:
        folder: The study.
        data: A folder for test data.
        people: What people are like.
        rng: The person's own random numbers.
        report: Called with errors of agents.
    """

    def __init__(
        self,
        folder: StudyFolder,
        data: StudyData,
        people: PeopleModel,
        rng: Random,
        report: Callable[[BaseException], object],
    ) -> None:
        self._folder = folder
        self._data = data
        self._people = people
        self._rng = rng
        self._report = report
        self._play: StepPlay | None = None
        self._time = 0.0
        self._drops_out = rng.random() < people.drop_out
        self._exponent = people.exponent * math.exp(rng.gauss(0, people.exponent_spread))

    def visit(self, code: KnownCode) -> VisitState:
        """Go through the study, and return the state at the end."""
        run = VisitRun.begin(
            self._folder,
            self._data,
            code,
            station="rehearsal",
            language=self._folder.study.model.languages[0],
            clock=lambda: self._time,
            durable=False,
        )
        acts, last = 0, self._rng.randint(1, LATEST_DROP_OUT) if self._drops_out else None
        try:
            while run.state.ended is None and run.state.step is not None:
                if acts == last:
                    break
                acts += 1
                if isinstance(run.step.stage, ConsentStage) and self._rng.random() < self._people.declines:
                    run.decline()
                    return run.state
                self._act(run)
        finally:
            run.close()
        return run.state

    def _act(self, run: VisitRun) -> None:
        """Do once what the open step asks for."""
        step = run.step
        self._time += self._rng.lognormvariate(math.log(8), 0.5)
        if step.game is not None:
            self._negotiate(run)
            return
        if step.is_result:
            run.leave()
            return
        match step.stage:
            case ConsentStage() as stage:
                run.consent(stage.tick, signature=run.state.header.code)
            case QuizStage() as stage:
                self._try_quiz(run, stage)
            case FormStage():
                self._answer_form(run)
            case ChoiceStage() as stage:
                run.choose(self._rng.choice(stage.options).id)
            case WaitStage():
                run.release("experimenter")
            case CallStage() as stage:
                exit_code = 0 if stage.returns == "exit_code" else None
                word = stage.words[0] if stage.words else ""
                run.return_from_call(word=word, exit_code=exit_code)
            case PageStage() as stage if run.state.page < len(stage.pages) - 1:
                run.show_page(run.state.page + 1)
            case _:
                run.leave()

    def _try_quiz(self, run: VisitRun, stage: QuizStage) -> None:
        step = run.step.id
        if run.state.attempts.get(step, 0) >= stage.tries:
            run.release("experimenter")
            return
        right = right_answers(run.state, self._folder, stage)
        answers: dict[str, Any] = dict(right)
        for question in stage.questions:
            if self._rng.random() < self._people.quiz_errors:
                count = len(question.choices or ())
                wrong = [n for n in range(1, count + 1) if n != right[question.id]]
                answers[question.id] = self._rng.choice(wrong) if wrong else right[question.id] + 1
        run.try_quiz({name: _json_number(value) for name, value in answers.items()}, right)

    def _answer_form(self, run: VisitRun) -> None:
        step = run.step.id
        page = run.form_pages()[run.state.page]
        values = {name: self._answer(run, item, name) for item in page for name in item.fields}
        shown = shown_items(page, run.state.value_of, values, step)
        given = []
        for item in shown:
            for name in item.fields:
                ms = round(1000 * self._rng.lognormvariate(math.log(3), 0.4))
                given.append(GivenAnswer(name, values[name], ms))
        run.answer_page(given)

    def _answer(self, run: VisitRun, item: ItemModel, name: str) -> Any:
        rng = self._rng
        match item.kind:
            case "likert" | "matrix":
                likert = item.matrix.likert if item.matrix is not None else item.likert
                assert likert is not None
                if item.correct is not None:
                    return item.correct
                return round(self._drawn(run, name, 1, likert.points, whole=True, reverse=item.reverse))
            case "choices":
                return item.correct or rng.randint(1, len(item.choices or ()))
            case "many":
                count = len(item.many or ())
                return sorted(rng.sample(range(1, count + 1), rng.randint(1, count)))
            case "number":
                assert item.number is not None
                least = 0.0 if item.number.least is None else float(item.number.least)
                most = least + 100 if item.number.most is None else float(item.number.most)
                return self._drawn(run, name, least, most, whole=item.number.whole)
            case "slider":
                assert item.slider is not None
                return self._drawn(run, name, float(item.slider.least), float(item.slider.most), whole=True)
            case "text":
                return "Simulated text."
            case "allocation":
                return rng.randint(1, len(item.allocation.divisions) if item.allocation else 1)
            case "rank":
                count = len(item.rank.things) if item.rank else 0
                return rng.sample(range(1, count + 1), count)
            case _:
                count = self._issues_of(run, item)
                return rng.sample(range(1, count + 1), count)

    def _issues_of(self, run: VisitRun, item: ItemModel) -> int:
        assert item.points_guess is not None
        steps = [step for step in run.state.steps if step.stage.id == item.points_guess.of and step.game]
        return len(step_game(run.state, self._folder, steps[-1]).issues)

    def _drawn(
        self, run: VisitRun, name: str, least: float, most: float, *, whole: bool, reverse: bool = False
    ) -> Any:
        """Return an answer from a normal distribution around the middle, shifted by the planted effects."""
        middle = (least + most) / 2 + self._effect(run, name) * (-1 if reverse else 1)
        value = min(most, max(least, self._rng.gauss(middle, self._people.spread * (most - least))))
        return round(value) if whole else round(value, 2)

    def _effect(self, run: VisitRun, name: str) -> float:
        cell: Mapping[str, str] = run.state.assigned.cell if run.state.assigned is not None else {}
        about = f"{run.step.id}.{name}"
        return sum(
            levels.get(cell.get(factor, ""), 0.0)
            for prefix, factors in self._people.effects.items()
            if about.startswith(prefix)
            for factor, levels in factors.items()
        )

    def _negotiate(self, run: VisitRun) -> None:
        """Play the game of the open step against its partner, on a virtual clock."""
        if self._play is None:
            person = ChosenAgent(self._folder.agent(SIMULATED_AGENT), {"exponent": self._exponent})
            self._play = StepPlay(run, person=person, report=self._report)
        self._time += self._play.play()


def _json_number(value: Any) -> Any:
    return value if isinstance(value, int) else float(value)
