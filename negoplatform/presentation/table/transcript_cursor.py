"""Which lines of the transcript are shown already. No Tk."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.core.events import Event, EventType
from negoplatform.core.state import State
from negoplatform.presentation.formatting import clock_text
from negoplatform.presentation.table.table_presenter import TablePresenter
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry


class TranscriptCursor:
    """Hands out each line once, in order; also where the session went on after an interruption."""

    def __init__(self) -> None:
        self._resumed: list[Event] = []
        self._count = self._resumed_count = 0

    def on_event(self, event: Event) -> None:
        """Something happened: that a session goes on stands in nobody's transcript."""
        if event.type == EventType.RESUMED:
            self._resumed.append(event)

    def new_lines(self, state: State, presenter: TablePresenter) -> list[TranscriptEntry]:
        """The lines that are not shown yet."""
        events = state.transcript_of(presenter.seat, after=self._count)
        if not events and self._resumed_count == len(self._resumed):
            return []
        lines = presenter.transcript_entries(state, events, self._resumed[self._resumed_count :])
        self._count += len(events)
        self._resumed_count = len(self._resumed)
        return [_with_clock(line, state, presenter) for line in lines]

    def reset(self) -> None:
        """All of them have to be shown anew."""
        self._count = self._resumed_count = 0


def _with_clock(line: TranscriptEntry, state: State, presenter: TablePresenter) -> TranscriptEntry:
    """A line with what the clock showed then: beside a clock that counts down, time counted up confuses."""
    deadline = state.game.rules.deadline_seconds
    if deadline is None:
        return line
    at = line.t if state.ended_at is None else min(line.t, state.ended_at)
    return replace(line, clock=clock_text(deadline - at, presenter.translate))
