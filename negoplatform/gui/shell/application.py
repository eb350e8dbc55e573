"""The application: from the start window to a negotiation and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from negoplatform.app.joining.host_process import become_join_window
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_sessions import (
    ParticipantSession,
    check_not_running,
    earlier_session_text,
    participant_sessions,
)
from negoplatform.app.session.resume import resume_session
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_start import (
    SESSIONS,
    OpenSession,
    fallback_folders,
    is_first_session,
    open_session,
)
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.errors import NegoError
from negoplatform.gui.shell.agent_reload_loop import AgentReloadLoop, resolve_watch
from negoplatform.gui.shell.debriefing_controller import DebriefingController
from negoplatform.gui.shell.file_open_events import FileOpenEvents
from negoplatform.gui.shell.kiosk import Kiosk
from negoplatform.gui.shell.log_proof_printer import LogProofPrinter, print_line
from negoplatform.gui.shell.practice_controller import PracticeController, PracticeResult
from negoplatform.gui.shell.session_end_pages import SessionEndPages
from negoplatform.gui.shell.session_tables import SessionTables
from negoplatform.gui.shell.settings_controller import SettingsController
from negoplatform.gui.shell.start_controller import StartController
from negoplatform.gui.shell.studies_controller import StudiesController, launched_study
from negoplatform.gui.shell.unfinished_controller import UnfinishedController
from negoplatform.gui.start.start_screen import StartScreen
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.theming.theme import WINDOW_SIZE, Theme
from negoplatform.gui.widgets.garbage_collection import collect_garbage_here
from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.popup_list import use_popup_lists
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator, show_retry_screen
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.game_words import game_words
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.start.session_plan_builder import SessionPlanBuilder
from negoplatform.presentation.table.author_fault_reporter import AuthorFaultReporter

__all__ = ["Application", "LaunchOptions"]


class Application:
    """The window and the flow between its screens.

    Args:
        data_dir: The folder for sessions and plugins.
        launch_options: The command line's options.
        announce: Whether to report to UI tests what is shown.
        make_theme: Return the window; called only once the options have proved valid.
        screen: The screen that the window shows already; None: the window is not shown yet.
        open_events: The receiver of logs opened by a double click; None: there will be no start window.

    Raises:
        NegoError: If the options cannot be satisfied.
    """

    def __init__(
        self,
        data_dir: Path,
        launch_options: LaunchOptions,
        announce: bool,
        make_theme: Callable[[], Theme],
        screen: MessageScreen | None = None,
        open_events: FileOpenEvents | None = None,
    ) -> None:
        self._data_dir = data_dir
        self._briefing, self._practice_enabled = launch_options.briefing, launch_options.practice
        self._crashes = CrashFolder(data_dir / "crashes")
        self._proof_printer = LogProofPrinter(data_dir, self._crashes.write)
        watched: list[Path] = []
        if launch_options.watch is not None:
            launch_options, watched = resolve_watch(launch_options)
        self._session_builder = SessionPlanBuilder(
            data_dir, launch_options, lambda text: self._crashes.write(NegoError(text))
        )
        self._participant_code = launch_options.participant
        # With --watch, the agent may be broken at first; that must not keep its author from starting.
        self._session_plan = None
        if not watched:
            self._check_code(launch_options)
        if watched:
            self._session_builder.check_game()
        else:
            self._session_plan = self._session_builder.build_from_options()
        self._study_launch = launch_options.study
        self._study = None if self._study_launch is None else launched_study(self._study_launch, data_dir)
        self._resumed = None if launch_options.resume is None else self._resume(launch_options.resume)
        self._theme = make_theme()
        self._theme.root.report_callback_exception = lambda _kind, error, _trace: self._report_callback_error(
            error
        )
        use_popup_lists(self._theme)
        self._is_window_shown = screen is not None
        self._joins_next = False
        self._announcer = UiTestAnnouncer(self._theme.root, announce)
        self._kiosk = Kiosk(self._theme, data_dir, self._announcer)
        self._navigator = ScreenNavigator(self._theme, self._crashes.write, screen)
        self._tables = SessionTables(
            self._theme,
            data_dir=data_dir,
            proof_printer=self._proof_printer,
            announcer=self._announcer,
            on_appearance=self.apply_appearance,
            report=self._crashes.write,
        )
        self._unfinished_controller = self._make_unfinished_controller()
        self._practice_controller = PracticeController(
            self._navigator,
            announcer=self._announcer,
            on_appearance=self.apply_appearance,
            report=self._crashes.write,
        )
        self._after_session = DebriefingController(self._navigator, announcer=self._announcer)
        self._settings_controller = SettingsController(
            self._navigator,
            data_dir=data_dir,
            announcer=self._announcer,
            apply_appearance=self.apply_appearance,
        )
        self._studies_controller = self._make_studies_controller()
        self._start_controller = self._make_start_controller()
        if open_events is not None:
            self._start_controller.attach_file_open_events(open_events)
        self._live_reload = self._make_live_reload(watched) if watched else None
        self._end_pages = self._make_session_exit()
        self._theme.root.bind("<F1>", lambda _event: self._show_help())

    def run(self) -> None:
        """Show the first screen and run until the window is closed."""
        root = self._theme.root
        root.protocol("WM_DELETE_WINDOW", self._close)
        if not self._is_window_shown:
            self._theme.fit(*WINDOW_SIZE)
        self._show_first()
        collect_garbage_here(root)
        root.mainloop()
        self._studies_controller.stop()
        self._tables.stop()
        if self._live_reload is not None:
            self._live_reload.stop()
        self._session_builder.stop()
        if self._joins_next:
            become_join_window(self._data_dir, announce=self._announcer.is_active)

    def _show_first(self) -> None:
        """Show what the options ask for; else unfinished sessions, and then the start window."""
        if self._study_launch is not None and self._study is not None:
            self._studies_controller.launch(self._study_launch, self._study)
        elif self._resumed is not None:
            self._start_session(self._resumed)
        elif self._session_plan is not None:
            self._begin(self._session_plan)
        elif self._live_reload is not None:
            self._live_reload.play_next()
        else:
            # A participant who begins at once is asked about their own sessions only.
            code = self._participant_code if self._session_builder.has_saved_choice else None
            show = self._start_controller.show
            then = show if code is not None else partial(self._studies_controller.check_unfinished, show)
            self._unfinished_controller.check(then, show, participant=code)

    def apply_appearance(self, appearance: Appearance) -> None:
        """Change the appearance and rebuild the screen, with its input preserved."""
        screen = self._navigator.current
        self._start_controller.save_choice()
        self._theme.apply_appearance(appearance)
        if isinstance(screen, TableScreen):
            screen.rebuild()
        else:
            self._navigator.rebuild()

    # Construction

    def _make_start_controller(self) -> StartController:
        return StartController(
            self._navigator,
            self._session_builder,
            settings=self._settings_controller,
            on_studies=self._studies_controller.show,
            on_join=self._open_join_window,
            data_dir=self._data_dir,
            announcer=self._announcer,
            report=self._crashes.write,
            unfinished=self._unfinished_controller.find_for,
            sessions_of=self._sessions_of,
            on_practise=lambda then: self._practice_controller.begin(lambda _result: then()),
            on_session=lambda make, failed, handed_over: self._navigator.run_in_background(
                lambda: self._open(make()),
                lambda session: self._start_session(session, handed_over=handed_over),
                failed,
            ),
        )

    def _make_studies_controller(self) -> StudiesController:
        return StudiesController(
            self._navigator,
            data_dir=self._data_dir,
            tables=self._tables,
            kiosk=self._kiosk,
            appearance=lambda: self._settings_controller.default_appearance,
            announcer=self._announcer,
            report=self._crashes.write,
            on_back=lambda: self._start_controller.show(same=True),
        )

    def _make_session_exit(self) -> SessionEndPages:
        ends_program = (
            self._live_reload is not None or self._session_plan is not None or self._resumed is not None
        )
        return SessionEndPages(
            self._navigator,
            self._kiosk,
            announcer=self._announcer,
            on_continue=self._theme.root.destroy if ends_program else self._start_controller.show,
            on_back=self._theme.root.destroy
            if ends_program
            else lambda: self._start_controller.show(same=True),
            ends_program=ends_program,
        )

    def _make_unfinished_controller(self) -> UnfinishedController:
        return UnfinishedController(
            self._navigator,
            data_dir=self._data_dir,
            announcer=self._announcer,
            resume=self._resume,
            close=self._proof_printer.close_and_print,
            on_open=self._start_session,
        )

    def _make_live_reload(self, files: Sequence[Path]) -> AgentReloadLoop:
        return AgentReloadLoop(
            self._navigator,
            files,
            make=self._session_builder.build_watched,
            open_session=self._open,
            on_open=self._start_session,
            announcer=self._announcer,
        )

    # Sessions

    def _begin(self, plan: SessionPlan) -> None:
        """Begin the session of the command line; this participant's unfinished sessions come first."""
        left = (
            [] if self._participant_code is None else self._unfinished_controller.find_for(plan.participant)
        )
        if not left:
            self._start_session(self._open(plan))
            return
        # The answer may take long, and the agents may not be needed at all.
        plan.discard_agents()
        self._unfinished_controller.prompt(left, self._start_over, starts_new=True)

    def _start_over(self) -> None:
        def reopen() -> OpenSession:
            plan = self._session_builder.build_from_options()
            assert plan is not None, "the options name a game and an agent"
            return self._open(plan)

        self._navigator.show_message(self._theme.translate("Starting…"))
        self._navigator.run_in_background(
            reopen,
            self._start_session,
            lambda problem: show_retry_screen(self._navigator, self._announcer, problem, self._start_over),
        )

    def _resume(self, path: Path) -> OpenSession:
        return resume_session(path, self._data_dir, self._crashes.write)

    def _open(self, plan: SessionPlan) -> OpenSession:
        return open_session(plan, self._data_dir, self._crashes.write)

    def _check_code(self, options: LaunchOptions) -> None:
        """Check the code of a session that begins at once, and print whether it has had one before.

        Raises:
            SessionIsRunning: If it has one that is running, and the options do not allow another one.
        """
        code = options.participant
        begins = options.game is not None and (options.agent is not None or options.agents)
        if code is None or not (begins or self._session_builder.has_saved_choice):
            return
        found = self._sessions_of(code)
        if found and not options.another_session:
            check_not_running(found)
        if found:
            print_line(earlier_session_text(found[0]))

    def _sessions_of(self, participant: str) -> list[ParticipantSession]:
        return participant_sessions(participant, self._data_dir / SESSIONS, *fallback_folders(self._data_dir))

    def _start_session(self, session: OpenSession, *, handed_over: bool = False) -> None:
        faults = (
            None
            if self._live_reload is None
            else self._live_reload.create_fault_reporter(session, self._crashes.write)
        )
        table = self._tables.open(session, faults)
        if self._theme.appearance.full_screen and self._live_reload is None:
            self._kiosk.enter()
        participant = self._is_participant_session or handed_over

        def show() -> None:
            self._navigator.replace(
                self._table_screen(
                    table, session, faults, participant=participant, practise=lambda: practise()
                )
            )
            self._announcer.announce("table_screen", log=str(session.log.path))

        def practise() -> None:
            self._practice_controller.begin(finish_practice)

        def finish_practice(result: PracticeResult) -> None:
            ParticipantController(table.participant_seat).note_practice(
                result.outcome, result.step, result.seconds
            )
            show()

        if participant and self._needs_practice(session):
            practise()
        else:
            show()

    def _needs_practice(self, session: OpenSession) -> bool:
        """Return whether to show the practice: only before a participant's first session."""
        if (
            not (self._practice_enabled and self._theme.appearance.practice)
            or session.resume_point is not None
            or not _is_bargaining(session)
        ):
            return False
        return is_first_session(session, self._data_dir)

    @property
    def _is_participant_session(self) -> bool:
        """Whether the person at the window is a participant, however the session was started."""
        full_screen = self._theme.appearance.full_screen
        return self._live_reload is None and (self._participant_code is not None or full_screen)

    def _table_screen(
        self,
        table: LiveSession,
        session: OpenSession,
        faults: AuthorFaultReporter | None,
        *,
        participant: bool,
        practise: Callable[[], None],
    ) -> TableScreen:
        translate = self._theme.translate
        names = {seat: agent.name for seat, agent in session.plan.agents.items()}
        screen = self._tables.make_screen(
            table,
            session,
            shows_briefing=self._briefing,
            leave_label=translate("Leave")
            if participant or self._end_pages.ends_program
            else translate("Back"),
            has_next_game=self._live_reload is not None,
            faults=faults,
            on_practise=practise if _is_bargaining(session) else None,
            on_done=lambda: self._after_session.run(
                table.participant_seat,
                session.plan.debriefings,
                names,
                lambda: self._on_end_closed(session, screen.result_text, participant),
            ),
            on_leave=lambda: self._discard_unstarted(table, session, participant),
        )
        return screen

    def _discard_unstarted(self, table: LiveSession, session: OpenSession, participant: bool) -> None:
        """Discard a session that was left before it began, and leave it."""
        self._tables.remove(table, session)
        words = game_words(session.plan.game.mechanism)
        self._navigator.show_message(self._theme.translate("Leaving…"))
        self._navigator.run_in_background(
            session.discard,
            lambda _none: self._end_pages.after_leaving(words, participant=participant),
            lambda _problem: self._end_pages.after_leaving(words, participant=participant),
        )

    def _on_end_closed(self, session: OpenSession, result: str, participant: bool) -> None:
        if self._live_reload is not None:
            self._live_reload.play_next()
        else:
            words = game_words(session.plan.game.mechanism)
            self._end_pages.after_end(words, result, participant=participant)

    def _open_join_window(self) -> None:
        """Open the window that joins a session, in place of this one."""
        self._joins_next = True
        self._theme.root.destroy()

    def _close(self) -> None:
        root, study = self._theme.root, self._studies_controller.running
        if self._kiosk.locked:
            # Alt+F4 must not leave a full screen session.
            self._announcer.announce("stays_open")
        elif self._kiosk.requires_experimenter:
            self._kiosk.request_exit(root.destroy)
        elif study is not None and study.visit is not None:
            study.visit.ask_to_interrupt(root.destroy)
        elif isinstance(self._navigator.current, TableScreen) and self._navigator.current.running:
            self._navigator.current.ask_to_leave(root.destroy)
        else:
            root.destroy()

    def _show_help(self) -> None:
        """Show the help page on the screens that have one."""
        screen = self._navigator.current
        if isinstance(screen, StartScreen | TableScreen):
            screen.show_help()

    def _report_callback_error(self, error: BaseException) -> None:
        """Write an exception raised in a callback to a crash file; the window and the session go on."""
        self._crashes.write(error)
        self._announcer.announce("error", error=repr(error))


def _is_bargaining(session: OpenSession) -> bool:
    """Return whether a session's game is of the kind that the practice shows."""
    return session.plan.game.mechanism == BARGAINING
