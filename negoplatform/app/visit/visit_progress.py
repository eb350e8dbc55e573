"""Progress of a visit: its beginning, its log, and everything that follows by itself from what was recorded.

The events of one call are written together, with one sync; if they cannot be written, nothing has changed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import wraps
from pathlib import Path
from shutil import rmtree
from typing import Any, Concatenate, ParamSpec, Self, TypeVar
from uuid import uuid4

import negoplatform
from negoplatform.app.study.participant_code import KnownCode
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.visit.visit_assignment import assign_visit
from negoplatform.app.visit.visit_drafts import VisitDrafts
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.held_files import retry_while_held
from negoplatform.eventlog.log_file_io import redirect_target
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME, VisitLog, VisitRecord, replay_visit
from negoplatform.eventlog.writer import wall_clock
from negoplatform.study.stages import (
    ConsentStage,
    EndStage,
    PaymentStage,
    QuizStage,
    ReadAgain,
)
from negoplatform.study.visit_events import (
    AnyVisitEvent,
    Assigned,
    Flagged,
    HelpAnswered,
    HelpAsked,
    LeftBy,
    Paid,
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
from negoplatform.study.visit_steps import VisitStep

E = TypeVar("E", bound=VisitEvent)
P = ParamSpec("P")
R = TypeVar("R")
V = TypeVar("V", bound="VisitProgress")


def at_once(call: Callable[Concatenate[V, P], R]) -> Callable[Concatenate[V, P], R]:
    """Write all events of a call together at its end; if that fails, the call has changed nothing."""

    @wraps(call)
    def write_together(run: V, /, *args: P.args, **keywords: P.kwargs) -> R:
        with run._writing_together():
            return call(run, *args, **keywords)

    return write_together


class VisitProgress:
    """A visit, its log, and what follows by itself from the events so far; used on one thread.

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
        self.on_log_damaged: Callable[[NegoError], object] = lambda _error: None
        """Called with what another program did to the log; all of it was then written to a new file."""

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
    ) -> Self:
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
            _ensure_only_one(data, code, header)
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
    ) -> Self:
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
            run._offset += max(0.0, _last_known_time(record, state, data) - state.t)
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
        damage = self._log.take_damage()
        if damage is not None:
            self.on_log_damaged(damage)

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
            self.state = self._recorded = state
            self._flag_damage()
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
            self._flag_damage()

    def _flag_damage(self) -> None:
        """Flag in the open step that another program changed the log, which was written again."""
        damage = self._log.take_damage()
        if damage is None:
            return
        self.on_log_damaged(damage)
        if self.state.step is None:
            return
        event = Flagged(
            n=self.state.n + 1, t=self._now(), t_utc=wall_clock(), step=self.state.step.id, what="log_damaged"
        )
        with suppress(NegoError):  # what was to be recorded is
            state = fold_visit(self.state, event)
            self._log.write(event)
            self.state = self._recorded = state

    @at_once
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
            retry_while_held(lambda: rmtree(self._log.path.parent))
        except OSError as error:
            place = self._log.path.parent
            raise NegoError(f"{place} cannot be removed ({error.strerror}); please remove it.") from None
        self.data.count_declined()

    def _leave(self, how: LeftBy, *, hidden_ms: int = 0, to: str = "") -> None:
        ms = round((self._now() - self.state.entered_at) * 1000)
        hidden_ms += self.take_hidden_ms()
        self._write(StageLeft, step=self.step.id, how=how, ms=ms, hidden_ms=hidden_ms, to=to)

    def _pay(self) -> bool:
        payment = self.state.payment
        if payment is None:
            return False
        self._write(Paid, amount=f"{payment.amount:f}", currency=payment.currency, parts=payment.part_records)
        return True


def _ensure_only_one(data: StudyData, code: KnownCode, header: VisitHeader) -> None:
    """Check that no other window has begun a visit of a code since it was looked up.

    Each of two windows creates its log before it looks: so at least one of them sees the other's.

    Raises:
        Refused: If another one has.
    """
    known = {header.visit, *(record.header.visit for record in code.earlier)}
    if not data.is_test and any(one.header.visit not in known for one in data.visits_of(code.code)):
        raise Refused("This code was used in another window just now. Please call the experimenter.")


def _beginning(folder: StudyFolder, data: StudyData, record: VisitRecord) -> dict[str, Any]:
    """Return the values of VISIT_BEGUN of a visit that was cut off before it."""
    columns = folder.codes.rows.get(record.header.code, {}) if folder.codes is not None else {}
    others = [one for one in data.visits_of(record.header.code) if one.header.visit != record.header.visit]
    return {"stratum": dict(columns), "reused": bool(others)}


def _last_known_time(record: VisitRecord, state: VisitState, data: StudyData) -> float:
    """Return the seconds since the visit began until which the program is known to have run.

    After the last event of the visit, that is what the open game has recorded, or the time for which the
    pages of the open step had been shown when their entries were kept.
    """
    if state.step is None:
        return state.t
    opened = state.sessions.get(state.step.id)
    if isinstance(opened, SessionOpened):
        return opened.t + _session_seconds(data.sessions / opened.folder / LOG_NAME)
    return state.entered_at + VisitDrafts(record.path.parent).seconds_shown(state.step.id)


def _session_seconds(log: Path) -> float:
    """Return the time of the last event of a session; 0 if there is none that can be read."""
    further = redirect_target(log)
    try:
        lines = (log if further is None else further).read_bytes().splitlines()
    except OSError:
        return 0.0
    for line in reversed(lines[1:]):
        with suppress(ValueError, TypeError, KeyError):
            return float(json.loads(line)["t"])
    return 0.0
