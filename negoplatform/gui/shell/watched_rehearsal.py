"""Rehearsal in the window: simulated people go through a study while an experimenter watches.

What a person enters is shown, and is then sent as a participant's clicks would send it. A game is played at
once on a virtual clock, and then shown from its log at the speed of the rehearsal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Literal

from negoplatform.app.rehearsal.rehearsal import ExpectedPerson, expected_people, prepare_test_data
from negoplatform.app.rehearsal.rehearsal_people import PeopleModel
from negoplatform.app.rehearsal.simulated_person import PersonActions, SimulatedPerson, SimulatedVisit
from negoplatform.app.study.participant_code import KnownCode
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.visit.played_sessions import find_session_log, study_game
from negoplatform.app.visit.visit_run import GivenAnswer, VisitRun
from negoplatform.app.visit.visit_sessions import VisitSessions
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import ReplayStep, steps
from negoplatform.gui.shell.kiosk import Kiosk
from negoplatform.gui.shell.log_proof_printer import LogProofPrinter
from negoplatform.gui.shell.session_tables import SessionTables
from negoplatform.gui.shell.study_pictures import study_window
from negoplatform.gui.shell.visit_controller import HiddenTime, VisitController
from negoplatform.gui.table.shown_table import ShownSession, shown_table_screen
from negoplatform.gui.theming.theme import WINDOW_SIZE, Theme
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.gui.workbenches import make_workbench
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.study.step_page import CHOSEN, SIGNATURE, TICKS, WORD
from negoplatform.presentation.study.step_page_builder import round_text
from negoplatform.presentation.study.study_screens import table_plan
from negoplatform.study.stages import PaymentStage
from negoplatform.study.visit_events import LeftBy
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import VisitStep

LEAST_SHOWN_MS, MOST_SHOWN_MS = 300, 10_000
"""Milliseconds for which a screen, or the time between two moves in a game, is shown, whatever the speed."""

END_SHOWN_MS = 1500
"""Milliseconds for which the end of a game is shown."""


class _PlannedActions(PersonActions):
    """Actions that a person has decided on: what is entered for them, and how the window performs them."""

    def __init__(self) -> None:
        self.entries: dict[str, Any] = {}
        self.steps: list[Callable[[_WatchedVisit], object]] = []

    def consent(self, ticks: Sequence[str], *, signature: str = "") -> None:
        """Fill in the ticks, and consent."""
        self.entries = {TICKS: list(ticks), SIGNATURE: signature}
        self.steps.append(lambda visit: visit.consent(ticks, signature))

    def decline(self) -> None:
        """Decline."""
        self.steps.append(lambda visit: visit.decline())

    def leave(self, how: LeftBy = "done") -> None:
        """Leave the step."""
        if how == "done":
            self.steps.append(lambda visit: visit.go_on())
        else:
            self.steps.append(lambda visit: visit.record(lambda run: run.leave(how)))

    def show_page(self, page: int) -> None:
        """Show another page."""
        self.steps.append(lambda visit: visit.show_page(page))

    def answer_page(self, answers: Sequence[GivenAnswer]) -> None:
        """Fill in the answers, and send them."""
        self.entries = {answer.item: answer.value for answer in answers if answer.value is not None}
        self.steps.append(lambda visit: visit.answer_page(answers))

    def try_quiz(self, answers: Mapping[str, Any], right: Mapping[str, Any]) -> None:  # noqa: ARG002 - the window knows them
        """Fill in the answers, and try."""
        self.entries = dict(answers)
        self.steps.append(lambda visit: visit.try_quiz(answers))

    def choose(self, option: str) -> None:
        """Mark the option, and choose it."""
        self.entries = {CHOSEN: option}
        self.steps.append(lambda visit: visit.choose(option))

    def return_from_call(self, *, word: str = "", exit_code: int | None = None) -> None:
        """Fill in the word, and go on."""
        self.entries = {WORD: word}
        self.steps.append(
            lambda visit: visit.record(lambda run: run.return_from_call(word=word, exit_code=exit_code))
        )

    def release(self, by: Literal["experimenter", "time"]) -> None:
        """Let the experimenter or the time end the step."""
        self.steps.append(lambda visit: visit.record(lambda run: run.release(by)))

    def flag(self, what: str) -> None:
        """Flag something."""
        self.steps.append(lambda visit: visit.record(lambda run: run.flag(what)))

    def leave_study(self, how: Literal["screened_out", "aborted"]) -> None:
        """End the visit early."""
        self.steps.append(lambda visit: visit.record(lambda run: run.leave_study(how)))


class _WatchedVisit(VisitController):
    """Visit in the window whose games are shown instead of played."""

    on_game: Callable[[VisitStep], None] = lambda _step: None
    on_trouble: Callable[[str], None] = lambda _problem: None

    def record(self, action: Callable[[VisitRun], object]) -> None:
        """Record something that no control of the participant does, and show the screen that follows."""
        self._act(lambda: action(self._run))

    def _play(self, step: VisitStep) -> None:
        self.on_game(step)

    def _hand_out_receipt(self, stage: PaymentStage, state: VisitState) -> None:
        """Do nothing: simulated people need no receipts."""

    def _show_trouble(self, problem: str) -> None:
        self.on_trouble(problem)


class WatchedRehearsal:
    """Visits of simulated people in the window, one after another.

    Args:
        theme: The window.
        folder: The study.
        data: A folder for test data.
        people: What the people are like.
        seed: The seed of everything that they do.
        speed: How many times faster than real people they are.
        data_dir: The user's folder.
        report: Called with errors that stop nothing.
    """

    def __init__(
        self,
        theme: Theme,
        folder: StudyFolder,
        data: StudyData,
        people: PeopleModel,
        *,
        seed: int,
        speed: float,
        data_dir: Path,
        report: Callable[[BaseException], object],
    ) -> None:
        self._theme, self._root = theme, theme.root
        self._folder, self._data, self._people = folder, data, people
        self._seed, self._speed = seed, speed
        self._report = report
        self._navigator = ScreenNavigator(theme, report)
        self._announcer = UiTestAnnouncer(theme.root, active=False)
        self._kiosk = Kiosk(theme, data_dir, self._announcer)
        self._hidden = HiddenTime(theme.root)
        self._tables = SessionTables(
            theme,
            data_dir=data_dir,
            proof_printer=LogProofPrinter(data_dir, report),
            announcer=self._announcer,
            on_appearance=lambda _appearance: None,
            report=report,
        )
        self._expected: deque[ExpectedPerson] = deque()
        self._person: SimulatedPerson
        self._run: VisitRun
        self._visit: _WatchedVisit | None = None
        self._problem: BaseException | None = None
        self.finished: list[SimulatedVisit] = []
        """Results of the visits that are over."""

    def run(self, expected: Sequence[ExpectedPerson]) -> None:
        """Show the visits; return when all are over, or the window was closed, also by Escape.

        Raises:
            NegoError: If the study cannot be played.
        """
        self._expected = deque(expected)
        # The table has a binding of the window for this key, so this one is of all widgets.
        self._root.bind_all("<Escape>", lambda _event: self._root.quit())
        self._root.protocol("WM_DELETE_WINDOW", self._root.quit)
        self._root.after(1, self._begin_next)
        self._root.mainloop()
        if self._visit is not None:
            self._end_visit(self._visit)
        if self._problem is not None:
            raise self._problem

    def fail(self, error: BaseException) -> None:
        """Stop because of an error."""
        self._problem = self._problem or error
        self._root.quit()

    def _end_visit(self, visit: _WatchedVisit) -> None:
        self._person.stop()
        if not visit.is_over:
            visit.stop()
        self._visit = None

    def _begin_next(self) -> None:
        if not self._expected:
            self._root.quit()
            return
        one = self._expected.popleft()
        self._theme.apply_appearance(Appearance(language=one.language, reduce_motion=True))
        person_rng = Random(f"{self._seed}/{one.code}")
        person = SimulatedPerson(self._folder, self._data, self._people, person_rng, self._report)
        columns = self._folder.codes.rows.get(one.code, {}) if self._folder.codes is not None else {}
        known = KnownCode(one.code, columns, ())
        self._person, self._run = person, person.begin(known, station=one.station, language=one.language)
        visit = _WatchedVisit(
            self._navigator,
            self._run,
            VisitSessions(self._run, report=self._report),
            tables=self._tables,
            kiosk=self._kiosk,
            hidden=self._hidden,
            language=Language.load(one.language),
            announcer=self._announcer,
            report=self._report,
            on_over=lambda _screen: None,
        )
        visit.on_game = lambda step: self._after(0, lambda: self._play(visit, step))
        visit.on_trouble = lambda problem: self.fail(NegoError(problem))
        self._visit = visit
        visit.show()
        self._go_on(visit)

    def _after(self, seconds: float, call: Callable[[], None]) -> None:
        """Call something after seconds of the person's time."""
        shown = round(1000 * seconds / self._speed)
        self._root.after(min(MOST_SHOWN_MS, max(1, shown)), call)

    def _go_on(self, visit: _WatchedVisit) -> None:
        """Let the person act on the screen that is shown, unless a game follows, which goes on by itself."""
        if not self._person.goes_on(self._run):
            self.finished.append(self._person.result(self._run))
            self._end_visit(visit)
            self._root.after(LEAST_SHOWN_MS, self._begin_next)
        elif self._run.step.game is None:
            planned, before = _PlannedActions(), self._person.time
            self._person.act(self._run, planned)
            seconds = max(self._person.time - before, LEAST_SHOWN_MS / 1000 * self._speed)
            if planned.entries:
                self._after(seconds / 2, lambda: visit.fill(planned.entries))
            self._after(seconds, lambda: self._perform(visit, planned))

    def _perform(self, visit: _WatchedVisit, planned: _PlannedActions) -> None:
        for step in planned.steps:
            step(visit)
        self._go_on(visit)

    # Games

    def _play(self, visit: _WatchedVisit, step: VisitStep) -> None:
        """Play a game at once, and show it from its log."""
        if not self._person.goes_on(self._run):
            return
        note = round_text(step, self._theme.translate)
        self._navigator.show_message(note or self._theme.translate("Preparing the game…"))
        self._root.update_idletasks()
        plan = table_plan(self._run.state, self._folder, step)
        self._person.act(self._run)
        log = read_log(find_session_log(self._data, self._run.state.sessions[step.id].session))
        log = replace(log, header=replace(log.header, game=study_game(self._folder, log.header)))
        session = ShownSession(replace(plan, game=log.header.game))
        self._navigator.replace(
            shown_table_screen(
                self._theme, plan, session, make_workbench(plan.game), note=note, report=self._report
            )
        )
        self._show_moment(visit, session, deque(steps(log)))

    def _show_moment(self, visit: _WatchedVisit, session: ShownSession, moments: deque[ReplayStep]) -> None:
        now = moments.popleft()
        session.show(now.state, now.event.t, now.event)
        if moments:
            seconds = moments[0].event.t - now.event.t
            self._after(seconds, lambda: self._show_moment(visit, session, moments))
        else:
            self._root.after(END_SHOWN_MS, lambda: self._leave_game(visit))

    def _leave_game(self, visit: _WatchedVisit) -> None:
        visit.show()
        self._go_on(visit)


def watch_rehearsal(
    folder: StudyFolder,
    data: StudyData,
    people: PeopleModel,
    *,
    participants: int,
    seed: int,
    speed: float,
    data_dir: Path,
    report: Callable[[BaseException], object],
) -> list[SimulatedVisit]:
    """Show a rehearsal in the window; return the visits that were over when it was closed.

    Args:
        folder: The study.
        data: A folder for test data; an earlier rehearsal there is removed.
        people: What the people are like.
        participants: Their number.
        seed: The seed of everything that they do.
        speed: How many times faster than real people they are.
        data_dir: The user's folder.
        report: Called with errors that stop nothing.

    Raises:
        NegoError: If there is no display, or the study cannot be played.
    """
    expected = expected_people(folder, participants)
    watched: list[WatchedRehearsal] = []

    def fail(error: BaseException) -> None:
        for one in watched:
            one.fail(error)

    with study_window(fail, WINDOW_SIZE) as theme:
        prepare_test_data(data)
        watched.append(
            WatchedRehearsal(
                theme, folder, data, people, seed=seed, speed=speed, data_dir=data_dir, report=report
            )
        )
        watched[0].run(expected)
        return watched[0].finished
