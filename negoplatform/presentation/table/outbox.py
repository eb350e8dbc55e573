"""What a participant has prepared and not sent, and what is on its way: no Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from negoplatform.core.events import Event, EventType, Message
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import Seat
from negoplatform.presentation.bargaining.draft_offer import Draft, DraftHistory
from negoplatform.presentation.table.draft_storage import kept_document, kept_draft, kept_words


class Unsent:
    """The draft with its past, and the messages of which it is not known yet what has become of them.

    Args:
        seat: The participant's seat.
        game: The game.
        kept: What had not been sent when the session was interrupted.
        events: What has happened so far, as that seat sees it.
    """

    def __init__(
        self, seat: Seat, game: GameSpec, kept: Mapping[str, Any] | None, events: Sequence[Event]
    ) -> None:
        self._seat = seat
        self._on_the_way: list[Message] = []
        answers = [
            event.get_text() if self._said(event) else None for event in events if self._answers(event)
        ]
        self._answered = len(answers)
        self.history = DraftHistory(kept_draft(kept, game))
        self.words = kept_words(kept, answers)
        """What goes back into the line at the beginning."""

    @property
    def draft(self) -> Draft:
        """The draft as it is now."""
        return self.history.draft

    def sent(self, message: Message) -> None:
        """Words are on their way."""
        self._on_the_way.append(message)

    def settle(self, event: Event) -> tuple[bool, str]:
        """Whether something on its way has been said or refused, and the typed words that come back if so."""
        if not self._answers(event) or not self._on_the_way:
            return False, ""
        message = self._on_the_way.pop(0)
        self._answered += 1
        # A phrase can be chosen again; only what was typed would be lost.
        typed = message == Message(message.text)
        return True, message.text if typed and not self._said(event) else ""

    def unsettled(self) -> str:
        """Typed words of which nothing has become, once nothing more can: they were never said."""
        words = " ".join(message.text for message in self._on_the_way if message == Message(message.text))
        self._on_the_way.clear()
        return words

    def document(self, words: str) -> dict[str, Any]:
        """Everything that would be lost if the program ended now; ``words`` stand in the line."""
        typed = [message.text for message in self._on_the_way]
        return kept_document(self.draft, words, typed, self._answered)

    def _said(self, event: Event) -> bool:
        """Whether these are words of the participant."""
        return event.type == EventType.SEND_MESSAGE and event.sender == self._seat

    def _answers(self, event: Event) -> bool:
        """Whether this is what has become of words of the participant: they were said, or refused."""
        refused = event.type == EventType.ACTION_REFUSED and event.payload.action == EventType.SEND_MESSAGE
        return refused or self._said(event)
