"""Pictures of a study's screens, each shown in the window and saved as a PNG, and what does not fit."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tkinter import ttk
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.gui.study.step_actions import StepActions, StepScreen
from negoplatform.gui.study.step_screens import make_step_screen
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialog_backdrop_pictures import grab_window
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.study.step_page import StepPage

ROUNDING = 2
"""Pixels by which a text may be wider than its widget, or a widget lie outside: nothing is cut off then."""


class NoActions(StepActions):
    """Actions of screens that are only shown: they do nothing."""

    def consent(self, ticks: Sequence[str], signature: str) -> None:
        """Do nothing."""

    def decline(self) -> None:
        """Do nothing."""

    def go_on(self) -> None:
        """Do nothing."""

    def show_page(self, page: int) -> None:
        """Do nothing."""

    def answer_page(self, answers: Sequence[Any]) -> None:
        """Do nothing."""

    def try_quiz(self, answers: Mapping[str, Any]) -> None:
        """Do nothing."""

    def choose(self, option: str) -> None:
        """Do nothing."""

    def open_call(self) -> None:
        """Do nothing."""

    def return_from_call(self, word: str) -> None:
        """Do nothing."""

    def ask_for_help(self, text: str) -> None:
        """Do nothing."""

    def ask_experimenter(self) -> None:
        """Do nothing."""

    def keep_draft(self, values: Mapping[str, Any]) -> None:
        """Do nothing."""

    def time_out(self) -> None:
        """Do nothing."""

    def wait_is_over(self) -> None:
        """Do nothing."""


def shown_screens(
    theme: Theme, pages: Iterable[tuple[str, StepPage]], picture: Callable[[str], Path | None]
) -> Iterator[tuple[str, StepScreen]]:
    """Show the screen of each page in the window, one after the other, and yield each while it is shown.

    Args:
        theme: The window, which is visible.
        pages: Names and pages.
        picture: Returns the file of a picture of the study.
    """
    announcer = UiTestAnnouncer(theme.root, active=False)
    for name, page in pages:
        screen = make_step_screen(theme, page, NoActions(), announcer=announcer, picture=picture)
        screen.frame.pack(fill="both", expand=True)
        theme.root.update()
        screen.focus_first()
        theme.root.update()
        yield name, screen
        screen.close()
        screen.frame.destroy()


def save_screens(
    theme: Theme,
    pages: Iterable[tuple[str, StepPage]],
    folder: Path,
    picture: Callable[[str], Path | None],
) -> list[Path]:
    """Save a picture of the screen of each page as ``NAME.png`` in a folder; return the files.

    Args:
        theme: The window, which is visible and not covered by others.
        pages: Names and pages.
        folder: The folder, which is created if it does not exist.
        picture: Returns the file of a picture of the study.

    Raises:
        NegoError: If the system provides no pictures of windows, or a file cannot be written.
    """
    files = []
    for name, _screen in shown_screens(theme, pages, picture):
        files.append(folder / f"{name}.png")
        save_window(theme, files[-1])
    return files


def save_window(theme: Theme, path: Path) -> None:
    """Save a picture of the window; its folder is made if there is none.

    Raises:
        NegoError: If the system provides no pictures of windows, or the file cannot be written.
    """
    root = theme.root
    image = grab_window(theme, (0, 0, root.winfo_width(), root.winfo_height()))
    if image is None:
        raise NegoError("The system provides no pictures of the window, so its screens cannot be saved.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        image.save(path, optimize=True)
    except OSError as error:
        raise NegoError(f"The picture {path} cannot be saved: {error}.") from error


def cut_off_controls(screen: tk.Misc) -> list[str]:
    """Return what lies outside of a screen, or of the part that scrolls, and texts that are cut off.

    Args:
        screen: The frame of the screen, which is shown and fills its window.
    """
    screen.update_idletasks()
    return [fault for widget in _inside(screen) for fault in _faults_of(widget, screen)]


def _inside(widget: tk.Misc) -> Iterator[tk.Misc]:
    for child in widget.winfo_children():
        if not isinstance(child, tk.Toplevel):
            yield child
            yield from _inside(child)


def _faults_of(widget: tk.Misc, screen: tk.Misc) -> Iterator[str]:
    text = str(widget.cget("text")) if isinstance(widget, tk.Label | ttk.Button) else ""
    name = f"“{text}”" if text else f"a part ({widget.winfo_class()} {widget})"
    assert widget.master is not None, "only windows have no master"
    if not widget.winfo_viewable():
        # Tk hides what finds no room at all; an empty canvas requests none.
        wants_room = widget.winfo_reqwidth() > 1 and widget.winfo_reqheight() > 1
        if wants_room and widget.winfo_manager() and widget.master.winfo_viewable():
            yield f"{name} has no room"
        return
    scrolled = _scrolled_part(widget, screen)
    within = scrolled or screen
    left, top = within.winfo_rootx() - widget.winfo_rootx(), screen.winfo_rooty() - widget.winfo_rooty()
    if max(left, widget.winfo_width() - within.winfo_width() - left) > ROUNDING:
        yield f"{name} is too wide"
    if scrolled is None and max(top, widget.winfo_height() - screen.winfo_height() - top) > ROUNDING:
        yield f"{name} is too low"
    if text and widget.winfo_reqwidth() > widget.winfo_width() + ROUNDING:
        yield f"{name} is cut off"


def _scrolled_part(widget: tk.Misc, screen: tk.Misc) -> tk.Canvas | None:
    """Return the canvas that scrolls a widget; None if it is not scrolled."""
    above = widget.master
    while above is not None and above is not screen:
        if isinstance(above, tk.Canvas):
            return above
        above = above.master
    return None
