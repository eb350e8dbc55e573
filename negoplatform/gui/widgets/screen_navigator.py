"""Navigator: the screen that the window shows, its replacement, and background tasks."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Protocol, TypeVar

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.background_task import in_background
from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.localized_names import displayable


class Screen(Protocol):
    """Contents of the whole window."""

    frame: tk.Frame


S = TypeVar("S", bound=Screen)
T = TypeVar("T")


class ScreenNavigator:
    """Host of the window's current screen.

    Args:
        theme: Theme of the window.
        report: Called with an unexpected error.
        first: Screen that the window shows already; None if there is none.
    """

    def __init__(
        self, theme: Theme, report: Callable[[BaseException], object], first: MessageScreen | None = None
    ) -> None:
        self.theme = theme
        self._report = report
        self.current: Screen | None = first
        self._factory: Callable[[], Screen] | None = None

    def show(self, make: Callable[[], S]) -> S:
        """Show a screen that can be rebuilt when the appearance changes."""
        screen = make()
        self.replace(screen)
        self._factory = make
        return screen

    def replace(self, screen: Screen) -> None:
        """Show a screen in place of the current one; it cannot be rebuilt until :meth:`set_factory`."""
        if self.current is not None:
            self.current.frame.destroy()
        self.current, self._factory = screen, None
        screen.frame.pack(fill="both", expand=True)

    def show_message(self, text: str) -> None:
        """Show a message."""
        self.show(lambda: MessageScreen(self.theme, text))

    def set_factory(self, make: Callable[[], Screen]) -> None:
        """Set the function that rebuilds the current screen."""
        self._factory = make

    def rebuild(self) -> None:
        """Rebuild the screen in the current appearance, if it has a factory."""
        if self._factory is not None:
            self.show(self._factory)

    def run_in_background(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[str], None]
    ) -> None:
        """Run a task in the background; call ``done`` or ``failed`` on the window's thread."""
        theme = self.theme
        in_background(theme.root, work, done, failed, report=self._report, translate=theme.translate)


def show_retry_screen(
    navigator: ScreenNavigator, announcer: UiTestAnnouncer, problem: str, on_retry: Callable[[], None]
) -> None:
    """Show an error message with a button to try again.

    Args:
        navigator: The window's navigator.
        announcer: Reports the problem to UI tests.
        problem: The error message.
        on_retry: Called when the button is pressed.
    """
    screen = MessageScreen(navigator.theme, displayable(problem), navigator.theme.translate("Try again"))
    screen.on_press(on_retry)
    announcer.register("try_again", screen.button)
    navigator.replace(screen)
    announcer.announce("cannot_start", text=problem)
