"""Prompt for unfinished sessions, each of which is resumed, closed or left as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from negoplatform.app.session.log_proofs import LogProofs
from negoplatform.app.session.session_start import SESSIONS, OpenSession, fallback_folders
from negoplatform.app.session.unfinished_sessions import UnfinishedSession, find_unfinished
from negoplatform.gui.start.unfinished_screen import UnfinishedScreen
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer


class UnfinishedController:
    """Controller that finds unfinished sessions and asks how to proceed with them.

    Args:
        navigator: The window's navigator.
        data_dir: The folder that holds the sessions.
        announcer: Reports to UI tests what is shown.
        resume: Open a session to continue it; slow.
        close: Close a session as interrupted; slow.
        on_open: Called with a resumed session.
    """

    def __init__(
        self,
        navigator: ScreenNavigator,
        *,
        data_dir: Path,
        announcer: UiTestAnnouncer,
        resume: Callable[[Path], OpenSession],
        close: Callable[[Path], None],
        on_open: Callable[[OpenSession], None],
    ) -> None:
        self._navigator = navigator
        self._data_dir = data_dir
        self._announcer = announcer
        self._resume = resume
        self._close = close
        self._on_open = on_open

    def find_for(self, participant: str) -> list[UnfinishedSession]:
        """Return the unfinished sessions of one participant, without showing a message meanwhile."""
        return self._find(participant)

    def check(
        self, then: Callable[[], None], failed: Callable[[str], None], *, participant: str | None = None
    ) -> None:
        """Find unfinished sessions and ask about them.

        Args:
            then: Called when there is nothing left to ask.
            failed: Called with a sentence if the sessions cannot be searched.
            participant: A participant about to begin a new session, to ask about theirs only; None: all.
        """
        self._navigator.show_message(self._navigator.theme.translate("Looking for unfinished sessions…"))
        self._navigator.run_in_background(
            lambda: self._find(participant),
            lambda found: self.prompt(found, then, starts_new=participant is not None),
            failed,
        )

    def prompt(
        self, found: Sequence[UnfinishedSession], then: Callable[[], None], *, starts_new: bool = False
    ) -> None:
        """Ask about unfinished sessions.

        Args:
            found: The sessions, newest first.
            then: Called when there is nothing left to ask.
            starts_new: Whether a new session follows.
        """
        if not found:
            then()
            return
        translate = self._navigator.theme.translate

        def resume(session: UnfinishedSession) -> None:
            screen.show_busy(translate("Resuming…"))
            self._navigator.run_in_background(
                lambda: self._resume(session.path), self._on_open, screen.show_error
            )

        def close(session: UnfinishedSession) -> None:
            screen.show_busy(translate("Closing…"))
            rest = [other for other in found if other is not session]
            self._navigator.run_in_background(
                lambda: self._close(session.path),
                lambda _none: self.prompt(rest, then, starts_new=starts_new),
                screen.show_error,
            )

        screen = UnfinishedScreen(
            self._navigator.theme,
            found,
            announcer=self._announcer,
            on_resume=resume,
            on_close=close,
            on_keep=then,
            starts_new=starts_new,
        )
        self._navigator.replace(screen)

    def _find(self, participant: str | None = None) -> list[UnfinishedSession]:
        elsewhere = fallback_folders(self._data_dir)
        proofs = LogProofs.of_data_folder(self._data_dir)
        return find_unfinished(self._data_dir / SESSIONS, *elsewhere, participant=participant, proofs=proofs)
