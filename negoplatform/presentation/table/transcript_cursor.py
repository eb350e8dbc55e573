"""Cursor of the transcript entries that are shown already. No Tk."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.core.events import Event, EventType
from negoplatform.core.state import State
from negoplatform.presentation.table.table_presenter import TablePresenter
from negoplatform.presentation.time_and_points_text import clock_text
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry


class TranscriptCursor:
    """Cursor that returns each entry once, in order, including resumptions after an interruption."""

    def __init__(self) -> None:
        self._resumed: list[Event] = []
        self._count = self._resumed_count = 0

    def on_event(self, event: Event) -> None:
        """Record a resumption; no seat's transcript contains it."""
        if event.type == EventType.RESUMED:
            self._resumed.append(event)

    def new_lines(self, state: State, presenter: TablePresenter) -> list[TranscriptEntry]:
        """Return the entries that are not shown yet."""
        events = state.transcript_of(presenter.seat, after=self._count)
        if not events and self._resumed_count == len(self._resumed):
            return []
        lines = presenter.transcript_entries(state, events, self._resumed[self._resumed_count :])
        self._count += len(events)
        self._resumed_count = len(self._resumed)
        return [_with_clock(line, state, presenter) for line in lines]

    def reset(self) -> None:
        """Start again from the first entry."""
        self._count = self._resumed_count = 0


def _with_clock(line: TranscriptEntry, state: State, presenter: TablePresenter) -> TranscriptEntry:
    """Return an entry with the countdown's text: an elapsed time next to a countdown would confuse."""
    deadline = state.game.rules.deadline_seconds
    if deadline is None:
        return line
    at = line.t if state.ended_at is None else min(line.t, state.ended_at)
    return replace(line, clock=clock_text(deadline - at, presenter.translate))
