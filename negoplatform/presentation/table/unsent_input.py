"""Unsent text and messages in flight of a participant. No Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from negoplatform.core.events import Event, EventType, Message
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.chat.address_view import EVERYONE, Address
from negoplatform.presentation.table.unsent_codec import dump_unsent, stored_address, unsent_text


class UnsentInput:
    """Messages without an outcome yet, and the recipients of what is said next.

    Args:
        seat: Seat of the participant.
        game: The game.
        saved_draft: Stored unsent draft and text of an interrupted session.
        events: Events so far, as visible to the seat.
    """

    def __init__(
        self, seat: Seat, game: GameSpec, saved_draft: Mapping[str, Any] | None, events: Sequence[Event]
    ) -> None:
        self._seat = seat
        self._in_flight: list[tuple[Message, Address]] = []
        answers = [
            event.get_text() if self._is_own_message(event) else None
            for event in events
            if self._is_outcome(event)
        ]
        self._resolved_count = len(answers)
        self.restored_text = unsent_text(saved_draft, answers)
        """Text to restore to the line at the start."""
        self.address = stored_address(saved_draft, answers, game, seat)
        """Recipients of what the participant says next."""

    def add(self, message: Message, to: Address = EVERYONE) -> None:
        """Add a message in flight."""
        self._in_flight.append((message, to))

    def resolve(self, event: Event) -> tuple[bool, str]:
        """Return whether an event is the outcome of a message, and the typed text if that was refused."""
        if not self._is_outcome(event) or not self._in_flight:
            return False, ""
        message, to = self._in_flight.pop(0)
        self._resolved_count += 1
        # A phrase can be chosen again; only typed text would be lost.
        if self._is_own_message(event) or not _is_typed(message):
            return True, ""
        # A text for some must not come back into a line that is for everyone.
        self.address = to or self.address
        return True, message.text

    def take_undelivered(self) -> str:
        """Return typed text without an outcome, when there can be no more outcomes: it was never recorded."""
        words = " ".join(message.text for message, _to in self._in_flight if _is_typed(message))
        self._in_flight.clear()
        return words

    def to_document(self, words: str, work: Mapping[str, Any]) -> dict[str, Any]:
        """Return what would be lost if the program ended now.

        Args:
            words: The text in the line.
            work: What the mechanism keeps: JSON values under ``work``, or bargaining's keys.
        """
        return dump_unsent(
            work,
            words,
            [message.text for message, _to in self._in_flight],
            self._resolved_count,
            to=self.address,
            sent_to=[to for _message, to in self._in_flight],
        )

    def _is_own_message(self, event: Event) -> bool:
        """Return whether an event is a message of the participant."""
        return event.type == EventType.SEND_MESSAGE and event.sender == self._seat

    def _is_outcome(self, event: Event) -> bool:
        """Return whether an event is the outcome of a participant's message: recorded or refused."""
        refused = event.type == EventType.ACTION_REFUSED and event.payload.action == EventType.SEND_MESSAGE
        return refused or self._is_own_message(event)


def _is_typed(message: Message) -> bool:
    """Return whether a message is no phrase."""
    return message == Message(message.text)
