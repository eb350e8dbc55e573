"""The one screen that the window shows, how another takes its place, and what is done beside it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Protocol, TypeVar

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.background_task import in_background
from negoplatform.gui.widgets.message_screen import MessageScreen


class Screen(Protocol):
    """Whatever fills the window."""

    frame: tk.Frame


S = TypeVar("S", bound=Screen)
T = TypeVar("T")


class Navigator:
    """Shows one screen at a time.

    Args:
        theme: The window.
        report: Is given an error that should not be.
        first: What the window shows already; None: nothing.
    """

    def __init__(
        self, theme: Theme, report: Callable[[BaseException], object], first: MessageScreen | None = None
    ) -> None:
        self.theme = theme
        self._report = report
        self.current: Screen | None = first
        self._factory: Callable[[], Screen] | None = None

    def show(self, make: Callable[[], S]) -> S:
        """Shows a screen that can be built anew in other looks."""
        screen = make()
        self.replace(screen)
        self._factory = make
        return screen

    def replace(self, screen: Screen) -> None:
        """Shows a screen in place of the one before."""
        if self.current is not None:
            self.current.frame.destroy()
        self.current, self._factory = screen, None
        screen.frame.pack(fill="both", expand=True)

    def show_message(self, text: str) -> None:
        """Shows a sentence."""
        self.show(lambda: MessageScreen(self.theme, text))

    def set_factory(self, make: Callable[[], Screen]) -> None:
        """From now on the screen is built anew by other means."""
        self._factory = make

    def rebuild(self) -> None:
        """Builds the screen again, in the looks of now, if it can be."""
        if self._factory is not None:
            self.show(self._factory)

    def run_in_background(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[str], None]
    ) -> None:
        """Does something beside the window; ``done`` or ``failed`` is called on the window's thread."""
        theme = self.theme
        in_background(theme.root, work, done, failed, report=self._report, translate=theme.translate)
