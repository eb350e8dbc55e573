"""Run of a visit: the only writer of its log. Every call checks, writes one or more events, and moves on.

A call that is refused changes nothing, and neither does one whose events cannot be written: all events of a
call are written with one sync. After each call the visit stands at a step, waits for nothing but
the participant (or the experimenter), or is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import wraps
from pathlib import Path
from shutil import rmtree
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar
from uuid import uuid4

import negoplatform
from negoplatform.app.study.participant_code import KnownCode
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.study.visit_assignment import assign_visit
from negoplatform.core.events import EndedBy
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME, VisitLog, VisitRecord, replay_visit
from negoplatform.eventlog.writer import wall_clock
from negoplatform.study.answers import answer_fault, pages_of, shown_items
from negoplatform.study.condition import holds
from negoplatform.study.instrument import ItemModel
from negoplatform.study.stages import (
    CallStage,
    ChoiceStage,
    ConsentStage,
    EndStage,
    FormStage,
    PageStage,
    PaymentStage,
    QuizStage,
    ReadAgain,
)
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
    LeftBy,
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
    VisitEvent,
    VisitHeader,
    VisitResumed,
)
from negoplatform.study.visit_state import (
    VisitState,
    fold_visit,
    initial_visit,
    needs_assignment,
    next_step,
)
from negoplatform.study.visit_steps import VisitStep, form_items

E = TypeVar("E", bound=VisitEvent)
P = ParamSpec("P")
R = TypeVar("R")


def _at_once(
    call: Callable[Concatenate[VisitRun, P], R],
) -> Callable[Concatenate[VisitRun, P], R]:
    """Write all events of a call together at its end; if that fails, the call has changed nothing."""

    @wraps(call)
    def write_together(run: VisitRun, /, *args: P.args, **keywords: P.kwargs) -> R:
        with run._writing_together():
            return call(run, *args, **keywords)

    return write_together


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """Answer of a participant.

    Args:
        item: The name of the answer.
        value: The answer; None if the item was skipped.
        ms: Milliseconds from the display of the page to the last change.
        changes: Number of changes after the first answer.
    """

    item: str
    value: Any
    ms: int = 0
    changes: int = 0


class VisitRun:
    """A visit and its log; used on one thread.

    Args:
        folder: The study.
        data: Its data.
        log: The visit's log.
        state: Its state.
        clock: Returns seconds from any beginning.
    """

    def __init__(
        self,
        folder: StudyFolder,
        data: StudyData,
        log: VisitLog,
        state: VisitState,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.folder = folder
        self.data = data
        self.state = state
        self._log = log
        self._waiting: list[AnyVisitEvent] | None = None
        self._recorded = state
        self._clock = clock
        self._offset = state.t - clock()
        self.take_hidden_ms: Callable[[], int] = lambda: 0
        """Returns the milliseconds without the focus since the last call; used when a step is left."""

    @classmethod
    def begin(
        cls,
        folder: StudyFolder,
        data: StudyData,
        code: KnownCode,
        *,
        station: str,
        language: str,
        clock: Callable[[], float] = time.monotonic,
        durable: bool = True,
    ) -> VisitRun:
        """Begin a visit, and go to its first step.

        Raises:
            NegoError: If it cannot be recorded.
        """
        model = folder.study.model
        header = VisitHeader.model_validate(
            {
                "schema": "negoplatform.visit/1",
                "app_version": negoplatform.__version__,
                "visit": uuid4().hex[:12],
                "created_at": wall_clock(),
                "study": model.name,
                "version": model.version,
                "sha256": folder.study.sha256,
                "code": code.code,
                "station": station,
                "language": language,
                "seed": model.design.seed,
                "is_test": data.is_test,
            }
        )
        log = VisitLog.create(data.visit_folder(header.code, header.visit), header, durable=durable)
        run = cls(folder, data, log, initial_visit(folder.study, header), clock)
        try:
            with run._writing_together():
                run._write(VisitBegun, stratum=dict(code.columns), reused=bool(code.earlier))
                run.settle()
        except BaseException:
            # Nothing has begun, so nothing stays that would have to be resumed.
            log.close()
            rmtree(log.path.parent, ignore_errors=True)
            data.give_back_place(header.visit)
            raise
        return run

    @classmethod
    def resume(
        cls, folder: StudyFolder, data: StudyData, path: Path, *, clock: Callable[[], float] = time.monotonic
    ) -> VisitRun:
        """Go on with a visit where it stopped: the same step, page and answers.

        Raises:
            NegoError: If it is over or damaged, or belongs to another version of the study.
        """
        log, record = VisitLog.resume(path / VISIT_LOG_NAME if path.is_dir() else path)
        try:
            data.check_belongs(record)
            state = replay_visit(folder.study, record)
            if state.ended is not None:
                raise NegoError(f"The visit of {record.header.code} is over, so there is nothing to resume.")
            run = cls(folder, data, log, state, clock)
            with run._writing_together():
                if state.n == 0:
                    run._write(VisitBegun, **_beginning(folder, data, record))
                else:
                    run._write(VisitResumed, torn_bytes=record.torn_bytes)
                run.settle()
        except BaseException:
            log.close()
            raise
        return run

    def close(self) -> None:
        """Close the log; the visit can be resumed unless it is over."""
        self._log.close()

    @property
    def path(self) -> Path:
        """Path of the log."""
        return self._log.path

    @property
    def step(self) -> VisitStep:
        """The open step.

        Raises:
            Refused: If the visit is over.
        """
        if self.state.step is None:
            raise Refused("This visit is over.")
        return self.state.step

    @property
    def seconds_in_step(self) -> float:
        """Seconds for which the open step has been open; the time between two runs does not count."""
        return self._now() - self.state.entered_at

    def _now(self) -> float:
        return round(max(self.state.t, self._clock() + self._offset), 3)

    def _write(self, kind: type[E], **values: Any) -> None:
        event: AnyVisitEvent = kind(  # type: ignore[assignment]  # every kind of event is in the union
            n=self.state.n + 1, t=self._now(), t_utc=wall_clock(), **values
        )
        state = fold_visit(self.state, event)
        if self._waiting is None:
            self._log.write(event)
            self._recorded = state
        else:
            self._waiting.append(event)
        self.state = state

    @contextmanager
    def _writing_together(self) -> Iterator[None]:
        """Write the events of the context at its end; if anything fails, the state is that of the log."""
        if self._waiting is not None:
            yield
            return
        self._waiting = []
        try:
            yield
            self._write_waiting()
        except BaseException:
            self.state = self._recorded
            raise
        finally:
            self._waiting = None

    def _write_waiting(self) -> None:
        if self._waiting:
            self._log.write(*self._waiting)
            self._waiting = []
            self._recorded = self.state

    @_at_once
    def settle(self) -> None:
        """Record everything that follows from the events so far, until the participant has to do something.

        Every call below records one event and then settles, so a visit that was cut off in between goes on
        as it would have.

        Raises:
            NegoError: If the participant cannot be assigned.
        """
        while self.state.ended is None and self._settle_once():
            pass

    def _settle_once(self) -> bool:
        """Record the next thing that follows; return whether anything did."""
        step = self.state.step
        if step is None:
            self._go_on()
            return True
        if step.id in self.state.released:
            if self.state.help_text is not None:
                self._write(HelpAnswered)
            self._leave("released")
        elif isinstance(step.stage, ConsentStage) and self.state.results.get(f"{step.id}.given") is False:
            self._remove()
            return False
        elif isinstance(step.stage, QuizStage) and step.id in self.state.wrong:
            return self._settle_quiz(step, step.stage)
        elif isinstance(step.stage, PaymentStage) and self.state.paid is None:
            return self._pay()
        elif self._is_finished_by_itself(step):
            self._leave("done")
        else:
            return False
        return True

    def _go_on(self) -> None:
        """Assign the participant, enter the next step, or end the visit."""
        last = self.state.steps[self.state.position] if self.state.position >= 0 else None
        if last is not None and isinstance(last.stage, EndStage) and not self.state.target:
            self._write(VisitEnded, how=last.stage.how)
        elif needs_assignment(self.state):
            self._write(Assigned, **assign_visit(self.state, self.folder, self.data))
        elif (following := next_step(self.state)) is not None:
            self._write(StageEntered, step=following.id)
        else:
            self._write(VisitEnded, how="finished")

    def _is_finished_by_itself(self, step: VisitStep) -> bool:
        """Return whether a step is over because of what was recorded in it."""
        if step.game is not None:
            return isinstance(self.state.sessions.get(step.id), SessionClosed)
        results = self.state.results
        match step.stage.kind:
            case "consent":
                return results.get(f"{step.id}.given") is True
            case "choice":
                return f"{step.id}.chosen" in results
            case "call":
                return f"{step.id}.exit_code" in results
            case _:
                return False

    def _settle_quiz(self, step: VisitStep, stage: QuizStage) -> bool:
        """Record what follows from the last attempt at a quiz; return whether anything does."""
        if not self.state.wrong[step.id]:
            self._leave("done")
            return True
        if self.state.attempts[step.id] < stage.tries:
            return False
        if (step.id, "quiz") not in self.state.flags:
            self._write(Flagged, step=step.id, what="quiz")
        match stage.then:
            case "go_on":
                self._leave("failed")
            case "end":
                self._write(VisitEnded, how="screened_out")
            case ReadAgain(read_again=target):
                self._leave("read_again", to=target)
            case _ if self.state.help_text is None:
                self._write(HelpAsked, step=step.id)
                return False
            case _:
                return False
        return True

    def _remove(self) -> None:
        """End the visit of a person who declined, remove everything about it, and count it."""
        # Recorded first, so that a program that is killed on the way removes the rest when it goes on.
        self._write_waiting()
        # The end is not: a log with it would stay if the program was killed before it is removed.
        self.state = self._recorded = replace(self.state, ended="declined", step=None)
        self.close()
        try:
            rmtree(self._log.path.parent)
        except OSError as error:
            place = self._log.path.parent
            raise NegoError(f"{place} cannot be removed ({error.strerror}); please remove it.") from None
        self.data.count_declined()

    def _leave(self, how: LeftBy, *, hidden_ms: int = 0, to: str = "") -> None:
        ms = round((self._now() - self.state.entered_at) * 1000)
        hidden_ms += self.take_hidden_ms()
        self._write(StageLeft, step=self.step.id, how=how, ms=ms, hidden_ms=hidden_ms, to=to)

    @_at_once
    def leave(self, how: LeftBy = "done", *, hidden_ms: int = 0) -> None:
        """Leave the open step, and enter the next one.

        Args:
            how: Why it is left.
            hidden_ms: Milliseconds in which the window did not have the focus.

        Raises:
            Refused: If something has to be done in it first.
        """
        step = self.step
        if how == "done":
            stage = step.stage
            waits = step.kind in ("game", "consent", "quiz", "choice", "call", "wait", "form")
            unread = isinstance(stage, PageStage) and self.state.page < len(stage.pages) - 1
            if waits or unread:
                raise Refused("This part is not finished yet.")
        self._leave(how, hidden_ms=hidden_ms)
        self.settle()

    @_at_once
    def show_page(self, page: int) -> None:
        """Show another page of the open step."""
        if page != self.state.page:
            self._write(PageShown, step=self.step.id, page=page)

    @_at_once
    def consent(self, ticks: Sequence[str], *, signature: str = "") -> None:
        """Record that the participant consents.

        Raises:
            Refused: If a statement is not ticked, or the code was not typed where that is wanted.
        """
        step, stage = self.step, self.step.stage
        if not isinstance(stage, ConsentStage):
            raise Refused("There is nothing to consent to.")
        if set(ticks) != set(stage.tick):
            raise Refused("Please tick every statement, or choose “I do not agree”.")
        if (
            stage.signature == "typed_code"
            and signature.strip().casefold() != self.state.header.code.casefold()
        ):
            raise Refused("Please type your code.")
        digest = self.folder.text_hash(stage.text, self.state.header.language)
        signed = signature.strip() if stage.signature == "typed_code" else ""
        self._write(Consented, step=step.id, text_sha256=digest, ticks=list(ticks), signature=signed)
        self.settle()

    @_at_once
    def decline(self) -> None:
        """End the visit of a person who does not consent: nothing is kept but a count.

        Raises:
            NegoError: If the count cannot be written.
        """
        if not isinstance(self.step.stage, ConsentStage):
            raise Refused("There is nothing to consent to.")
        self._write(Declined, step=self.step.id)
        self.settle()

    def form_pages(self) -> list[list[ItemModel]]:
        """Return the items of the open form in pages, in the order that was drawn."""
        step, stage = self.step, self.step.stage
        assert isinstance(stage, FormStage), "only forms have items"
        items = form_items(stage, self.state.instruments)
        order = self.state.draws.items.get(step.id, tuple(range(len(items))))
        return pages_of([items[i] for i in order], stage.per_page)

    @_at_once
    def answer_page(self, answers: Sequence[GivenAnswer]) -> None:
        """Record the answers of the current page of a form, and go to the next page or step.

        Raises:
            Refused: If an answer is missing or does not fit; nothing is recorded then.
        """
        pages, page = self.form_pages(), self.state.page
        given = {answer.item: answer for answer in answers}
        values = {name: answer.value for name, answer in given.items()}
        shown = shown_items(pages[page], self.state.value_of, values, self.step.id)
        names = {name: item for item in shown for name in item.fields}
        for name, item in names.items():
            if fault := answer_fault(item, values.get(name)):
                raise Refused(fault)
        before = sum(len(item.fields) for one in pages[:page] for item in one)
        for position, name in enumerate(names, start=before + 1):
            self._answer(name, given.get(name) or GivenAnswer(name, None), position)
        if page + 1 < len(pages):
            self.show_page(page + 1)
            return
        self._flag_answers()
        self._leave("done")
        self.settle()

    def _answer(self, name: str, answer: GivenAnswer, position: int) -> None:
        was = self.state.answers.get((self.step.id, name))
        known = (self.step.id, name) in self.state.answers
        if known and was == answer.value:
            return
        self._write(
            Answered,
            step=self.step.id,
            item=name,
            value=answer.value,
            was=was,
            ms=answer.ms,
            position=position,
            changes=answer.changes,
        )

    def _flag_answers(self) -> None:
        stage = self.step.stage
        if isinstance(stage, FormStage) and stage.flag_if and holds(stage.flag_if, self.state.value_of):
            self.flag("answers")

    @_at_once
    def flag(self, what: str) -> None:
        """Flag something in the open step, once."""
        if (self.step.id, what) not in self.state.flags:
            self._write(Flagged, step=self.step.id, what=what)

    @_at_once
    def time_out(self, does: Literal["flag", "go_on", "end"], answers: Sequence[GivenAnswer] = ()) -> None:
        """Do what follows when the time for the open page is over; the first time is flagged.

        Args:
            does: Only flag it, go on to the next page or step, or end the visit. Without consent, the visit
                ends instead of going on.
            answers: What was entered so far; answers that the form accepts are recorded unless it is only
                flagged.
        """
        self.flag("timeout")
        if does == "flag":
            return
        step, page, more = self.step, self.state.page, False
        if isinstance(step.stage, FormStage) and step.kind == "form":
            pages = self.form_pages()
            self._record_accepted(pages, answers)
            more = page + 1 < len(pages)
        elif isinstance(step.stage, PageStage):
            more = page + 1 < len(step.stage.pages)
        if does == "end" or isinstance(step.stage, ConsentStage):
            self.leave_study("aborted")
        elif more:
            self.show_page(page + 1)
        else:
            self.leave("timeout")

    def _record_accepted(self, pages: list[list[ItemModel]], answers: Sequence[GivenAnswer]) -> None:
        """Record those answers of a page that the form accepts."""
        given = {answer.item: answer for answer in answers}
        before = sum(len(item.fields) for page in pages[: self.state.page] for item in page)
        values = {name: answer.value for name, answer in given.items()}
        shown = shown_items(pages[self.state.page], self.state.value_of, values, self.step.id)
        names = [(name, item) for item in shown for name in item.fields]
        for position, (name, item) in enumerate(names, start=before + 1):
            if name in given and not answer_fault(item, values[name]):
                self._answer(name, given[name], position)

    @_at_once
    def try_quiz(self, answers: Mapping[str, Any], right: Mapping[str, Any]) -> tuple[str, ...]:
        """Record an attempt at the open quiz; return the questions that were answered wrongly.

        Args:
            answers: The answers by question.
            right: The right answers by question.

        Raises:
            Refused: If an answer is missing, or the quiz was tried too often.
        """
        step, stage = self.step, self.step.stage
        if not isinstance(stage, QuizStage):
            raise Refused("There is nothing to answer.")
        if self.state.attempts.get(step.id, 0) >= stage.tries:
            raise Refused("Please call the experimenter.")
        if any(answers.get(question.id) is None for question in stage.questions):
            raise Refused("Please answer every question.")
        wrong = [
            one.id
            for one in stage.questions
            if Fraction(str(answers[one.id])) != Fraction(str(right[one.id]))
        ]
        attempt = self.state.attempts.get(step.id, 0) + 1
        self._write(QuizTried, step=step.id, attempt=attempt, answers=dict(answers), wrong=wrong)
        self.settle()
        return tuple(wrong)

    @_at_once
    def choose(self, option: str) -> None:
        """Record what the participant chose, and go on.

        Raises:
            Refused: If there is no such option.
        """
        stage = self.step.stage
        if not isinstance(stage, ChoiceStage) or option not in [one.id for one in stage.options]:
            raise Refused("Please choose one of these.")
        self._write(Chosen, step=self.step.id, option=option)
        self.settle()

    @_at_once
    def return_from_call(self, *, word: str = "", exit_code: int | None = None) -> None:
        """Record what another program or page returned, and go on.

        Raises:
            Refused: If the word or the exit code is missing, or the word is not one of the study's.
        """
        stage = self.step.stage
        if not isinstance(stage, CallStage):
            raise Refused("Nothing was opened here.")
        if stage.returns == "exit_code" and exit_code is None:
            raise Refused("Please finish the other program first.")
        if stage.returns == "word":
            known = {one.casefold(): one for one in stage.words or [word.strip()]}
            if not word.strip() or word.strip().casefold() not in known:
                raise Refused("That is not the word from the end of the other page. Please check it.")
            word = known[word.strip().casefold()]
        self._write(CallReturned, step=self.step.id, word=word.strip(), exit_code=exit_code)
        self.settle()

    @_at_once
    def open_session(self, session: str, folder: str) -> None:
        """Record that the session of the open game has a log."""
        self._write(SessionOpened, step=self.step.id, session=session, folder=folder)

    @_at_once
    def close_session(
        self, session: str, *, last_hash: str, ended_by: EndedBy, points: Any, agreement: bool
    ) -> None:
        """Record the end of the open game's session, and go on."""
        exact = None if points is None else str(Fraction(str(points)))
        if ended_by is EndedBy.AGENT_FAILURE:
            self.flag("agent_failure")
        self._write(
            SessionClosed,
            step=self.step.id,
            session=session,
            last_hash=last_hash,
            end=str(ended_by),
            agreement=agreement,
            points=exact,
        )
        self.settle()

    @_at_once
    def ask_for_help(self, text: str) -> None:
        """Record a question to the experimenter."""
        self._write(HelpAsked, step=self.step.id, text=text.strip())

    @_at_once
    def answer_help(self) -> None:
        """Record that the experimenter has answered the participant's question."""
        if self.state.help_text is not None:
            self._write(HelpAnswered)

    @_at_once
    def release(self, by: Literal["experimenter", "time"]) -> None:
        """Let the participant go on: after a wait, or after a quiz that was tried too often."""
        self._write(Released, step=self.step.id, by=by)
        self.settle()

    @_at_once
    def move(self, target: str, why: str) -> None:
        """Move the participant to another step.

        Raises:
            Refused: If there is no such step, or no reason is given.
        """
        if not why.strip():
            raise Refused("Please give a reason.")
        if self.state.step_named(target) is None:
            raise Refused(f"This visit has no step {target!r}.")
        self._write(MovedByExperimenter, origin=self.step.id, target=target, why=why.strip())
        self.settle()

    @_at_once
    def leave_study(self, how: Literal["screened_out", "aborted"]) -> None:
        """End the visit early; what was said is kept."""
        self._write(VisitEnded, how=how)

    def interrupt(self, why: str = "") -> None:
        """Leave the visit, which can be resumed."""
        self._write(Interrupted, why=why)
        self.close()

    def _pay(self) -> bool:
        payment = self.state.payment
        if payment is None:
            return False
        parts = [
            {
                "kind": part.kind,
                "amount": f"{part.amount:f}",
                "about": list(part.about),
                "points": None if part.points is None else str(part.points),
            }
            for part in payment.parts
        ]
        self._write(Paid, amount=f"{payment.amount:f}", currency=payment.currency, parts=parts)
        return True


def _beginning(folder: StudyFolder, data: StudyData, record: VisitRecord) -> dict[str, Any]:
    """Return the values of VISIT_BEGUN of a visit that was cut off before it."""
    columns = folder.codes.rows.get(record.header.code, {}) if folder.codes is not None else {}
    others = [one for one in data.visits_of(record.header.code) if one.header.visit != record.header.visit]
    return {"stratum": dict(columns), "reused": bool(others)}
