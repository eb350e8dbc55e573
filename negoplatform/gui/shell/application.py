"""The program behind the window: the start, the negotiation, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from negoplatform.app.catalogue.catalogue import game_folder
from negoplatform.app.session.agent_setup import SeatedAgent
from negoplatform.app.session.live_session import LiveTable
from negoplatform.app.session.participant_controller import Participant
from negoplatform.app.session.resume import resume_session
from negoplatform.app.session.session_plan import Sitting
from negoplatform.app.session.session_start import OpenSession, is_newcomer, open_session
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.gui.avatars.avatars import Avatar, find_avatar
from negoplatform.gui.pictures.issue_pictures import IssuePictures, find_pictures, own_pictures
from negoplatform.gui.shell.after_session import AfterSession
from negoplatform.gui.shell.author_loop import WatchedGames, watching
from negoplatform.gui.shell.file_open_events import DoubleClicks
from negoplatform.gui.shell.kiosk import Kiosk
from negoplatform.gui.shell.log_proof_printer import LogTeller
from negoplatform.gui.shell.practice_controller import Practised, Practising
from negoplatform.gui.shell.retry_screen import offer_another_try
from negoplatform.gui.shell.session_exits import WaysOut
from negoplatform.gui.shell.settings_controller import Looks
from negoplatform.gui.shell.start_controller import Lobby
from negoplatform.gui.shell.unfinished_controller import Interrupted
from negoplatform.gui.start.start_screen import StartScreen
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.table.table_setup import Place
from negoplatform.gui.theming.theme import WINDOW_SIZE, Theme
from negoplatform.gui.widgets.garbage_collection import collect_garbage_here
from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.navigator import Screens
from negoplatform.gui.widgets.popup import use_own_lists
from negoplatform.gui.widgets.test_announcer import Announcer
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.start.launch_options import Wish
from negoplatform.presentation.start.session_setup import SittingMaker
from negoplatform.presentation.table.agent_fault_reporter import Faults

__all__ = ["Program", "Wish"]


class Program:
    """The window, and what happens in it.

    Args:
        data_dir: Where sessions go and plugins come from.
        wish: What the command line asked for.
        announce: Whether tests are told what is shown.
        theme: Gives the window; asked for only once it is sure that there is something to show.
        screen: What the window shows already; None: it is not shown yet.
        clicks: Hears of logs that are double-clicked; None: there will be no start window to open them from.

    Raises:
        NegoError: If what was asked for cannot be.
    """

    def __init__(
        self,
        data_dir: Path,
        wish: Wish,
        announce: bool,
        theme: Callable[[], Theme],
        screen: MessageScreen | None = None,
        clicks: DoubleClicks | None = None,
    ) -> None:
        self._data_dir = data_dir
        self._briefing, self._practice = wish.briefing, wish.practice
        self._crashes = CrashFolder(data_dir / "crashes")
        self._logs = LogTeller(data_dir, self._crashes.write)
        watched: list[Path] = []
        if wish.watch is not None:
            wish, watched = watching(wish)
        self._maker = SittingMaker(data_dir, wish, lambda said: self._crashes.write(NegoError(said)))
        self._code = wish.participant
        # An agent that is being written may be broken just now; that stops nobody who writes it.
        self._sitting = None
        if watched:
            self._maker.check_game()
        else:
            self._sitting = self._maker.direct()
        self._resumed = None if wish.resume is None else self._resume(wish.resume)
        self._theme = theme()
        self._theme.root.report_callback_exception = lambda _kind, error, _trace: self._complain(error)
        use_own_lists(self._theme)
        self._shown_already = screen is not None
        self._announcer = Announcer(self._theme.root, announce)
        self._kiosk = Kiosk(self._theme, data_dir, self._announcer)
        self._screens = Screens(self._theme, self._crashes.write, screen)
        self._interrupted = self._make_interrupted()
        self._practising = Practising(
            self._screens, announcer=self._announcer, on_wear=self.wear, report=self._crashes.write
        )
        self._after = AfterSession(self._screens, announcer=self._announcer)
        self._lobby = self._make_lobby()
        if clicks is not None:
            self._lobby.heed(clicks)
        self._watched = self._watch(watched) if watched else None
        self._ways_out = self._make_ways_out()
        self._tables: list[tuple[LiveTable, OpenSession]] = []
        self._theme.root.bind("<F1>", lambda _event: self._help())

    def run(self) -> None:
        """Shows the first screen and stays until the window is closed."""
        root = self._theme.root
        root.protocol("WM_DELETE_WINDOW", self._close)
        if not self._shown_already:
            self._theme.fit(*WINDOW_SIZE)
        self._show_first()
        collect_garbage_here(root)
        root.mainloop()
        for table, session in self._tables:
            table.stop()
            if not table.begun:
                session.discard()
            elif not session.log.closed:
                self._tell_log(session)
        if self._watched is not None:
            self._watched.stop()
        self._maker.stop()

    def _show_first(self) -> None:
        """What was asked for; else what was interrupted, and then the start window."""
        if self._resumed is not None:
            self._sit_down(self._resumed)
        elif self._sitting is not None:
            self._begin(self._sitting)
        elif self._watched is not None:
            self._watched.play()
        else:
            # Who begins at once is asked about their own sessions alone.
            theirs = self._code if self._maker.remembers else None
            self._interrupted.look(self._lobby.show, self._lobby.show, participant=theirs)

    def wear(self, appearance: Appearance) -> None:
        """Changes the looks: the screen is built anew, with what was done at it."""
        screen = self._screens.now
        self._lobby.keep()
        self._theme.wear(appearance)
        if isinstance(screen, TableScreen):
            screen.rebuild()
        else:
            self._screens.build_anew()

    # Building

    def _make_lobby(self) -> Lobby:
        return Lobby(
            self._screens,
            self._maker,
            looks=Looks(self._screens, data_dir=self._data_dir, announcer=self._announcer, wear=self.wear),
            data_dir=self._data_dir,
            announcer=self._announcer,
            report=self._crashes.write,
            unfinished=self._interrupted.of,
            on_practise=lambda then: self._practising.begin(lambda _how: then()),
            on_sitting=lambda make, failed, handed_over: self._screens.in_background(
                lambda: self._open(make()),
                lambda session: self._sit_down(session, handed_over=handed_over),
                failed,
            ),
        )

    def _make_ways_out(self) -> WaysOut:
        only_one = self._watched is not None or self._sitting is not None or self._resumed is not None
        return WaysOut(
            self._screens,
            self._kiosk,
            announcer=self._announcer,
            on=self._theme.root.destroy if only_one else self._lobby.show,
            back=self._theme.root.destroy if only_one else lambda: self._lobby.show(same=True),
            ends=only_one,
        )

    def _make_interrupted(self) -> Interrupted:
        return Interrupted(
            self._screens,
            data_dir=self._data_dir,
            announcer=self._announcer,
            resume=self._resume,
            close=self._logs.close_and_tell,
            on_open=self._sit_down,
        )

    def _watch(self, files: Sequence[Path]) -> WatchedGames:
        return WatchedGames(
            self._screens,
            files,
            make=self._maker.watched,
            open_session=self._open,
            on_open=self._sit_down,
            announcer=self._announcer,
        )

    # The negotiation

    def _begin(self, sitting: Sitting) -> None:
        """Begins what the command line says; what this participant has not finished comes first."""
        left = [] if self._code is None else self._interrupted.of(sitting.participant)
        if not left:
            self._sit_down(self._open(sitting))
            return
        # Nobody knows how long the answer takes, and whether it is needed at all.
        sitting.dismiss()
        self._interrupted.ask(left, self._begin_anew, anew=True)

    def _begin_anew(self) -> None:
        def open_it() -> OpenSession:
            sitting = self._maker.direct()
            assert sitting is not None, "whoever was asked had said game and agent"
            return self._open(sitting)

        self._screens.show_message(self._theme.say("Starting…"))
        self._screens.in_background(
            open_it,
            self._sit_down,
            lambda problem: offer_another_try(self._screens, self._announcer, problem, self._begin_anew),
        )

    def _resume(self, path: Path) -> OpenSession:
        return resume_session(path, self._data_dir, self._crashes.write)

    def _open(self, sitting: Sitting) -> OpenSession:
        return open_session(sitting, self._data_dir, self._crashes.write)

    def _sit_down(self, session: OpenSession, *, handed_over: bool = False) -> None:
        faults = None if self._watched is None else self._watched.faults(session, self._crashes.write)
        if faults is None:
            table = session.table(self._crashes.write)
        else:
            table = session.table(faults.report, faults.hear)
        # Those of before are over; nothing of them is needed any more.
        self._tables = [(other, its) for other, its in self._tables if not its.log.closed]
        self._tables.append((table, session))
        session.log.on_close = lambda: self._tell_log(session)
        if self._theme.appearance.full_screen and self._watched is None:
            self._kiosk.enter()
        participant = self._guarded or handed_over

        def show() -> None:
            self._screens.put(
                self._table_screen(
                    table, session, faults, participant=participant, practise=lambda: practise()
                )
            )
            self._announcer.tell("table_screen", log=str(session.log.path))

        def practise() -> None:
            self._practising.begin(then_show)

        def then_show(how: Practised) -> None:
            Participant(table).note_practice(how.outcome, how.step, how.seconds)
            show()

        if participant and self._practises_first(session):
            practise()
        else:
            show()

    def _practises_first(self, session: OpenSession) -> bool:
        """Whether the practice comes before a session: before a participant's first."""
        if not (self._practice and self._theme.appearance.practice) or session.past is not None:
            return False
        return is_newcomer(session, self._data_dir)

    def _tell_log(self, session: OpenSession) -> None:
        self._logs.tell(session.log, session.sitting.participant)

    @property
    def _guarded(self) -> bool:
        """Whether whoever negotiates is a participant, however the session was started."""
        whole_screen = self._theme.appearance.full_screen
        return self._watched is None and (self._code is not None or whole_screen)

    def _table_screen(
        self,
        table: LiveTable,
        session: OpenSession,
        faults: Faults | None,
        *,
        participant: bool,
        practise: Callable[[], None],
    ) -> TableScreen:
        agents, say = session.sitting.agents, self._theme.say
        place = Place(
            table,
            {seat: seated.name for seat, seated in agents.items()},
            {seat: self._avatar(seated) for seat, seated in agents.items()},
            pictures=self._pictures(session.sitting.game),
            kept=session.kept,
            brief=session.past is None and self._briefing,
            leave=say("Leave") if participant or self._ways_out.ends else say("Back"),
            again=self._watched is not None,
            faults=faults,
            practise=practise,
        )
        return TableScreen(
            self._theme,
            place,
            announcer=self._announcer,
            on_wear=self.wear,
            on_done=lambda: self._after.follow(
                table, session.sitting.debriefings, lambda: self._after_the_end(participant)
            ),
            on_leave=lambda: self._leave_before(table, session, participant),
        )

    def _leave_before(self, table: LiveTable, session: OpenSession, participant: bool) -> None:
        """The session is left before it began: nothing of it stays."""
        self._tables.remove((table, session))
        self._screens.show_message(self._theme.say("Leaving…"))
        self._screens.in_background(
            session.discard,
            lambda _none: self._ways_out.left(participant=participant),
            lambda _problem: self._ways_out.left(participant=participant),
        )

    def _avatar(self, seated: SeatedAgent) -> Avatar:
        avatar = find_avatar(seated.avatar, seated.plugin.file, name=seated.name)
        if avatar.problem:
            self._crashes.write(NegoError(avatar.problem))
        return avatar

    def _pictures(self, game: GameSpec) -> IssuePictures:
        folder = game.folder
        if folder is None and own_pictures(game):  # a session that is resumed knows the game from its log
            folder = game_folder(game.name, self._data_dir)
        found = find_pictures(game, folder)
        for problem in found.problems:
            self._crashes.write(NegoError(problem))
        return found

    def _after_the_end(self, participant: bool) -> None:
        if self._watched is not None:
            self._watched.play()
        else:
            self._ways_out.done(participant=participant)

    def _close(self) -> None:
        root = self._theme.root
        if self._kiosk.locked:
            # Alt+F4 is no way out of a session on the whole screen.
            self._announcer.tell("stays_open")
        elif self._kiosk.guards:
            self._kiosk.ask(root.destroy)
        elif isinstance(self._screens.now, TableScreen) and self._screens.now.running:
            self._screens.now.ask_to_leave(root.destroy)
        else:
            root.destroy()

    def _help(self) -> None:
        """Shows how everything works, where somebody may want to know that."""
        screen = self._screens.now
        if isinstance(screen, StartScreen | TableScreen):
            screen.show_help()

    def _complain(self, error: BaseException) -> None:
        """An error in a callback: kept in a crash file; the window and the session go on."""
        self._crashes.write(error)
        self._announcer.tell("error", error=repr(error))
