"""The window that joins a session in another process."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.app.joining.window_process import StartingProgram
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.app.support.experimenter_code import delete_code
from negoplatform.gui.shell.join_controller import JoinChoice, JoinController
from negoplatform.gui.shell.kiosk import Kiosk
from negoplatform.gui.shell.session_end_pages import SessionEndPages
from negoplatform.gui.shell.window_startup import make_theme
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.theming.theme import WINDOW_SIZE, Theme
from negoplatform.gui.widgets.garbage_collection import collect_garbage_here
from negoplatform.gui.widgets.popup_list import use_popup_lists
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.appearance import Appearance, read_appearance, reset_appearance


def open_join_window(
    choice: JoinChoice,
    data_dir: Path,
    *,
    announce: bool = False,
    reset: bool = False,
    appearance_overrides: Mapping[str, Any] | None = None,
    starter: StartingProgram | None = None,
    is_participant: bool = True,
    shows_briefing: bool = True,
) -> None:
    """Open the window and run until it is closed.

    Args:
        choice: The session that it joins; what is missing is asked for.
        data_dir: The folder for crash files and own games.
        announce: Whether to report to UI tests what is shown.
        reset: Whether to reset the appearance and delete the experimenter's code first.
        appearance_overrides: Fields of the appearance that differ for this start only, by name.
        starter: The program that has started this window with its host; None: the host was there before.
        is_participant: Whether a person in a seat is a participant.
        shows_briefing: Whether the rules are shown before a new game.

    Raises:
        NegoError: If there is no display.
    """
    if reset:
        reset_appearance(data_dir)
        delete_code(data_dir)
    theme = make_theme(replace(read_appearance(data_dir), **(appearance_overrides or {})))
    try:
        _JoinWindow(
            theme,
            data_dir,
            announce=announce,
            starter=starter,
            is_participant=is_participant,
            shows_briefing=shows_briefing,
        ).run(choice)
    except BaseException:
        # The error may be shown in a window of its own; this one would remain next to it, dead.
        with suppress(tk.TclError):
            theme.root.update_idletasks()
            theme.root.destroy()
        raise


class _JoinWindow:
    """Window with the screens of a session in another process."""

    def __init__(
        self,
        theme: Theme,
        data_dir: Path,
        *,
        announce: bool,
        **options: Any,
    ) -> None:
        self._theme = theme
        crashes = CrashFolder(data_dir / "crashes")
        use_popup_lists(theme)
        self._announcer = UiTestAnnouncer(theme.root, announce)
        self._kiosk = Kiosk(theme, data_dir, self._announcer)
        self._navigator = ScreenNavigator(theme, crashes.write)

        def report_callback_error(error: BaseException) -> None:
            crashes.write(error)
            self._announcer.announce("error", error=repr(error))

        theme.root.report_callback_exception = lambda _kind, error, _trace: report_callback_error(error)
        end_pages = SessionEndPages(
            self._navigator,
            self._kiosk,
            announcer=self._announcer,
            on_continue=theme.root.destroy,
            on_back=theme.root.destroy,
            ends_program=True,
        )
        self._controller = JoinController(
            self._navigator,
            end_pages,
            data_dir=data_dir,
            announcer=self._announcer,
            on_appearance=self._apply_appearance,
            report=crashes.write,
            **options,
        )
        self._controller.on_session = self._on_session

    def run(self, choice: JoinChoice) -> None:
        """Show the first screen and run until the window is closed."""
        root = self._theme.root
        root.protocol("WM_DELETE_WINDOW", self._close)
        root.bind("<F1>", lambda _event: self._show_help())
        self._theme.fit(*WINDOW_SIZE)
        self._controller.begin(choice)
        collect_garbage_here(root)
        root.mainloop()
        self._controller.stop()

    def _on_session(self) -> None:
        """Take a session's screen to full screen, if that is the appearance."""
        self._kiosk.release_page()
        if self._theme.appearance.full_screen and not self._kiosk.locked:
            self._kiosk.enter()

    def _apply_appearance(self, appearance: Appearance) -> None:
        screen = self._navigator.current
        self._theme.apply_appearance(appearance)
        if isinstance(screen, TableScreen):
            screen.rebuild()
        else:
            self._navigator.rebuild()

    def _show_help(self) -> None:
        screen = self._navigator.current
        if isinstance(screen, TableScreen):
            screen.show_help()

    def _close(self) -> None:
        root, screen = self._theme.root, self._navigator.current
        if self._kiosk.locked:
            # Alt+F4 must not leave a full screen session.
            self._announcer.announce("stays_open")
        elif self._kiosk.requires_experimenter:
            self._kiosk.request_exit(root.destroy)
        elif isinstance(screen, TableScreen) and screen.running:
            screen.ask_to_leave(root.destroy)
        else:
            root.destroy()
