"""Successive games against an agent that its author is editing, each with the file as saved at its start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from negoplatform.app.catalogue.catalogue import is_plugin_path
from negoplatform.app.catalogue.search_path import AGENT_FILE
from negoplatform.app.session.agent_placement import split_settings_file
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_start import OpenSession
from negoplatform.domain.errors import NegoError
from negoplatform.formats.agent_manifest import MANIFEST_FILE
from negoplatform.gui.shell.file_watcher import FileWatcher
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.start.initial_choice import DEFAULT_GAME
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.start.participant_code_and_seed import draw_code, draw_seed
from negoplatform.presentation.table.author_fault_reporter import AuthorFaultReporter

T = TypeVar("T")


class AgentReloadLoop:
    """Loop of games on request; an agent that cannot be loaded is tried again when its file is saved.

    Naming the file means trusting it, and all versions of it saved while the window is open. A running game
    keeps the version with which it began.

    Args:
        navigator: The window's navigator.
        files: The watched files, the agent's own file first.
        make: Return a session plan with the agent as it is saved now; slow.
        open_session: Open a session for a plan; slow.
        on_open: Called with a session that is ready to be played.
        announcer: Reports to UI tests what is shown.
    """

    def __init__(
        self,
        navigator: ScreenNavigator,
        files: Sequence[Path],
        *,
        make: Callable[[], SessionPlan],
        open_session: Callable[[SessionPlan], OpenSession],
        on_open: Callable[[OpenSession], None],
        announcer: UiTestAnnouncer,
    ) -> None:
        self._navigator, self._theme = navigator, navigator.theme
        self._name = displayable(files[0].name)
        self._make = make
        self._open_session = open_session
        self._on_open = on_open
        self._announcer = announcer
        self._files = FileWatcher(self._theme.root, files, self._on_saved)
        self._ready: SessionPlan | None = None
        self._loading = self._play_requested = False
        self._newer_file: Path | None = None
        """The file that was saved after the loaded version, if any."""

    def play_next(self) -> None:
        """Start the next game with the files as they are saved now."""
        self._play_requested = True
        ready, self._ready = self._ready, None
        if ready is None:
            self._files.reset()
            self._load(lambda: self._open_session(self._make()), self._begin)
        else:
            # No file is read here: one saved a moment ago is noticed later, and noted at the table.
            self._load(lambda: self._open_session(ready), self._begin)

    def create_fault_reporter(
        self, session: OpenSession, write_crash: Callable[[BaseException], Path | None]
    ) -> AuthorFaultReporter:
        """Return a reporter of the agents' faults in a session."""
        names = {seat: displayable(agent.plugin.file.name) for seat, agent in session.plan.agents.items()}
        return AuthorFaultReporter(names, lambda: session.log.path.parent, write_crash)

    def stop(self) -> None:
        """Discard an agent that was prepared for a game that will not be played."""
        if self._ready is not None:
            self._ready.discard_agents()
            self._ready = None

    def _load(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        def finished(result: T) -> None:
            self._loading = False
            done(result)

        def failed(problem: str) -> None:
            self._loading = False
            self._on_load_failed(problem)

        self._loading, self._newer_file = True, None
        self._navigator.show_message(self._theme.translate("Loading {file}…", file=self._name))
        self._navigator.run_in_background(work, finished, failed)

    def _begin(self, session: OpenSession) -> None:
        self._on_open(session)
        if self._newer_file is not None:
            self._show_saved_note(self._newer_file)

    def _reload(self) -> None:
        """Try to load the agent; a game begins only when the author presses the button."""
        self._play_requested = False
        self._files.reset()
        self._load(self._make, self._on_agent_ready)

    def _on_agent_ready(self, plan: SessionPlan) -> None:
        self._ready = plan
        if self._newer_file is not None:
            self.stop()
            self._reload()
            return
        translate = self._theme.translate
        self._show(translate("{file} can be loaded now.", file=self._name), translate("Play"), self.play_next)
        self._announcer.announce("watch_ready")

    def _on_load_failed(self, problem: str) -> None:
        if self._newer_file is not None:
            # Saved while it was being loaded: the request is repeated with the newer version.
            (self.play_next if self._play_requested else self._reload)()
            return
        translate = self._theme.translate
        self._show(
            translate("{file} can’t be loaded as it is now", file=self._name),
            translate("Try again"),
            self._reload,
            displayable(problem),
            translate("It’s tried again as soon as you save the file."),
        )
        self._announcer.announce("watch_waits", text=problem)

    def _show(self, text: str, button: str, press: Callable[[], None], *details: str) -> None:
        def make() -> MessageScreen:
            screen = MessageScreen(self._theme, text, button, details=details)
            screen.on_press(press)
            screen.button.focus_set()
            self._announcer.register("watch.go_on", screen.button)
            return screen

        self._navigator.show(make)

    def _on_saved(self, file: Path) -> None:
        self._newer_file = file
        if self._loading:
            return
        if isinstance(self._navigator.current, TableScreen):
            self._show_saved_note(file)
        else:
            self.stop()
            self._reload()

    def _show_saved_note(self, file: Path) -> None:
        if isinstance(self._navigator.current, TableScreen):
            name, line = displayable(file.name), syntax_error_line(file)
            translate = self._theme.translate
            self._navigator.current.show_note(
                translate("{file} was saved; the next game will use it", file=name)
                if line is None
                else translate("{file} was saved, but line {line} is not valid Python", file=name, line=line)
            )


def syntax_error_line(file: Path) -> int | None:
    """Return the line at which a Python file cannot be parsed; None if it can be, or is no Python file."""
    if file.suffix != ".py":
        return None
    try:
        compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
    except SyntaxError as error:
        return error.lineno or 1
    except (OSError, ValueError, RecursionError, MemoryError):
        pass  # loading it for the next game says what is wrong
    return None


def resolve_watch(launch_options: LaunchOptions) -> tuple[LaunchOptions, list[Path]]:
    """Return the options of every game, and the files on which it depends: the agent's own first.

    Code and seed stay the same from game to game, so that differences come only from the saved changes.

    Args:
        launch_options: The command line's options; ``watch`` is ``PATH.py``, ``PATH.py:Class`` or a folder.

    Raises:
        NegoError: If ``watch`` is no file or folder of an agent.
    """
    target = launch_options.watch or ""
    path, _, class_name = target.rpartition(":")
    if not is_plugin_path(path):
        path, class_name = target, ""
    file = Path(path)
    if file.is_dir():
        file = file / AGENT_FILE
    if not (is_plugin_path(str(file)) and file.is_file()):
        raise NegoError(
            f"{target}: there is no agent here; --watch takes its file, such as my_agent.py, or its folder."
        )
    manifests = [file.with_name(MANIFEST_FILE)] if file.name == AGENT_FILE else []
    settings = [] if launch_options.agent_config is None else [launch_options.agent_config]
    of_others = (split_settings_file(agent)[1] for agent in launch_options.agents.values())
    settings += [settings_file for settings_file in of_others if settings_file is not None]
    completed = replace(
        launch_options,
        game=launch_options.game or DEFAULT_GAME,
        agent=f"{file}:{class_name}" if class_name else str(file),
        seed=draw_seed() if launch_options.seed is None else launch_options.seed,
        participant=launch_options.participant or draw_code(),
    )
    return completed, [file, *manifests, *settings]
