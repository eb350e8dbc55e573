"""Screen with an error message and a button to try again."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.navigator import Navigator
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.formatting import displayable


def show_retry_screen(
    navigator: Navigator, announcer: UiTestAnnouncer, problem: str, on_retry: Callable[[], None]
) -> None:
    """Show the screen.

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
