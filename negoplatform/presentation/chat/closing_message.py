"""The closing of a session, as far as the line for writing is concerned: nothing in it is lost. No Tk."""

from __future__ import annotations

from negoplatform.app.session.participant_controller import Participant
from negoplatform.core.action_rules import closed_at
from negoplatform.core.state import State

LAST_MOMENT = 1.0
"""Seconds before the closing ends at which the line is settled: the message needs time to reach the table."""


class Closing:
    """Sends what was typed after the end as the last message, and has older words noted.

    Words that stand in the line since before the end were not meant as a goodbye: they are noted, not sent.

    Args:
        participant: Where the words go.
    """

    def __init__(self, participant: Participant) -> None:
        self._participant = participant
        self._before: str | None = None
        self._settled = False

    def begin(self, words: str) -> None:
        """The game has ended while these words stood in the line."""
        if self._before is None:
            self._before = words.strip()

    def is_due(self, state: State, now: float) -> bool:
        """Whether the line has to be settled now (session time in s), before the log is closed."""
        return not self._settled and now >= closed_at(state) - LAST_MOMENT

    def settle(self, words: str) -> None:
        """The participant is done, or the time for last words is nearly over."""
        if not self._settled:
            self._settled = True
            self._participant.settle(words, say=words.strip() != self._before)
