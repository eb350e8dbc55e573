"""What a participant's window may do at a live table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.app.live import LiveTable
from negoplatform.core.events import EndedBy, Expression, Message
from negoplatform.core.notes import NoteKind
from negoplatform.core.session import Session
from negoplatform.domain.offer import Offer


class Participant:
    """What a participant's window may do: the session's own verbs, through the table's queue.

    Args:
        table: The table that the participant sits at.
    """

    def __init__(self, table: LiveTable) -> None:
        self._table = table
        self._seat = table.seat

    def send_message(self, message: Message) -> None:
        """Says something."""
        self._table.propose(lambda session: session.send_message(self._seat, message))

    def send_offer(self, offer: Offer) -> None:
        """Puts an offer on the table."""
        self._table.propose(lambda session: session.send_offer(self._seat, offer))

    def send_expression(self, expression: Expression, duration_ms: int) -> None:
        """Shows an emotion for so many milliseconds."""
        self._table.propose(lambda session: session.send_expression(self._seat, expression, duration_ms))

    def show_drafting(self, draft: Offer) -> None:
        """Says that an offer is being built."""
        self._table.propose(lambda session: session.offer_in_progress(self._seat, draft))

    def show_typing(self) -> None:
        """Says that a message is being typed."""
        self._table.propose(lambda session: session.show_typing(self._seat))

    def keep_draft(self, draft: Mapping[str, Any]) -> None:
        """Keeps what was prepared and not sent, for a session that is resumed."""
        self._table.keep_draft(draft)

    def formal_accept(self, offer_id: int) -> None:
        """Accepts the offer of that id: the one that the participant saw."""
        self._table.propose(lambda session: session.formal_accept(self._seat, offer_id))

    def formal_quit(self) -> None:
        """Walks away."""
        self._table.propose(lambda session: session.formal_quit(self._seat))

    def note_warning(self, about: str, **figures: float) -> None:
        """Records that the participant was warned."""
        self._table.propose(lambda session: session.note(NoteKind.WARNING_SHOWN, about=about, **figures))

    def leave(self) -> None:
        """Closes the window of a running game."""

        def close(session: Session) -> None:
            session.note(NoteKind.WINDOW_CLOSED, seat=self._seat)
            session.end(EndedBy.ABORTED, "The participant closed the window.", by=self._seat)

        self._table.propose(close)
