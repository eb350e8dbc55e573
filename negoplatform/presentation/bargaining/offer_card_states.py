"""Which offers of a transcript are folded, which one is on the table, and what its card needs. No Tk."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.presentation.transcript.offer_card_layout import PLAIN_CARD, OfferCardState


@dataclass(frozen=True, slots=True)
class NewestOffer:
    """The newest offer.

    Args:
        seq: The seq of its event.
        status: What has become of it, in a few words.
        heading: What stands in place of its heading; empty: nothing.
        room: The height in pixels that its controls need.
        editing: Whether these stand in place of its terms.
    """

    seq: int
    status: str
    heading: str = ""
    room: int = 0
    editing: bool = False


class OfferCardStates:
    """Says how each offer is shown. Until an offer stands, all of them are shown as they are."""

    def __init__(self) -> None:
        self.newest: NewestOffer | None = None
        self._open: set[int] = set()

    def set_newest(self, newest: NewestOffer) -> set[int] | None:
        """Another offer stands, or the same in another state.

        Returns:
            The seqs of the offers that look different now; None if all of them do.
        """
        before, self.newest = self.newest, newest
        if before is None:
            return None
        return set() if before == newest else {before.seq, newest.seq}

    def toggle(self, seq: int) -> bool:
        """Unfolds a replaced offer, or folds it again; whether it can be."""
        if self.newest is None or seq == self.newest.seq:
            return False
        self._open ^= {seq}
        return True

    def unfold(self, seq: int) -> bool:
        """Unfolds a replaced offer; whether that changed anything."""
        return seq not in self._open and self.toggle(seq)

    def state_of(self, seq: int) -> OfferCardState:
        """How an offer is shown."""
        standing = self.newest
        if standing is None:
            return PLAIN_CARD
        if seq != standing.seq:
            return OfferCardState("open" if seq in self._open else "folded")
        return OfferCardState("standing", standing.status, standing.heading, standing.room, standing.editing)
