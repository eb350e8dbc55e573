"""Start of the window: it is shown at once, while the rest of the program is loaded."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.gui.shell.file_open_events import FileOpenEvents
from negoplatform.gui.theming.theme import WINDOW_SIZE, Theme
from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.presentation.appearance import Appearance, read_appearance, reset_appearance


def open_window(
    data_dir: Path,
    *,
    announce: bool = False,
    reset: bool = False,
    appearance_overrides: Mapping[str, Any] | None = None,
    **launch_options: Any,
) -> None:
    """Open the window and run until it is closed.

    Args:
        data_dir: The folder for sessions and plugins.
        announce: Whether to report to UI tests what is shown.
        reset: Whether to reset the appearance and delete the experimenter's code first.
        appearance_overrides: Fields of ``Appearance`` that differ for this start only, by name.
        launch_options: The command line's options: fields of ``LaunchOptions``.

    Raises:
        NegoError: If there is no display, or the options cannot be satisfied.
    """
    if reset:
        from negoplatform.app.support.experimenter_code import delete_code

        reset_appearance(data_dir)
        delete_code(data_dir)
    appearance = replace(read_appearance(data_dir), **(appearance_overrides or {}))
    windows: list[Theme] = []
    try:
        _run(data_dir, appearance, windows, announce, launch_options)
    except BaseException:
        # The error may be shown in a window of its own; this one would remain next to it, dead.
        for theme in windows:
            with suppress(tk.TclError):
                # Pending idle tasks would run after the end, and fail.
                theme.root.update_idletasks()
                theme.root.destroy()
        raise


def _run(
    data_dir: Path,
    appearance: Appearance,
    windows: list[Theme],
    announce: bool,
    launch_options: Mapping[str, Any],
) -> None:
    """Run the program; append each window that it makes to ``windows``."""

    def make(*, sparse: bool = False) -> Theme:
        windows.append(make_theme(appearance, sparse=sparse))
        return windows[-1]

    needed = ("game", "agent", "agents", "agent_config", "resume", "watch", "study")
    if any(launch_options.get(name) not in (None, {}) for name in needed):
        # Problems with these options are reported before a window opens.
        from negoplatform.gui.shell.application import Application, LaunchOptions

        Application(
            data_dir, LaunchOptions(**launch_options, language=appearance.language), announce, make
        ).run()
        return
    theme = make(sparse=True)
    open_events = FileOpenEvents(theme.root)
    screen = MessageScreen(theme, theme.translate("Looking for games and agents…"))
    screen.frame.pack(fill="both", expand=True)
    theme.fit(*WINDOW_SIZE)
    theme.root.update()
    theme.finish()
    # Imported only now: games, logs and agents' processes take half a second to load, and the window is
    # shown meanwhile.
    from negoplatform.gui.shell.application import Application, LaunchOptions

    options = LaunchOptions(**launch_options, language=appearance.language)
    Application(data_dir, options, announce, lambda: theme, screen, open_events).run()


def make_theme(appearance: Appearance, *, sparse: bool = False) -> Theme:
    """Return the window, not yet shown; a sparse one has only labels and cards until it is finished.

    Raises:
        NegoError: If there is no display.
    """
    try:
        return Theme("NegoPlatform", appearance, _reraise, sparse=sparse)
    except tk.TclError as error:
        if "display" not in str(error):
            raise
        raise NegoError(
            "There is no display here, so no window can be opened; "
            "'negoplatform simulate' plays agents without one."
        ) from None


def _reraise(error: BaseException) -> None:
    """Raise the exception again; used until the application writes exceptions to crash files."""
    raise error
