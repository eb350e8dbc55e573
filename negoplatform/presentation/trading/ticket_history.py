"""Trade ticket with its history, so that steps can be undone and a counter-proposal given up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.trading.trade_ticket import (
    EMPTY_TICKET,
    TradeTicketDraft,
    ticket_from_document,
)

MOST_STEPS = 100
"""Most steps that can be undone."""


@dataclass(frozen=True, slots=True)
class TicketHistory:
    """A ticket's draft with the drafts before and after it.

    Args:
        draft: The draft.
        past: Earlier drafts, oldest first.
        future: Drafts that were undone, the next one last.
        kept: The draft that a counter-proposal has replaced; None if there is none.
    """

    draft: TradeTicketDraft = EMPTY_TICKET
    past: tuple[TradeTicketDraft, ...] = ()
    future: tuple[TradeTicketDraft, ...] = ()
    kept: TradeTicketDraft | None = None

    @property
    def can_cancel(self) -> bool:
        """Whether a counter-proposal can be given up for the draft before it."""
        return self.kept is not None and self.draft.answers is not None

    def changed(self, draft: TradeTicketDraft) -> Self:
        """Return the history after a change; the keystrokes of one amount are one step."""
        if draft == self.draft:
            return self
        if self._is_typing(draft):
            return replace(self, draft=draft, future=())
        return replace(self, draft=draft, past=(*self.past, self.draft)[-MOST_STEPS:], future=())

    def undone(self) -> Self:
        """Return the history without its last change."""
        if not self.past:
            return self
        return replace(
            self, draft=self.past[-1], past=self.past[:-1], future=(*self.future, self.draft)[-MOST_STEPS:]
        )

    def redone(self) -> Self:
        """Return the history with the change that was undone last."""
        if not self.future:
            return self
        return replace(self, draft=self.future[-1], past=(*self.past, self.draft), future=self.future[:-1])

    def answering(self, draft: TradeTicketDraft) -> Self:
        """Return the history with a counter-proposal; the draft before it is kept."""
        kept = self.kept if self.can_cancel else self.draft
        return replace(self.changed(draft), kept=kept)

    def cancelled(self) -> Self:
        """Return the history with the draft that a counter-proposal has replaced."""
        return self if self.kept is None else replace(self.changed(self.kept), kept=None)

    def cleared(self) -> Self:
        """Return the history with an empty ticket."""
        return self.changed(self.draft.cleared())

    def sent(self) -> Self:
        """Return the history after the draft was sent: the draft before a counter-proposal, or none."""
        draft = self.kept if self.can_cancel and self.kept is not None else self.draft.cleared()
        return replace(self, draft=draft, past=(), future=(), kept=None)

    def to_document(self) -> dict[str, Any]:
        """Return the draft and the kept one as JSON values."""
        kept = {} if self.kept is None else {"kept": self.kept.to_document()}
        return {**self.draft.to_document(), **kept}

    @classmethod
    def from_document(cls, document: object, game: GameSpec, seat: Seat) -> Self:
        """Return a stored history; what does not fit the game is left out."""
        stored = document if isinstance(document, Mapping) else {}
        kept = stored.get("kept")
        return cls(
            draft=ticket_from_document(document, game, seat),
            kept=None if kept is None else ticket_from_document(kept, game, seat),
        )

    def _is_typing(self, draft: TradeTicketDraft) -> bool:
        """Return whether a change goes on typing the amount that the change before it has begun."""
        same = replace(draft, amount=self.draft.amount) == self.draft
        return same and bool(self.past) and replace(self.past[-1], amount=draft.amount) == draft
