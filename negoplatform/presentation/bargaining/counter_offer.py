"""A counter-offer that is edited on the card of the offer that it answers. No Tk."""

from __future__ import annotations

from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.state import Phase, State
from negoplatform.domain.seat import Seat
from negoplatform.presentation.bargaining.draft_offer import Draft, OnDraftChange


class CounterOfferState:
    """Knows whether a card is being edited, and what the draft was before.

    Args:
        seat: The participant's seat.
        on_change: Is given what shall be done to the draft.
    """

    def __init__(self, seat: Seat, *, on_change: OnDraftChange) -> None:
        self._seat = seat
        self._on_change = on_change
        self._previous_draft: Draft | None = None
        self.base_offer_id: int | None = None
        """The seq of the offer with whose terms it began; None: nothing is edited on a card."""

    def open(self, state: State, draft: Draft) -> bool:
        """Begins with the terms of the other side's offer; whether there is one."""
        on_table = bargaining_state(state).on_table
        if on_table is None or on_table.sender == self._seat or self.base_offer_id is not None:
            return False
        self.base_offer_id, self._previous_draft = on_table.offer_id, draft
        self._on_change(lambda draft: draft.replaced_by(on_table.offer))
        return True

    def cancel(self) -> bool:
        """Puts the draft back as it was before; whether anything was edited."""
        before, self._previous_draft = self._previous_draft, None
        was_open, self.base_offer_id = self.base_offer_id is not None, None
        if before is not None:
            self._on_change(lambda _draft: before)
        return was_open

    def update(self, state: State) -> None:
        """Once there is nothing to counter any more, the draft stays in the builder as it is."""
        on_table = bargaining_state(state).on_table
        gone = on_table is None or on_table.sender == self._seat or state.phase is not Phase.NEGOTIATING
        if self.base_offer_id is not None and gone:
            self.base_offer_id = self._previous_draft = None
