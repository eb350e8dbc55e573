"""The guided practice before a participant's first negotiation, and whenever somebody asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from negoplatform.app.session.guided_practice import PARTNER, practice_game, practice_session
from negoplatform.gui.avatars.avatars import Avatar
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.table.table_setup import TableSetup
from negoplatform.gui.widgets.navigator import Navigator
from negoplatform.gui.widgets.test_announcer import UiTestAnnouncer
from negoplatform.language import is_language_parsed
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.characters import character_for
from negoplatform.presentation.chat.interpretation_language import with_localized_names
from negoplatform.presentation.table.practice_guide import GuideOptions, PracticeStep, practice_words


@dataclass(frozen=True, slots=True)
class PracticeResult:
    """How a practice went.

    Args:
        outcome: ``done`` or ``skipped``.
        step: The number of the step that was reached.
        seconds: How long it took, by the wall clock.
    """

    outcome: str
    step: int
    seconds: float


class PracticeController:
    """Shows the practice in the window's own table.

    Args:
        screens: The window.
        announcer: Is told what is shown.
        on_wear: Is given other looks when they are asked for.
        report: Is given an unexpected error.
    """

    def __init__(
        self,
        navigator: Navigator,
        *,
        announcer: UiTestAnnouncer,
        on_appearance: Callable[[Appearance], None],
        report: Callable[[BaseException], object],
    ) -> None:
        self._screens, self._announcer = navigator, announcer
        self._on_appearance, self._report = on_appearance, report

    def begin(self, on_finished: Callable[[PracticeResult], None]) -> None:
        """Show the practice; ``on_finished`` is called when it is over or skipped, and shows what follows."""
        theme = self._screens.theme
        language = theme.translate.code
        reads_talk = is_language_parsed(language)
        words = practice_words(theme.translate)
        game = practice_game(words, language=language, reads_talk=reads_talk)
        if reads_talk:
            game = with_localized_names(game, language)
        table = practice_session(game, words, report=self._report)
        began = time.monotonic()

        def leave(step: PracticeStep) -> None:
            # Never waits: this is called by Tk.
            table.stop(0.0)
            outcome = "done" if step is PracticeStep.DONE else "skipped"
            self._announcer.announce("practice_over", outcome=outcome)
            on_finished(PracticeResult(outcome, int(step), round(time.monotonic() - began, 3)))

        # By one name: the partner has the same face in every language.
        avatars = {PARTNER: Avatar(character_for("Sam"))}
        place = TableSetup(table, {PARTNER: words.partner}, avatars, guide=GuideOptions(leave, reads_talk))
        self._screens.replace(
            TableScreen(
                theme,
                place,
                announcer=self._announcer,
                on_appearance=self._on_appearance,
                on_done=lambda: leave(PracticeStep.DONE),
            )
        )
        self._announcer.announce("practice")
