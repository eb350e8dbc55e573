"""Flush of the message line at the end of a session, so that typed text is not lost. No Tk."""

from __future__ import annotations

from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.core.action_rules import closing_deadline
from negoplatform.core.state import State

FLUSH_LEAD_SECONDS = 1.0
"""Seconds before the end of the closing at which the line is flushed, so that the message is recorded."""


class FinalMessageFlusher:
    """Flush of the message line: sends text typed after the game's end, and records older text as a note.

    Text that was in the line before the end was not meant as a goodbye, so it is noted, not sent.

    Args:
        participant: Controller that sends the message or records the note.
    """

    def __init__(self, participant: ParticipantController) -> None:
        self._participant = participant
        self._text_at_end: str | None = None
        self._flushed = False

    def on_game_end(self, words: str) -> None:
        """Record the text that was in the line when the game ended."""
        if self._text_at_end is None:
            self._text_at_end = words.strip()

    def is_due(self, state: State, now: float) -> bool:
        """Return whether the line must be flushed now (session time in seconds), before the log is closed."""
        return not self._flushed and now >= closing_deadline(state) - FLUSH_LEAD_SECONDS

    def flush(self, words: str, *, is_private: bool = False) -> None:
        """Send or note the text, because the participant is done or the closing is nearly over.

        A text that is not for everyone (``is_private``) is noted: a last word would reach everyone.
        """
        if not self._flushed:
            self._flushed = True
            typed_since = words.strip() != self._text_at_end
            self._participant.send_or_note_unsent(words, send=typed_since and not is_private)
