"""Where a session leads: what is shown when its participant is done, or leaves before it begins."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.gui.shell.kiosk import Kiosk
from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.navigator import Screens
from negoplatform.gui.widgets.test_announcer import Announcer


class WaysOut:
    """Shows the page after a session.

    The start window names agents and their strategies. A participant never gets there: their page has no
    button, and only the experimenter leads on from it.

    Args:
        screens: The window.
        kiosk: Tells the experimenter from a participant.
        announcer: Is told what is shown.
        on: Leads on after the end: to the start window, or out of the program.
        back: Leads back from a session that has not begun.
        ends: Whether the program ends then.
    """

    def __init__(
        self,
        screens: Screens,
        kiosk: Kiosk,
        *,
        announcer: Announcer,
        on: Callable[[], None],
        back: Callable[[], None],
        ends: bool,
    ) -> None:
        self._screens, self._theme = screens, screens.theme
        self._kiosk = kiosk
        self._announcer = announcer
        self._on, self._back, self.ends = on, back, ends

    def done(self, *, participant: bool) -> None:
        """The session is over, and its participant is done with the end."""
        if participant:
            self._hold(_thanks_to_participant, self._on)
        elif self.ends:
            self._on()
            return
        else:
            self._screens.show(self._for_experimenter)
        self._announcer.tell("thanks")

    def left(self, *, participant: bool) -> None:
        """The session was left before it began."""
        if participant:
            self._hold(_left, self._back)
            self._announcer.tell("left")
        else:
            self._back()

    def _hold(self, make: Callable[[Screens], MessageScreen], then: Callable[[], None]) -> None:
        self._screens.show(lambda: make(self._screens))
        self._kiosk.guard(then)

    def _for_experimenter(self) -> MessageScreen:
        say = self._theme.say
        page = MessageScreen(
            self._theme,
            say("Your answers have been saved. Thank you!"),
            say("New negotiation"),
            details=[say("For the experimenter: the next page shows the agents and their settings.")],
        )
        page.on_press(lambda: self._kiosk.ask(self._on))
        self._announcer.name("again", page.button)
        return page


def _thanks_to_participant(screens: Screens) -> MessageScreen:
    say = screens.theme.say
    return MessageScreen(
        screens.theme,
        say("Your answers have been saved. Thank you!"),
        details=[say("Please tell the experimenter that you’re done.")],
    )


def _left(screens: Screens) -> MessageScreen:
    say = screens.theme.say
    return MessageScreen(
        screens.theme,
        say("Please tell the experimenter that you’ve left."),
        details=[say("The negotiation hasn’t started, and nothing has been recorded.")],
    )
