"""The replay viewer in its own window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.app.playback.playback import Playback
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.app.support.experimenter_code import delete_code
from negoplatform.domain.errors import NegoError
from negoplatform.gui.replay.replay_screen import ReplayScreen
from negoplatform.gui.shell.window_startup import make_theme
from negoplatform.gui.theming.theme import WINDOW_SIZE
from negoplatform.gui.widgets.background_task import in_background
from negoplatform.gui.widgets.garbage_collection import collect_garbage_here
from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.popup_list import use_popup_lists
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.appearance import read_appearance, reset_appearance
from negoplatform.presentation.replay.open_log import open_playback


def open_replay(
    log: Path,
    data_dir: Path,
    *,
    announce: bool = False,
    reset: bool = False,
    appearance_overrides: Mapping[str, Any],
) -> None:
    """Open the window and run until it is closed.

    Args:
        log: A log file or a session's folder.
        data_dir: The folder for games and crash files.
        announce: Whether to report to UI tests what is shown.
        reset: Whether to reset the appearance and delete the experimenter's code first.
        appearance_overrides: Fields of the appearance that differ for this start only, by name.

    Raises:
        NegoError: If the log cannot be read, or there is no display.
    """
    if reset:
        reset_appearance(data_dir)
        delete_code(data_dir)
    theme = make_theme(replace(read_appearance(data_dir), **appearance_overrides))
    crashes = CrashFolder(data_dir / "crashes")
    use_popup_lists(theme)
    root, announcer = theme.root, UiTestAnnouncer(theme.root, announce)
    root.report_callback_exception = lambda _kind, error, _trace: crashes.write(error)
    message = MessageScreen(theme, theme.translate("Opening the log…"))
    message.frame.pack(fill="both", expand=True)
    theme.fit(*WINDOW_SIZE)
    problems: list[str] = []

    def show(playback: Playback) -> None:
        message.frame.destroy()
        screen = ReplayScreen(theme, playback, announcer=announcer, report=crashes.write)
        screen.frame.pack(fill="both", expand=True)

    def fail(problem: str) -> None:
        problems.append(problem)
        # Tk's pending idle tasks, on the colours of a new window, would fail once it is gone.
        root.update_idletasks()
        root.destroy()

    in_background(
        root,
        lambda: open_playback(log, data_dir),
        show,
        fail,
        report=crashes.write,
        translate=theme.translate,
    )
    collect_garbage_here(root)
    root.mainloop()
    if problems:
        raise NegoError(problems[0])
