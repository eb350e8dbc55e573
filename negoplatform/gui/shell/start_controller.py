"""The way into a session: the start window, and what leads away from it and back to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from negoplatform.app.session.session_plan import Sitting
from negoplatform.app.session.session_start import SESSIONS
from negoplatform.app.session.unfinished_sessions import Unfinished
from negoplatform.app.support.file_manager import make_folder, show_folder
from negoplatform.gui.shell.file_open_events import DoubleClicks
from negoplatform.gui.shell.retry_screen import offer_another_try
from negoplatform.gui.shell.settings_controller import Looks
from negoplatform.gui.start.start_screen import StartScreen
from negoplatform.gui.widgets.navigator import Screens
from negoplatform.gui.widgets.test_announcer import Announcer
from negoplatform.gui.widgets.window_focus import when_back
from negoplatform.presentation.bargaining.confirmation_texts import anew_question
from negoplatform.presentation.start.choices import Choice
from negoplatform.presentation.start.session_setup import Found, SittingMaker

if TYPE_CHECKING:
    from negoplatform.app.playback.playback import Playback


class Lobby:
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
        screens: Screens,
        maker: SittingMaker,
        *,
        looks: Looks,
        data_dir: Path,
        announcer: Announcer,
        report: Callable[[BaseException], object],
        unfinished: Callable[[str], Sequence[Unfinished]],
        on_practise: Callable[[Callable[[], None]], None],
        on_sitting: Callable[[Callable[[], Sitting], Callable[[str], None], bool], None],
    ) -> None:
        self._screens, self._theme = screens, screens.theme
        self._maker = maker
        self._looks = looks
        self._data_dir = data_dir
        self._announcer = announcer
        self._report = report
        self._unfinished, self._on_practise = unfinished, on_practise
        self._on_sitting = on_sitting
        self._choice: Choice | None = None
        self._started: Choice | None = None
        self._looking = self._missed = self._shown_before = False
        self._clicks: DoubleClicks | None = None
        when_back(self._theme.root, self._look_if_changed)
        self._theme.root.bind("<F5>", lambda _event: self._look_again())

    def show(self, problem: str = "", *, same: bool = False) -> None:
        """The start window, once every plugin has been looked at; their code never runs on this thread.

        Args:
            problem: What it says has gone wrong before.
            same: Whether the code and the seed that were started last stand there again.
        """

        def take(found: Found) -> None:
            self._maker.found = found
            self._choice = self._next_choice(same=same)
            known = None if problem or self._shown_before else self._maker.known(self._theme.say)
            self._shown_before = True
            if known is None:
                self._come_back(problem)
            else:
                self._hand_over(known)

        self._looks.put_back()
        self._screens.show_message(self._theme.say("Looking for games and agents…"))
        self._screens.in_background(self._maker.find, take, self._offer_another_try)

    def _next_choice(self, *, same: bool) -> Choice:
        """What stands in the fields: what was started last, for another participant unless it never began."""
        first, last = self._maker.first_choice(), self._started
        if last is None:
            return first
        code, seed = (last.participant, last.seed) if same else (first.participant, first.seed)
        return replace(last, participant=code, seed=seed, trusting=(), settings={}, handed_over=False)

    def heed(self, clicks: DoubleClicks) -> None:
        """Opens logs that are double-clicked: at once, or as soon as the start window is there."""
        self._clicks = clicks
        clicks.on_log = self._open_clicked

    def keep(self) -> None:
        """Remembers what stands in the fields, before the screen goes."""
        screen = self._shown
        if screen is not None:
            self._choice = screen.choice()

    @property
    def _shown(self) -> StartScreen | None:
        return self._screens.now if isinstance(self._screens.now, StartScreen) else None

    def _offer_another_try(self, problem: str) -> None:
        offer_another_try(self._screens, self._announcer, problem, self.show)

    def _make(self) -> StartScreen:
        found = self._maker.found
        screen = StartScreen(
            self._theme,
            found.games,
            found.agents,
            self._choice or self._maker.first_choice(),
            announcer=self._announcer,
            on_start=lambda choice: self._start(screen, choice),
            on_settings=self._settings,
            on_open_log=self._look_at_log,
            on_open_folder=lambda: self._open_folder(screen),
            on_look_again=self._look_again,
            on_practise=self._practise,
        )
        self._announcer.tell("start_screen")
        return screen

    def _come_back(self, problem: str = "") -> None:
        screen = self._screens.show(self._make)
        if problem:
            screen.complain(problem)
        self._open_clicked()

    def _start(self, screen: StartScreen, choice: Choice) -> None:
        """Seats whoever has chosen; if somebody with this code can go on with a session, asks first."""

        def seat() -> None:
            self._on_sitting(
                lambda: self._maker.chosen(choice, self._theme.say),
                lambda problem: self._say_why_not(screen, choice, problem),
                choice.handed_over,
            )

        def ask(found: Sequence[Unfinished]) -> None:
            left = next((session for session in found if not session.damage), None)
            if left is None:
                seat()
            else:
                screen.ask_first(anew_question(left, self._theme.say), seat)

        self._started = choice
        self._maker.remember(choice)
        code = choice.participant.strip()
        self._screens.in_background(lambda: self._unfinished(code), ask, screen.complain)

    def _hand_over(self, choice: Choice) -> None:
        """Seats a participant at what was chosen before; the start window is shown only if that cannot be."""
        self._started = choice
        self._screens.show_message(self._theme.say("Starting…"))
        self._on_sitting(lambda: self._maker.chosen(choice, self._theme.say), self._come_back, True)

    def _say_why_not(self, screen: StartScreen, choice: Choice, problem: str) -> None:
        if not choice.trusting:
            screen.complain(problem)
            return

        def renew(found: Found) -> None:
            screen.complain(problem)
            self._renew(screen, found)

        # What is trusted since just now is listed under other names: those of its agents.
        self._screens.in_background(self._maker.find, renew, screen.complain)

    # Away from it, and back

    def _settings(self) -> None:
        self.keep()
        self._looks.show(self._come_back)

    def _practise(self) -> None:
        """The guided practice, as a participant sees it; then back to the start window."""
        self.keep()
        self._on_practise(self._come_back)

    def _look_at_log(self) -> None:
        """A session that was kept, to be seen again; then back to the start window."""
        from negoplatform.gui.replay.file_dialogs import ask_for_log  # loaded only where somebody looks back

        log = ask_for_log(self._theme, self._data_dir / SESSIONS)
        if log is not None:
            self._open(log)

    def _open_clicked(self) -> None:
        """A log that was double-clicked; it never comes up before somebody who negotiates."""
        screen = self._shown
        log = None if self._clicks is None or screen is None or screen.busy else self._clicks.take()
        if log is not None:
            self._open(log)

    def _open(self, log: Path) -> None:
        from negoplatform.presentation.replay.open_log import open_playback

        self.keep()
        self._screens.show_message(self._theme.say("Opening the log…"))
        self._screens.in_background(lambda: open_playback(log, self._data_dir), self._replay, self._come_back)

    def _replay(self, playback: Playback) -> None:
        from negoplatform.gui.replay.replay_screen import ReplayScreen

        self._screens.show(
            lambda: ReplayScreen(
                self._theme,
                playback,
                announcer=self._announcer,
                report=self._report,
                on_done=self._come_back,
            )
        )

    # What lies in the folders

    def _open_folder(self, screen: StartScreen) -> None:
        folder = self._maker.agents_folder

        def show() -> bool:
            make_folder(folder)
            return show_folder(folder)

        def done(shown: bool) -> None:
            if screen is self._screens.now and not shown:
                screen.say_where(folder)
            self._announcer.tell("folder_opened" if shown else "folder_named", folder=str(folder))

        self._screens.in_background(show, done, screen.complain)

    def _look_again(self) -> None:
        """Somebody asks for it: what has come, gone or changed is listed."""
        screen = self._shown
        if screen is None or screen.busy or self._looking:
            return

        def done(found: Found) -> None:
            renewed = self._renew(screen, found)
            if screen is self._screens.now:
                screen.say_found(renewed=renewed)
            self._looked()

        def failed(problem: str) -> None:
            self._looking = False
            screen.complain(problem)

        self._looking = True
        screen.say_looking()
        self._screens.in_background(self._maker.find, done, failed)

    def _look_if_changed(self) -> None:
        """Somebody comes back to the window, perhaps from the folder, where they have put something."""
        screen = self._shown
        if screen is None or screen.busy:
            return
        if self._looking:
            # What is being looked at now may have been looked at already when it was changed.
            self._missed = True
            return

        def done(found: Found | None) -> None:
            if found is not None:
                self._renew(screen, found)
            self._looked()

        def failed(_problem: str) -> None:
            # Nobody asked; it is said to those who press the button.
            self._looking = False

        self._looking = True
        self._screens.in_background(self._maker.find_if_changed, done, failed)

    def _looked(self) -> None:
        self._looking = False
        if self._missed:
            self._missed = False
            self._look_if_changed()

    def _renew(self, screen: StartScreen, found: Found) -> bool:
        """Lists what was found, unless that would change something under somebody's hands."""
        if screen is not self._screens.now or screen.busy:
            return False
        self._maker.found = found
        screen.renew(found.games, found.agents)
        self._announcer.tell("renewed")
        return True
