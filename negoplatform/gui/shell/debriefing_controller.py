"""Steps after a participant has finished a session: the debriefing, if there is one, and closing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_seat import ParticipantSeat
from negoplatform.domain.game_display_texts import paragraphs
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.table.debriefing_texts_screen import DebriefingScreen
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.game_words import game_words
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import join_names


def translate_debriefing(text: str, translate: Language) -> str:
    """Return a debriefing in the window's language, translated paragraph by paragraph."""
    return "\n\n".join(translate.translate_plugin_text(paragraph) for paragraph in paragraphs(text))


def debriefing_texts(
    debriefings: Sequence[tuple[str, str]], names: Mapping[Seat, str], game: str, translate: Language
) -> list[str]:
    """Return the texts of the page; of several agents, each text says whom it is about, and is there once.

    Args:
        debriefings: Pairs of source (``game`` for the game's) and text.
        names: The agents' names by seat.
        game: The game's name.
        translate: The window's language.
    """
    texts = [translate_debriefing(text, translate.for_game(game)) for of, text in debriefings if of == "game"]
    sources: dict[str, list[Seat]] = {}
    for of, text in debriefings:
        if of != "game":
            sources.setdefault(text, []).append(of)
    for text, seats in sources.items():
        if len(names) > 1:
            texts.append(
                translate("About {name}:", name=join_names([names[seat] for seat in seats], translate))
            )
        texts.append(translate_debriefing(text, translate.for_agents()))
    return texts


class DebriefingController:
    """Controller that shows and records a session's debriefings, and closes the session.

    Args:
        navigator: The window's navigator.
        announcer: Reports to UI tests what is shown.
    """

    def __init__(self, navigator: ScreenNavigator, *, announcer: UiTestAnnouncer) -> None:
        self._navigator = navigator
        self._announcer = announcer

    def run(
        self,
        table: ParticipantSeat,
        debriefings: tuple[tuple[str, str], ...],
        names: Mapping[Seat, str],
        then: Callable[[], None],
    ) -> None:
        """Show the debriefing, if any, and close the session.

        Args:
            table: The participant's seat in the session that they have finished.
            debriefings: Pairs of source (``game`` for the game's) and text.
            names: The agents' names by seat.
            then: Called when the debriefing has been read and closing the session has begun.
        """
        participant = ParticipantController(table)
        if not debriefings:
            participant.finish_closing()
            then()
            return
        began = time.monotonic()

        def close() -> None:
            participant.close_debriefing(time.monotonic() - began)
            participant.finish_closing()
            then()

        translate = self._navigator.theme.translate
        texts = debriefing_texts(debriefings, names, table.game.name, translate)
        participant.show_debriefing(debriefings)
        heading = translate(game_words(table.game.mechanism).about)
        self._navigator.show(
            lambda: DebriefingScreen(
                self._navigator.theme, texts, heading=heading, announcer=self._announcer, on_close=close
            )
        )
        self._announcer.announce("debriefing")
