"""What follows when a participant is done with the end: the debriefing, if there is one."""

from __future__ import annotations

import time
from collections.abc import Callable

from negoplatform.app.session.live_session import LiveTable
from negoplatform.app.session.participant_controller import Participant
from negoplatform.domain.game_texts import paragraphs
from negoplatform.gui.table.debriefing_screen import DebriefingScreen
from negoplatform.gui.widgets.navigator import Screens
from negoplatform.gui.widgets.test_announcer import Announcer
from negoplatform.presentation.i18n import Language


def translated(text: str, say: Language) -> str:
    """Return a debriefing in the window's language, paragraph by paragraph."""
    return "\n\n".join(say.own(paragraph) for paragraph in paragraphs(text))


class AfterSession:
    """Shows what a session's game and agent want read, has it noted, and closes the session.

    Args:
        screens: The window.
        announcer: Is told what is shown.
    """

    def __init__(self, screens: Screens, *, announcer: Announcer) -> None:
        self._screens = screens
        self._announcer = announcer

    def follow(
        self, table: LiveTable, debriefings: tuple[tuple[str, str], ...], then: Callable[[], None]
    ) -> None:
        """Go on after the end.

        Args:
            table: The table, which the participant is done with.
            debriefings: What is still to be read, with where it comes from.
            then: Is called when that has been read, and the session is being closed.
        """
        participant = Participant(table)
        if not debriefings:
            participant.close()
            then()
            return
        began = time.monotonic()

        def close() -> None:
            participant.close_debriefing(time.monotonic() - began)
            participant.close()
            then()

        say = self._screens.theme.say
        of_game, of_agents = say.of_game(table.game.name), say.of_agents()
        texts = [translated(text, of_game if of == "game" else of_agents) for of, text in debriefings]
        participant.show_debriefing(debriefings)
        self._screens.show(
            lambda: DebriefingScreen(self._screens.theme, texts, announcer=self._announcer, on_close=close)
        )
        self._announcer.tell("debriefing")
