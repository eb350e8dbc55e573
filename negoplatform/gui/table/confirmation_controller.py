"""Confirmation of walking away and of leaving."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.gui.widgets.dialogs import ModalHost
from negoplatform.presentation.game_words import GameWords
from negoplatform.presentation.table.leaving_questions import (
    leave_paused_question,
    leave_question,
    leave_resuming_question,
)
from negoplatform.presentation.table.session_update_reader import SessionUpdateReader
from negoplatform.presentation.table.table_presenter import TablePresenter


class ConfirmationController:
    """Controller that asks for confirmation before the participant walks away or leaves.

    Args:
        presenter: The presenter of the participant's table.
        updates: The latest update of the session.
        participant: Performs the confirmed acts.
        modal_host: Shows the dialogs.
        words: The words for the kind of game.
    """

    def __init__(
        self,
        presenter: TablePresenter,
        updates: SessionUpdateReader,
        participant: ParticipantController,
        modal_host: ModalHost,
        words: GameWords,
    ) -> None:
        self._presenter, self._updates = presenter, updates
        self._participant = participant
        self._modal_host = modal_host
        self._words = words

    def walk_away(self) -> None:
        """Ask for confirmation, with what it gives the participant, and walk away."""
        if self._updates.newest is None:
            return
        question = self._presenter.work.walk_away_question(self._updates.newest.view.state, self._updates.now)
        self._modal_host.ask(question, self._participant.formal_quit)

    def leave(self, leave: Callable[[], None], end: Callable[[], None], *, resuming: bool) -> None:
        """Ask for confirmation before the window is closed.

        Args:
            leave: Close the window; the session can be resumed.
            end: End the running game and close the window.
            resuming: Whether an interrupted game has not been continued yet.
        """
        translate, words = self._presenter.translate, self._words
        if resuming:
            self._modal_host.ask(leave_resuming_question(words, translate), leave)
        elif self._updates.paused:
            self._modal_host.ask(leave_paused_question(words, translate), leave)
        else:
            self._modal_host.ask(leave_question(words, translate), end)
