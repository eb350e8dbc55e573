"""A screen that says why something cannot be done, with a button that tries again."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.navigator import Screens
from negoplatform.gui.widgets.test_announcer import Announcer
from negoplatform.presentation.formatting import drawable


def offer_another_try(
    screens: Screens, announcer: Announcer, problem: str, again: Callable[[], None]
) -> None:
    """Shows it.

    Args:
        screens: The window.
        announcer: Is told what has gone wrong.
        problem: That, in a sentence.
        again: Is called when the button is pressed.
    """
    screen = MessageScreen(screens.theme, drawable(problem), screens.theme.say("Try again"))
    screen.on_press(again)
    announcer.name("try_again", screen.button)
    screens.put(screen)
    announcer.tell("cannot_start", text=problem)
