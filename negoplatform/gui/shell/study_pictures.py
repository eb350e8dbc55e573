"""Pictures of all screens of a study, in every cell and language, and whether everything fits on them."""

from __future__ import annotations

import gc
import time
import tkinter as tk
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.gui.study.screen_pictures import cut_off_controls, save_window, shown_screens
from negoplatform.gui.table.shown_table import ShownSession, shown_table_screen, state_at_start
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.garbage_collection import collect_garbage_here
from negoplatform.gui.workbenches import make_workbench
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.study.study_screens import TableAtStart, study_screens
from negoplatform.presentation.study.study_screens_page import (
    ShownScreen,
    group_screens,
    require_free_names,
    screens_page,
)
from negoplatform.study.study_file import cell_name

SCREEN = (1366, 768)
"""Size of the window: that of a small laptop."""

LARGE_TEXT = 1.15
"""Text size at which everything has to fit too."""

PAGE = "screens.html"

SCROLLED_SHARE = 0.9
"""Share of what is seen by which a screen is scrolled from picture to picture."""

DRAWN_SECONDS = 0.3
"""Seconds after which a table is drawn."""


def save_study_pictures(
    folder: StudyFolder, place: Path, report: Callable[[BaseException], object]
) -> list[ShownScreen]:
    """Save a picture of each screen in a folder, and a page with all of them; return the screens.

    Args:
        folder: The study.
        place: The folder: a new or an empty one, or one with earlier pictures, which are replaced.
        report: Called with errors of agents.

    Raises:
        NegoError: If there is no display, the study cannot be played, or the folder cannot be used.
    """
    with study_window(_raise, SCREEN) as theme:
        _make_room(place)
        shown = _screens_of(folder, report)
        require_free_names(shown)
        for language in folder.study.model.languages:
            ours = [one for one in shown if one.language == language]
            _show_in(theme, language)
            # Where the pointer is over no control.
            theme.root.event_generate("<Motion>", warp=True, x=1, y=theme.root.winfo_height() - 1)
            for one in ours:
                with _displayed(theme, one, folder, report) as frame:
                    one.files = _save(theme, frame, place, one)
                    one.faults += _faults(frame, one, language)
            _show_in(theme, language, LARGE_TEXT)
            for one in ours:
                with _displayed(theme, one, folder, report) as frame:
                    one.faults += _faults(frame, one, f"{language}, text size {LARGE_TEXT:.0%}")
    atomic_write(place / PAGE, screens_page(folder, shown).encode("utf-8"), replace=True)
    return shown


def _show_in(theme: Theme, language: str, text_size: float = 1.0) -> None:
    theme.apply_appearance(Appearance(language=language, reduce_motion=True, text_size=text_size))


def _screens_of(folder: StudyFolder, report: Callable[[BaseException], object]) -> list[ShownScreen]:
    """Return the screens of all cells and languages."""
    found = []
    for cell in folder.study.model.cells():
        for language in folder.study.model.languages:
            with TemporaryDirectory(prefix="negoplatform-") as place:
                screens = study_screens(folder, cell, language, Path(place), report)
                found += [(cell_name(cell), language, screen) for screen in screens]
    return group_screens(found)


@contextmanager
def study_window(on_error: Callable[[BaseException], None], size: tuple[int, int]) -> Iterator[Theme]:
    """Make a window for the context.

    Args:
        on_error: Called with an exception raised in a callback.
        size: Its size, if the screen has room for it.

    Raises:
        NegoError: If there is no display.
    """
    try:
        theme = Theme("NegoPlatform", Appearance(reduce_motion=True), on_error)
    except tk.TclError as error:
        if "display" not in str(error):
            raise
        raise NegoError(
            "There is no display here, so no screen can be shown; use a computer with a screen, or put "
            "xvfb-run before the command."
        ) from None
    try:
        theme.fit(*size)
        theme.root.update()
        collect_garbage_here(theme.root)
        yield theme
    finally:
        theme.root.update_idletasks()
        gc.collect()
        theme.root.destroy()
        gc.enable()


def _raise(error: BaseException) -> None:
    raise error


def _make_room(place: Path) -> None:
    """Remove earlier pictures.

    Raises:
        NegoError: If there are other files.
    """
    try:
        place.mkdir(parents=True, exist_ok=True)
        files = list(place.iterdir())
        if files and not (place / PAGE).is_file():
            raise NegoError(f"{place} holds other files; name a new or an empty folder for the pictures.")
        for file in files:
            if file.suffix == ".png" and file.name[:2].isdecimal():
                file.unlink()
    except OSError as error:
        raise NegoError(f"The folder {place} cannot be used ({error.strerror}); name another one.") from None


@contextmanager
def _displayed(
    theme: Theme, shown: ShownScreen, folder: StudyFolder, report: Callable[[BaseException], object]
) -> Iterator[tk.Frame]:
    """Show a screen for the context."""
    contents = shown.screen.contents
    if isinstance(contents, TableAtStart):
        plan = contents.plan
        session = ShownSession(plan)
        screen = shown_table_screen(
            theme,
            plan,
            session,
            make_workbench(plan.game),
            shows_rules=contents.shows_rules,
            note=contents.note,
            report=report,
        )
        session.show(state_at_start(plan, report), 0.0)
        screen.frame.pack(fill="both", expand=True)
        end = time.monotonic() + DRAWN_SECONDS
        while time.monotonic() < end:
            theme.root.update()
            time.sleep(0.01)
        yield screen.frame
        screen.frame.destroy()
        return
    for _name, step_screen in shown_screens(theme, [(shown.name, contents)], folder.picture):
        yield step_screen.frame


def _save(theme: Theme, frame: tk.Misc, place: Path, shown: ShownScreen) -> list[str]:
    """Save a picture of a screen, and further ones of what is seen after scrolling; return their names."""
    files = [f"{shown.name}.png"]
    save_window(theme, place / files[0])
    contents = shown.screen.contents
    canvas = None
    if not isinstance(contents, TableAtStart) or contents.shows_rules:
        canvas = _scrolling_canvas(frame)
    while canvas is not None and canvas.yview()[1] < 1:
        first, last = canvas.yview()
        canvas.yview_moveto(first + (last - first) * SCROLLED_SHARE)
        theme.root.update()
        files.append(f"{shown.name}_{len(files) + 1}.png")
        save_window(theme, place / files[-1])
    return files


def _scrolling_canvas(widget: tk.Misc) -> tk.Canvas | None:
    """Return the canvas inside of a widget that can be scrolled down; None if there is none."""
    for child in widget.winfo_children():
        if isinstance(child, tk.Canvas) and child.winfo_viewable() and child.yview()[1] < 1:
            return child
        if (found := _scrolling_canvas(child)) is not None:
            return found
    return None


def _faults(frame: tk.Misc, shown: ShownScreen, where: str) -> list[str]:
    """Return sentences about what does not fit on a screen."""
    step = shown.screen.step
    return [f"{step} ({where}): {fault}." for fault in dict.fromkeys(cut_off_controls(frame))]
