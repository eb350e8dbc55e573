"""What a participant has prepared and not sent, and what is on its way: no Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from negoplatform.core.events import Event, EventType, Message
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import Seat
from negoplatform.presentation.bargaining.draft_offer import Draft, DraftHistory
from negoplatform.presentation.table.draft_storage import dump_draft, load_draft, unsent_text


class Outbox:
    """The draft with its past, and the messages of which it is not known yet what has become of them.

    Args:
        seat: The participant's seat.
        game: The game.
        kept: What had not been sent when the session was interrupted.
        events: What has happened so far, as that seat sees it.
    """

    def __init__(
        self, seat: Seat, game: GameSpec, saved_draft: Mapping[str, Any] | None, events: Sequence[Event]
    ) -> None:
        self._seat = seat
        self._in_flight: list[Message] = []
        answers = [
            event.get_text() if self._is_own_message(event) else None
            for event in events
            if self._is_outcome(event)
        ]
        self._resolved_count = len(answers)
        self.history = DraftHistory(load_draft(saved_draft, game))
        self.restored_text = unsent_text(saved_draft, answers)
        """What goes back into the line at the beginning."""

    @property
    def draft(self) -> Draft:
        """The draft as it is now."""
        return self.history.draft

    def add(self, message: Message) -> None:
        """Words are on their way."""
        self._in_flight.append(message)

    def resolve(self, event: Event) -> tuple[bool, str]:
        """Whether something on its way has been said or refused, and the typed words that come back if so."""
        if not self._is_outcome(event) or not self._in_flight:
            return False, ""
        message = self._in_flight.pop(0)
        self._resolved_count += 1
        # A phrase can be chosen again; only what was typed would be lost.
        typed = message == Message(message.text)
        return True, message.text if typed and not self._is_own_message(event) else ""

    def take_undelivered(self) -> str:
        """Typed words of which nothing has become, once nothing more can: they were never said."""
        words = " ".join(message.text for message in self._in_flight if message == Message(message.text))
        self._in_flight.clear()
        return words

    def to_document(self, words: str) -> dict[str, Any]:
        """Everything that would be lost if the program ended now; ``words`` stand in the line."""
        typed = [message.text for message in self._in_flight]
        return dump_draft(self.draft, words, typed, self._resolved_count)

    def _is_own_message(self, event: Event) -> bool:
        """Whether these are words of the participant."""
        return event.type == EventType.SEND_MESSAGE and event.sender == self._seat

    def _is_outcome(self, event: Event) -> bool:
        """Whether this is what has become of words of the participant: they were said, or refused."""
        refused = event.type == EventType.ACTION_REFUSED and event.payload.action == EventType.SEND_MESSAGE
        return refused or self._is_own_message(event)
