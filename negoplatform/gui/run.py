"""The program behind the window: the start, the negotiation, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

from negoplatform.app.crash import CrashFolder
from negoplatform.app.live import LiveTable
from negoplatform.app.opening import SESSIONS, OpenSession, fallback_folders, open_session
from negoplatform.app.playback import Playback
from negoplatform.app.resume import resume_session
from negoplatform.app.seating import SeatedAgent
from negoplatform.app.sitting import Sitting
from negoplatform.app.unfinished import Unfinished, find_unfinished
from negoplatform.domain.errors import NegoError
from negoplatform.gui.announce import Announcer
from negoplatform.gui.appearance import Appearance, read_appearance, write_appearance
from negoplatform.gui.appearance_panel import AppearancePanel
from negoplatform.gui.avatars import Avatar, find_avatar
from negoplatform.gui.background import in_background
from negoplatform.gui.experimenter_code import has_code, write_code
from negoplatform.gui.first_window import LEAST, SIZE
from negoplatform.gui.kiosk import Kiosk
from negoplatform.gui.last_hash import close_and_tell, tell_log
from negoplatform.gui.lifetimes import collect_garbage_here
from negoplatform.gui.message_screen import MessageScreen
from negoplatform.gui.place import Place
from negoplatform.gui.replay.asking import ask_for_log
from negoplatform.gui.replay.opening import open_playback
from negoplatform.gui.replay.screen import ReplayScreen
from negoplatform.gui.start_choice import Choice
from negoplatform.gui.start_screen import StartScreen
from negoplatform.gui.start_sitting import SittingMaker
from negoplatform.gui.table_screen import TableScreen
from negoplatform.gui.texts import drawable
from negoplatform.gui.theme import Theme
from negoplatform.gui.unfinished_screen import UnfinishedScreen
from negoplatform.gui.wish import Wish

__all__ = ["Program", "Wish"]

T = TypeVar("T")
Screen = StartScreen | UnfinishedScreen | TableScreen | MessageScreen | AppearancePanel | ReplayScreen


class Program:
    """The window and the one screen that it shows.

    Args:
        data_dir: Where sessions go and plugins come from.
        wish: What the command line asked for.
        announce: Whether tests are told what is shown.
        theme: Gives the window; asked for only once it is sure that there is something to show.
        screen: What the window shows already; None: it is not shown yet.

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
    ) -> None:
        self._data_dir = data_dir
        self._briefing = wish.briefing
        self._crashes = CrashFolder(data_dir / "crashes")
        self._maker = SittingMaker(data_dir, wish, lambda said: self._crashes.write(NegoError(said)))
        self._sitting = self._maker.direct()
        self._resumed = None if wish.resume is None else self._resume(wish.resume)
        self._theme = theme()
        self._theme.root.report_callback_exception = lambda _kind, error, _trace: self._complain(error)
        self._shown_already = screen is not None
        # What a participant changes at the table holds until the next one comes.
        self._usual_looks = self._theme.appearance
        self._announcer = Announcer(self._theme.root, announce)
        self._kiosk = Kiosk(self._theme, data_dir, self._announcer)
        self._screen: Screen | None = screen
        self._make: Callable[[], Screen] | None = None
        self._choice: Choice | None = None
        self._tables: list[tuple[LiveTable, OpenSession]] = []

    def run(self) -> None:
        """Shows the first screen and stays until the window is closed."""
        root = self._theme.root
        root.protocol("WM_DELETE_WINDOW", self._close)
        if not self._shown_already:
            self._theme.fit(*SIZE, least=LEAST)
        if self._resumed is not None:
            self._sit_down(self._resumed)
        elif self._sitting is not None:
            self._sit_down(self._open(self._sitting))
        else:
            self._look_for_unfinished()
        collect_garbage_here(root)
        root.mainloop()
        for table, session in self._tables:
            table.stop()
            if not session.log.closed:
                tell_log(session.log)
        self._maker.stop()

    def wear(self, appearance: Appearance) -> None:
        """Changes the looks: the screen is built anew, with what was done at it."""
        screen = self._screen
        if isinstance(screen, StartScreen):
            self._choice = screen.choice()
        self._theme.wear(appearance)
        if isinstance(screen, TableScreen):
            screen.rebuild()
        elif self._make is not None:
            self._show(self._make)

    # What was interrupted

    def _look_for_unfinished(self) -> None:
        """What was interrupted comes first; then the start window."""
        self._show_message(self._theme.say("Looking for unfinished sessions …"))
        self._in_background(
            lambda: find_unfinished(self._data_dir / SESSIONS, *fallback_folders(self._data_dir)),
            self._show_unfinished,
            self._show_start,
        )

    def _show_unfinished(self, found: Sequence[Unfinished]) -> None:
        if not found:
            self._show_start()
            return
        say = self._theme.say

        def resume(session: Unfinished) -> None:
            screen.wait(say("Resuming …"))
            self._in_background(lambda: self._resume(session.path), self._sit_down, screen.complain)

        def close(session: Unfinished) -> None:
            screen.wait(say("Closing …"))
            rest = [other for other in found if other is not session]
            self._in_background(
                lambda: close_and_tell(session.path),
                lambda _none: self._show_unfinished(rest),
                screen.complain,
            )

        screen = UnfinishedScreen(
            self._theme,
            found,
            announcer=self._announcer,
            on_resume=resume,
            on_close=close,
            on_keep=self._show_start,
        )
        self._put(screen)

    def _resume(self, path: Path) -> OpenSession:
        return resume_session(path, self._data_dir, self._crashes.write)

    # The start window and the looks

    def _show_start(self, problem: str = "") -> None:
        """The start window, once every plugin has been looked at; their code never runs on this thread.

        Args:
            problem: What it says has gone wrong before.
        """

        def show(_found: object) -> None:
            self._choice = self._maker.first_choice()
            self._show_start_again(problem)

        if self._theme.appearance != self._usual_looks:
            self._theme.wear(self._usual_looks)
        self._show_message(self._theme.say("Looking for games and agents …"))
        self._in_background(self._maker.find, show, self._offer_another_try)

    def _offer_another_try(self, problem: str) -> None:
        screen = MessageScreen(self._theme, drawable(problem), self._theme.say("Try again"))
        screen.on_press(self._show_start)
        self._announcer.name("try_again", screen.button)
        self._put(screen)
        self._announcer.tell("cannot_start", text=problem)

    def _start_screen(self) -> StartScreen:
        found = self._maker.found

        def start(choice: Choice) -> None:
            self._in_background(
                lambda: self._open(self._maker.chosen(choice, self._theme.say)),
                self._sit_down,
                lambda problem: self._say_why_not(screen, choice, problem),
            )

        screen = StartScreen(
            self._theme,
            found.games,
            found.agents,
            self._choice or self._maker.first_choice(),
            announcer=self._announcer,
            on_start=start,
            on_settings=lambda: self._show_looks(screen),
            on_open_log=lambda: self._look_at_log(screen),
        )
        self._announcer.tell("start_screen")
        return screen

    def _say_why_not(self, screen: StartScreen, choice: Choice, problem: str) -> None:
        if not choice.trusting:
            screen.complain(problem)
            return

        def renew(_found: object) -> None:
            screen.renew(self._maker.found.games, self._maker.found.agents)
            screen.complain(problem)

        # What is trusted since just now is listed under other names: those of its agents.
        self._in_background(self._maker.find, renew, screen.complain)

    def _look_at_log(self, start: StartScreen) -> None:
        """A session that was kept, to be seen again; then back to the start window."""
        log = ask_for_log(self._theme, self._data_dir / SESSIONS)
        if log is not None:
            self._choice = start.choice()
            self._show_message(self._theme.say("Opening the log …"))
            self._in_background(
                lambda: open_playback(log, self._data_dir), self._replay, self._show_start_again
            )

    def _replay(self, playback: Playback) -> None:
        self._show(
            lambda: ReplayScreen(
                self._theme,
                playback,
                announcer=self._announcer,
                report=self._crashes.write,
                on_done=self._show_start_again,
            )
        )

    def _show_start_again(self, problem: str = "") -> None:
        screen = self._show(self._start_screen)
        if problem and isinstance(screen, StartScreen):
            screen.complain(problem)

    def _show_looks(self, start: StartScreen) -> None:
        self._choice = start.choice()
        self._show(self._looks)
        self._announcer.tell("settings_screen")

    def _looks(self, focus: str = "", problem: str = "") -> AppearancePanel:
        say = self._theme.say

        def change(appearance: Appearance) -> None:
            problem = self._keep_looks(appearance)
            focused = panel.focused()
            self._make = lambda: self._looks(focused, problem)
            self.wear(appearance)
            self._usual_looks = appearance
            self._announcer.tell("worn")

        def set_code(code: str) -> None:
            try:
                write_code(self._data_dir, code)
            except OSError as error:
                panel.complain(say("The code cannot be kept ({why}).", why=error.strerror or error))
                return
            panel.say_done(say("The code is set."))
            self._announcer.tell("code_set")

        def done() -> None:
            self._show(self._start_screen)

        panel = AppearancePanel(
            self._theme,
            announcer=self._announcer,
            has_code=has_code(self._data_dir),
            on_change=change,
            on_code=set_code,
            on_done=done,
            focus=focus,
            problem=problem,
        )
        return panel

    def _keep_looks(self, appearance: Appearance) -> str:
        """Keeps what was just changed, without what was said for this start only; why not, if it cannot."""
        worn = self._theme.appearance
        changed: dict[str, Any] = {
            field.name: getattr(appearance, field.name)
            for field in fields(Appearance)
            if getattr(appearance, field.name) != getattr(worn, field.name)
        }
        try:
            write_appearance(self._data_dir, replace(read_appearance(self._data_dir), **changed))
        except OSError as error:
            return self._theme.say(
                "This holds until the program ends; it cannot be kept ({why}).", why=error.strerror or error
            )
        return ""

    # The negotiation

    def _open(self, sitting: Sitting) -> OpenSession:
        return open_session(sitting, self._data_dir, self._crashes.write)

    def _sit_down(self, session: OpenSession) -> None:
        table = session.table(self._crashes.write)
        # Those of before are over; nothing of them is needed any more.
        self._tables = [(other, its) for other, its in self._tables if not its.log.closed]
        self._tables.append((table, session))
        session.log.on_close = lambda: tell_log(session.log)
        if self._theme.appearance.full_screen:
            self._kiosk.enter()
        self._put(self._table_screen(table, session))
        self._announcer.tell("table_screen", log=str(session.log.path))

    def _table_screen(self, table: LiveTable, session: OpenSession) -> TableScreen:
        agents = session.sitting.agents
        place = Place(
            table,
            {seat: seated.name for seat, seated in agents.items()},
            {seat: self._avatar(seated) for seat, seated in agents.items()},
            kept=session.kept,
            brief=session.past is None and self._briefing,
        )
        return TableScreen(
            self._theme,
            place,
            announcer=self._announcer,
            on_wear=self.wear,
            on_done=self._after_the_end,
        )

    def _avatar(self, seated: SeatedAgent) -> Avatar:
        avatar = find_avatar(seated.avatar, seated.plugin.file, name=seated.name)
        if avatar.problem:
            self._crashes.write(NegoError(avatar.problem))
        return avatar

    def _after_the_end(self) -> None:
        """The participant is done; the start window names the agent's type, so it is not for their eyes."""
        only_one = self._sitting is not None or self._resumed is not None
        if only_one and not self._kiosk.locked:
            self._theme.root.destroy()
            return
        self._show(lambda: self._thanks(only_one=only_one))
        self._announcer.tell("thanks")

    def _thanks(self, *, only_one: bool) -> MessageScreen:
        say = self._theme.say
        thanks = MessageScreen(
            self._theme,
            say("Thank you. Please tell the experimenter that you are done."),
            say("Close") if only_one else say("New negotiation"),
        )
        then: Callable[[], None] = self._theme.root.destroy if only_one else self._show_start
        thanks.on_press(lambda: self._kiosk.ask(then))
        self._announcer.name("again", thanks.button)
        return thanks

    def _close(self) -> None:
        root = self._theme.root
        if self._kiosk.locked:
            # Alt+F4 is no way out of a session on the whole screen.
            self._announcer.tell("stays_open")
        elif isinstance(self._screen, TableScreen) and self._screen.running:
            self._screen.ask_to_leave(root.destroy)
        else:
            root.destroy()

    # Screens and threads

    def _show(self, make: Callable[[], Screen]) -> Screen:
        """Shows a screen that can be built anew in other looks."""
        screen = make()
        self._put(screen)
        self._make = make
        return screen

    def _show_message(self, text: str) -> None:
        self._show(lambda: MessageScreen(self._theme, text))

    def _put(self, screen: Screen) -> None:
        """Shows a screen in place of the one before."""
        if self._screen is not None:
            self._screen.frame.destroy()
        self._screen, self._make = screen, None
        screen.frame.pack(fill="both", expand=True)

    def _in_background(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[str], None]
    ) -> None:
        root, say = self._theme.root, self._theme.say
        in_background(root, work, done, failed, report=self._crashes.write, say=say)

    def _complain(self, error: BaseException) -> None:
        """An error in a callback: kept in a crash file; the window and the session go on."""
        self._crashes.write(error)
        self._announcer.tell("error", error=repr(error))
