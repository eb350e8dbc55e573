"""Simulated participant of a rehearsal, who goes through a visit as a person does in the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, Protocol

from negoplatform.app.rehearsal.rehearsal_people import PeopleModel, draw_negotiator, planted_shift, player_of
from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.study.participant_code import KnownCode
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.visit.step_games import (
    guessed_step,
    right_answers,
    step_game,
)
from negoplatform.app.visit.step_play import StepPlay
from negoplatform.app.visit.visit_run import GivenAnswer, VisitRun
from negoplatform.domain.game import GameSpec
from negoplatform.formats.strict_json import read_text
from negoplatform.study.answers import shown_items
from negoplatform.study.instrument import ItemModel
from negoplatform.study.stages import (
    CallStage,
    ChoiceStage,
    ConsentStage,
    FormStage,
    ForSeconds,
    PageStage,
    QuizStage,
    WaitStage,
)
from negoplatform.study.visit_events import LeftBy

LATEST_DROP_OUT = 20
"""Maximum number of actions after which a person drops out."""

SECONDS_PER_WORD = 0.3
"""Reading speed: 200 words a minute."""

SECONDS_PER_SCREEN = {"quiz": 10.0, "wait": 30.0, "call": 120.0}
"""Median seconds by kind of screen; for a quiz, per question; 8 for other kinds."""

ANSWER_SECONDS = 3.0
"""Median seconds for one answer in a form."""

TIMED_KINDS = ("page", "form", "quiz", "briefing")
"""Kinds of screens whose time limits simulated people can exceed."""


@dataclass(frozen=True, slots=True)
class SimulatedVisit:
    """Result of one simulated person.

    Args:
        code: The code.
        kind: The kind of person.
        end: How the visit ended; ``dropped out`` where it did not.
    """

    code: str
    kind: str
    end: str


class PersonActions(Protocol):
    """Actions of a simulated person, which are those of :class:`VisitRun`."""

    def consent(self, ticks: Sequence[str], *, signature: str = "") -> None:
        """Consent."""

    def decline(self) -> None:
        """Decline to consent."""

    def leave(self, how: LeftBy = "done") -> None:
        """Leave the open step."""

    def show_page(self, page: int) -> None:
        """Show another page of the open step."""

    def answer_page(self, answers: Sequence[GivenAnswer]) -> None:
        """Answer the page of a form."""

    def try_quiz(self, answers: Mapping[str, Any], right: Mapping[str, Any]) -> object:
        """Try a quiz."""

    def choose(self, option: str) -> None:
        """Choose an option."""

    def return_from_call(self, *, word: str = "", exit_code: int | None = None) -> None:
        """Return from another program or page."""

    def release(self, by: Literal["experimenter", "time"]) -> None:
        """Go on after a wait or a failed quiz."""

    def flag(self, what: str) -> None:
        """Flag something in the open step."""

    def leave_study(self, how: Literal["screened_out", "aborted"]) -> None:
        """End the visit early."""


class SimulatedPerson:
    """Simulated participant.

    Args:
        folder: The study.
        data: A folder for test data.
        people: The kinds of people, and the effects that are planted.
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
        self._effects = people.effects
        self._rng = rng
        self._report = report
        self.time = 0.0
        """Seconds since the beginning of the visit."""
        self._acts = 0
        self._kind = people.kind_of(rng)
        self._negotiator = draw_negotiator(self._kind.negotiator, rng)
        drops_out = rng.random() < self._kind.drop_out
        self._last_act = rng.randint(1, LATEST_DROP_OUT) if drops_out else None
        self._declines = rng.random() < self._kind.declines
        self._play: StepPlay | None = None
        self._line: tuple[str, float] = ("", 0.5)

    def visit(self, code: KnownCode, *, station: str, language: str) -> SimulatedVisit:
        """Go through the study, and return the result.

        Raises:
            NegoError: If the study cannot be played.
        """
        run = self.begin(code, station=station, language=language)
        try:
            while self.goes_on(run):
                self.act(run)
        finally:
            self.stop()
            run.close()
        return self.result(run)

    def begin(self, code: KnownCode, *, station: str, language: str) -> VisitRun:
        """Begin the visit; its clock is this person's.

        Raises:
            NegoError: If it cannot be recorded.
        """
        return VisitRun.begin(
            self._folder,
            self._data,
            code,
            station=station,
            language=language,
            clock=lambda: self.time,
            durable=False,
        )

    def goes_on(self, run: VisitRun) -> bool:
        """Return whether the visit is not over, and the person has not dropped out."""
        return run.state.ended is None and run.state.step is not None and self._acts != self._last_act

    def result(self, run: VisitRun) -> SimulatedVisit:
        """Return the result of the visit."""
        return SimulatedVisit(run.state.header.code, self._kind.name, run.state.ended or "dropped out")

    def stop(self) -> None:
        """Stop the agents of the visit."""
        if self._play is not None:
            self._play.stop()

    def act(self, run: VisitRun, actions: PersonActions | None = None) -> None:
        """Perform the next action of the open step, and advance the time by what it takes.

        Args:
            run: The visit.
            actions: Performs the actions; None: the visit itself does. Games are always played in the visit.
        """
        self._acts += 1
        actions, step = run if actions is None else actions, run.step
        if isinstance(step.stage, ConsentStage) and self._declines:
            actions.decline()
            return
        if step.game is not None:
            self._negotiate(run)
            return
        given = self._answers(run) if isinstance(step.stage, FormStage) and not step.is_result else []
        if self._takes_too_long(run, self._seconds(run, given)) and self._time_out(run, actions):
            return
        if step.is_result:
            actions.leave()
            return
        match step.stage:
            case ConsentStage() as stage:
                actions.consent(stage.tick, signature=run.state.header.code)
            case QuizStage() as stage:
                self._try_quiz(run, stage, actions)
            case FormStage():
                actions.answer_page(given)
            case ChoiceStage() as stage:
                actions.choose(self._rng.choice(stage.options).id)
            case WaitStage() as stage:
                actions.release("time" if isinstance(stage.for_, ForSeconds) else "experimenter")
            case CallStage() as stage:
                exit_code = 0 if stage.returns == "exit_code" else None
                word = stage.words[0] if stage.words else ""
                actions.return_from_call(word=word, exit_code=exit_code)
            case PageStage() as stage if run.state.page < len(stage.pages) - 1:
                actions.show_page(run.state.page + 1)
            case _:
                actions.leave()

    def _seconds(self, run: VisitRun, given: list[GivenAnswer]) -> float:
        """Return the seconds that this person needs for the present screen."""
        step, stage = run.step, run.step.stage
        noise = self._kind.pace * self._rng.lognormvariate(0, 0.4)
        if given:
            return sum(answer.ms for answer in given) / 1000
        if step.is_result:
            return 8 * noise
        if isinstance(stage, WaitStage) and isinstance(stage.for_, ForSeconds):
            return float(stage.for_.seconds)
        seconds = SECONDS_PER_SCREEN.get(stage.kind, 8.0)
        if isinstance(stage, QuizStage):
            seconds *= len(stage.questions)
        return max(float(stage.at_least_seconds or 0), (seconds + self._reading_seconds(run)) * noise)

    def _reading_seconds(self, run: VisitRun) -> float:
        stage = run.step.stage
        name = getattr(stage, "text", None)
        if isinstance(stage, PageStage):
            name = stage.pages[run.state.page]
        if not isinstance(name, str):
            return 0.0
        path = self._folder.text_path(name, run.state.header.language)
        return len(read_text(path).split()) * SECONDS_PER_WORD

    def _takes_too_long(self, run: VisitRun, seconds: float) -> bool:
        """Advance the time by what a screen takes; return whether the step's time limit has passed."""
        self.time += seconds
        step = run.step
        limit = step.stage.timeout_seconds
        if limit is None and step.kind in ("page", "form"):
            limit = run.state.model.pace.page_timeout_seconds
        if limit is None or step.kind not in TIMED_KINDS:
            return False
        return self.time - run.state.entered_at > limit

    def _time_out(self, run: VisitRun, actions: PersonActions) -> bool:
        """Apply the step's rule for its time limit; return whether the step was left."""
        match run.step.stage.timeout_does or run.state.model.pace.timeout_does:
            case "go_on":
                actions.leave("timeout")
            case "end":
                actions.leave_study("screened_out")
            case _:
                actions.flag("timeout")
                return False
        return True

    def _try_quiz(self, run: VisitRun, stage: QuizStage, actions: PersonActions) -> None:
        step = run.step.id
        if run.state.attempts.get(step, 0) >= stage.tries:
            actions.release("experimenter")
            return
        right = right_answers(run.state, self._folder, stage)
        answers: dict[str, Any] = dict(right)
        for question in stage.questions:
            if self._rng.random() < self._kind.quiz_errors:
                count = len(question.choices or ())
                wrong = [n for n in range(1, count + 1) if n != right[question.id]]
                answers[question.id] = self._rng.choice(wrong) if wrong else right[question.id] + 1
        actions.try_quiz({name: _json_number(value) for name, value in answers.items()}, right)

    def _answers(self, run: VisitRun) -> list[GivenAnswer]:
        """Return the answers to the present page of a form."""
        step = run.step
        page = run.form_pages()[run.state.page]
        if self._line[0] != step.id:
            self._line = (step.id, self._rng.random())
        values = {name: self._answer(run, item, name) for item in page for name in item.fields}
        shown = shown_items(page, run.state.value_of, values, step.id)
        return [GivenAnswer(name, values[name], self._answer_ms()) for item in shown for name in item.fields]

    def _answer_ms(self) -> int:
        return round(1000 * ANSWER_SECONDS * self._kind.pace * self._rng.lognormvariate(0, 0.4))

    def _answer(self, run: VisitRun, item: ItemModel, name: str) -> Any:
        rng = self._rng
        if item.may_skip and rng.random() < self._kind.skips:
            return None
        match item.kind:
            case "likert" | "matrix":
                likert = item.matrix.likert if item.matrix is not None else item.likert
                assert likert is not None
                if item.correct is not None:
                    return self._checked(item.correct, likert.points)
                return self._drawn(run, item, name, 1, likert.points)
            case "choices":
                count = len(item.choices or ())
                return rng.randint(1, count) if item.correct is None else self._checked(item.correct, count)
            case "many":
                count = len(item.many or ())
                return sorted(rng.sample(range(1, count + 1), rng.randint(1, count)))
            case "number":
                assert item.number is not None
                least = 0.0 if item.number.least is None else float(item.number.least)
                most = least + 100 if item.number.most is None else float(item.number.most)
                return self._drawn(run, item, name, least, most, step=1 if item.number.whole else 0.01)
            case "slider":
                assert item.slider is not None
                least, most, step = (
                    float(n) for n in (item.slider.least, item.slider.most, item.slider.step)
                )
                return self._drawn(run, item, name, least, most, step=step)
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

    def _checked(self, correct: int, count: int) -> int:
        """Return the answer to an attention check with some positions."""
        if self._rng.random() < self._kind.attention_errors:
            return self._rng.choice([n for n in range(1, count + 1) if n != correct])
        return correct

    def _issues_of(self, run: VisitRun, item: ItemModel) -> int:
        assert item.points_guess is not None
        step = guessed_step(run.state, item.points_guess)
        return len(step_game(run.state, self._folder, step).issues)

    def _drawn(
        self, run: VisitRun, item: ItemModel, name: str, least: float, most: float, *, step: float = 1
    ) -> int | float:
        """Return an answer on a scale, a whole number of steps above its lower end."""
        match self._kind.answers:
            case "straight_line":
                value = least + self._line[1] * (most - least)
            case "random":
                value = self._rng.uniform(least, most)
            case _:
                shift = self._effect(run, name) * (-1 if is_reversed(item, name) else 1)
                value = self._rng.gauss((least + most) / 2 + shift, self._kind.spread * (most - least))
        value = least + round((min(most, max(least, value)) - least) / step) * step
        return round(value) if value == round(value) else round(value, 6)

    def _effect(self, run: VisitRun, name: str) -> float:
        cell = run.state.assigned.cell if run.state.assigned is not None else {}
        about = f"{run.step.id}.{name}"
        return sum(
            planted_shift(factors, cell)
            for prefix, factors in self._effects.items()
            if about.startswith(prefix)
        )

    def _negotiate(self, run: VisitRun) -> None:
        """Play the game of the open step with its partner, on a virtual clock."""
        if self._play is None:
            self._play = StepPlay(run, person=self._player, report=self._report, on_end=self._pass_time)
        self._play.play()

    def _player(self, game: GameSpec) -> ChosenAgent:
        return player_of(game, self._negotiator)

    def _pass_time(self, seconds: float) -> None:
        self.time += seconds


def is_reversed(item: ItemModel, name: str) -> bool:
    """Return whether an answer of an item is recoded in the scores."""
    if item.matrix is not None:
        return item.matrix.rows[item.fields.index(name)].reverse
    return item.reverse


def _json_number(value: Any) -> Any:
    return value if isinstance(value, int) else float(value)
