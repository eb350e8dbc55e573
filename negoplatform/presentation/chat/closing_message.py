"""The closing of a session, as far as the line for writing is concerned: nothing in it is lost. No Tk."""

from __future__ import annotations

from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.core.action_rules import closing_deadline
from negoplatform.core.state import State

FLUSH_LEAD_SECONDS = 1.0
"""Seconds before the closing ends at which the line is settled: the message needs time to reach the table."""


class FinalMessageFlusher:
    """Sends what was typed after the end as the last message, and has older words noted.

    Words that stand in the line since before the end were not meant as a goodbye: they are noted, not sent.

    Args:
        participant: Where the words go.
    """

    def __init__(self, participant: ParticipantController) -> None:
        self._participant = participant
        self._text_at_end: str | None = None
        self._flushed = False

    def on_game_end(self, words: str) -> None:
        """The game has ended while these words stood in the line."""
        if self._text_at_end is None:
            self._text_at_end = words.strip()

    def is_due(self, state: State, now: float) -> bool:
        """Whether the line has to be settled now (session time in s), before the log is closed."""
        return not self._flushed and now >= closing_deadline(state) - FLUSH_LEAD_SECONDS

    def flush(self, words: str) -> None:
        """The participant is done, or the time for last words is nearly over."""
        if not self._flushed:
            self._flushed = True
            self._participant.send_or_note_unsent(words, send=words.strip() != self._text_at_end)
