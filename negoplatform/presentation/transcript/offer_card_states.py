"""States of the offer cards in a transcript: folded, standing, and room for controls. No Tk."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.presentation.transcript.offer_card_layout import PLAIN_CARD, OfferCardState


@dataclass(frozen=True, slots=True)
class NewestOffer:
    """State of the newest offer.

    Args:
        seq: ``seq`` of its event.
        status: Status in a few words.
        heading: Replacement for the usual heading; empty for none.
        room: Height in pixels that the controls need.
        editing: Whether the controls replace the terms.
    """

    seq: int
    status: str
    heading: str = ""
    room: int = 0
    editing: bool = False


class OfferCardStates:
    """States of all offer cards; before :meth:`set_newest`, all of them are plain."""

    def __init__(self) -> None:
        self.newest: NewestOffer | None = None
        self._open: set[int] = set()

    def set_newest(self, newest: NewestOffer) -> set[int] | None:
        """Set the newest offer, or its new state.

        Returns:
            The ``seq`` of the offers whose cards changed; None if all of them did.
        """
        before, self.newest = self.newest, newest
        if before is None:
            return None
        return set() if before == newest else {before.seq, newest.seq}

    def toggle(self, seq: int) -> bool:
        """Unfold a replaced offer, or fold it; return whether it can be folded."""
        if self.newest is None or seq == self.newest.seq:
            return False
        self._open ^= {seq}
        return True

    def unfold(self, seq: int) -> bool:
        """Unfold a replaced offer; return whether anything changed."""
        return seq not in self._open and self.toggle(seq)

    def state_of(self, seq: int) -> OfferCardState:
        """Return the state of an offer's card."""
        newest = self.newest
        if newest is None:
            return PLAIN_CARD
        if seq != newest.seq:
            return OfferCardState("open" if seq in self._open else "folded")
        return OfferCardState("standing", newest.status, newest.heading, newest.room, newest.editing)
