"""The screen of each kind of step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from negoplatform.gui.study.briefing_screen import BriefingScreen
from negoplatform.gui.study.form_screen import FormScreen, QuizScreen
from negoplatform.gui.study.reading_screens import ConsentScreen, PageScreen
from negoplatform.gui.study.short_screens import (
    CallScreen,
    ChoiceScreen,
    EndScreen,
    PaymentScreen,
    ResultScreen,
    WaitScreen,
)
from negoplatform.gui.study.step_actions import StepActions, StepScreen
from negoplatform.gui.study.step_frame import StepFrame
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.study.step_page import StepPage

MakeScreen = Callable[..., StepFrame]

SCREENS: Mapping[str, MakeScreen] = {
    "briefing": BriefingScreen,
    "call": CallScreen,
    "choice": ChoiceScreen,
    "consent": ConsentScreen,
    "end": EndScreen,
    "form": FormScreen,
    "over": EndScreen,
    "page": PageScreen,
    "payment": PaymentScreen,
    "quiz": QuizScreen,
    "result": ResultScreen,
    "wait": WaitScreen,
}
"""Screens by kind of page."""


def make_step_screen(
    theme: Theme,
    page: StepPage,
    actions: StepActions,
    *,
    announcer: UiTestAnnouncer,
    picture: Callable[[str], Path | None],
) -> StepScreen:
    """Return the screen of a step, not yet shown.

    Args:
        theme: Theme of the window.
        page: What the screen shows.
        actions: Actions of the participant.
        announcer: Reports the positions of controls to UI tests.
        picture: Returns the file of a picture; None if there is none.
    """
    return SCREENS[page.kind](theme, page, actions, announcer=announcer, picture=picture)
