"""Controller of the start window and of the ways out of it and back."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from negoplatform.app.session.participant_sessions import ParticipantSession
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_start import SESSIONS
from negoplatform.app.session.unfinished_sessions import UnfinishedSession
from negoplatform.app.support.system_file_manager import make_folder, show_folder
from negoplatform.gui.shell.file_open_events import FileOpenEvents
from negoplatform.gui.shell.settings_controller import SettingsController
from negoplatform.gui.start.start_screen import StartScreen
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator, show_retry_screen
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.start.session_plan_builder import AvailablePlugins, SessionPlanBuilder
from negoplatform.presentation.start.start_choice import StartChoice
from negoplatform.presentation.table.leaving_questions import (
    begin_another_question,
    earlier_session_note,
    start_over_question,
)

if TYPE_CHECKING:
    from negoplatform.app.playback.playback import Playback


class StartController:
    """Controller that shows the start window and starts sessions from it.

    Args:
        navigator: The window's navigator.
        session_builder: Finds games and agents, and builds session plans.
        settings: The controller of the window's settings.
        data_dir: The folder that holds the sessions.
        announcer: Reports to UI tests what is shown.
        report: Called with an unexpected exception.
        unfinished: Return the unfinished sessions of a participant's code; slow.
        sessions_of: Return all sessions of a participant's code, running ones first; slow.
        on_practise: Show the guided practice, then call the given function.
        on_studies: Show the studies.
        on_join: Join a session in another process.
        on_session: Start a session; called with a function that builds its plan, a function to call with an
            error message, and whether the session is handed over to a participant.
    """

    def __init__(
        self,
        navigator: ScreenNavigator,
        session_builder: SessionPlanBuilder,
        *,
        settings: SettingsController,
        data_dir: Path,
        announcer: UiTestAnnouncer,
        report: Callable[[BaseException], object],
        unfinished: Callable[[str], Sequence[UnfinishedSession]],
        sessions_of: Callable[[str], Sequence[ParticipantSession]],
        on_practise: Callable[[Callable[[], None]], None],
        on_studies: Callable[[], None],
        on_join: Callable[[], None],
        on_session: Callable[[Callable[[], SessionPlan], Callable[[str], None], bool], None],
    ) -> None:
        self._navigator, self._theme = navigator, navigator.theme
        self._session_builder = session_builder
        self._settings_controller = settings
        self._data_dir = data_dir
        self._announcer = announcer
        self._report = report
        self._unfinished, self._sessions_of = unfinished, sessions_of
        self._on_practise = on_practise
        self._on_session = on_session
        self._on_studies, self._on_join = on_studies, on_join
        self._choice: StartChoice | None = None
        self._started: StartChoice | None = None
        self._scanning = self._rescan_pending = self._shown_before = False
        self._file_open_events: FileOpenEvents | None = None
        on_window_refocus(self._theme.root, self._rescan_if_changed)
        self._theme.root.bind("<F5>", lambda _event: self._rescan())

    def show(self, problem: str = "", *, same: bool = False) -> None:
        """Show the start window after looking at every plugin; plugin code never runs on this thread.

        Args:
            problem: An error message to show.
            same: Whether to propose the code and the seed of the last start again.
        """

        def take(found: AvailablePlugins) -> None:
            self._session_builder.available = found
            self._choice = self._next_choice(same=same)
            saved = (
                None
                if problem or self._shown_before
                else self._session_builder.saved_choice(self._theme.translate)
            )
            self._shown_before = True
            if saved is None:
                self._show_start_screen(problem)
            else:
                self._start_prepared(saved)

        self._settings_controller.restore_default()
        self._navigator.show_message(self._theme.translate("Looking for games and agents…"))
        self._navigator.run_in_background(self._session_builder.find_plugins, take, self._show_retry_screen)

    def _next_choice(self, *, same: bool) -> StartChoice:
        """Return the proposed choice: the last one, with a new code and seed unless ``same``."""
        first, last = self._session_builder.initial_choice(), self._started
        if last is None:
            return first
        code, seed = (last.participant, last.seed) if same else (first.participant, first.seed)
        return replace(last, participant=code, seed=seed, trusted_files=(), settings={}, handed_over=False)

    def attach_file_open_events(self, events: FileOpenEvents) -> None:
        """Open logs that are double-clicked: at once, or as soon as the start window is shown."""
        self._file_open_events = events
        events.on_log = self._open_requested_log

    def save_choice(self) -> None:
        """Save the choices in the fields before the screen is replaced."""
        screen = self._start_screen
        if screen is not None:
            self._choice = screen.choice()

    @property
    def _start_screen(self) -> StartScreen | None:
        return self._navigator.current if isinstance(self._navigator.current, StartScreen) else None

    def _show_retry_screen(self, problem: str) -> None:
        show_retry_screen(self._navigator, self._announcer, problem, self.show)

    def _make_screen(self) -> StartScreen:
        found = self._session_builder.available
        screen = StartScreen(
            self._theme,
            found.games,
            found.agents,
            self._choice or self._session_builder.initial_choice(),
            announcer=self._announcer,
            on_start=lambda choice: self._start(screen, choice),
            on_settings=self._show_settings,
            on_open_log=self._choose_log,
            on_studies=self._show_studies,
            on_join=self._join,
            on_open_folder=lambda: self._open_folder(screen),
            on_refresh=self._rescan,
            on_practise=self._show_practice,
            on_code=lambda code: self._note_earlier_session(screen, code),
        )
        self._announcer.announce("start_screen")
        return screen

    def _show_start_screen(self, problem: str = "") -> None:
        screen = self._navigator.show(self._make_screen)
        if problem:
            screen.show_error(problem)
        self._open_requested_log()

    def _start(self, screen: StartScreen, choice: StartChoice) -> None:
        """Start a session; if one of this code is running or can be resumed, ask first."""
        translate = self._theme.translate

        def begin(*, allows_another: bool = False) -> None:
            chosen = replace(choice, allows_another=allows_another)
            self._on_session(
                lambda: self._session_builder.build_from_choice(chosen, translate),
                lambda problem: self._show_failure(screen, choice, problem),
                choice.handed_over,
            )

        def ask(found: tuple[Sequence[UnfinishedSession], Sequence[ParticipantSession]]) -> None:
            unfinished, sessions = found
            resumable = next((session for session in unfinished if not session.damage), None)
            if sessions and sessions[0].is_running:
                question = begin_another_question(sessions[0], translate)
                screen.confirm_first(question, lambda: begin(allows_another=True))
            elif resumable is not None:
                screen.confirm_first(start_over_question(resumable, translate), begin)
            else:
                begin()

        self._started = choice
        self._session_builder.save_choice(choice)
        code = choice.participant.strip()
        self._navigator.run_in_background(
            lambda: (self._unfinished(code), self._sessions_of(code)), ask, screen.show_error
        )

    def _note_earlier_session(self, screen: StartScreen, code: str) -> None:
        """Say below the code's field when the code had its last session, if it had one."""

        def show(found: Sequence[ParticipantSession]) -> None:
            if screen is self._navigator.current and not screen.is_busy:
                note = earlier_session_note(found[0], self._theme.translate) if found else ""
                screen.show_code_note(code, note)

        # Without an answer there is no note; a start reports the problem.
        self._navigator.run_in_background(lambda: self._sessions_of(code), show, lambda _problem: None)

    def _start_prepared(self, choice: StartChoice) -> None:
        """Start a participant's session with a saved choice; show the start window only if that fails."""
        self._started = choice
        self._navigator.show_message(self._theme.translate("Starting…"))
        self._on_session(
            lambda: self._session_builder.build_from_choice(choice, self._theme.translate),
            self._show_start_screen,
            True,
        )

    def _show_failure(self, screen: StartScreen, choice: StartChoice, problem: str) -> None:
        if not choice.trusted_files:
            screen.show_error(problem)
            return

        def update(found: AvailablePlugins) -> None:
            screen.show_error(problem)
            self._refresh(screen, found)

        # Agents from files that were just trusted are now listed under their own names.
        self._navigator.run_in_background(self._session_builder.find_plugins, update, screen.show_error)

    # Other screens, and back

    def _show_settings(self) -> None:
        self.save_choice()
        self._settings_controller.show(self._show_start_screen)

    def _show_practice(self) -> None:
        """Show the guided practice as a participant sees it, then the start window."""
        self.save_choice()
        self._on_practise(self._show_start_screen)

    def _show_studies(self) -> None:
        self.save_choice()
        self._on_studies()

    def _join(self) -> None:
        self.save_choice()
        self._on_join()

    def _choose_log(self) -> None:
        """Let the user choose a session's log and replay it, then show the start window."""
        from negoplatform.gui.replay.file_dialogs import (
            choose_log_file,  # imported only when a log is opened
        )

        log = choose_log_file(self._theme, self._data_dir / SESSIONS)
        if log is not None:
            self._open(log)

    def _open_requested_log(self) -> None:
        """Open a log that was double-clicked; never during a negotiation."""
        screen = self._start_screen
        log = (
            None
            if self._file_open_events is None or screen is None or screen.is_busy
            else self._file_open_events.pop()
        )
        if log is not None:
            self._open(log)

    def _open(self, log: Path) -> None:
        from negoplatform.presentation.replay.open_log import open_playback

        self.save_choice()
        self._navigator.show_message(self._theme.translate("Opening the log…"))
        self._navigator.run_in_background(
            lambda: open_playback(log, self._data_dir), self._replay, self._show_start_screen
        )

    def _replay(self, playback: Playback) -> None:
        from negoplatform.gui.replay.replay_screen import ReplayScreen

        self._navigator.show(
            lambda: ReplayScreen(
                self._theme,
                playback,
                announcer=self._announcer,
                report=self._report,
                on_done=self._show_start_screen,
            )
        )

    # The plugin folders

    def _open_folder(self, screen: StartScreen) -> None:
        folder = self._session_builder.agents_folder

        def show() -> bool:
            make_folder(folder)
            return show_folder(folder)

        def done(shown: bool) -> None:
            if screen is self._navigator.current and not shown:
                screen.show_folder_path(folder)
            self._announcer.announce("folder_opened" if shown else "folder_named", folder=str(folder))

        self._navigator.run_in_background(show, done, screen.show_error)

    def _rescan(self) -> None:
        """List new, removed and changed plugins at the user's request."""
        screen = self._start_screen
        if screen is None or screen.is_busy or self._scanning:
            return

        def done(found: AvailablePlugins) -> None:
            renewed = self._refresh(screen, found)
            if screen is self._navigator.current:
                screen.show_refreshed(renewed=renewed)
            self._scan_finished()

        def failed(problem: str) -> None:
            self._scanning = False
            screen.show_error(problem)

        self._scanning = True
        screen.show_refreshing()
        self._navigator.run_in_background(self._session_builder.find_plugins, done, failed)

    def _rescan_if_changed(self) -> None:
        """List changed plugins when the user comes back to the window, perhaps from the folder."""
        screen = self._start_screen
        if screen is None or screen.is_busy:
            return
        if self._scanning:
            # The current scan may have read a file before it was changed.
            self._rescan_pending = True
            return

        def done(found: AvailablePlugins | None) -> None:
            if found is not None:
                self._refresh(screen, found)
            self._scan_finished()

        def failed(_problem: str) -> None:
            # The user did not ask for this scan; the button reports problems.
            self._scanning = False

        self._scanning = True
        self._navigator.run_in_background(self._session_builder.find_plugins_if_changed, done, failed)

    def _scan_finished(self) -> None:
        self._scanning = False
        if self._rescan_pending:
            self._rescan_pending = False
            self._rescan_if_changed()

    def _refresh(self, screen: StartScreen, found: AvailablePlugins) -> bool:
        """Update the lists with what was found, unless the screen is busy or no longer shown."""
        if screen is not self._navigator.current or screen.is_busy:
            return False
        self._session_builder.available = found
        screen.update_lists(found.games, found.agents)
        self._announcer.announce("renewed")
        return True


def on_window_refocus(root: tk.Tk, call: Callable[[], object]) -> None:
    """Call a function whenever the window regains the focus from another program or from a dialog."""
    away = False

    def on_focus_out(event: tk.Event[tk.Misc]) -> None:
        nonlocal away
        # Moves from field to field are ignored: then the event is not the root's own.
        away = away or event.widget is root

    def on_focus_in(event: tk.Event[tk.Misc]) -> None:
        nonlocal away
        if away and event.widget is root:
            away = False
            call()

    root.bind("<FocusOut>", on_focus_out, add="+")
    root.bind("<FocusIn>", on_focus_in, add="+")
