"""Confirmation of offers and acceptances that bind the participant."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.domain.offer import Offer
from negoplatform.gui.widgets.dialogs import ModalHost
from negoplatform.presentation.bargaining.bargaining_presenter import BargainingPresenter
from negoplatform.presentation.bargaining.confirmation_texts import accept_question, binding_question
from negoplatform.presentation.bargaining.offer_builder_view import AcceptView
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.table.session_update_reader import SessionUpdateReader


class OfferConfirmations:
    """Controller that asks for confirmation before binding offers and acceptances.

    Args:
        presenter: The presenter of bargaining.
        updates: The latest update of the session.
        participant: Performs the confirmed acts.
        modal_host: Shows the dialogs.
        translate: The window's language.
    """

    def __init__(
        self,
        presenter: BargainingPresenter,
        updates: SessionUpdateReader,
        participant: ParticipantController,
        modal_host: ModalHost,
        translate: Language,
    ) -> None:
        self._presenter, self._updates = presenter, updates
        self._participant = participant
        self._modal_host = modal_host
        self._translate = translate

    def offer(self, offer: Offer, send: Callable[[], None]) -> None:
        """Send an offer, after a confirmation if it would bind the participant."""
        if self._updates.newest is None:
            return
        binding = self._presenter.binding(self._updates.newest.view.state, self._updates.now, offer)
        if binding is None:
            send()
            return
        self._note_warning(binding)
        self._modal_host.ask(binding_question(binding, self._translate), send)

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

    def _confirm_accept(self, accept: AcceptView, do: Callable[[], None]) -> None:
        self._note_warning(accept)
        self._modal_host.ask(accept_question(accept, self._translate), do)

    def _note_warning(self, what: AcceptView) -> None:
        if what.worse_than_no_deal:
            figures = {"points": what.points, "no_deal": what.no_deal}
            self._participant.note_warning("below_reservation_value", offer_id=what.offer_id or 0, **figures)
