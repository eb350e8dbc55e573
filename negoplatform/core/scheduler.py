"""Scheduler of timed calls: one heap, ordered by (time, priority, sequence)."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from enum import IntEnum
from itertools import count


class Priority(IntEnum):
    """Order of calls at one instant: at the deadline the game is over before any seat acts."""

    PLATFORM = 0
    SEAT = 1


class TimerHandle:
    """Call that is due at a time, unless it is cancelled before."""

    __slots__ = ("callback", "pending", "when")

    def __init__(self, at: float, call: Callable[[], None]) -> None:
        self.when = at
        self.callback = call
        self.pending = True

    def cancel(self) -> None:
        """Cancel the call."""
        self.pending = False


class Scheduler:
    """Queue of calls with due times; the owner of the clock passes in the time."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, int, TimerHandle]] = []
        self._sequence = count()

    def call_at(self, t: float, call: Callable[[], None], priority: Priority = Priority.SEAT) -> TimerHandle:
        """Schedule ``call`` for session time ``t`` (seconds, rounded to the millisecond)."""
        entry = TimerHandle(round(t, 3), call)
        # The sequence number is unique, so two entries of one instant are never compared by content.
        heapq.heappush(self._heap, (entry.when, priority, next(self._sequence), entry))
        return entry

    def next_due(self) -> float | None:
        """Return when the next entry is due; None if there is none."""
        heap = self._heap
        while heap and not heap[0][3].pending:
            heapq.heappop(heap)
        return heap[0][0] if heap else None

    def run_next(self, now: float) -> bool:
        """Call the next entry if it is due by now; return whether there was one."""
        heap = self._heap
        while heap:
            when, _, _, entry = heap[0]
            if entry.pending and when > now:
                return False
            heapq.heappop(heap)
            if entry.pending:
                entry.pending = False
                entry.callback()
                return True
        return False

    def clear(self) -> None:
        """Discard all entries."""
        self._heap.clear()
