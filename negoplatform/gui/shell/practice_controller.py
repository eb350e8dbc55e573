"""Guided practice before a participant's first negotiation, or on request."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from negoplatform.app.session.practice_session import PARTNER, practice_game, practice_session
from negoplatform.app.support.localized_game_names import with_localized_names
from negoplatform.gui.avatars.agent_avatar import Avatar
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.table.table_screen_inputs import TableScreenInputs
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.gui.workbenches import make_workbench
from negoplatform.language import is_language_parsed
from negoplatform.presentation.agent_characters import character_for
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.table.practice_guide import GuideOptions, PracticeStep, practice_words


@dataclass(frozen=True, slots=True)
class PracticeResult:
    """Result of a practice.

    Args:
        outcome: ``done`` or ``skipped``.
        step: The number of the step that was reached.
        seconds: The duration by the wall clock.
    """

    outcome: str
    step: int
    seconds: float


class PracticeController:
    """Controller of the practice, which uses the same table screen as a session.

    Args:
        navigator: The window's navigator.
        announcer: Reports to UI tests what is shown.
        on_appearance: Called with an appearance chosen at the table.
        report: Called with an unexpected exception.
    """

    def __init__(
        self,
        navigator: ScreenNavigator,
        *,
        announcer: UiTestAnnouncer,
        on_appearance: Callable[[Appearance], None],
        report: Callable[[BaseException], object],
    ) -> None:
        self._navigator, self._announcer = navigator, announcer
        self._on_appearance, self._report = on_appearance, report

    def begin(self, on_finished: Callable[[PracticeResult], None]) -> None:
        """Show the practice; ``on_finished`` is called when it is done or skipped, to show what follows."""
        theme = self._navigator.theme
        language = theme.translate.code
        reads_talk = is_language_parsed(language)
        words = practice_words(theme.translate)
        game = practice_game(words, language=language, reads_talk=reads_talk)
        if reads_talk:
            game = with_localized_names(game, language)
        table = practice_session(game, words, report=self._report)
        table.await_start()
        began = time.monotonic()

        def leave(step: PracticeStep) -> None:
            # Do not wait for the session's thread: this runs on the Tk thread.
            table.stop(0.0)
            outcome = "done" if step is PracticeStep.DONE else "skipped"
            self._announcer.announce("practice_over", outcome=outcome)
            on_finished(PracticeResult(outcome, int(step), round(time.monotonic() - began, 3)))

        # A fixed name: the partner has the same face in every language.
        avatars = {PARTNER: Avatar(character_for("Sam"))}
        inputs = TableScreenInputs(
            table.participant_seat,
            {PARTNER: words.partner},
            make_workbench(game),
            avatars,
            guide=GuideOptions(leave, reads_talk),
        )
        self._navigator.replace(
            TableScreen(
                theme,
                inputs,
                announcer=self._announcer,
                on_appearance=self._on_appearance,
                on_done=lambda: leave(PracticeStep.DONE),
            )
        )
        self._announcer.announce("practice")
