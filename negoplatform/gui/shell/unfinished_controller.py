"""What was interrupted comes before anything new: it is resumed, closed, or left as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from negoplatform.app.session.session_start import SESSIONS, OpenSession, fallback_folders
from negoplatform.app.session.unfinished_sessions import UnfinishedSession, find_unfinished
from negoplatform.gui.start.unfinished_screen import UnfinishedScreen
from negoplatform.gui.widgets.navigator import Navigator
from negoplatform.gui.widgets.test_announcer import UiTestAnnouncer


class UnfinishedController:
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
        screens: Navigator,
        *,
        data_dir: Path,
        announcer: UiTestAnnouncer,
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

    def find_for(self, participant: str) -> list[UnfinishedSession]:
        """Those of one participant, as quick as can be."""
        return self._find(participant)

    def check(
        self, then: Callable[[], None], failed: Callable[[str], None], *, participant: str | None = None
    ) -> None:
        """Looks for them, and asks about them.

        Args:
            then: Is called once nothing is left to be asked.
            failed: Is given the sentence, if they cannot be looked for.
            participant: Whose they are, who begins a new session then; None: anybody's.
        """
        self._screens.show_message(self._screens.theme.translate("Looking for unfinished sessions…"))
        self._screens.run_in_background(
            lambda: self._find(participant),
            lambda found: self.prompt(found, then, anew=participant is not None),
            failed,
        )

    def prompt(
        self, found: Sequence[UnfinishedSession], then: Callable[[], None], *, anew: bool = False
    ) -> None:
        """Asks about sessions.

        Args:
            found: The sessions, newest first.
            then: Is called once nothing is left to be asked.
            anew: Whether a new session begins then.
        """
        if not found:
            then()
            return
        translate = self._screens.theme.translate

        def resume(session: UnfinishedSession) -> None:
            screen.show_busy(translate("Resuming…"))
            self._screens.run_in_background(
                lambda: self._resume(session.path), self._on_open, screen.show_error
            )

        def close(session: UnfinishedSession) -> None:
            screen.show_busy(translate("Closing…"))
            rest = [other for other in found if other is not session]
            self._screens.run_in_background(
                lambda: self._close(session.path),
                lambda _none: self.prompt(rest, then, anew=anew),
                screen.show_error,
            )

        screen = UnfinishedScreen(
            self._screens.theme,
            found,
            announcer=self._announcer,
            on_resume=resume,
            on_close=close,
            on_keep=then,
            starts_new=anew,
        )
        self._screens.replace(screen)

    def _find(self, participant: str | None = None) -> list[UnfinishedSession]:
        elsewhere = fallback_folders(self._data_dir)
        return find_unfinished(self._data_dir / SESSIONS, *elsewhere, participant=participant)
