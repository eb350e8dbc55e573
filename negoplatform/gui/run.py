"""Opens the window: the start, the negotiation, and back."""

from __future__ import annotations

import gc
import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from negoplatform.app.catalogue import (
    Row,
    agent_of,
    chosen_row,
    find_agent,
    find_game,
    game_of,
    list_agents,
    list_games,
)
from negoplatform.app.crash import CrashFolder
from negoplatform.app.live import LiveTable
from negoplatform.app.opening import SESSIONS, OpenSession, fallback_folders, open_session
from negoplatform.app.plugins import AgentPlugin
from negoplatform.app.resume import resume_session
from negoplatform.app.seating import seat_apart, starting_output
from negoplatform.app.sitting import (
    Sitting,
    check_participant,
    human_seat,
    read_settings,
    with_time_limit,
)
from negoplatform.app.unfinished import Unfinished, find_unfinished
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import BySeat, Seat
from negoplatform.gui.announce import Announcer
from negoplatform.gui.last_hash import close_and_tell, tell_log
from negoplatform.gui.message_screen import MessageScreen
from negoplatform.gui.start_screen import Choice, StartScreen
from negoplatform.gui.table_screen import POLL_MS, TableScreen
from negoplatform.gui.theme import Theme
from negoplatform.gui.unfinished_screen import UnfinishedScreen
from negoplatform.gui.wish import Wish, draw_code, draw_seed, seconds_of, whole_number
from negoplatform.hosting.process import AgentProcess

COLLECT_MS = 2000

T = TypeVar("T")
Screen = StartScreen | UnfinishedScreen | TableScreen | MessageScreen


def open_window(data_dir: Path, *, announce: bool = False, **wish: Any) -> None:
    """Opens the window and stays until it is closed.

    Raises:
        NegoError: If there is no display, or what was asked for cannot be.
    """
    Program(data_dir, Wish(**wish), announce).run()


class Program:
    """The window and the one screen that it shows.

    Args:
        data_dir: Where sessions go and plugins come from.
        wish: What the command line asked for.
        announce: Whether tests are told what is shown.
    """

    def __init__(self, data_dir: Path, wish: Wish, announce: bool) -> None:
        self._data_dir = data_dir
        self._wish = wish
        self._crashes = CrashFolder(data_dir / "crashes")
        self._config = read_settings(wish.agent_config) if wish.agent_config else {}
        self._spare: AgentProcess | None = None
        self._found: tuple[list[Row[GameSpec]], list[Row[AgentPlugin]]] = [], []
        # What cannot be is said before a window opens and closes again.
        self._sitting = self._direct_sitting()
        self._resumed = None if wish.resume is None else self._resume(wish.resume)
        self._theme = _make_theme(self._complain)
        self._announcer = Announcer(self._theme.root, announce)
        self._screen: Screen | None = None
        self._tables: list[tuple[LiveTable, OpenSession]] = []

    def run(self) -> None:
        """Shows the first screen and stays until the window is closed."""
        root = self._theme.root
        root.protocol("WM_DELETE_WINDOW", self._close)
        self._theme.fit(1280, 800, least=(1200, 640))
        if self._resumed is not None:
            self._sit_down(self._resumed)
        elif self._sitting is not None:
            self._sit_down(self._open(self._sitting))
        else:
            self._look_for_unfinished()
        self._collect_garbage_here()
        root.mainloop()
        for table, session in self._tables:
            table.stop()
            if not session.log.closed:
                tell_log(session.log)
        if self._spare is not None:
            self._spare.stop()

    def _look_for_unfinished(self) -> None:
        """What was interrupted comes first; then the start window."""
        self._put(MessageScreen(self._theme, "Looking for unfinished sessions …"))
        self._in_background(
            lambda: find_unfinished(self._data_dir / SESSIONS, *fallback_folders(self._data_dir)),
            self._show_unfinished,
            self._show_start,
        )

    def _show_unfinished(self, found: Sequence[Unfinished]) -> None:
        if not found:
            self._show_start()
            return

        def resume(session: Unfinished) -> None:
            screen.wait("Resuming …")
            self._in_background(lambda: self._resume(session.path), self._sit_down, screen.complain)

        def close(session: Unfinished) -> None:
            screen.wait("Closing …")
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

    def _open(self, sitting: Sitting) -> OpenSession:
        return open_session(sitting, self._data_dir, self._crashes.write)

    def _show_start(self, problem: str = "") -> None:
        """The start window, once every plugin has been looked at; their code never runs on this thread.

        Args:
            problem: What it says has gone wrong before.
        """
        self._put(MessageScreen(self._theme, "Looking for games and agents …"))
        self._in_background(
            self._find_choices,
            lambda found: self._show_choices(*found, problem),
            self._offer_another_try,
        )

    def _offer_another_try(self, problem: str) -> None:
        screen = MessageScreen(self._theme, problem, "Try again")
        screen.on_press(self._show_start)
        self._announcer.name("try_again", screen.button)
        self._put(screen)
        self._announcer.say("cannot_start", text=problem)

    def _show_choices(
        self, games: list[Row[GameSpec]], agents: list[Row[AgentPlugin]], problem: str = ""
    ) -> None:
        limit = self._wish.time_limit
        chosen = Choice(
            game=self._wish.game or "practice",
            agent=self._wish.agent or "fair",
            participant=self._wish.participant or draw_code(),
            seed=str(draw_seed() if self._wish.seed is None else self._wish.seed),
            minutes="" if limit is None else f"{limit / 60:g}",
            seat=self._wish.seat,
            profiles=BySeat(self._wish.profiles),
        )

        def start(choice: Choice) -> None:
            self._in_background(
                lambda: self._open(self._chosen_sitting(choice)),
                self._sit_down,
                lambda problem: self._say_why_not(screen, choice, problem),
            )

        screen = StartScreen(self._theme, games, agents, chosen, announcer=self._announcer, on_start=start)
        self._put(screen)
        self._announcer.say("start_screen")
        if problem:
            screen.complain(problem)

    def _say_why_not(self, screen: StartScreen, choice: Choice, problem: str) -> None:
        if not choice.trusting:
            screen.complain(problem)
            return

        def renew(found: tuple[list[Row[GameSpec]], list[Row[AgentPlugin]]]) -> None:
            screen.renew(*found)
            screen.complain(problem)

        # What is trusted since just now is listed under other names: those of its agents.
        self._in_background(self._find_choices, renew, screen.complain)

    def _find_choices(self) -> tuple[list[Row[GameSpec]], list[Row[AgentPlugin]]]:
        """What can be chosen; meanwhile a process gets warm for the agent that will be."""
        if self._spare is None:
            # Without one, the agent's own start says what is wrong.
            with suppress(NegoError):
                self._spare = AgentProcess.spawn()
        self._found = self._games(), list_agents(self._data_dir, report=self._note)
        return self._found

    def _note(self, sentence: str) -> None:
        """Something that stops nothing, for those who look into the crash folder."""
        self._crashes.write(NegoError(sentence))

    def _games(self) -> list[Row[GameSpec]]:
        """The games to choose from; a game file that the command line named is one of them."""
        games, wanted = list_games(self._data_dir, report=self._note), self._wish.game
        if wanted is None or any(row.name == wanted for row in games):
            return games
        return [*games, Row(wanted, Path(wanted), find_game(wanted, self._data_dir))]

    def _chosen_sitting(self, choice: Choice) -> Sitting:
        # The very rows that were shown: a name could lead to something else by now.
        games, agents = self._found
        game = chosen_row(games, choice.game, choice.trusting)
        agent = chosen_row(agents, choice.agent, choice.trusting)
        return self._make_sitting(
            find_game(choice.game, self._data_dir) if game is None else game_of(game, self._data_dir),
            find_agent(choice.agent, self._data_dir) if agent is None else agent_of(agent, self._data_dir),
            seed=whole_number(choice.seed),
            participant=choice.participant,
            seconds=seconds_of(choice.minutes),
            seat=choice.seat,
            profiles=choice.profiles,
        )

    def _direct_sitting(self) -> Sitting | None:
        wish = self._wish
        game = None if wish.game is None else find_game(wish.game, self._data_dir)
        agent = None if wish.agent is None else find_agent(wish.agent, self._data_dir)
        if game is None or agent is None:
            return None
        return self._make_sitting(
            game,
            agent,
            seed=draw_seed() if wish.seed is None else wish.seed,
            participant=wish.participant or draw_code(),
            seconds=wish.time_limit,
            seat=wish.seat,
            profiles=wish.profiles,
        )

    def _make_sitting(
        self,
        game: GameSpec,
        agent: AgentPlugin,
        *,
        seed: int,
        participant: str,
        seconds: float | None,
        seat: Seat | None,
        profiles: Mapping[Seat, str],
    ) -> Sitting:
        game = with_time_limit(game, seconds).settled(seed, profiles)
        seat = seat or human_seat(game)
        if seat not in game.seats:
            raise NegoError(f"{game.name} has no seat {seat!r}; it has {', '.join(game.seats)}.")
        others = game.others(seat)
        if len(others) != 1:
            raise NegoError(
                f"{game.name} has {len(game.seats)} seats, and the window seats one person and one agent; "
                "'negoplatform simulate' plays it among agents."
            )
        code = check_participant(participant)
        # The agent's process starts here: what can be wrong with the rest has been seen before.
        spare, self._spare = self._spare, None
        seated = seat_apart(
            agent,
            others[0],
            self._config,
            game=game,
            seed=seed,
            output=starting_output(self._data_dir / SESSIONS, others[0]),
            spare=spare,
        )
        agents = BySeat([(others[0], seated)])
        return Sitting(game=game, seed=seed, human_seat=seat, participant=code, agents=agents)

    def _sit_down(self, session: OpenSession) -> None:
        table = session.table(self._crashes.write)
        # Those of before are over; nothing of them is needed any more.
        self._tables = [(other, its) for other, its in self._tables if not its.log.closed]
        self._tables.append((table, session))
        session.log.on_close = lambda: tell_log(session.log)
        screen = TableScreen(
            self._theme,
            table,
            {seat: seated.name for seat, seated in session.sitting.agents.items()},
            announcer=self._announcer,
            on_done=self._after_the_end,
            kept=session.kept,
        )
        self._put(screen)
        self._announcer.say("table_screen", log=str(session.log.path))

    def _after_the_end(self) -> None:
        """The participant is done; the start window names the agent's type, so it is not for their eyes."""
        if self._sitting is not None or self._resumed is not None:
            self._theme.root.destroy()
            return
        thanks = MessageScreen(
            self._theme, "Thank you. Please tell the experimenter that you are done.", "New negotiation"
        )
        thanks.on_press(self._show_start)
        self._announcer.name("again", thanks.button)
        self._put(thanks)
        self._announcer.say("thanks")

    def _close(self) -> None:
        root = self._theme.root
        if isinstance(self._screen, TableScreen) and self._screen.running:
            self._screen.ask_to_leave(root.destroy)
        else:
            root.destroy()

    def _put(self, screen: Screen) -> None:
        """Shows a screen in place of the one before."""
        if self._screen is not None:
            self._screen.frame.destroy()
        self._screen = screen
        screen.frame.pack(fill="both", expand=True)

    def _in_background(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[str], None]
    ) -> None:
        """Does something on a thread of its own; what comes of it is taken up here."""
        results: SimpleQueue[T | BaseException] = SimpleQueue()

        def run() -> None:
            try:
                results.put(work())
            except BaseException as error:  # noqa: BLE001 - handed over, and dealt with on the window's thread
                results.put(error)

        def look() -> None:
            if results.empty():
                self._theme.root.after(POLL_MS, look)
                return
            match results.get():
                case NegoError() as error:
                    failed(str(error))
                case BaseException() as error:
                    self._crashes.write(error)
                    failed(f"Something went wrong inside NegoPlatform ({type(error).__name__}).")
                case result:
                    done(result)

        Thread(target=run, name="background", daemon=True).start()
        look()

    def _complain(self, error: BaseException) -> None:
        """An error in a callback: kept in a crash file; the window and the session go on."""
        self._crashes.write(error)
        self._announcer.say("error", error=repr(error))

    def _collect_garbage_here(self) -> None:
        """A Tk object that another thread's collector frees ends the process: only this thread collects."""
        gc.disable()
        gc.collect()
        gc.freeze()

        def collect() -> None:
            gc.collect()
            self._theme.root.after(COLLECT_MS, collect)

        self._theme.root.after(COLLECT_MS, collect)


def _make_theme(on_error: Any) -> Theme:
    try:
        return Theme("NegoPlatform", on_error)
    except tk.TclError as error:
        if "display" not in str(error):
            raise
        raise NegoError(
            "There is no display here, so no window can be opened; "
            "'negoplatform simulate' plays agents without one."
        ) from None
