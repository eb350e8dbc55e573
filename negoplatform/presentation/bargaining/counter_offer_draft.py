"""State of a counter-offer that is edited on the card of the offer it answers. No Tk."""

from __future__ import annotations

from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.state import Phase, State
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.bargaining.draft_offer import Draft, OnDraftChange


class CounterOfferDraft:
    """State of the counter-offer: its base offer, and the draft before it.

    Args:
        seat: Seat of the participant.
        on_change: Called with an edit of the draft.
    """

    def __init__(self, seat: Seat, *, on_change: OnDraftChange) -> None:
        self._seat = seat
        self._on_change = on_change
        self._previous_draft: Draft | None = None
        self.base_offer_id: int | None = None
        """``seq`` of the offer on which the counter-offer is based; None if none is being edited."""

    def open(self, state: State, draft: Draft) -> bool:
        """Start with the terms of the other side's offer; return whether there is one."""
        on_table = bargaining_state(state).on_table
        if on_table is None or on_table.sender == self._seat or self.base_offer_id is not None:
            return False
        self.base_offer_id, self._previous_draft = on_table.offer_id, draft
        self._on_change(lambda draft: draft.replaced_by(on_table.offer))
        return True

    def cancel(self) -> bool:
        """Restore the previous draft; return whether a counter-offer was being edited."""
        before, self._previous_draft = self._previous_draft, None
        was_open, self.base_offer_id = self.base_offer_id is not None, None
        if before is not None:
            self._on_change(lambda _draft: before)
        return was_open

    def update(self, state: State) -> None:
        """End editing once there is no offer to counter; the draft stays in the builder."""
        on_table = bargaining_state(state).on_table
        gone = on_table is None or on_table.sender == self._seat or state.phase is not Phase.NEGOTIATING
        if self.base_offer_id is not None and gone:
            self.base_offer_id = self._previous_draft = None
