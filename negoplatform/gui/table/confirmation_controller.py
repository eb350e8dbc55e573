"""Confirmation of acts that bind a seat or end the game."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.domain.offer import Offer
from negoplatform.gui.widgets.dialogs import ModalHost
from negoplatform.presentation.bargaining.confirmation_texts import (
    accept_question,
    binding_question,
    leave_paused_question,
    leave_question,
    leave_resuming_question,
    walk_away_question,
)
from negoplatform.presentation.bargaining.offer_builder_view import AcceptView
from negoplatform.presentation.table.session_update_reader import SessionUpdateReader
from negoplatform.presentation.table.table_presenter import TablePresenter


class ConfirmationController:
    """Controller that asks for confirmation before binding offers, acceptances and walking away.

    Args:
        presenter: The presenter of the participant's table.
        updates: The latest update of the session.
        participant: Performs the confirmed acts.
        modal_host: Shows the dialogs.
    """

    def __init__(
        self,
        presenter: TablePresenter,
        updates: SessionUpdateReader,
        participant: ParticipantController,
        modal_host: ModalHost,
    ) -> None:
        self._presenter, self._updates = presenter, updates
        self._participant = participant
        self._modal_host = modal_host

    def offer(self, offer: Offer, send: Callable[[], None]) -> None:
        """Send an offer, after a confirmation if it would bind the participant."""
        if self._updates.newest is None:
            return
        binding = self._presenter.binding(self._updates.newest.view, self._updates.now, offer)
        if binding is None:
            send()
            return
        self._note_warning(binding)
        self._modal_host.ask(binding_question(binding, self._presenter.translate), send)

    def accept(self, accept: AcceptView) -> None:
        """Ask for confirmation of the offer that is shown, and accept that offer only."""
        if accept.offer_id is None:
            return
        offer_id = accept.offer_id
        self._confirm_accept(accept, lambda: self._participant.formal_accept(offer_id))

    def accept_shown(self, accept: AcceptView, do: Callable[[], None]) -> None:
        """Accept an offer that the participant has seen; ask only if no deal is worth more."""
        if accept.worse_than_no_deal:
            self._confirm_accept(accept, do)
        else:
            do()

    def walk_away(self) -> None:
        """Ask for confirmation, with the participant's points for walking away, and walk away."""
        if self._updates.newest is None:
            return
        mine = self._updates.newest.view.state.game.preferences[self._presenter.seat]
        pays = mine.quit_value - mine.cost_at(self._updates.now)
        several = len(self._presenter.names) > 1
        self._modal_host.ask(
            walk_away_question(pays, self._presenter.translate, several=several),
            self._participant.formal_quit,
        )

    def leave(self, leave: Callable[[], None], end: Callable[[], None], *, resuming: bool) -> None:
        """Ask for confirmation before the window is closed.

        Args:
            leave: Close the window; the session can be resumed.
            end: End the running game and close the window.
            resuming: Whether an interrupted game has not been continued yet.
        """
        translate = self._presenter.translate
        if resuming:
            self._modal_host.ask(leave_resuming_question(translate), leave)
        elif self._updates.paused:
            self._modal_host.ask(leave_paused_question(translate), leave)
        else:
            self._modal_host.ask(leave_question(translate), end)

    def _confirm_accept(self, accept: AcceptView, do: Callable[[], None]) -> None:
        self._note_warning(accept)
        self._modal_host.ask(accept_question(accept, self._presenter.translate), do)

    def _note_warning(self, what: AcceptView) -> None:
        if what.worse_than_no_deal:
            figures = {"points": what.points, "no_deal": what.no_deal}
            self._participant.note_warning("below_reservation_value", offer_id=what.offer_id or 0, **figures)
