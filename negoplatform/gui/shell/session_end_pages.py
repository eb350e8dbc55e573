"""Pages after a session: shown when its participant is done, or leaves before it begins."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.gui.shell.kiosk import Kiosk
from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.game_words import GameWords


class SessionEndPages:
    """Controller of the page after a session.

    The start window names agents and their strategies. A participant never reaches it: their page has no
    button, and only the experimenter can go on from it.

    Args:
        navigator: The window's navigator.
        kiosk: Asks for the experimenter's code.
        announcer: Reports to UI tests what is shown.
        on_continue: Called to go on after the end: to the start window, or out of the program.
        on_back: Called to go back from a session that has not begun.
        ends_program: Whether the program ends after the session.
    """

    def __init__(
        self,
        navigator: ScreenNavigator,
        kiosk: Kiosk,
        *,
        announcer: UiTestAnnouncer,
        on_continue: Callable[[], None],
        on_back: Callable[[], None],
        ends_program: bool,
    ) -> None:
        self._navigator, self._theme = navigator, navigator.theme
        self._kiosk = kiosk
        self._announcer = announcer
        self._on_continue, self._on_back, self.ends_program = on_continue, on_back, ends_program

    def after_end(self, words: GameWords, result: str, *, participant: bool) -> None:
        """Show the page after a finished session, or end the program.

        Args:
            words: The words for its kind of game.
            result: What the participant has earned, in words; empty if nothing is to be said.
            participant: Whether the person at the window is a participant.
        """
        if participant:
            self._show_guarded(lambda navigator: _thanks_page(navigator, result), self._on_continue)
        elif self.ends_program:
            self._on_continue()
            return
        else:
            self._navigator.show(lambda: self._experimenter_page(words, result))
        self._announcer.announce("thanks")

    def after_leaving(self, words: GameWords, *, participant: bool) -> None:
        """Go back after a session that was left before it began; ``words`` are those for its kind of game."""
        if participant:
            self._show_guarded(lambda navigator: _left_page(navigator, words), self._on_back)
            self._announcer.announce("left")
        else:
            self._on_back()

    def _show_guarded(
        self, make: Callable[[ScreenNavigator], MessageScreen], then: Callable[[], None]
    ) -> None:
        self._navigator.show(lambda: make(self._navigator))
        self._kiosk.require_experimenter(then)

    def _experimenter_page(self, words: GameWords, result: str) -> MessageScreen:
        translate = self._theme.translate
        page = MessageScreen(
            self._theme,
            translate("Everything has been saved. Thank you!"),
            translate(words.again),
            details=[
                *filter(None, [result]),
                translate("For the experimenter: the next page shows the agents and their settings."),
            ],
        )
        page.on_press(lambda: self._kiosk.request_exit(self._on_continue))
        self._announcer.register("again", page.button)
        return page


def _thanks_page(navigator: ScreenNavigator, result: str) -> MessageScreen:
    translate = navigator.theme.translate
    return MessageScreen(
        navigator.theme,
        translate("Everything has been saved. Thank you!"),
        details=[*filter(None, [result]), translate("Please tell the experimenter that you’re done.")],
    )


def _left_page(navigator: ScreenNavigator, words: GameWords) -> MessageScreen:
    translate = navigator.theme.translate
    return MessageScreen(
        navigator.theme,
        translate("Please tell the experimenter that you’ve left."),
        details=[translate(words.not_started)],
    )
