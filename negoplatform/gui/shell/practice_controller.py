"""The guided practice before a participant's first negotiation, and whenever somebody asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from negoplatform.app.session.guided_practice import PARTNER, practice_game, practice_table
from negoplatform.gui.avatars.avatars import Avatar
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.table.table_setup import Place
from negoplatform.gui.widgets.navigator import Screens
from negoplatform.gui.widgets.test_announcer import Announcer
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.characters import character_for
from negoplatform.presentation.chat.interpretation_language import is_read, with_shown_names
from negoplatform.presentation.table.practice_guide import Guide, Step, practice_words


@dataclass(frozen=True, slots=True)
class Practised:
    """How a practice went.

    Args:
        outcome: ``done`` or ``skipped``.
        step: The number of the step that was reached.
        seconds: How long it took, by the wall clock.
    """

    outcome: str
    step: int
    seconds: float


class Practising:
    """Shows the practice in the window's own table.

    Args:
        screens: The window.
        announcer: Is told what is shown.
        on_wear: Is given other looks when they are asked for.
        report: Is given an unexpected error.
    """

    def __init__(
        self,
        screens: Screens,
        *,
        announcer: Announcer,
        on_wear: Callable[[Appearance], None],
        report: Callable[[BaseException], object],
    ) -> None:
        self._screens, self._announcer = screens, announcer
        self._on_wear, self._report = on_wear, report

    def begin(self, then: Callable[[Practised], None]) -> None:
        """Show the practice; ``then`` is called when it is over or skipped, and shows what follows."""
        theme = self._screens.theme
        language = theme.say.code
        reads_talk = is_read(language)
        words = practice_words(theme.say)
        game = practice_game(words, language=language, reads_talk=reads_talk)
        if reads_talk:
            game = with_shown_names(game, language)
        table = practice_table(game, words, report=self._report)
        began = time.monotonic()

        def leave(step: Step) -> None:
            # Never waits: this is called by Tk.
            table.stop(0.0)
            outcome = "done" if step is Step.DONE else "skipped"
            self._announcer.tell("practice_over", outcome=outcome)
            then(Practised(outcome, int(step), round(time.monotonic() - began, 3)))

        # By one name: the partner has the same face in every language.
        avatars = {PARTNER: Avatar(character_for("Sam"))}
        place = Place(table, {PARTNER: words.partner}, avatars, guide=Guide(leave, reads_talk))
        self._screens.put(
            TableScreen(
                theme,
                place,
                announcer=self._announcer,
                on_wear=self._on_wear,
                on_done=lambda: leave(Step.DONE),
            )
        )
        self._announcer.tell("practice")
