"""State of a visit: a pure fold of its events, from which its screen follows.

    (begun) -> step -> step … -> VISIT_ENDED
    step:   STAGE_ENTERED, then what happens in it, then STAGE_LEFT

Between STAGE_LEFT and the next STAGE_ENTERED no step is open; :func:`next_step` says which one follows. After
the last step before the assignment, ASSIGNED has to come first. A visit whose log ends without VISIT_ENDED
was interrupted, and goes on with the same step, the same page and the same answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar, assert_never

from negoplatform.domain.errors import NegoError
from negoplatform.study.assignment import withdrawal_code
from negoplatform.study.condition import Value, holds
from negoplatform.study.instrument import InstrumentModel
from negoplatform.study.payment import Payment, PlayedRound, compute_payment
from negoplatform.study.scoring import score_names, scores
from negoplatform.study.stages import FormStage, RoundsStage
from negoplatform.study.study import Study
from negoplatform.study.study_file import StudyModel
from negoplatform.study.visit_events import (
    Answered,
    AnyVisitEvent,
    Assigned,
    CallReturned,
    Chosen,
    Consented,
    Declined,
    Flagged,
    HelpAnswered,
    HelpAsked,
    Interrupted,
    MovedByExperimenter,
    PageShown,
    Paid,
    QuizTried,
    Released,
    SessionClosed,
    SessionOpened,
    StageEntered,
    StageLeft,
    VisitBegun,
    VisitEnded,
    VisitHeader,
    VisitResumed,
)
from negoplatform.study.visit_steps import NO_DRAWS, Draws, VisitStep, assignment_index, visit_steps

LAST = "last"
"""Number of a round in references: the last that was played."""


T = TypeVar("T")


@dataclass(frozen=True)
class VisitState:
    """State of a visit.

    Args:
        study: The study.
        header: The first line of the visit's log.
        n: The number of events.
        t: Seconds since the visit began, at the last event.
        steps: The steps; before the assignment, those before it.
        assigned: The assignment; None before it.
        step: The open step; None between steps and at the end.
        entered: The ids of all steps that were entered.
        entered_at: Seconds since the visit began at which the open step was entered.
        page: The page that was shown last in the open step.
        position: The position of the last step that was left, -1 at the beginning.
        target: The step that follows next, where it is not the one at the next position.
        answers: The answers by step and item.
        results: What else conditions can refer to, by reference.
        sessions: The sessions by step: opened, and closed when they are over.
        attempts: Times that a quiz was tried since it was entered, by step.
        wrong: Wrong answers of the last attempt, by step.
        flags: Steps and what was flagged there.
        released: Steps whose wait is over.
        help_text: The open question to the experimenter; None if there is none.
        paid: The payment; None before it.
        ended: How the visit ended; None while it goes on.
        columns: Columns of the code's row in the file of codes.
    """

    study: Study
    header: VisitHeader
    n: int = 0
    t: float = 0.0
    steps: tuple[VisitStep, ...] = ()
    assigned: Assigned | None = None
    step: VisitStep | None = None
    entered: frozenset[str] = frozenset()
    entered_at: float = 0.0
    page: int = 0
    position: int = -1
    target: str = ""
    answers: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    results: Mapping[str, Value] = field(default_factory=dict)
    sessions: Mapping[str, SessionOpened | SessionClosed] = field(default_factory=dict)
    attempts: Mapping[str, int] = field(default_factory=dict)
    wrong: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flags: tuple[tuple[str, str], ...] = ()
    released: frozenset[str] = frozenset()
    help_text: str | None = None
    paid: Paid | None = None
    ended: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def model(self) -> StudyModel:
        """The study as it is for this participant: for the first cell before the assignment."""
        return self.study.model if self.assigned is None else self.study.for_cell(self.assigned.cell)

    @property
    def draws(self) -> Draws:
        """Draws of this visit; empty before the assignment."""
        return NO_DRAWS if self.assigned is None else draws_of(self.assigned)

    @property
    def instruments(self) -> Mapping[str, InstrumentModel]:
        """The study's instruments."""
        return self.study.instruments

    @property
    def screen(self) -> tuple[str, str, int]:
        """Present screen: its kind, its step and its page; all of them empty between steps."""
        if self.ended is not None:
            return ("ended", self.ended, 0)
        return ("", "", 0) if self.step is None else (self.step.kind, self.step.id, self.page)

    @property
    def withdrawal_code(self) -> str:
        """The code with which this participant can withdraw."""
        return withdrawal_code(self.model.design.seed, self.header.code)

    def answers_of(self, step: str) -> dict[str, Any]:
        """Return the answers of a step by item."""
        return {item: value for (where, item), value in self.answers.items() if where == step}

    def step_named(self, step: str) -> VisitStep | None:
        """Return a step by its id; None if there is none."""
        return next((one for one in self.steps if one.id == step), None)

    def played_rounds(self, stages: Sequence[str]) -> list[PlayedRound]:
        """Return the finished games of stages, in the order of play."""
        found = []
        for step in self.steps:
            closed = self.sessions.get(step.id)
            if step.stage.id in stages and isinstance(closed, SessionClosed):
                points = None if closed.points is None else Fraction(closed.points)
                found.append(PlayedRound(step.id, points, closed.agreement))
        return found

    @property
    def payment(self) -> Payment | None:
        """The payment as it stands; None if the study pays nothing."""
        rules = self.model.payment
        if rules is None:
            return None
        rounds = self.played_rounds(rules.points.stages if rules.points is not None else ())
        return compute_payment(rules, rounds, self.draws.paid, self.value_of)

    def value_of(self, reference: str) -> Value:
        """Return the value of a reference of a condition; None if it has none (yet).

        A reference is a factor, a column of the file of codes, or ``STEP.NAME``: an answer, a scale, or a
        result. STEP is the id of a step, the name of a form's instrument, or of rounds ``ID.NUMBER`` or
        ``ID.last``.
        """
        if self.assigned is not None and reference in self.assigned.cell:
            return self.assigned.cell[reference]
        if reference in self.columns:
            return self.columns[reference]
        where, _, name = reference.rpartition(".")
        for step in self._steps_named(where):
            found = self.results.get(f"{step.id}.{name}", self.answers.get((step.id, name)))
            if found is None and isinstance(step.stage, FormStage) and step.kind == "form":
                found = self._score(step.stage, step.id, name)
            if found is not None:
                return _exact(found)
        return None

    def _steps_named(self, where: str) -> list[VisitStep]:
        found = [step for step in self.steps if step.id == where]
        if not found:
            found = [
                step
                for step in self.steps
                if isinstance(step.stage, FormStage)
                and step.stage.instrument == where
                and step.kind == "form"
            ]
        stage, _, number = where.rpartition(".")
        if not found and stage:
            games = [step for step in self.steps if step.stage.id == stage and step.game is not None]
            if number == LAST:
                return [step for step in games if isinstance(self.sessions.get(step.id), SessionClosed)][-1:]
            found = [step for step in games if step.round_id == number]
        return found

    def _score(self, stage: FormStage, step: str, name: str) -> Value:
        instrument = None if stage.instrument is None else self.instruments.get(stage.instrument)
        if instrument is None or name not in score_names(instrument):
            return None
        found = {score.name: score.value for score in scores(instrument, self.answers_of(step))}
        return _exact(found[name])


def _exact(value: Any) -> Value:
    if isinstance(value, float):
        return Decimal(repr(value))
    found: Value = value
    return found


def draws_of(event: Assigned) -> Draws:
    """Return what was drawn at an assignment."""
    return Draws(
        {name: tuple(order) for name, order in event.orders.items()},
        {name: tuple(order) for name, order in event.blocks.items()},
        {name: tuple(order) for name, order in event.items.items()},
        dict(event.seeds),
        tuple(event.paid),
    )


def initial_visit(study: Study, header: VisitHeader) -> VisitState:
    """Return the state of a visit before its first event."""
    return VisitState(study, header, steps=_first_steps(study))


def _first_steps(study: Study) -> tuple[VisitStep, ...]:
    model = study.model
    before = assignment_index(model)
    return visit_steps(model.model_copy(update={"stages": model.stages[:before]}), NO_DRAWS)


def next_step(state: VisitState) -> VisitStep | None:
    """Return the step that follows when none is open; None if there is none left.

    Steps whose conditions do not hold are skipped, and so are rounds after those that were to be the last.
    """
    if state.target:
        return state.step_named(state.target)
    for step in state.steps[state.position + 1 :]:
        if not all(holds(condition, state.value_of) for condition in step.conditions):
            continue
        if _is_stopped(state, step):
            continue
        return step
    return None


def _is_stopped(state: VisitState, step: VisitStep) -> bool:
    if step.game is None or not isinstance(step.stage, RoundsStage) or step.round < 2:
        # What follows a round, such as its result, belongs to a round that was played.
        return step.round > 0 and step.game is None and not _was_played(state, step)
    return step.stage.stop_when is not None and holds(step.stage.stop_when, state.value_of)


def _was_played(state: VisitState, step: VisitStep) -> bool:
    games = [one for one in state.steps if one.game is not None and one.round == step.round]
    return any(step.id.startswith(f"{game.id}.") and game.id in state.sessions for game in games)


def needs_assignment(state: VisitState) -> bool:
    """Return whether the assignment has to be made now: no step is open, and none before it is left."""
    return state.ended is None and state.assigned is None and state.step is None and next_step(state) is None


def fold_visit(state: VisitState, event: AnyVisitEvent) -> VisitState:
    """Return the state after an event.

    Raises:
        NegoError: If the event cannot follow here.
    """
    _check_order(state, event)
    return replace(_apply(state, event), n=event.n, t=event.t)


def _check_order(state: VisitState, event: AnyVisitEvent) -> None:
    if event.n != state.n + 1:
        raise NegoError(f"The event {state.n + 1} is missing; this is number {event.n}.")
    if event.t < state.t:
        raise NegoError(f"The event {event.n} is earlier than the one before it.")
    if state.ended is not None:
        raise NegoError(f"The visit was over before the event {event.n}.")
    if (state.n == 0) != isinstance(event, VisitBegun):
        raise NegoError("A visit begins with VISIT_BEGUN, once.")
    at = getattr(event, "step", None)
    if at is not None and not isinstance(event, StageEntered) and (state.step is None or state.step.id != at):
        raise NegoError(f"The event {event.n} belongs to the step {at!r}, which is not open.")


def _apply(state: VisitState, event: AnyVisitEvent) -> VisitState:  # noqa: C901 - one case for each type
    match event:
        case VisitBegun():
            return replace(state, columns=event.stratum)
        case Assigned():
            return _assign(state, event)
        case StageEntered():
            return _enter(state, event)
        case PageShown():
            return replace(state, page=event.page)
        case Answered():
            return replace(state, answers={**state.answers, (event.step, event.item): event.value})
        case QuizTried():
            return _try_quiz(state, event)
        case Consented():
            given = {f"{event.step}.{tick}": True for tick in event.ticks}
            return _with_results(state, given | {f"{event.step}.given": True})
        case Declined():
            return _with_results(state, {f"{event.step}.given": False})
        case SessionOpened():
            return replace(state, sessions={**state.sessions, event.step: event})
        case SessionClosed():
            return _close_session(state, event)
        case StageLeft():
            return _leave(state, event)
        case Chosen():
            return _with_results(state, {f"{event.step}.chosen": event.option})
        case CallReturned():
            return _with_results(
                state, {f"{event.step}.word": event.word, f"{event.step}.exit_code": event.exit_code}
            )
        case HelpAsked():
            return replace(state, help_text=event.text)
        case HelpAnswered():
            return replace(state, help_text=None)
        case Released():
            return replace(state, released=state.released | {event.step})
        case MovedByExperimenter():
            return _move(state, event)
        case Flagged():
            return replace(state, flags=(*state.flags, (event.step, event.what)))
        case Paid():
            return replace(state, paid=event)
        case VisitResumed() | Interrupted():
            return state
        case VisitEnded():
            return replace(state, ended=event.how, step=None)
        case _:
            assert_never(event)


def _with_results(state: VisitState, results: Mapping[str, Value]) -> VisitState:
    return replace(state, results={**state.results, **results})


def _assign(state: VisitState, event: Assigned) -> VisitState:
    if not needs_assignment(state):
        raise NegoError("A participant is assigned once, after consent.")
    known = {cell_key(cell) for cell in state.study.model.cells()}
    if cell_key(event.cell) not in known:
        raise NegoError(f"The study has no cell {event.cell}.")
    steps = visit_steps(state.study.for_cell(event.cell), draws_of(event))
    if [step.id for step in steps] != event.steps:
        raise NegoError("The steps of this visit are not those of the study; the study has been changed.")
    return replace(state, assigned=event, steps=steps)


def cell_key(cell: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return a cell as a value that can be compared, whatever the order of its factors."""
    return tuple(sorted(cell.items()))


def _enter(state: VisitState, event: StageEntered) -> VisitState:
    expected = next_step(state)
    if state.step is not None or expected is None or expected.id != event.step:
        raise NegoError(f"The step {event.step!r} does not follow here.")
    # A step that is entered again is done again; its earlier answers stay, and are filled in.
    again = {f"{event.step}.{name}" for name in ("given", "chosen", "word", "exit_code")}
    return replace(
        state,
        step=expected,
        entered=state.entered | {event.step},
        entered_at=event.t,
        page=0,
        target="",
        attempts=_without(state.attempts, event.step),
        wrong=_without(state.wrong, event.step),
        sessions=_without(state.sessions, event.step),
        released=state.released - {event.step},
        results={name: value for name, value in state.results.items() if name not in again},
    )


def _without(values: Mapping[str, T], key: str) -> dict[str, T]:
    return {name: value for name, value in values.items() if name != key}


def _leave(state: VisitState, event: StageLeft) -> VisitState:
    position = [step.id for step in state.steps].index(event.step)
    left = replace(state, step=None, page=0, position=position, target=event.to)
    return _with_results(left, {f"{event.step}.timed_out": True}) if event.how == "timeout" else left


def _move(state: VisitState, event: MovedByExperimenter) -> VisitState:
    if state.step_named(event.target) is None:
        raise NegoError(f"This visit has no step {event.target!r}.")
    return replace(state, step=None, page=0, target=event.target)


def _try_quiz(state: VisitState, event: QuizTried) -> VisitState:
    step, tries = event.step, int(str(state.results.get(f"{event.step}.tries", 0))) + 1
    answers = {(step, item): value for item, value in event.answers.items()}
    tried = replace(
        state,
        answers={**state.answers, **answers},
        attempts={**state.attempts, step: state.attempts.get(step, 0) + 1},
        wrong={**state.wrong, step: tuple(event.wrong)},
    )
    passed = not event.wrong
    results: dict[str, Value] = {f"{step}.tries": tries, f"{step}.passed": passed}
    if tries == 1:
        results[f"{step}.first_try"] = passed
    return _with_results(tried, results)


def _close_session(state: VisitState, event: SessionClosed) -> VisitState:
    opened = state.sessions.get(event.step)
    if not isinstance(opened, SessionOpened) or opened.session != event.session:
        raise NegoError(f"The session {event.session} was not opened in this step.")
    closed = replace(state, sessions={**state.sessions, event.step: event})
    points = None if event.points is None else _points_value(Fraction(event.points))
    return _with_results(
        closed,
        {
            f"{event.step}.agreement": event.agreement,
            f"{event.step}.end": event.end,
            f"{event.step}.points": points,
        },
    )


def _points_value(points: Fraction) -> int | Decimal:
    if points.denominator == 1:
        return int(points)
    return Decimal(points.numerator) / Decimal(points.denominator)
