"""The offers among a transcript's lines: how each is shown, and the controls on the newest offer's card."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterable, Mapping, Sequence

from negoplatform.presentation.transcript.layout_items import Block, WidgetSlot
from negoplatform.presentation.transcript.offer_card_layout import PLAIN_CARD, OfferCardState
from negoplatform.presentation.transcript.offer_card_states import NewestOffer, OfferCardStates
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

OFFERS = ("offer_mine", "offer_theirs")
"""The kinds of lines that are offers."""


class OfferCardIndex:
    """Index of the transcript's offers with their display states; it places the newest offer's controls.

    Args:
        canvas: The canvas on which the lines are drawn.
    """

    def __init__(self, canvas: tk.Canvas) -> None:
        self._canvas = canvas
        self._cards = OfferCardStates()
        self._index_by_seq: dict[int, int] = {}
        self._controls: tk.Widget | None = None
        self._item: int | None = None

    def clear(self) -> None:
        """Remove all offers."""
        self._index_by_seq.clear()

    def add(self, lines: Sequence[TranscriptEntry], first: int) -> None:
        """Add the offers among new lines; ``first`` is the index of the first line."""
        self._index_by_seq |= {
            line.seq: index for index, line in enumerate(lines, first) if line.kind in OFFERS
        }

    def state_of(self, line: TranscriptEntry) -> OfferCardState:
        """Return how a line is shown; a line that is no offer has the plain state."""
        return self._cards.state_of(line.seq) if line.kind in OFFERS else PLAIN_CARD

    def index_of(self, seq: int) -> int | None:
        """Return the index of an offer's line by the seq of its event, or None if there is no such line."""
        return self._index_by_seq.get(seq)

    def set_newest(self, newest: NewestOffer) -> list[int]:
        """Set the newest offer and its state; return the indexes of the lines to draw again."""
        changed = self._cards.set_newest(newest)
        return self._indexes(self._index_by_seq if changed is None else changed)

    def is_foldable(self, line: TranscriptEntry) -> bool:
        """Return whether a line is an offer that can be folded or unfolded."""
        return self.state_of(line).mode in ("folded", "open")

    def toggle(self, line: TranscriptEntry) -> list[int]:
        """Unfold a replaced offer or fold it again; return the indexes of the lines to draw again."""
        return self._indexes([line.seq]) if line.kind in OFFERS and self._cards.toggle(line.seq) else []

    def unfold(self, seq: int) -> list[int]:
        """Unfold a replaced offer; return the indexes of the lines to draw again."""
        return self._indexes([seq]) if self._cards.unfold(seq) else []

    def embed_controls(self, controls: tk.Widget) -> None:
        """Set the widget to place on the newest offer's card; its parent is the canvas's parent."""
        self._controls = controls

    def place_controls(self, drawn: Mapping[int, int], block: Callable[[int], Block]) -> None:
        """Place the controls on their card, or hide them while the card is out of view.

        Args:
            drawn: The y coordinate of each line in view, by its index.
            block: Return a line's layout by its index.
        """
        newest_offer = self._cards.newest
        index = None if newest_offer is None else self._index_by_seq.get(newest_offer.seq)
        pieces = block(index).pieces if index in drawn and index is not None else ()
        slot = next((piece for piece in pieces if isinstance(piece, WidgetSlot)), None)
        if self._controls is None or slot is None or index is None:
            if self._item is not None:
                self._canvas.itemconfigure(self._item, state="hidden")
            return
        if self._item is None:
            self._item = self._canvas.create_window(0, 0, anchor="nw", window=self._controls)
        self._canvas.coords(self._item, slot.x, drawn[index] + slot.y)
        self._canvas.itemconfigure(self._item, state="normal", width=slot.width)

    def _indexes(self, seqs: Iterable[int]) -> list[int]:
        return [self._index_by_seq[seq] for seq in seqs if seq in self._index_by_seq]
