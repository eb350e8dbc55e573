"""Entries of a window that the host has not acknowledged yet.

Every entry has a number. After a lost connection the host reports the number of the last one that it has
performed. The others are sent again, unless they are stale, so none is performed twice and none is lost
without a report.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from negoplatform.agent_api.actions import FormalQuit, MechanismAct, SendExpression, SendOffer, ShowTyping
from negoplatform.app.joining.feed_lines import NumberedEntry, encode_entry
from negoplatform.app.session.participant_actions import AbortGame, AnswerInterpretation, ParticipantProposal
from negoplatform.app.session.windows.session_feed import AnswerSuggestion, DraftEntry, RemoteEntry
from negoplatform.hosting.seat_actions import AcceptOffer, ShareDraft

STALE_SECONDS = 10.0
"""Seconds after which a decision that waits for the connection is not sent any more."""

MOST_WAITING = 1000
"""Maximum number of entries that wait."""


@dataclass(slots=True)
class _Waiting:
    numbered: NumberedEntry
    line: bytes
    queued_at: float
    is_sent: bool = field(default=False)


class EntryQueue:
    """Entries in the order of their numbers."""

    def __init__(self) -> None:
        self._waiting: deque[_Waiting] = deque()
        self._number = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, feed: str, entry: RemoteEntry, queued_at: float) -> bool:
        """Queue an entry; return False if too many wait.

        Args:
            feed: The id of the feed that it is meant for.
            entry: The entry.
            queued_at: The ``time.monotonic()`` at which the window gave it.

        Raises:
            BadJoinLine: If no host would take it.
        """
        if isinstance(entry, DraftEntry):  # a newer draft replaces those that have not been sent
            self._waiting = deque(
                each
                for each in self._waiting
                if each.is_sent or not isinstance(each.numbered.entry, DraftEntry)
            )
        if len(self._waiting) >= MOST_WAITING:
            return False
        self._number += 1
        numbered = NumberedEntry(feed, self._number, entry)
        self._waiting.append(_Waiting(numbered, encode_entry(numbered), queued_at))
        return True

    def take_lines(self) -> bytes:
        """Return the lines that have not been sent on this connection."""
        unsent = [each for each in self._waiting if not each.is_sent]
        for each in unsent:
            each.is_sent = True
        return b"".join([each.line for each in unsent])

    def acknowledge(self, number: int, *, accepted: bool) -> RemoteEntry | None:
        """Remove an entry; return it if the host did not take it."""
        for each in self._waiting:
            if each.numbered.number == number:
                self._waiting.remove(each)
                return None if accepted else each.numbered.entry
        return None

    def reconnect(self, feed: str, performed: int, now: float) -> list[RemoteEntry]:
        """Prepare the entries for a new connection; return those that are not sent any more.

        Args:
            feed: The id of the feed; empty: there is no session.
            performed: The number of the last entry that was performed in it.
            now: The present ``time.monotonic()``.
        """
        dropped: list[RemoteEntry] = []
        kept: deque[_Waiting] = deque()
        for each in self._waiting:
            if each.numbered.feed == feed and each.numbered.number <= performed:
                continue
            entry, age = each.numbered.entry, now - each.queued_at
            if each.numbered.feed != feed or (age > STALE_SECONDS and is_decision(entry)):
                dropped.append(entry)
            elif age <= STALE_SECONDS or not is_momentary(entry):
                each.is_sent = False
                kept.append(each)
        self._waiting = kept
        return [entry for entry in dropped if not is_momentary(entry)]


def is_decision(entry: RemoteEntry) -> bool:
    """Return whether an entry may bind its seat, such as an offer or an acceptance, or end the game."""
    if isinstance(entry, AnswerSuggestion):
        return entry.send
    return isinstance(entry, tuple) and any(map(_decides, entry))


def is_momentary(entry: RemoteEntry) -> bool:
    """Return whether an entry means nothing once its moment has passed, such as a typing sign."""
    return isinstance(entry, tuple) and all(
        isinstance(step, ShowTyping | ShareDraft | SendExpression) for step in entry
    )


def _decides(step: ParticipantProposal) -> bool:
    if isinstance(step, AnswerInterpretation):
        return step.act is not None
    return isinstance(step, SendOffer | AcceptOffer | FormalQuit | MechanismAct | AbortGame)
