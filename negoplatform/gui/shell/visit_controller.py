"""Controller of a visit in the window: the screen of each step, its games, time limits and interruptions."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.session_start import OpenSession
from negoplatform.app.study.receipts import hand_out_receipt
from negoplatform.app.visit.step_call import call_program, call_url, open_page, run_program
from negoplatform.app.visit.step_games import right_answers
from negoplatform.app.visit.study_host import StudyHost
from negoplatform.app.visit.visit_drafts import VisitDrafts
from negoplatform.app.visit.visit_run import GivenAnswer, VisitRun
from negoplatform.app.visit.visit_sessions import VisitSessions
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.gui.shell.kiosk import Kiosk
from negoplatform.gui.shell.session_tables import SessionTables
from negoplatform.gui.study.step_actions import StepScreen
from negoplatform.gui.study.step_header import HelpDialog
from negoplatform.gui.study.step_screens import make_step_screen
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.widgets.dialogs import ConfirmationDialog
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator, show_retry_screen
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.receipt_words import receipt_words
from negoplatform.presentation.study.step_page import StepPage, declined_page
from negoplatform.presentation.study.step_page_builder import game_note, step_page
from negoplatform.presentation.table.leaving_questions import end_visit_question
from negoplatform.study.stages import (
    CallStage,
    NegotiationStage,
    PageStage,
    PaymentStage,
    QuizStage,
    RoundsStage,
    WaitStage,
)
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import VisitStep

EARLY_SECONDS = 0.5
"""Seconds by which the clocks of the screen and of the visit may differ."""


class HiddenTime:
    """Time in which the window did not have the focus; one object for as long as the window exists.

    Args:
        root: The window.
        now: Returns the seconds of a monotonic clock.
    """

    def __init__(self, root: tk.Tk, now: Callable[[], float] = time.monotonic) -> None:
        self._root, self._now = root, now
        self._seconds = 0.0
        self._away_since: float | None = None
        root.bind("<FocusOut>", self._on_focus_out, add="+")
        root.bind("<FocusIn>", self._on_focus_in, add="+")

    def take_ms(self) -> int:
        """Return the milliseconds since the last call, and begin again."""
        if self._away_since is not None:
            self._seconds += self._now() - self._away_since
            self._away_since = self._now()
        taken, self._seconds = self._seconds, 0.0
        return round(taken * 1000)

    def _on_focus_out(self, event: tk.Event[tk.Misc]) -> None:
        # Moves from field to field are ignored: then the event is not the root's own.
        if event.widget is self._root and self._away_since is None:
            self._away_since = self._now()

    def _on_focus_in(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self._root and self._away_since is not None:
            self._seconds += self._now() - self._away_since
            self._away_since = None


class VisitController:
    """Controller of one visit; the actions of its screens.

    Args:
        navigator: The window's navigator.
        run: The visit.
        sessions: The sessions of its games.
        host: The host that others join; None: there are no others.
        tables: The tables of the window's sessions.
        kiosk: Asks for the experimenter's code.
        hidden: The time without the focus.
        language: The visit's language.
        announcer: Reports to UI tests what is shown.
        report: Called with an unexpected exception.
        on_over: Called with each screen of the last page, also with one that is built again.
    """

    def __init__(
        self,
        navigator: ScreenNavigator,
        run: VisitRun,
        sessions: VisitSessions,
        *,
        host: StudyHost | None = None,
        tables: SessionTables,
        kiosk: Kiosk,
        hidden: HiddenTime,
        language: Language,
        announcer: UiTestAnnouncer,
        report: Callable[[BaseException], object],
        on_over: Callable[[StepScreen], None],
    ) -> None:
        self._navigator, self._theme = navigator, navigator.theme
        self._run = run
        self._sessions = sessions
        self._host = host
        self._tables = tables
        self._kiosk = kiosk
        self._language = language
        self._announcer = announcer
        self._report = report
        self._on_over = on_over
        self._drafts = VisitDrafts(run.path.parent)
        self._screen: StepScreen | None = None
        self._shown: tuple[str, int] = ("", 0)
        self._seconds_before_page = 0.0
        self._declined: StepPage | None = None
        self._page_shown: StepPage | None = None
        self._called: VisitStep | None = None
        hidden.take_ms()
        run.take_hidden_ms = hidden.take_ms
        run.on_log_damaged = report

    @property
    def is_over(self) -> bool:
        """Whether the visit has ended."""
        return self._run.state.ended is not None

    # What is shown

    def show(self) -> None:
        """Show the screen that follows from the visit's state, or why it cannot be shown."""
        try:
            self._show_state()
        except NegoError as error:
            self._show_trouble(str(error))

    def _show_state(self) -> None:
        state = self._run.state
        if state.ended is not None:
            self._show_over()
        elif state.step is not None and state.step.game is not None:
            self._leave_screen()
            self._play(state.step)
        else:
            self._show_step()

    def _show_step(self) -> None:
        step, page = self._run.step, self._run.state.page
        if (step.id, page) != self._shown:
            # Each page has its own time limit; the first one has been open as long as its step.
            self._seconds_before_page = self._run.seconds_in_step if page else 0.0
        self._navigator.show(self._make_screen).focus_first()
        self._announcer.announce("step", kind=step.kind, step=step.id, page=page)

    def _make_screen(self) -> StepScreen:
        """Return a new screen of the present page, with the entries of the screen that it replaces."""
        now = self._run.step.id, self._run.state.page
        if self._shown == now:
            self._keep_entered()
        self._leave_screen()
        self._shown = now
        self._page_shown = self._page()
        self._screen = self._make(self._page_shown)
        return self._screen

    def _make(self, page: StepPage) -> StepScreen:
        return make_step_screen(
            self._theme, page, self, announcer=self._announcer, picture=self._run.folder.picture
        )

    def _page(self) -> StepPage:
        run = self._run
        is_form = run.state.ended is None and run.step.kind == "form"
        return step_page(
            run.state,
            run.folder,
            page_items=run.form_pages() if is_form else (),
            draft={} if run.state.ended is not None else self._drafts.load(run.step.id, run.state.page),
            elapsed_seconds=self._seconds_on_page,
            translate=self._language,
        )

    @property
    def _seconds_on_page(self) -> float:
        return max(0.0, self._run.seconds_in_step - self._seconds_before_page)

    def _show_over(self) -> None:
        """Show the last page; nothing of the visit is changed from now on."""
        self._leave_screen()
        self.stop()
        declined = self._declined if self._run.state.ended == "declined" else None
        page = declined or self._page()

        def make() -> StepScreen:
            self._leave_screen()
            self._screen = self._make(page)
            self._on_over(self._screen)
            return self._screen

        self._navigator.show(make)
        self._announcer.announce("visit_over", how=self._run.state.ended)

    def _leave_screen(self) -> None:
        if self._screen is not None:
            self._screen.close()
            self._screen = None

    def _show_trouble(self, problem: str) -> None:
        """Show a problem that the experimenter has to solve; what was recorded stays."""

        def retry() -> None:
            if self._attempt(self._run.settle):
                self.show()

        self._leave_screen()
        call = self._theme.translate("Please call the experimenter.")
        show_retry_screen(self._navigator, self._announcer, f"{call}\n{problem}", retry)

    # Actions of the screens

    def consent(self, ticks: Sequence[str], signature: str) -> None:
        """Record consent."""
        self._act(lambda: self._run.consent(ticks, signature=signature))

    def decline(self) -> None:
        """End the visit without consent."""
        self._declined = declined_page(self._page())
        self._act(self._run.decline)

    def go_on(self) -> None:
        """Leave a page, a result, a payment, a briefing or the end; a payment is left with its receipt."""
        stage, state = self._run.step.stage, self._run.state
        self._act(self._run.leave)
        if isinstance(stage, PaymentStage) and stage.receipt != "screen" and state.paid is not None:
            self._hand_out_receipt(stage, state)

    def _hand_out_receipt(self, stage: PaymentStage, state: VisitState) -> None:
        """Save or print a receipt while the next screen is shown; an error in it never stops a visit."""
        data, words = self._run.data, receipt_words(state.header.language)

        def failed(problem: str) -> None:
            self._report(NegoError(problem))

        self._navigator.run_in_background(
            lambda: hand_out_receipt(data, state, stage, words),
            lambda path: self._announcer.announce("receipt", path=str(path)),
            failed,
        )

    def show_page(self, page: int) -> None:
        """Show another page of the same step: an earlier one, or the next one of a text."""
        if page < self._run.state.page or isinstance(self._run.step.stage, PageStage):
            self._act(lambda: self._run.show_page(page))

    def answer_page(self, answers: Sequence[GivenAnswer]) -> None:
        """Record the answers of a page of a form."""
        self._act(lambda: self._run.answer_page(answers))

    def try_quiz(self, answers: Mapping[str, Any]) -> None:
        """Record an attempt at a quiz."""
        stage = self._run.step.stage
        assert isinstance(stage, QuizStage), "only quizzes are tried"
        self._act(
            lambda: self._run.try_quiz(answers, right_answers(self._run.state, self._run.folder, stage))
        )

    def choose(self, option: str) -> None:
        """Record a choice."""
        self._act(lambda: self._run.choose(option))

    def return_from_call(self, word: str) -> None:
        """Record the return from a page or program."""
        self._act(lambda: self._run.return_from_call(word=word))

    def open_call(self) -> None:
        """Open the page or program of a call; the exit code of a program is awaited where it is wanted.

        Raises:
            Refused: If the program is running.
        """
        step, state, folder = self._run.step, self._run.state, self._run.folder
        stage = step.stage
        assert isinstance(stage, CallStage), "only calls open something"
        if self._called == step:
            raise Refused("It is open already.")
        try:
            url = None if stage.url is None else call_url(stage, state)
            arguments = [] if stage.program is None else call_program(stage, state, folder)
        except NegoError as error:
            self._show_trouble(str(error))
            return
        self._called = step
        self._kiosk.let_others_above(allowed=True)

        def came_back() -> bool:
            """Return whether the participant is still at the call."""
            self._called = None
            return self._run.state.step == step

        def opened(_none: None) -> None:
            came_back()

        def ended(exit_code: int) -> None:
            if came_back():
                self._kiosk.let_others_above(allowed=False)
                if stage.returns == "exit_code":
                    self._act(lambda: self._run.return_from_call(exit_code=exit_code))

        def failed(problem: str) -> None:
            if came_back():
                self._kiosk.let_others_above(allowed=False)
                self._show_trouble(problem)
            else:
                self._report(NegoError(problem))

        if url is not None:
            self._navigator.run_in_background(lambda: open_page(url), opened, failed)
        else:
            self._navigator.run_in_background(lambda: run_program(arguments, folder), ended, failed)

    def ask_for_help(self, text: str) -> None:
        """Record a question to the experimenter."""
        self._act(lambda: self._run.ask_for_help(text))

    def keep_draft(self, values: Mapping[str, Any]) -> None:
        """Keep the unsent entries of the present page."""
        step, page = self._shown
        try:
            self._drafts.save(step, page, values)
        except NegoError as error:
            self._report(error)  # they are still kept in memory

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show the present page with unsent entries, in place of those that it has."""
        self._leave_screen()
        self.keep_draft(values)
        self.show()

    def ask_experimenter(self) -> None:
        """Ask for the experimenter's code, then end a call for help, a wait, a failed quiz or a call."""
        further = self._theme.translate("End this visit…"), self._ask_to_end
        self._kiosk.authorize(
            self._experimenter_question(), lambda: self._act(self._release), further=further
        )

    def _experimenter_question(self) -> ConfirmationQuestion:
        """Return the question for the experimenter, with what the participant asks."""
        translate, asked = self._theme.translate, self._run.state.help_text
        text = translate("This is for the experimenter.")
        if asked:
            asks = translate("The participant asks: “{question}”", question=displayable(asked))
            text = f"{text}\n\n{asks}"
        return ConfirmationQuestion(
            translate("Let this participant continue?"), text, translate("Continue"), translate("Go back")
        )

    def _ask_to_end(self) -> None:
        """End the visit where it stands, after a confirmation; the experimenter has given permission."""
        question = end_visit_question(self._run.state.header.code, self._theme.translate)

        def end() -> None:
            if self._run.state.ended is None:  # a time limit may have ended it meanwhile
                self._act(lambda: self._run.leave_study("aborted"))

        ConfirmationDialog(self._theme, question, on_yes=end, announcer=self._announcer).open()

    def time_out(self) -> None:
        """Apply the page's rule for its time limit, if the limit has passed."""
        limit = None if self._page_shown is None else self._page_shown.timeout_seconds
        if limit is None or self._seconds_on_page < limit - EARLY_SECONDS:
            return
        pace = self._run.state.model.pace
        does = self._run.step.stage.timeout_does or pace.timeout_does
        entered = {} if self._screen is None else self._screen.entered()
        answers = [GivenAnswer(name, value) for name, value in entered.items() if ":" not in name]
        if does == "flag":
            self._attempt(lambda: self._run.time_out("flag"))
        else:
            self._act(lambda: self._run.time_out(does, answers))

    def wait_is_over(self) -> None:
        """End a wait for a time, if the time is over."""
        seconds = None if self._page_shown is None else self._page_shown.wait_seconds
        if seconds is not None and self._run.seconds_in_step >= seconds - EARLY_SECONDS:
            self._act(lambda: self._run.release("time"))

    # What follows

    def _act(self, action: Callable[[], object]) -> None:
        """Perform an action that is recorded, and show the screen that follows.

        Raises:
            Refused: If it is refused; nothing changes then.
        """
        self._keep_entered()
        self._kiosk.let_others_above(allowed=False)
        if self._attempt(action):
            self.show()

    def _attempt(self, action: Callable[[], object]) -> bool:
        """Perform an action and return whether it was recorded; if it was not, show the problem."""
        try:
            action()
        except Refused:
            raise
        except NegoError as error:
            self._show_trouble(str(error))
            return False
        return True

    def _keep_entered(self) -> None:
        if self._screen is not None:
            self.keep_draft(self._screen.entered())

    def _release(self) -> None:
        run, step = self._run, self._run.step
        waits = isinstance(step.stage, WaitStage)
        failed = isinstance(step.stage, QuizStage) and (
            run.state.attempts.get(step.id, 0) >= step.stage.tries and bool(run.state.wrong.get(step.id))
        )
        # A question about a call is answered first; the participant may well finish the call then.
        called = isinstance(step.stage, CallStage) and run.state.help_text is None
        if waits or failed or called:
            run.release("experimenter")
        else:
            run.answer_help()

    # Games

    def _play(self, step: VisitStep) -> None:
        """Open or resume the session of a game, and show its table."""
        self._navigator.show_message(
            game_note(step, self._theme.translate) or self._theme.translate("Preparing the game…")
        )
        self._announcer.announce("preparing", step=step.id)
        self._navigator.run_in_background(
            self._sessions.prepare, lambda session: self._open_table(step, session), self._show_trouble
        )

    def _open_table(self, step: VisitStep, session: OpenSession | None) -> None:
        if session is None:
            if self._attempt(self._sessions.closed_already):
                self.show()
            return
        self._sessions.opened(session)
        table = self._tables.open(session)
        if self._host is not None:
            self._host.serve(table, session.plan)
        stage = step.stage
        assert isinstance(stage, NegotiationStage | RoundsStage), "other steps have no game"
        screen = self._tables.make_screen(
            table,
            session,
            shows_briefing=stage.briefing,
            leave_label="",
            on_done=lambda: self._close_table(table, session),
            find_folder=self._game_folder,
            on_ask=(lambda: self._ask_in_game(screen)) if self._run.state.model.help_button else None,
        )
        self._navigator.replace(screen)
        if self._run.state.help_text is not None:
            screen.show_note(self._called_note)
        elif note := game_note(step, self._theme.translate):
            screen.show_note(note)
        self._announcer.announce("table_screen", log=str(session.log.path))

    @property
    def _called_note(self) -> str:
        return self._theme.translate(
            "Please wait for the experimenter. If nobody comes, raise your hand or call."
        )

    def _ask_in_game(self, screen: TableScreen) -> None:
        """Record a question during a game, which goes on; while it is open, let the experimenter close it."""
        run, step = self._run, self._run.step

        def ask(text: str) -> None:
            if run.state.step == step and self._attempt(lambda: run.ask_for_help(text)):
                screen.show_note(self._called_note)

        def answer() -> None:
            if run.state.step == step and self._attempt(run.answer_help):
                screen.show_note(game_note(step, self._theme.translate))

        if run.state.help_text is not None:
            self._kiosk.authorize(self._experimenter_question(), answer)
        else:
            HelpDialog(self._theme, announcer=self._announcer, on_ask=ask).open()

    def _game_folder(self, name: str) -> Path | None:
        path = self._run.folder.game_path(name)
        return None if path is None else path.parent

    def _close_table(self, table: LiveSession, session: OpenSession) -> None:
        """Close a finished game and record how it ended; agents' own debriefings are left to the study."""

        def record(_none: None) -> None:
            if self._host is not None:
                self._host.release()
            if self._attempt(lambda: self._sessions.closed(session)):
                self.show()

        ParticipantController(table.participant_seat).finish_closing()
        self._navigator.show_message(self._theme.translate("Saving…"))
        self._navigator.run_in_background(table.stop, record, self._show_trouble)

    # Interruption

    def ask_to_interrupt(self, then: Callable[[], None]) -> None:
        """Ask before the visit is left; it can go on later."""
        if self.is_over:
            then()
            return
        translate = self._theme.translate

        def interrupt() -> None:
            self._keep_entered()
            self._attempt(self._run.interrupt)
            then()

        question = ConfirmationQuestion(
            translate("Interrupt this visit?"),
            translate("Everything is kept, and the participant can continue later."),
            translate("Interrupt"),
            translate("Go back"),
        )
        ConfirmationDialog(self._theme, question, on_yes=interrupt, announcer=self._announcer).open()

    def stop(self) -> None:
        """End the agents' processes and close the visit's log."""
        self._sessions.stop()
        self._run.close()
