"""A screen that says why something cannot be done, with a button that tries again."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.navigator import Navigator
from negoplatform.gui.widgets.test_announcer import UiTestAnnouncer
from negoplatform.presentation.formatting import displayable


def show_retry_screen(
    screens: Navigator, announcer: UiTestAnnouncer, problem: str, on_retry: Callable[[], None]
) -> None:
    """Shows it.

    Args:
        screens: The window.
        announcer: Is told what has gone wrong.
        problem: That, in a sentence.
        on_retry: Is called when the button is pressed.
    """
    screen = MessageScreen(screens.theme, displayable(problem), screens.theme.translate("Try again"))
    screen.on_press(on_retry)
    announcer.register("try_again", screen.button)
    screens.replace(screen)
    announcer.announce("cannot_start", text=problem)
