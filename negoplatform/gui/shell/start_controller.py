"""The way into a session: the start window, and what leads away from it and back to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_start import SESSIONS
from negoplatform.app.session.unfinished_sessions import UnfinishedSession
from negoplatform.app.support.file_manager import make_folder, show_folder
from negoplatform.gui.shell.file_open_events import FileOpenEvents
from negoplatform.gui.shell.retry_screen import show_retry_screen
from negoplatform.gui.shell.settings_controller import SettingsController
from negoplatform.gui.start.start_screen import StartScreen
from negoplatform.gui.widgets.navigator import Navigator
from negoplatform.gui.widgets.test_announcer import UiTestAnnouncer
from negoplatform.gui.widgets.window_focus import on_window_refocus
from negoplatform.presentation.bargaining.confirmation_texts import start_over_question
from negoplatform.presentation.start.choices import StartChoice
from negoplatform.presentation.start.session_setup import AvailablePlugins, SessionBuilder

if TYPE_CHECKING:
    from negoplatform.app.playback.playback import Playback


class StartController:
    """Shows what there is, and seats whoever has chosen.

    Args:
        screens: The window.
        maker: Finds what there is, and seats people and agents.
        looks: The settings of the window.
        data_dir: Where sessions are kept.
        announcer: Is told what is shown.
        report: Is given an error that should not be.
        unfinished: Says which sessions of a participant's code are unfinished; takes its time.
        on_practise: Shows the guided practice, then what it is given.
        on_sitting: Is given who sits down at what, what to do if they cannot, and whether a participant
            takes over.
    """

    def __init__(
        self,
        screens: Navigator,
        session_builder: SessionBuilder,
        *,
        settings: SettingsController,
        data_dir: Path,
        announcer: UiTestAnnouncer,
        report: Callable[[BaseException], object],
        unfinished: Callable[[str], Sequence[UnfinishedSession]],
        on_practise: Callable[[Callable[[], None]], None],
        on_session: Callable[[Callable[[], SessionPlan], Callable[[str], None], bool], None],
    ) -> None:
        self._screens, self._theme = screens, screens.theme
        self._session_builder = session_builder
        self._settings_controller = settings
        self._data_dir = data_dir
        self._announcer = announcer
        self._report = report
        self._unfinished, self._on_practise = unfinished, on_practise
        self._on_session = on_session
        self._choice: StartChoice | None = None
        self._started: StartChoice | None = None
        self._scanning = self._rescan_pending = self._shown_before = False
        self._file_open_events: FileOpenEvents | None = None
        on_window_refocus(self._theme.root, self._rescan_if_changed)
        self._theme.root.bind("<F5>", lambda _event: self._rescan())

    def show(self, problem: str = "", *, same: bool = False) -> None:
        """The start window, once every plugin has been looked at; their code never runs on this thread.

        Args:
            problem: What it says has gone wrong before.
            same: Whether the code and the seed that were started last stand there again.
        """

        def take(found: AvailablePlugins) -> None:
            self._session_builder.available = found
            self._choice = self._next_choice(same=same)
            known = (
                None
                if problem or self._shown_before
                else self._session_builder.saved_choice(self._theme.translate)
            )
            self._shown_before = True
            if known is None:
                self._show_start_screen(problem)
            else:
                self._start_prepared(known)

        self._settings_controller.restore_default()
        self._screens.show_message(self._theme.translate("Looking for games and agents…"))
        self._screens.run_in_background(self._session_builder.find_plugins, take, self._show_retry_screen)

    def _next_choice(self, *, same: bool) -> StartChoice:
        """What stands in the fields: what was started last, for another participant unless it never began."""
        first, last = self._session_builder.initial_choice(), self._started
        if last is None:
            return first
        code, seed = (last.participant, last.seed) if same else (first.participant, first.seed)
        return replace(last, participant=code, seed=seed, trusted_files=(), settings={}, handed_over=False)

    def attach_file_open_events(self, events: FileOpenEvents) -> None:
        """Opens logs that are double-clicked: at once, or as soon as the start window is there."""
        self._file_open_events = events
        events.on_log = self._open_requested_log

    def save_choice(self) -> None:
        """Remembers what stands in the fields, before the screen goes."""
        screen = self._start_screen
        if screen is not None:
            self._choice = screen.choice()

    @property
    def _start_screen(self) -> StartScreen | None:
        return self._screens.current if isinstance(self._screens.current, StartScreen) else None

    def _show_retry_screen(self, problem: str) -> None:
        show_retry_screen(self._screens, self._announcer, problem, self.show)

    def _make_screen(self) -> StartScreen:
        found = self._session_builder.available
        screen = StartScreen(
            self._theme,
            found.games,
            found.agents,
            self._choice or self._session_builder.initial_choice(),
            announcer=self._announcer,
            on_start=lambda choice: self._start(screen, choice),
            on_settings=self._settings,
            on_open_log=self._choose_log,
            on_open_folder=lambda: self._open_folder(screen),
            on_refresh=self._rescan,
            on_practise=self._practise,
        )
        self._announcer.announce("start_screen")
        return screen

    def _show_start_screen(self, problem: str = "") -> None:
        screen = self._screens.show(self._make_screen)
        if problem:
            screen.show_error(problem)
        self._open_requested_log()

    def _start(self, screen: StartScreen, choice: StartChoice) -> None:
        """Seats whoever has chosen; if somebody with this code can go on with a session, asks first."""

        def seat() -> None:
            self._on_session(
                lambda: self._session_builder.build_from_choice(choice, self._theme.translate),
                lambda problem: self._show_failure(screen, choice, problem),
                choice.handed_over,
            )

        def ask(found: Sequence[UnfinishedSession]) -> None:
            left = next((session for session in found if not session.damage), None)
            if left is None:
                seat()
            else:
                screen.confirm_first(start_over_question(left, self._theme.translate), seat)

        self._started = choice
        self._session_builder.save_choice(choice)
        code = choice.participant.strip()
        self._screens.run_in_background(lambda: self._unfinished(code), ask, screen.show_error)

    def _start_prepared(self, choice: StartChoice) -> None:
        """Seats a participant at what was chosen before; the start window is shown only if that cannot be."""
        self._started = choice
        self._screens.show_message(self._theme.translate("Starting…"))
        self._on_session(
            lambda: self._session_builder.build_from_choice(choice, self._theme.translate),
            self._show_start_screen,
            True,
        )

    def _show_failure(self, screen: StartScreen, choice: StartChoice, problem: str) -> None:
        if not choice.trusted_files:
            screen.show_error(problem)
            return

        def renew(found: AvailablePlugins) -> None:
            screen.show_error(problem)
            self._refresh(screen, found)

        # What is trusted since just now is listed under other names: those of its agents.
        self._screens.run_in_background(self._session_builder.find_plugins, renew, screen.show_error)

    # Away from it, and back

    def _settings(self) -> None:
        self.save_choice()
        self._settings_controller.show(self._show_start_screen)

    def _practise(self) -> None:
        """The guided practice, as a participant sees it; then back to the start window."""
        self.save_choice()
        self._on_practise(self._show_start_screen)

    def _choose_log(self) -> None:
        """A session that was kept, to be seen again; then back to the start window."""
        from negoplatform.gui.replay.file_dialogs import (
            choose_log_file,  # loaded only where somebody looks back
        )

        log = choose_log_file(self._theme, self._data_dir / SESSIONS)
        if log is not None:
            self._open(log)

    def _open_requested_log(self) -> None:
        """A log that was double-clicked; it never comes up before somebody who negotiates."""
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
        self._screens.show_message(self._theme.translate("Opening the log…"))
        self._screens.run_in_background(
            lambda: open_playback(log, self._data_dir), self._replay, self._show_start_screen
        )

    def _replay(self, playback: Playback) -> None:
        from negoplatform.gui.replay.replay_screen import ReplayScreen

        self._screens.show(
            lambda: ReplayScreen(
                self._theme,
                playback,
                announcer=self._announcer,
                report=self._report,
                on_done=self._show_start_screen,
            )
        )

    # What lies in the folders

    def _open_folder(self, screen: StartScreen) -> None:
        folder = self._session_builder.agents_folder

        def show() -> bool:
            make_folder(folder)
            return show_folder(folder)

        def done(shown: bool) -> None:
            if screen is self._screens.current and not shown:
                screen.show_folder_path(folder)
            self._announcer.announce("folder_opened" if shown else "folder_named", folder=str(folder))

        self._screens.run_in_background(show, done, screen.show_error)

    def _rescan(self) -> None:
        """Somebody asks for it: what has come, gone or changed is listed."""
        screen = self._start_screen
        if screen is None or screen.is_busy or self._scanning:
            return

        def done(found: AvailablePlugins) -> None:
            renewed = self._refresh(screen, found)
            if screen is self._screens.current:
                screen.show_refreshed(renewed=renewed)
            self._scan_finished()

        def failed(problem: str) -> None:
            self._scanning = False
            screen.show_error(problem)

        self._scanning = True
        screen.show_refreshing()
        self._screens.run_in_background(self._session_builder.find_plugins, done, failed)

    def _rescan_if_changed(self) -> None:
        """Somebody comes back to the window, perhaps from the folder, where they have put something."""
        screen = self._start_screen
        if screen is None or screen.is_busy:
            return
        if self._scanning:
            # What is being looked at now may have been looked at already when it was changed.
            self._rescan_pending = True
            return

        def done(found: AvailablePlugins | None) -> None:
            if found is not None:
                self._refresh(screen, found)
            self._scan_finished()

        def failed(_problem: str) -> None:
            # Nobody asked; it is said to those who press the button.
            self._scanning = False

        self._scanning = True
        self._screens.run_in_background(self._session_builder.find_plugins_if_changed, done, failed)

    def _scan_finished(self) -> None:
        self._scanning = False
        if self._rescan_pending:
            self._rescan_pending = False
            self._rescan_if_changed()

    def _refresh(self, screen: StartScreen, found: AvailablePlugins) -> bool:
        """Lists what was found, unless that would change something under somebody's hands."""
        if screen is not self._screens.current or screen.is_busy:
            return False
        self._session_builder.available = found
        screen.update_lists(found.games, found.agents)
        self._announcer.announce("renewed")
        return True
