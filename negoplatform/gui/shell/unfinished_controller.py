"""What was interrupted comes before anything new: it is resumed, closed, or left as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from negoplatform.app.session.session_start import SESSIONS, OpenSession, fallback_folders
from negoplatform.app.session.unfinished_sessions import Unfinished, find_unfinished
from negoplatform.gui.start.unfinished_screen import UnfinishedScreen
from negoplatform.gui.widgets.navigator import Screens
from negoplatform.gui.widgets.test_announcer import Announcer


class Interrupted:
    """Looks for unfinished sessions, and asks what shall become of them.

    Args:
        screens: The window.
        data_dir: Where sessions are kept.
        announcer: Is told what is shown.
        resume: Opens a session to go on with it; takes its time.
        close: Ends a session; takes its time.
        on_open: Is given a session that goes on.
    """

    def __init__(
        self,
        screens: Screens,
        *,
        data_dir: Path,
        announcer: Announcer,
        resume: Callable[[Path], OpenSession],
        close: Callable[[Path], None],
        on_open: Callable[[OpenSession], None],
    ) -> None:
        self._screens = screens
        self._data_dir = data_dir
        self._announcer = announcer
        self._resume = resume
        self._close = close
        self._on_open = on_open

    def of(self, participant: str) -> list[Unfinished]:
        """Those of one participant, as quick as can be."""
        return self._find(participant)

    def look(
        self, then: Callable[[], None], failed: Callable[[str], None], *, participant: str | None = None
    ) -> None:
        """Looks for them, and asks about them.

        Args:
            then: Is called once nothing is left to be asked.
            failed: Is given the sentence, if they cannot be looked for.
            participant: Whose they are, who begins a new session then; None: anybody's.
        """
        self._screens.show_message(self._screens.theme.say("Looking for unfinished sessions…"))
        self._screens.in_background(
            lambda: self._find(participant),
            lambda found: self.ask(found, then, anew=participant is not None),
            failed,
        )

    def ask(self, found: Sequence[Unfinished], then: Callable[[], None], *, anew: bool = False) -> None:
        """Asks about sessions.

        Args:
            found: The sessions, newest first.
            then: Is called once nothing is left to be asked.
            anew: Whether a new session begins then.
        """
        if not found:
            then()
            return
        say = self._screens.theme.say

        def resume(session: Unfinished) -> None:
            screen.wait(say("Resuming…"))
            self._screens.in_background(lambda: self._resume(session.path), self._on_open, screen.complain)

        def close(session: Unfinished) -> None:
            screen.wait(say("Closing…"))
            rest = [other for other in found if other is not session]
            self._screens.in_background(
                lambda: self._close(session.path),
                lambda _none: self.ask(rest, then, anew=anew),
                screen.complain,
            )

        screen = UnfinishedScreen(
            self._screens.theme,
            found,
            announcer=self._announcer,
            on_resume=resume,
            on_close=close,
            on_keep=then,
            anew=anew,
        )
        self._screens.put(screen)

    def _find(self, participant: str | None = None) -> list[Unfinished]:
        elsewhere = fallback_folders(self._data_dir)
        return find_unfinished(self._data_dir / SESSIONS, *elsewhere, participant=participant)
