"""The window before the program: shown at once, while everything else is still being loaded."""

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
    """Opens the window and stays until it is closed.

    Args:
        data_dir: Where sessions go and plugins come from.
        announce: Whether tests are told what is shown.
        reset: Whether everything looks as at first, and the code that leaves a full screen is forgotten.
        appearance_overrides: What of the looks is otherwise for this start only, by its name in Appearance.
        launch_options: Options of the command line: the fields of ``Wish`` in ``presentation/start/launch_options.py``.

    Raises:
        NegoError: If there is no display, or what was asked for cannot be.
    """
    if reset:
        from negoplatform.app.support.experimenter_code import delete_code

        reset_appearance(data_dir)
        delete_code(data_dir)
    appearance = replace(read_appearance(data_dir), **(appearance_overrides or {}))
    made: list[Theme] = []
    try:
        _run(data_dir, appearance, made, announce, launch_options)
    except BaseException:
        # What is said about it may stand in a window of its own; this one would stay beside it, dead.
        for theme in made:
            with suppress(tk.TclError):
                # What waits for a quiet moment would come after the end, and Tk would complain of it.
                theme.root.update_idletasks()
                theme.root.destroy()
        raise


def _run(
    data_dir: Path,
    appearance: Appearance,
    made: list[Theme],
    announce: bool,
    launch_options: Mapping[str, Any],
) -> None:
    """Runs the program; the windows that it made are in ``made``."""

    def make(*, sparse: bool = False) -> Theme:
        made.append(make_theme(appearance, sparse=sparse))
        return made[-1]

    asked_for = ("game", "agent", "agent_config", "resume", "watch")
    if any(launch_options.get(name) is not None for name in asked_for):
        # What cannot be is said before a window opens and closes again.
        from negoplatform.gui.shell.application import Application, LaunchOptions

        Application(
            data_dir, LaunchOptions(**launch_options, language=appearance.language), announce, make
        ).run()
        return
    theme = make(sparse=True)
    clicks = FileOpenEvents(theme.root)
    screen = MessageScreen(theme, theme.translate("Looking for games and agents…"))
    screen.frame.pack(fill="both", expand=True)
    theme.fit(*WINDOW_SIZE)
    theme.root.update()
    theme.finish()
    # Only now: games, logs and agents' processes take half a second to load, which nobody likes to wait
    # for without seeing anything.
    from negoplatform.gui.shell.application import Application, LaunchOptions

    wished = LaunchOptions(**launch_options, language=appearance.language)
    Application(data_dir, wished, announce, lambda: theme, screen, clicks).run()


def make_theme(appearance: Appearance, *, sparse: bool = False) -> Theme:
    """The window, not yet shown; a sparse one has only words and cards until it is finished.

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
    """Until the program is there to keep it in a file."""
    raise error
