"""Which offers of a transcript are folded, which one is on the table, and what its card needs. No Tk."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.presentation.transcript.offer_card_layout import PLAIN, CardState


@dataclass(frozen=True, slots=True)
class Standing:
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


class OfferCards:
    """Says how each offer is shown. Until an offer stands, all of them are shown as they are."""

    def __init__(self) -> None:
        self.standing: Standing | None = None
        self._open: set[int] = set()

    def stand(self, standing: Standing) -> set[int] | None:
        """Another offer stands, or the same in another state.

        Returns:
            The seqs of the offers that look different now; None if all of them do.
        """
        before, self.standing = self.standing, standing
        if before is None:
            return None
        return set() if before == standing else {before.seq, standing.seq}

    def turn(self, seq: int) -> bool:
        """Unfolds a replaced offer, or folds it again; whether it can be."""
        if self.standing is None or seq == self.standing.seq:
            return False
        self._open ^= {seq}
        return True

    def unfold(self, seq: int) -> bool:
        """Unfolds a replaced offer; whether that changed anything."""
        return seq not in self._open and self.turn(seq)

    def state_of(self, seq: int) -> CardState:
        """How an offer is shown."""
        standing = self.standing
        if standing is None:
            return PLAIN
        if seq != standing.seq:
            return CardState("open" if seq in self._open else "folded")
        return CardState("standing", standing.status, standing.heading, standing.room, standing.editing)
